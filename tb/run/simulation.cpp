// SPDX-License-Identifier: Apache-2.0
#include "tb/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <utility>

#include "models/traffic/make_traffic.h"
#include "sw/scenario/reader.h"
#include "tb/fabric/scheme.h"
#include "tb/run/host_times.h"
#include "tb/run/open_recorder.h"

namespace lanecut {
namespace {

// A fault that the manager has not noticed by then goes unnoticed: no trap, no sweep.
constexpr Cycle kNoticeCycles = 100'000;

}  // namespace

Simulation::Simulation(const Scenario& scenario, const Topology& topology,
                       const SimulationOptions& options)
    : scenario_(scenario),
      topology_(topology),
      options_(options),
      paths_(topology_),
      ledger_(&topology_, &paths_, &failure_),
      changes_(&topology_, static_cast<int>(scenario.switches.vls), SchemeOf(scenario)),
      management_(&topology_),
      progress_(std::cerr, options.progress, NsPerCycle(scenario.link.rate)),
      wall_start_(std::chrono::steady_clock::now()) {
  const SwitchKind kind = Fabric::KindFor(scenario_, topology_);
  if (scenario_.run.checks) checker_ = std::make_unique<Checker>(scenario_, topology_, kind);
  if (checker_) {
    checker_->model().SetDropHandler([this](std::uint64_t id, DropReason reason, int node) {
      ledger_.Dropped(id, reason, topology_.node(node).name, fabric_->clock().now());
    });
  }
  trace_ = std::make_unique<TraceCounter>(
      &topology_,
      TraceCounter::Readers{checker_.get(), &changes_, &management_, &ledger_, &failure_});
  end_nodes_ = std::make_unique<HcaFanOut>(&ledger_, trace_.get(), &changes_, checker_.get());
  fabric_ = std::make_unique<Fabric>(
      scenario_, topology_, FabricObservers{end_nodes_.get(), trace_.get(), checker_.get()});
  faults_ = std::make_unique<FaultInjector>(
      fabric_.get(), [this](const FaultAction& action, Cycle now) { OnFault(action, now); });
  planned_ = std::make_unique<Schedule<ChangeAction>>(&fabric_->clock().agenda(),
                                                      [this](const ChangeAction& action, Cycle) {
                                                        master_->host->Change(action.change);
                                                        if (standby_)
                                                          standby_->host->Change(action.change);
                                                      });
  if (scenario_.node.reliable) ledger_.FollowMessages();
  for (int i = 0; i < fabric_->num_hcas(); ++i) {
    fabric_->hca(i).SetPathQuery([this, i](std::uint16_t dlid) {
      const int to = paths_.EndNodeOf(dlid);
      return to < 0 || paths_.MaySend(i, to);
    });
    fabric_->hca(i).SetSlQuery([this, i](std::uint16_t dlid, std::uint8_t sl) {
      const int to = paths_.EndNodeOf(dlid);
      return to < 0 ? sl : paths_.Find(i, to).sl;
    });
  }
  if (!KeepsOrder(SchemeOf(scenario_))) ledger_.AllowReordering();
  master_ = std::make_unique<Station>(this, ManagerRole::kMaster);
  active_ = master_.get();
  if (!scenario_.manager.standby.empty()) {
    standby_ = std::make_unique<Station>(this, ManagerRole::kStandby);
  }
  traffic_ = std::make_unique<TrafficDriver>(fabric_.get(), &paths_);
  failure_watch_ = std::make_unique<FailureWatch>(fabric_.get(), &ledger_, checker_.get(),
                                                  scenario_.run.stall_cycles, &failure_);
  watch_ = fabric_->clock().agenda().Add([this](Cycle now) { Watch(now); });
  fabric_->clock().agenda().Arm(watch_, FailureWatch::kInterval);
}

Simulation::~Simulation() = default;

Simulation::Station::Station(Simulation* owner, ManagerRole role)
    : simulation(owner),
      host(std::make_unique<ManagerHost>(owner->scenario_, role, owner->fabric_.get(), this)),
      tables(std::make_unique<TableLog>(&owner->topology_, host->node())) {
  host->SetMadHook([this](const Mad& mad, bool is_sent, Cycle now) {
    is_sent ? tables->OnSent(mad, now) : tables->OnReceived(mad, now);
  });
}

void Simulation::OpenResults(const Scenario& work) {
  recorder_ = OpenRecorder(work, topology_, options_.out);
  ledger_.SetRecorder(recorder_.get());
  changes_.SetRecorder(recorder_.get());
  management_.SetRecorder(recorder_.get());
  master_->tables->SetRecorder(recorder_.get());
  if (standby_) standby_->tables->SetRecorder(recorder_.get());
}

void Simulation::StartCapture(const CaptureOptions& options) {
  capture_ =
      std::make_unique<Capture>(options, recorder_->PartialFolder(),
                                NsPerCycle(scenario_.link.rate), fabric_.get(), checker_.get());
}

void Simulation::BringUp() {
  master_->host->Start();
  if (standby_) standby_->host->Start();
  AdvanceUntil("bring-up", scenario_.run.max_cycles, 0, [this] { return up_; });
  if (!up_) {
    failure_.Set("timeout",
                 fmt::format("cycle {}: the subnet is not up; the manager is in phase {}",
                             fabric_->clock().now(), SmPhaseName(manager().phase())));
  }
}

Summary Simulation::Run(const Scenario& work, std::unique_ptr<TrafficSource> source) {
  FabricClock& clock = fabric_->clock();
  scenario_.run = work.run;
  if (recorder_ == nullptr) OpenResults(work);
  faults_->Plan(PlanFaults(work, topology_));
  master_->host->ReadTables(work, topology_);
  if (standby_) standby_->host->ReadTables(work, topology_);
  planned_->Plan(PlanChanges(work, topology_).actions);
  trace_->Reset();
  const Cycle start = clock.now() + work.traffic.start_cycles;
  traffic_->Start(source ? std::move(source) : MakeTraffic(work, topology_, start));
  WarmUp(work);
  Measure(work);
  traffic_->Stop();
  if (work.run.drain) Drain(work);
  CheckAccounts(work.run.drain);
  const Cycle end = clock.now();
  if (work.run.drain && !options_.out.empty()) ReadCounters(work);
  if (capture_) capture_->Finish();
  progress_.Clear();
  return recorder_->Finish(end, failure_ ? failure_.outcome() : "ok", failure_.message(), Host());
}

void Simulation::WarmUp(const Scenario& work) {
  if (work.run.warmup_packets == 0) {
    const Cycle end = fabric_->clock().now() + work.traffic.start_cycles + work.run.warmup_cycles;
    AdvanceUntil("warm-up", end, end + work.run.measure_cycles, [] { return false; });
    return;
  }
  bool warm = false;
  ledger_.CallAtTaken(ledger_.taken() + work.run.warmup_packets, [this, &warm] {
    warm = true;
    fabric_->clock().Stop();
  });
  AdvanceUntil("warm-up", work.run.max_cycles, 0, [&warm] { return warm; });
  ledger_.CallAtTaken(0, nullptr);
  if (!warm) {
    failure_.Set("timeout",
                 fmt::format("cycle {}: run.max_cycles is over and {} of {} warm-up packets "
                             "have been delivered; the load is too low for that warm-up",
                             fabric_->clock().now(), ledger_.taken(), work.run.warmup_packets));
  }
}

void Simulation::Measure(const Scenario& work) {
  if (failure_) return;
  const Cycle begin = fabric_->clock().now();
  const Cycle end = begin + work.run.measure_cycles;
  recorder_->BeginMeasurement(begin);
  faults_->WarmupEnded(begin);
  planned_->WarmupEnded(begin);
  AdvanceUntil("measure", end, end, [] { return false; });
  recorder_->EndMeasurement(fabric_->clock().now());
}

void Simulation::Drain(const Scenario& work) {
  if (failure_) return;
  const Cycle limit = fabric_->clock().now() + work.run.drain_cycles;
  while (!Drained() && !failure_ && fabric_->clock().now() < limit) {
    const Cycle next = std::min(limit, fabric_->clock().now() + FailureWatch::kInterval);
    AdvanceUntil("drain", next, 0, [] { return false; });
  }
  if (!Drained()) {
    failure_.Set(
        "timeout",
        fmt::format(
            "cycle {}: not drained after {} cycles; {} packets in the network, the "
            "manager is in phase {}{}{}",
            fabric_->clock().now(), work.run.drain_cycles, ledger_.in_network(),
            SmPhaseName(manager().phase()),
            ledger_.open_messages() == 0
                ? ""
                : fmt::format(", {} messages sent and not handed on", ledger_.open_messages()),
            faults_->Done() && planned_->Done() ? "" : ", a fault or change is still to come"));
  }
}

bool Simulation::Drained() const {
  return faults_->Done() && planned_->Done() && manager().IsSettled() && fabric_->Quiet() &&
         !fabric_->PacketsWait() &&
         (!unnoticed_fault_ || fabric_->clock().now() > last_fault_ + kNoticeCycles);
}

void Simulation::End(std::string outcome, std::string message) {
  failure_.Set(std::move(outcome), std::move(message));
  fabric_->clock().Stop();
}

void Simulation::Advance(Cycle end) {
  AdvanceUntil(phase_, end, 0, [] { return false; });
}

void Simulation::AdvanceUntil(const std::string& phase, Cycle end, Cycle expected_end,
                              const std::function<bool()>& done) {
  phase_ = phase;
  expected_end_ = expected_end;
  const Cycle last = std::min(end, scenario_.run.max_cycles);
  while (!failure_ && !done() && fabric_->clock().now() < last) fabric_->clock().RunUntil(last);
  if (!failure_ && !done() && last < end) {
    failure_.Set("timeout", fmt::format("cycle {}: run.max_cycles is over during {}", last, phase));
  }
}

void Simulation::Watch(Cycle now) {
  failure_watch_->Look(now);
  progress_.Update(phase_, now, expected_end_);
  if (failure_) fabric_->clock().Stop();
  fabric_->clock().agenda().Arm(watch_, now + FailureWatch::kInterval);
}

void Simulation::OnEvent(const SmEvent& event, const Station* from) {
  const bool takes_over = event.kind == SmEventKind::kTookOver;
  if (takes_over) active_ = standby_.get();
  if (event.kind == SmEventKind::kChangePlanned || event.kind == SmEventKind::kSubnetUp ||
      takes_over) {
    FollowService();
  }
  if (event.new_tables || event.kind == SmEventKind::kSubnetUp) {
    UpdatePaths();
  }
  if (event.kind == SmEventKind::kSubnetUp) {
    up_ = true;
    fabric_->clock().Stop();
  }
  if (EndsTheRun(event, from) && !reading_counters_) {
    failure_.Set("manager", fmt::format("cycle {}: {}", event.cycle, event.detail));
    fabric_->clock().Stop();
  }
  if (event.kind == SmEventKind::kTrapReceived || event.kind == SmEventKind::kSweepChange ||
      takes_over) {
    unnoticed_fault_ = false;
  }
  if (recorder_ == nullptr) return;
  const std::string_view stage = SmStageName(event.kind);
  if (stage.empty()) {
    recorder_->Event(event.cycle, SmEventName(event.kind), "", event.detail);
  } else {
    recorder_->Milestone(event.cycle, stage, "", event.detail);
  }
}

void Simulation::UpdatePaths() {
  paths_.Update(manager().topology(), manager().tables());
  // Under static nothing is sent before the end nodes know; the other schemes' plans have been
  // checked with packets on earlier SLs.
  if (SchemeOf(scenario_) == ReconfigurationScheme::kStatic) {
    for (int i = 0; i < fabric_->num_hcas(); ++i) fabric_->hca(i).FollowSls();
  }
  if (!paths_.HasSeveral()) return;
  for (int from = 0; from < fabric_->num_hcas(); ++from) {
    for (int to = 0; to < fabric_->num_hcas(); ++to) {
      if (from == to || paths_.LowestLid(to) == 0) continue;
      std::vector<PathTable::Path> paths;
      for (const PathRecord& record : paths_.FindAll(from, to))
        paths.push_back({record.dlid, record.sl});
      fabric_->hca(from).LoadPaths(paths_.LowestLid(to), std::move(paths));
    }
  }
}

// A master that is cut off leaves the rest to a standby, which watches from subnet-up on. What
// becomes of a manager whose place another one has taken does not matter.
bool Simulation::EndsTheRun(const SmEvent& event, const Station* from) const {
  if (event.kind == SmEventKind::kFailed) return from == active_ || from == standby_.get();
  const bool is_replaced = standby_ && up_ && from == master_.get();
  return event.kind == SmEventKind::kCutOff && !is_replaced;
}

void Simulation::FollowService() {
  for (int i = 0; i < fabric_->num_hcas(); ++i) {
    const bool is_served = manager().IsServed(fabric_->hca(i).hca().config().node_guid);
    is_served ? paths_.Open(i) : paths_.Close(i);
  }
  for (int i = 0; i < fabric_->num_hcas(); ++i) fabric_->hca(i).DropWithoutPath();
}

void Simulation::OnFault(const FaultAction& action, Cycle now) {
  const bool changes_links =
      action.kind == FaultAction::Kind::kCut || action.kind == FaultAction::Kind::kRestore;
  if (changes_links) {
    unnoticed_fault_ = true;
    link_was_cut_ = true;
    last_fault_ = now;
    changes_.OnLink(action.cable, action.kind == FaultAction::Kind::kRestore, now);
  }
  if (recorder_ == nullptr) return;
  recorder_->Milestone(now, "fault", CableName(topology_, action.cable), FaultText(action));
}

void Simulation::CheckAccounts(bool drained) {
  const Cycle now = fabric_->clock().now();
  if (drained && !failure_ && ledger_.open_messages() != 0) {
    failure_.Set("messages", fmt::format("cycle {}: {} messages have been sent and not handed on",
                                         now, ledger_.open_messages()));
  }
  if (checker_) {
    checker_->model().Finish(now, drained && !failure_);
    failure_watch_->LookForMismatch();
  } else if (drained && !failure_) {
    SettleByElimination();
  }
  if (drained && !failure_ && ledger_.in_network() != 0) {
    failure_.Set(
        "accounting",
        fmt::format("cycle {}: {} packets are neither delivered nor dropped, "
                    "and not in the network; the first is {}",
                    now, ledger_.in_network(), ledger_.Describe(ledger_.InNetwork().front().id)));
  }
}

// Without a checker nobody knows which packet a report was about. What is missing must be covered
// by reports; its reason is known if all of them give the same one and no link was cut, which is a
// reason of its own.
void Simulation::SettleByElimination() {
  const auto& reports = trace_->drops();
  const std::vector<PacketLedger::Sent> lost = ledger_.InNetwork();
  if (lost.size() > std::accumulate(reports.begin(), reports.end(), std::uint64_t{0})) return;
  const auto given = [](std::uint64_t count) { return count > 0; };
  auto reason = DropReason::kUnknown;
  if (!link_was_cut_ && std::ranges::count_if(reports, given) == 1) {
    reason = static_cast<DropReason>(std::ranges::find_if(reports, given) - reports.begin());
  }
  for (const auto& sent : lost) {
    ledger_.Dropped(sent.id, reason, "", fabric_->clock().now());
  }
}

void Simulation::ReadCounters(const Scenario& work) {
  if (failure_) return;
  phase_ = "counters";
  reading_counters_ = true;
  active_->host->ReadCounters([this](const std::vector<PortReading>& readings) {
    for (const PortReading& reading : readings) {
      for (const ib::PortCounter& counter : ib::kPortCounters) {
        recorder_->Counter(reading.node, reading.port, counter.name,
                           reading.counters.*counter.value);
      }
    }
    reading_counters_ = false;
    fabric_->clock().Stop();
  });
  const Cycle limit = fabric_->clock().now() + work.run.drain_cycles;
  while (reading_counters_ && !failure_ && fabric_->clock().now() < limit) {
    fabric_->clock().RunUntil(limit);
  }
  if (!failure_) active_->host->StopReadingCounters();
}

HostTimes Simulation::Host() const {
  HostTimes host = MeasureHost(scenario_, fabric_.get(), wall_start_);
  for (const TableComputation& each : manager().computations()) {
    host.computations.emplace_back(each.cycle, each.host_seconds);
  }
  return host;
}

}  // namespace lanecut
