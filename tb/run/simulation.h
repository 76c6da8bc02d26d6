// SPDX-License-Identifier: Apache-2.0
//
// One run of a scenario: the fabric, the subnet manager on one of its end nodes, traffic, faults,
// checks and results.
//
// Phases: bring-up (by management packets alone); traffic with warm-up and measurement; drain,
// which lasts until nothing waits, no fault is to come and the manager has settled. The run ends
// there; what follows is the manager reading the switches' counters for the results. The first
// thing that goes wrong ends the run.
//
// A process may bring a fabric up once and fork: each child calls Run() with a scenario of its own
// for traffic, planned changes, faults, run and seed. Nothing is on disk unless OpenResults() came
// before.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sw/cli/progress.h"
#include "sw/results/recorder.h"
#include "sw/scenario/scenario.h"
#include "tb/fabric/change_plan.h"
#include "tb/fabric/fabric.h"
#include "tb/run/capture.h"
#include "tb/run/change_log.h"
#include "tb/run/checker.h"
#include "tb/run/failure.h"
#include "tb/run/failure_watch.h"
#include "tb/run/fault_injector.h"
#include "tb/run/hca_fan_out.h"
#include "tb/run/management_log.h"
#include "tb/run/manager_host.h"
#include "tb/run/packet_ledger.h"
#include "tb/run/path_records.h"
#include "tb/run/schedule.h"
#include "tb/run/table_log.h"
#include "tb/run/trace_counter.h"
#include "tb/run/traffic_driver.h"

namespace lanecut {

struct SimulationOptions {
  std::filesystem::path out;  // results folder; empty: only the summary
  bool progress = false;      // a line on standard error
};

class Simulation {
 public:
  // Throws ScenarioError for what only the fabric can know to be wrong.
  Simulation(const Scenario& scenario, const Topology& topology, const SimulationOptions& options);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Where results go, instead of to the folder of the options.
  void SetResultsFolder(const std::filesystem::path& out) { options_.out = out; }
  // Opens the results for the scenario `work`. Before BringUp(), so that its events are recorded,
  // or left to Run(). Throws ResultsError.
  void OpenResults(const Scenario& work);
  // Writes the links to files beside the results. After OpenResults(). Throws ResultsError.
  void StartCapture(const CaptureOptions& options);
  // Until every port is Active and every table loaded, or failure().
  void BringUp();
  // The sections traffic, run, change, fault and the seed of `work` count; the rest is as it was
  // built, and so is what is out of service from the beginning.
  // After BringUp(). `source` replaces the traffic of the scenario if given. Throws ResultsError.
  Summary Run(const Scenario& work, std::unique_ptr<TrafficSource> source = nullptr);

  // Ends the run with this cycle, as a failure does.
  void End(std::string outcome, std::string message);

  // What follows what is in the network; null without checks.
  const ReferenceModel* reference() const { return checker_ ? &checker_->model() : nullptr; }

  // For tests and benches, after BringUp() and instead of Run().
  Fabric& fabric() { return *fabric_; }
  const PathRecords& paths() const { return paths_; }
  // The standby once it has taken over.
  const SubnetManager& manager() const { return active_->host->manager(); }
  PacketLedger& ledger() { return ledger_; }
  const Failure& failure() const { return failure_; }
  void StartTraffic(std::unique_ptr<TrafficSource> source) { traffic_->Start(std::move(source)); }
  void StopTraffic() { traffic_->Stop(); }
  // Until `end`, or failure.
  void Advance(Cycle end);

 private:
  // A manager, its events and the log of its packets.
  struct Station : SmObserver {
    Station(Simulation* owner, ManagerRole role);
    void OnEvent(const SmEvent& event) override { simulation->OnEvent(event, this); }
    Simulation* simulation;
    std::unique_ptr<ManagerHost> host;
    std::unique_ptr<TableLog> tables;
  };

  void OnEvent(const SmEvent& event, const Station* from);
  bool EndsTheRun(const SmEvent& event, const Station* from) const;
  void UpdatePaths();
  void FollowService();
  void OnFault(const FaultAction& action, Cycle now);
  void Watch(Cycle now);
  void AdvanceUntil(const std::string& phase, Cycle end, Cycle expected_end,
                    const std::function<bool()>& done);
  void WarmUp(const Scenario& work);
  void Measure(const Scenario& work);
  void Drain(const Scenario& work);
  bool Drained() const;
  void CheckAccounts(bool drained);
  void ReadCounters(const Scenario& work);
  void SettleByElimination();
  HostTimes Host() const;

  Scenario scenario_;
  Topology topology_;
  SimulationOptions options_;
  Failure failure_;
  PathRecords paths_;
  PacketLedger ledger_;
  ChangeLog changes_;
  ManagementLog management_;
  std::unique_ptr<Checker> checker_;  // null without checks
  std::unique_ptr<TraceCounter> trace_;
  std::unique_ptr<HcaFanOut> end_nodes_;
  std::unique_ptr<Capture> capture_;  // null without
  std::unique_ptr<Fabric> fabric_;
  std::unique_ptr<Station> master_;
  std::unique_ptr<Station> standby_;  // null without
  Station* active_ = nullptr;         // the one whose tables are in force
  std::unique_ptr<TrafficDriver> traffic_;
  std::unique_ptr<FaultInjector> faults_;
  std::unique_ptr<Schedule<ChangeAction>> planned_;
  std::unique_ptr<FailureWatch> failure_watch_;
  std::unique_ptr<Recorder> recorder_;
  Progress progress_;
  int watch_;
  std::string phase_ = "bring-up";
  Cycle expected_end_ = 0;
  bool up_ = false;
  bool reading_counters_ = false;  // the run is over: nothing that the manager meets can fail it
  bool unnoticed_fault_ = false;   // the manager has not reacted yet
  bool link_was_cut_ = false;
  Cycle last_fault_ = 0;
  std::chrono::steady_clock::time_point wall_start_;
};

}  // namespace lanecut
