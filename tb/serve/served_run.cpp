// SPDX-License-Identifier: Apache-2.0
#include "tb/serve/served_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "models/traffic/make_traffic.h"
#include "tb/fabric/fault_plan.h"
#include "tb/fabric/scheme.h"
#include "tb/run/host_times.h"
#include "tb/run/open_recorder.h"

namespace lanecut {
namespace {

// Between two looks at the sockets: a fraction of the time that a packet takes to come back.
constexpr Cycle kSliceCycles = 64;
// How long to wait for clients before looking whether the program shall end.
constexpr int kWaitMilliseconds = 200;
// How long, by the host's clock, simulated time stands still for a manager that owes an answer.
constexpr int kPatienceMilliseconds = 1000;

std::unique_ptr<Checker> MakeChecker(const Scenario& scenario, const Topology& topology) {
  if (!scenario.run.checks) return nullptr;
  return std::make_unique<Checker>(scenario, topology, Fabric::KindFor(scenario, topology));
}

umad::Server::Config ServerConfig(const Scenario& scenario) {
  return {.sockets = umad::Sockets::FromEnvironment(),
          .window = static_cast<int>(scenario.manager.window),
          .timeout = scenario.manager.timeout_cycles,
          .retries = static_cast<int>(scenario.manager.retries)};
}

}  // namespace

ServedRun::ServedRun(const ServeOptions& options, const Topology& topology)
    : scenario_(options.scenario),
      topology_(topology),
      options_(options),
      paths_(topology),
      ledger_(&topology, &paths_, &failure_),
      changes_(&topology, static_cast<int>(scenario_.switches.vls), SchemeOf(scenario_)),
      management_(&topology),
      checker_(MakeChecker(scenario_, topology)),
      trace_(&topology, {checker_.get(), &changes_, &management_, &ledger_, &failure_}),
      reports_(&ledger_, &trace_, &changes_, checker_.get()),
      fabric_(scenario_, topology, {&reports_, &trace_, checker_.get()}),
      end_nodes_(&fabric_),
      server_(std::make_unique<umad::Server>(ServerConfig(scenario_), &end_nodes_,
                                             [this](const std::string& line) { Say(line); })),
      faults_(&fabric_, [this](const FaultAction& action, Cycle now) { OnFault(action, now); }),
      traffic_(&fabric_, &paths_),
      failure_watch_(&fabric_, &ledger_, checker_.get(), scenario_.run.stall_cycles, &failure_),
      progress_(std::cerr, options.progress, NsPerCycle(scenario_.link.rate)),
      watch_(fabric_.clock().agenda().Add([this](Cycle now) { Watch(now); })) {
  if (checker_) {
    checker_->model().SetDropHandler([this](std::uint64_t id, DropReason reason, int node) {
      ledger_.Dropped(id, reason, topology_.node(node).name, fabric_.clock().now());
    });
  }
  if (scenario_.node.reliable) ledger_.FollowMessages();
  end_nodes_.SetServer(server_.get(), [this](int end_node, const Mad& mad) {
    return path_setup_ && path_setup_->OnMad(end_node, mad);
  });
  fabric_.SetLinkHandler([this](int cable, bool up, Cycle now) { OnLink(cable, up, now); });
  faults_.Plan(PlanFaults(scenario_, topology_));
  fabric_.clock().agenda().Arm(watch_, FailureWatch::kInterval);
  OpenResults();
}

void ServedRun::OpenResults() {
  recorder_ = OpenRecorder(scenario_, topology_, options_.out);
  ledger_.SetRecorder(recorder_.get());
  changes_.SetRecorder(recorder_.get());
  management_.SetRecorder(recorder_.get());
}

void ServedRun::Say(const std::string& line) {
  progress_.Clear();
  std::cerr << "lanecut serve: " << line << std::endl;
}

Summary ServedRun::Serve(const std::function<bool()>& stop) {
  while (!stop() && !failure_) {
    server_->Serve(fabric_.clock().now());
    if (stage_ == Stage::kPaths) path_setup_->Step(fabric_.clock().now());
    if (server_->AwaitsManager() && IsStill()) {
      if (!server_->Wait(kPatienceMilliseconds)) server_->DoNotAwaitManager();
    } else if (MustRun()) {
      Advance();
    } else {
      server_->Wait(kWaitMilliseconds);
    }
  }
  traffic_.Stop();
  CheckAccounts();
  progress_.Clear();
  return recorder_->Finish(fabric_.clock().now(), failure_ ? failure_.outcome() : "ok",
                           failure_.message(), MeasureHost(scenario_, &fabric_, wall_start_));
}

bool ServedRun::MustRun() const {
  if (server_->Busy() || stage_ != Stage::kNone || !fabric_.Quiet()) return true;
  return up_ && !faults_.Done();
}

// Nothing moves in the fabric, nor will before somebody has been answered.
bool ServedRun::IsStill() const {
  return (stage_ == Stage::kNone || stage_ == Stage::kPaths) && fabric_.Quiet();
}

void ServedRun::Advance() {
  FabricClock& clock = fabric_.clock();
  // Where nothing moves the clock skips what lies ahead.
  const Cycle length = IsStill() ? kTickCycles : kSliceCycles;
  clock.RunUntil(
      std::min(clock.now() + length, std::max(clock.now() + 1, server_->NextDeadline())));
  if (!up_ && AllActive()) OnSubnetUp(clock.now());
  if (stage_ != Stage::kNone) FollowTraffic(clock.now());
}

bool ServedRun::AllActive() {
  for (int i = 0; i < fabric_.num_hcas(); ++i) {
    if (fabric_.hca(i).hca().port_state() != ib::PortState::kActive) return false;
  }
  return true;
}

void ServedRun::OnSubnetUp(Cycle now) {
  up_ = true;
  recorder_->Milestone(now, "up", "", "all ports of end nodes are Active");
  if (!options_.traffic) return faults_.WarmupEnded(now);
  path_setup_.emplace(PathQueries::Config{.timeout = scenario_.manager.timeout_cycles,
                                          .retries = static_cast<int>(scenario_.manager.retries)},
                      topology_, &end_nodes_);
  stage_ = Stage::kPaths;
}

void ServedRun::StartTraffic(Cycle now) {
  path_setup_->Finish(&paths_, &failure_);
  recorder_->Milestone(now, "paths", "", "end nodes have their path records");
  recorder_->Attach("path-records.txt", path_setup_->Text());
  trace_.Reset();
  const Cycle start = now + scenario_.traffic.start_cycles;
  traffic_.Start(MakeTraffic(scenario_, topology_, start));
  stage_ = Stage::kWarmup;
  stage_end_ = start + scenario_.run.warmup_cycles;
}

void ServedRun::FollowTraffic(Cycle now) {
  if (stage_ == Stage::kPaths) {
    if (path_setup_->Done()) StartTraffic(now);
    return;
  }
  if (now < stage_end_) return;
  if (stage_ == Stage::kWarmup) {
    if (ledger_.taken() < scenario_.run.warmup_packets) return;
    recorder_->BeginMeasurement(now);
    faults_.WarmupEnded(now);
    stage_ = Stage::kMeasure;
    stage_end_ = now + scenario_.run.measure_cycles;
  } else {
    recorder_->EndMeasurement(now);
    std::cout << "lanecut serve: the traffic has been measured" << std::endl;
    traffic_.Stop();
    stage_ = Stage::kNone;
  }
}

void ServedRun::Watch(Cycle now) {
  failure_watch_.Look(now);
  progress_.Update(fmt::format("{} clients", server_->num_clients()), now, 0);
  if (failure_) fabric_.clock().Stop();
  fabric_.clock().agenda().Arm(watch_, now + FailureWatch::kInterval);
}

void ServedRun::OnFault(const FaultAction& action, Cycle now) {
  recorder_->Milestone(now, "fault", CableName(topology_, action.cable), FaultText(action));
}

// By a fault, or because a client has disabled or enabled a port.
void ServedRun::OnLink(int cable, bool up, Cycle now) {
  changes_.OnLink(cable, up, now);
  recorder_->Milestone(now, up ? "link-up" : "link-down", CableName(topology_, cable), "");
}

// Clients come and go as they like, so nothing needs to have come to its end.
void ServedRun::CheckAccounts() {
  if (!checker_) return;
  checker_->model().Finish(fabric_.clock().now(), /*drained=*/false);
  failure_watch_.LookForMismatch();
}

}  // namespace lanecut
