// SPDX-License-Identifier: Apache-2.0
//
// The fabric of a scenario without a manager of its own: programs outside manage it (see
// sw/umad_server).
//
// Simulated time runs, as fast as it can, while something moves in the fabric or a client waits for
// an answer; else it stands still until a client sends something. Once all ports of end nodes have
// been Active, it also runs while faults of the scenario are to come and, if traffic is wanted,
// until that has been measured. Before the traffic the end nodes ask for their paths. Faults that
// count from the end of the warm-up count from that of the traffic, or without traffic from the
// cycle in which all ports were Active.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sw/cli/cli.h"
#include "sw/cli/progress.h"
#include "sw/results/recorder.h"
#include "sw/umad_server/server.h"
#include "tb/fabric/fabric.h"
#include "tb/run/change_log.h"
#include "tb/run/checker.h"
#include "tb/run/failure.h"
#include "tb/run/failure_watch.h"
#include "tb/run/fault_injector.h"
#include "tb/run/hca_fan_out.h"
#include "tb/run/management_log.h"
#include "tb/run/packet_ledger.h"
#include "tb/run/path_records.h"
#include "tb/run/trace_counter.h"
#include "tb/run/traffic_driver.h"
#include "tb/serve/path_setup.h"
#include "tb/serve/served_end_nodes.h"

namespace lanecut {

class ServedRun {
 public:
  // Opens the sockets and the results folder, if there is one. `topology` is kept. Throws
  // ScenarioError, ResultsError and umad::SocketError.
  ServedRun(const ServeOptions& options, const Topology& topology);
  ServedRun(const ServedRun&) = delete;
  ServedRun& operator=(const ServedRun&) = delete;

  std::string SocketName() const { return server_->Name(); }
  // Until `stop` says so, or the run fails.
  Summary Serve(const std::function<bool()>& stop);

 private:
  void OpenResults();
  void Say(const std::string& line);
  bool MustRun() const;
  void Advance();
  void Watch(Cycle now);
  void OnFault(const FaultAction& action, Cycle now);
  void OnLink(int cable, bool up, Cycle now);
  bool AllActive();
  void OnSubnetUp(Cycle now);
  void StartTraffic(Cycle now);
  void FollowTraffic(Cycle now);
  bool IsStill() const;
  void CheckAccounts();

  Scenario scenario_;
  const Topology& topology_;
  ServeOptions options_;
  Failure failure_;
  PathRecords paths_;
  PacketLedger ledger_;
  ChangeLog changes_;
  ManagementLog management_;
  std::unique_ptr<Checker> checker_;  // null without checks
  TraceCounter trace_;
  HcaFanOut reports_;
  Fabric fabric_;
  ServedEndNodes end_nodes_;
  std::unique_ptr<umad::Server> server_;
  FaultInjector faults_;
  TrafficDriver traffic_;
  FailureWatch failure_watch_;
  std::unique_ptr<Recorder> recorder_;
  Progress progress_;
  int watch_;
  bool up_ = false;
  std::optional<PathSetup> path_setup_;
  enum class Stage { kNone, kPaths, kWarmup, kMeasure } stage_ = Stage::kNone;  // of the traffic
  Cycle stage_end_ = 0;
  std::chrono::steady_clock::time_point wall_start_ = std::chrono::steady_clock::now();
};

}  // namespace lanecut
