// SPDX-License-Identifier: Apache-2.0
//
// The order of things inside the subnet manager: which stage runs, and what follows from its
// outcome.
//
//   bring-up:  discovery -> plan -> Configure -> (numbers) -> load -> Activate -> up
//   up:        trap or sweep -> inspection of the switches named -> compare with the topology in
//   force
//              nothing new -> up; links bounced -> Configure, Activate; topology changed ->
//              reconfiguration
//   a node that does not answer -> full discovery -> the same comparison
//
//   standby:   watch -> no master -> takeover -> the same comparison, with a reconfiguration in any
//              case
//
//   planned change -> the map and the choice of tables as asked -> the same comparison; when the
//   tables in force need the links that are leaving no more, these are disabled
//
// A change that is found while a reconfiguration runs abandons it and starts another one for the
// newer topology; if it has gone too far for that, the other one follows it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "sw/subnet_manager/counter_reader.h"
#include "sw/subnet_manager/discovery.h"
#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/link_activation.h"
#include "sw/subnet_manager/numbering.h"
#include "sw/subnet_manager/planned_change.h"
#include "sw/subnet_manager/reconfiguration.h"
#include "sw/subnet_manager/route_plan.h"
#include "sw/subnet_manager/smp_engine.h"
#include "sw/subnet_manager/standby_watch.h"
#include "sw/subnet_manager/subnet_manager.h"
#include "sw/subnet_manager/sweep.h"
#include "sw/subnet_manager/table_loader.h"
#include "sw/subnet_manager/takeover.h"

namespace lanecut {

class SubnetManager::Impl {
 public:
  Impl(SmConfig config, MadTransport& transport, SmObserver& observer);

  void Start(Cycle now);
  void OnMad(const Mad& mad, Cycle now);
  void OnLink(bool is_up, Cycle now);
  void OnTimer(Cycle now);
  Cycle NextDeadline() const;
  void Change(PlannedChange change, Cycle now);
  bool IsServed(std::uint64_t end_node) const { return !map_.IsOutOfService(end_node); }
  void ReadCounters(Cycle now, CounterReader::Done done);
  void StopReadingCounters() { counter_reader_.Abandon(); }

  SmPhase phase() const {
    return reconfiguration_->IsRunning() ? reconfiguration_->phase() : phase_;
  }
  bool IsUp() const { return is_up_; }
  bool IsSettled() const;
  const Topology& topology() const { return installed_.topology; }
  const RoutingTables& tables() const { return installed_.tables; }
  const SmpCounters& counters() const { return engine_.counters(); }
  const std::vector<TableComputation>& computations() const { return computations_; }

 private:
  // What to do again when `restart_at_` comes.
  enum class Restart { kNone, kBringUp, kRediscovery, kTakeover };

  // Events.
  void Process();
  void Dispatch(const Mad& mad);
  void DoAgain(Restart what);
  void OnDue();
  void OnTrap(const Mad& mad);
  void Repress(const Mad& trap, std::uint16_t lid);
  void AnswerSmInfo(const Mad& request);
  ib::SmState State() const;

  // Bring-up.
  void BringUp();
  void OnDiscovered(const StageResult& result);
  void ConfigureLinks();
  void NumberNodes();
  void LoadTables();
  void LoadInactiveBanks();
  void ActivateLinks();
  void FinishBringUp();

  // Standby.
  void Watch();
  void TakeOver();
  void OnTakenOver(const StageResult& result);
  void AssumeChanges();

  // Changes.
  std::set<int> ReachableSwitches() const;
  void StartSweep(const std::set<int>& switches);
  void OnSweepAnswer(int node, bool has_changed);
  void OnSwept(const StageResult& result);
  void InspectIfNeeded();
  void OnInspected(const StageResult& result);
  void Rediscover(const std::string& why);
  void OnRediscovered(const StageResult& result);
  void Compare();
  void StartReconfiguration();
  std::size_t CountChangedPairs() const;
  void OnReconfigurationReport(SmEventKind kind, const RoutePlan* in_force);
  void OnReconfigured(const StageResult& result);
  void TakeUpChanges();
  void TakeUp(const PlannedChange& change);
  void Note(const PlannedChange& change);
  void Reroute(const PlannedChange& change);
  void Remove(const PlannedChange& change);
  void Add(const PlannedChange& change);
  // Why there are no tables for the links in service by the engine wished for; empty if there are.
  std::string WhyNot() const;
  std::string WhoIsCutOff() const;
  void Refuse(const PlannedChange& change, const std::string& why);
  void DisableLeaving();
  void OnDisabled(const StageResult& result);
  void RestoreLinks();
  void OnLinksRestored(const StageResult& result);
  void Settle();

  bool IsCutOff() const;
  void GiveUp();
  std::uint8_t Priority() const;
  // Of a master that goes first.
  std::optional<int> FindOtherMaster() const;
  bool MakePlan(const RoutePlan* before, RoutePlan* plan);
  void AbandonAll();
  void TryAgain(Restart what, SmPhase phase, const std::string& why);
  // True if the stage succeeded; otherwise tries again or fails.
  bool Continue(const StageResult& result, Restart again, SmPhase phase);
  void Fail(SmPhase phase, const std::string& reason);
  void Stop(SmEventKind kind, std::string detail);
  void Report(SmEventKind kind, std::string detail = "", bool new_tables = false);

  const SmConfig config_;
  MadTransport& transport_;
  SmObserver& observer_;
  Cycle now_ = 0;
  std::deque<Mad> inbox_;
  bool is_processing_ = false;

  FabricMap map_;
  SmpEngine engine_;
  Discovery discovery_;
  LinkActivation activation_;
  TableLoader loader_;
  Numbering numbering_;
  std::unique_ptr<Reconfiguration> reconfiguration_;
  Sweep sweep_;
  CounterReader counter_reader_;
  StandbyWatch watch_;
  Takeover takeover_;

  SmPhase phase_ = SmPhase::kIdle;
  bool is_up_ = false;
  bool is_restoring_ = false;          // links that bounced are being activated, or others disabled
  std::size_t changed_pairs_ = 0;      // that send by other paths when `pending_` is in force
  bool must_reconfigure_ = false;      // a reconfiguration was abandoned: end nodes may be halted
  RoutePlan installed_;                // in force
  RoutePlan pending_;                  // being brought into force
  std::set<int> changed_;              // switches that reported a change
  std::deque<PlannedChange> planned_;  // not taken up yet
  RoutingChoice choice_;
  std::vector<TableComputation> computations_;
  std::set<int> doubtful_;  // switches whose ports may have changed during bring-up, or takeover
  Restart restart_ = Restart::kNone;
  Cycle restart_at_ = 0;
  int restarts_ = 0;
  struct Outage {
    SmPhase phase;  // in which the manager's own link went down
    Cycle limit;    // until when it may come back
  };
  std::optional<Outage> outage_;
  std::uint32_t act_count_ = 0;  // of SMInfo
};

}  // namespace lanecut
