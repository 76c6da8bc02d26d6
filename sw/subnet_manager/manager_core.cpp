// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/manager_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sw/subnet_manager/kept_tables.h"
#include "sw/subnet_manager/recovery.h"

namespace lanecut {

SubnetManager::Impl::Impl(SmConfig config, MadTransport& transport, SmObserver& observer)
    : config_(std::move(config)),
      transport_(transport),
      observer_(observer),
      map_(config_.lmc),
      engine_(config_, transport_,
              [this](const SmpTarget& target) { return map_.RouteTo(target); }),
      discovery_(config_, map_, engine_, now_),
      activation_(config_, map_, engine_),
      loader_(config_, map_, engine_),
      numbering_(config_, map_, engine_, loader_),
      reconfiguration_(
          MakeReconfiguration({config_, map_, engine_, activation_, loader_, numbering_, now_})),
      sweep_(config_, map_, engine_),
      counter_reader_(map_, engine_),
      watch_(config_, map_, engine_, discovery_, now_),
      takeover_(config_, map_, engine_, loader_, numbering_) {
  if (config_.is_standby && config_.ChangesPaths()) {
    throw RoutingError(fmt::format("a standby does not know the tables that scheme {} keeps",
                                   SchemeName(config_.scheme)));
  }
  config_.find_engine(config_.routing_engine);
  if (!config_.after_fault_engine.empty()) config_.find_engine(config_.after_fault_engine);
  for (const PortKey& port : config_.out_of_service) map_.SetService(port, PortService::kOut);
}

// ---- Events ----

void SubnetManager::Impl::Start(Cycle now) {
  now_ = now;
  config_.is_standby ? Watch() : BringUp();
  Process();
}

void SubnetManager::Impl::OnMad(const Mad& mad, Cycle now) {
  inbox_.push_back(mad);
  if (is_processing_) return;  // delivered from within MadTransport::Send()
  now_ = now;
  Process();
}

void SubnetManager::Impl::OnLink(bool is_up, Cycle now) {
  now_ = now;
  if (is_up) {
    outage_.reset();
  } else if (!outage_ && !watch_.IsRunning()) {
    outage_ = {phase(), now + config_.timeout};
  }
  Process();
}

void SubnetManager::Impl::OnTimer(Cycle now) {
  if (is_processing_) return;
  now_ = now;
  Process();
}

void SubnetManager::Impl::Change(PlannedChange change, Cycle now) {
  now_ = now;
  planned_.push_back(std::move(change));
  Process();
}

void SubnetManager::Impl::ReadCounters(Cycle now, CounterReader::Done done) {
  now_ = now;
  counter_reader_.Run(std::move(done));
  Process();
}

void SubnetManager::Impl::Process() {
  is_processing_ = true;
  ++act_count_;
  do {
    while (!inbox_.empty()) {
      const Mad mad = inbox_.front();
      inbox_.pop_front();
      Dispatch(mad);
    }
    if (phase_ == SmPhase::kFailed) break;
    OnDue();
    engine_.Advance(now_);
  } while (!inbox_.empty());
  is_processing_ = false;
}

void SubnetManager::Impl::Dispatch(const Mad& mad) {
  if (mad.method() == ib::MadMethod::kGet && mad.attribute() == ib::MadAttribute::kSmInfo)
    AnswerSmInfo(mad);
  if (phase_ == SmPhase::kFailed) return;
  switch (mad.method()) {
    case ib::MadMethod::kGetResp:
      engine_.OnResponse(mad);
      break;
    case ib::MadMethod::kTrap:
      OnTrap(mad);
      break;
    default:
      break;  // another manager's business
  }
}

void SubnetManager::Impl::DoAgain(Restart what) {
  switch (what) {
    case Restart::kNone:
      return;
    case Restart::kBringUp:
      return BringUp();
    case Restart::kRediscovery:
      return Rediscover("");
    case Restart::kTakeover:
      return Watch();
  }
}

void SubnetManager::Impl::OnDue() {
  if (restart_ != Restart::kNone && now_ >= restart_at_) {
    DoAgain(std::exchange(restart_, Restart::kNone));
  }
  watch_.OnTimer();
  if (outage_ && now_ >= outage_->limit) return GiveUp();
  reconfiguration_->OnTimer();
  TakeUpChanges();
  if (IsSettled() && sweep_.IsDue(now_) && !sweep_.IsRunning()) {
    StartSweep(ReachableSwitches());
  }
}

Cycle SubnetManager::Impl::NextDeadline() const {
  if (phase_ == SmPhase::kFailed) return kNoDeadline;
  Cycle next = std::min(engine_.NextDeadline(), reconfiguration_->NextDeadline());
  if (restart_ != Restart::kNone) next = std::min(next, restart_at_);
  if (outage_) next = std::min(next, outage_->limit);
  next = std::min(next, watch_.NextDeadline());
  if (IsSettled() && !sweep_.IsRunning()) next = std::min(next, sweep_.next());
  return next;
}

void SubnetManager::Impl::OnTrap(const Mad& mad) {
  const ib::Notice notice = ib::Notice::Decode(mad);
  ++engine_.counters().traps;
  Repress(mad, notice.issuer_lid);
  const std::optional<int> node = map_.FindByLid(notice.issuer_lid);
  if (!node || !map_.node(*node).IsSwitch() || notice.trap_number != ib::kTrapLinkStateChange)
    return;
  if (!is_up_) return;  // FinishBringUp() asks everybody
  Report(SmEventKind::kTrapReceived, map_.node(*node).name);
  changed_.insert(*node);
  InspectIfNeeded();
}

// A trap is repeated until it is repressed; if this packet is lost, the next repetition brings
// another one.
void SubnetManager::Impl::Repress(const Mad& trap, std::uint16_t lid) {
  Mad answer = trap;
  answer.set_method(ib::MadMethod::kTrapRepress);
  if (lid != 0 && engine_.SendUnacknowledged(answer, lid)) ++engine_.counters().traps_repressed;
}

// Whoever asks will hear from a manager that has failed that it is none any more.
void SubnetManager::Impl::AnswerSmInfo(const Mad& request) {
  Mad answer = request;
  ib::SmInfo info;
  if (!map_.nodes().empty()) info.guid = map_.node(FabricMap::kOwnNode).info.port_guid;
  info.act_count = act_count_;
  info.priority = Priority();
  info.state = State();
  info.Encode(&answer);
  ib::MakeResponse(&answer, ib::MadStatus::kOk);
  if (transport_.Send(answer, ib::kPermissiveLid)) {
    ++engine_.counters().sent[ib::MadAttribute::kSmInfo];
    ++engine_.counters().total_sent;
  }
}

// One that has taken over goes before one that was cut off with a part of the fabric.
std::uint8_t SubnetManager::Impl::Priority() const {
  if (!config_.is_standby) return 1;
  return is_up_ ? 2 : 0;
}

ib::SmState SubnetManager::Impl::State() const {
  if (phase_ == SmPhase::kFailed || phase_ == SmPhase::kIdle) return ib::SmState::kNotActive;
  if (!watch_.IsRunning()) return ib::SmState::kMaster;
  return watch_.IsLooking() ? ib::SmState::kDiscovering : ib::SmState::kStandby;
}

// ---- Standby ----

void SubnetManager::Impl::Watch() {
  phase_ = SmPhase::kStandby;
  watch_.Start({[this] { MakePlan(nullptr, &installed_); },
                [this](const std::string& name) { Report(SmEventKind::kManagerLost, name); },
                [this] { TakeOver(); }});
}

void SubnetManager::Impl::TakeOver() {
  if (installed_.map_nodes.empty() && !MakePlan(nullptr, &installed_)) return;
  phase_ = SmPhase::kTakeover;
  if (config_.IsCompact()) engine_.UseCompact();
  AssumeChanges();
  takeover_.Run(installed_, choice_, watch_.link_of_master(),
                [this](const StageResult& result) { OnTakenOver(result); });
}

// What the operator has asked for before was asked of the lost manager, too.
void SubnetManager::Impl::AssumeChanges() {
  for (const PlannedChange& change : std::exchange(planned_, {})) {
    const RoutingChoice before = choice_;
    Note(change);
    if (WhyNot().empty()) continue;
    choice_ = before;
    for (const PortKey& port : change.ports) map_.SetService(port, PortService::kInService);
  }
}

void SubnetManager::Impl::OnTakenOver(const StageResult& result) {
  if (!Continue(result, Restart::kTakeover, SmPhase::kTakeover)) return;
  installed_ = takeover_.in_force();
  if (takeover_.change()) reconfiguration_->Inherit(*takeover_.change());
  doubtful_ = ReachableSwitches();
  is_up_ = true;
  must_reconfigure_ = true;
  phase_ = SmPhase::kUp;
  Report(SmEventKind::kTookOver, map_.node(FabricMap::kOwnNode).name +
                                     (takeover_.change() ? ", with a change to finish" : ""));
  Compare();
}

// ---- Bring-up ----

void SubnetManager::Impl::BringUp() {
  phase_ = SmPhase::kDiscovery;
  discovery_.DiscoverAll(true, [this](const StageResult& result) { OnDiscovered(result); });
}

void SubnetManager::Impl::OnDiscovered(const StageResult& result) {
  if (!Continue(result, Restart::kBringUp, SmPhase::kDiscovery)) return;
  if (IsCutOff()) {
    TryAgain(Restart::kBringUp, SmPhase::kDiscovery, "the manager's own port is down");
    return;
  }
  map_.AssignLids();
  phase_ = SmPhase::kRouting;
  if (!MakePlan(nullptr, &pending_)) return;
  const TopologySummary summary = pending_.topology.Summarize();
  Report(SmEventKind::kDiscoveryDone, fmt::format("{} switches, {} end nodes, {} links",
                                                  summary.switches, summary.hcas, summary.cables));
  Report(SmEventKind::kTablesComputed, DescribeTables(pending_));
  ConfigureLinks();
}

void SubnetManager::Impl::ConfigureLinks() {
  phase_ = SmPhase::kLidAssignment;
  activation_.Configure([this](const StageResult& result) {
    if (!Continue(result, Restart::kBringUp, SmPhase::kLidAssignment)) return;
    Report(SmEventKind::kLidsAssigned, fmt::format("1 to {}", map_.TopLid()));
    config_.UsesNumbers() ? NumberNodes() : LoadTables();
  });
}

void SubnetManager::Impl::NumberNodes() {
  phase_ = SmPhase::kNumbering;
  numbering_.Run(false, [this](const StageResult& result) {
    if (Continue(result, Restart::kBringUp, SmPhase::kNumbering)) LoadTables();
  });
}

void SubnetManager::Impl::LoadTables() {
  phase_ = SmPhase::kTableLoad;
  loader_.Load(pending_, TableBank::kActive, [this](const StageResult& result) {
    if (!Continue(result, Restart::kBringUp, SmPhase::kTableLoad)) return;
    installed_ = pending_;
    Report(SmEventKind::kTablesLoaded, "", true);
    const bool needs_copy = config_.scheme == ReconfigurationScheme::kEbrd || config_.differences ||
                            (config_.IsCompact() && config_.UsesNumbers());
    needs_copy ? LoadInactiveBanks() : ActivateLinks();
  });
}

// So that already the first change can be told as what differs.
void SubnetManager::Impl::LoadInactiveBanks() {
  loader_.LoadAllInactive(pending_, [this](const StageResult& result) {
    if (Continue(result, Restart::kBringUp, SmPhase::kTableLoad)) ActivateLinks();
  });
}

void SubnetManager::Impl::ActivateLinks() {
  phase_ = SmPhase::kActivation;
  activation_.Activate([this](const StageResult& result) {
    if (!Continue(result, Restart::kBringUp, SmPhase::kActivation)) return;
    FinishBringUp();
  });
}

void SubnetManager::Impl::FinishBringUp() {
  is_up_ = true;
  if (config_.IsCompact()) engine_.UseCompact();
  phase_ = SmPhase::kUp;
  Report(SmEventKind::kSubnetUp);
  doubtful_ = ReachableSwitches();
  Compare();
}

// ---- Changes ----

std::set<int> SubnetManager::Impl::ReachableSwitches() const {
  std::set<int> switches;
  for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
    const MapNode& node = map_.nodes()[i];
    if (node.IsSwitch() && node.IsReachable()) switches.insert(static_cast<int>(i));
  }
  return switches;
}

void SubnetManager::Impl::StartSweep(const std::set<int>& switches) {
  sweep_.Run(
      switches, [this](int node, bool has_changed) { OnSweepAnswer(node, has_changed); },
      [this](const StageResult& result) { OnSwept(result); });
}

void SubnetManager::Impl::OnSweepAnswer(int node, bool has_changed) {
  doubtful_.erase(node);
  if (!has_changed) return;
  Report(SmEventKind::kSweepChange, map_.node(node).name);
  changed_.insert(node);
  InspectIfNeeded();
}

void SubnetManager::Impl::OnSwept(const StageResult& result) {
  sweep_.Schedule(now_);
  if (result.outcome == StageOutcome::kComplete || discovery_.IsRunning()) return;
  Report(SmEventKind::kSweepChange, result.reason);
  Rediscover(result.reason);
}

void SubnetManager::Impl::InspectIfNeeded() {
  if (!is_up_ || restart_ != Restart::kNone) return;
  if (discovery_.IsInspecting()) {
    for (const int node : std::exchange(changed_, {})) discovery_.Join(node);
  }
  if (discovery_.IsRunning()) return;
  if (!changed_.empty()) {
    discovery_.Inspect(std::exchange(changed_, {}),
                       [this](const StageResult& result) { OnInspected(result); });
  } else if (!doubtful_.empty() && !sweep_.IsRunning()) {
    StartSweep(doubtful_);
  }
}

void SubnetManager::Impl::OnInspected(const StageResult& result) {
  if (result.outcome == StageOutcome::kIncomplete) {
    Rediscover(result.reason);
    return;
  }
  if (!Continue(result, Restart::kRediscovery, SmPhase::kDiscovery)) return;
  Compare();
}

// From scratch: what the map says is wrong somewhere, and nobody said where.
void SubnetManager::Impl::Rediscover(const std::string& why) {
  if (!why.empty()) Report(SmEventKind::kRestarted, "full discovery: " + why);
  if (reconfiguration_->IsRunning()) must_reconfigure_ = true;
  AbandonAll();
  changed_.clear();
  doubtful_.clear();
  phase_ = SmPhase::kDiscovery;
  discovery_.DiscoverAll(false, [this](const StageResult& result) { OnRediscovered(result); });
}

void SubnetManager::Impl::OnRediscovered(const StageResult& result) {
  if (!Continue(result, Restart::kRediscovery, SmPhase::kDiscovery)) return;
  phase_ = SmPhase::kUp;
  Compare();
}

// Does the map ask for anything? Not while an inspection writes it, which ends with a comparison.
void SubnetManager::Impl::Compare() {
  if (discovery_.IsRunning()) return;
  if (IsCutOff()) {
    if (outage_) return GiveUp();
    return Fail(SmPhase::kDiscovery, "the manager is cut off from the fabric");
  }
  if (const std::optional<int> other = FindOtherMaster()) {
    return Stop(SmEventKind::kGaveWay,
                fmt::format("manager {} gives way to {}", map_.node(FabricMap::kOwnNode).name,
                            map_.node(*other).name));
  }
  std::vector<int> unused;
  const Topology found = map_.BuildTopology(&unused);
  const bool is_running = reconfiguration_->IsRunning();
  const RoutePlan& reference = is_running ? pending_ : installed_;
  const bool must_number = config_.UsesNumbers() && !is_running && Numbering::IsNeeded(map_);
  if (is_running && reconfiguration_->IsCommitted()) {
    InspectIfNeeded();  // when it is complete, the comparison is made again
  } else if (must_reconfigure_ || must_number || choice_ != reference.choice ||
             !SameFabric(found, reference.topology)) {
    Report(SmEventKind::kTopologyChanged, DescribeChange(reference.topology, found));
    StartReconfiguration();
  } else if (is_running || is_restoring_) {
    InspectIfNeeded();
  } else if (!map_.Leaving().empty()) {
    DisableLeaving();
  } else if (LinkActivation::IsNeeded(map_)) {
    RestoreLinks();
  } else {
    Settle();
  }
}

void SubnetManager::Impl::StartReconfiguration() {
  AbandonAll();
  for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
    if (!map_.nodes()[i].is_configured) loader_.Forget(static_cast<int>(i));
  }
  map_.AssignLids();
  must_reconfigure_ = false;
  phase_ = SmPhase::kRouting;
  if (!MakePlan(&installed_, &pending_)) return;
  phase_ = SmPhase::kUp;
  changed_pairs_ = config_.ChangesPaths() ? CountChangedPairs() : 0;
  Report(SmEventKind::kReconfigurationStarted);
  reconfiguration_->Run(
      installed_, pending_,
      [this](SmEventKind kind, const RoutePlan* in_force) {
        OnReconfigurationReport(kind, in_force);
      },
      [this](const StageResult& result) { OnReconfigured(result); });
  InspectIfNeeded();
}

void SubnetManager::Impl::OnReconfigurationReport(SmEventKind kind, const RoutePlan* in_force) {
  std::string detail;
  if (kind == SmEventKind::kTablesComputed) {
    const EntryCount entries = CountEntries(installed_, pending_);
    detail = fmt::format("{}, {} cycles, {} of {} entries new", DescribeTables(pending_),
                         pending_.compute_time, entries.changed, entries.all);
  }
  if (kind == SmEventKind::kAlternatesTaken) {
    detail = fmt::format("{} of {} pairs whose path has failed", pending_.moves.size(),
                         pending_.cut_pairs);
  }
  if (kind == SmEventKind::kRecoveryChosen) detail = DescribeRecovery(pending_);
  if (kind == SmEventKind::kPathsChanged) {
    const std::size_t ends = pending_.topology.hcas().size();
    detail = fmt::format("{} of {} pairs", changed_pairs_, ends * (ends - 1));
  }
  if (kind == SmEventKind::kChangeStarted) installed_.is_leaving = true;
  if (in_force != nullptr) installed_ = *in_force;
  // Where end nodes are told of their paths, the tables alone are of no use to them.
  const bool are_told = kind == SmEventKind::kPathsChanged || !config_.ChangesPaths();
  Report(kind, detail, in_force != nullptr && are_told);
}

std::size_t SubnetManager::Impl::CountChangedPairs() const {
  const std::size_t ends = pending_.topology.hcas().size();
  if (installed_.topology.nodes() != pending_.topology.nodes()) return ends * (ends - 1);
  return ChangedPairs(installed_, pending_).size();
}

void SubnetManager::Impl::OnReconfigured(const StageResult& result) {
  // Who came, or came back, while it ran may have missed it.
  if (result.outcome != StageOutcome::kComplete || map_.HasUnplanned()) must_reconfigure_ = true;
  if (!Continue(result, Restart::kRediscovery, reconfiguration_->phase())) return;
  phase_ = SmPhase::kUp;
  Compare();
}

// ---- Planned changes ----

// Not while an inspection writes the map.
void SubnetManager::Impl::TakeUpChanges() {
  while (!planned_.empty() && is_up_ && phase_ == SmPhase::kUp && restart_ == Restart::kNone &&
         !discovery_.IsRunning()) {
    const PlannedChange change = std::move(planned_.front());
    planned_.pop_front();
    TakeUp(change);
  }
}

void SubnetManager::Impl::TakeUp(const PlannedChange& change) {
  switch (change.kind) {
    case PlannedChange::Kind::kReroute:
      return Reroute(change);
    case PlannedChange::Kind::kRemove:
      return Remove(change);
    case PlannedChange::Kind::kAdd:
      return Add(change);
  }
}

// The choice of tables, and of links, as asked.
void SubnetManager::Impl::Note(const PlannedChange& change) {
  if (!change.engine.empty() && change.engine != choice_.engine) choice_ = {change.engine, ""};
  if (!change.root.empty()) choice_.root = change.root;
  const bool leaves = change.kind == PlannedChange::Kind::kRemove;
  for (const PortKey& port : change.ports)
    map_.SetService(port, leaves ? PortService::kLeaving : PortService::kInService);
}

void SubnetManager::Impl::Reroute(const PlannedChange& change) {
  const RoutingChoice before = choice_;
  Note(change);
  if (const std::string why = WhyNot(); !why.empty()) {
    choice_ = before;
    return Refuse(change, why);
  }
  Report(SmEventKind::kChangePlanned, change.description);
  Compare();
}

void SubnetManager::Impl::Remove(const PlannedChange& change) {
  Note(change);
  if (const std::string why = WhyNot(); !why.empty()) {
    for (const PortKey& port : change.ports) map_.SetService(port, PortService::kInService);
    return Refuse(change, why);
  }
  Report(SmEventKind::kChangePlanned, change.description);
  Compare();
}

// What is behind the ports is found like anything that has come up.
void SubnetManager::Impl::Add(const PlannedChange& change) {
  Note(change);
  for (const PortKey& port : change.ports) {
    const std::optional<int> node = map_.FindByGuid(port.first);
    if (node && map_.node(*node).IsSwitch() && map_.node(*node).IsReachable())
      changed_.insert(*node);
  }
  Report(SmEventKind::kChangePlanned, change.description);
  changed_.empty() ? Compare() : InspectIfNeeded();
}

std::string SubnetManager::Impl::WhyNot() const {
  const std::string cut_off = WhoIsCutOff();
  if (!cut_off.empty()) return cut_off + " would be cut off";
  try {
    ComputePlan(config_, map_, &installed_, choice_);
    return "";
  } catch (const RoutingError& error) {
    return error.what();
  }
}

// Nodes that lose their last link in service, but are not themselves to be taken out.
std::string SubnetManager::Impl::WhoIsCutOff() const {
  std::vector<int> map_nodes;
  const Topology topology = map_.BuildTopology(&map_nodes);
  const auto manager = std::find(map_nodes.begin(), map_nodes.end(), 0);
  const std::vector<int> hops = topology.HopsFrom(static_cast<int>(manager - map_nodes.begin()));
  std::vector<int> lost;
  for (std::size_t place = 0; place < map_nodes.size(); ++place) {
    const MapNode& node = map_.node(map_nodes[place]);
    if (hops[place] >= 0 || !node.IsReachable()) continue;
    bool is_meant = map_nodes[place] != 0;
    for (int number = 1; number <= node.NumPorts(); ++number) {
      const PortRef ref{map_nodes[place], number};
      if (node.ports[number].peer && map_.IsInService(ref)) is_meant = false;
    }
    if (!is_meant) lost.push_back(map_nodes[place]);
  }
  return lost.empty() ? "" : map_.NameNodes(lost);
}

void SubnetManager::Impl::Refuse(const PlannedChange& change, const std::string& why) {
  Report(SmEventKind::kChangeRefused, change.description + ": " + why);
}

// No table leads over them any more, and no packet is on them that one led there.
void SubnetManager::Impl::DisableLeaving() {
  is_restoring_ = true;
  activation_.Disable([this](const StageResult& result) { OnDisabled(result); });
}

void SubnetManager::Impl::OnDisabled(const StageResult& result) {
  is_restoring_ = false;
  if (!Continue(result, Restart::kRediscovery, SmPhase::kActivation)) return;
  const std::vector<PortRef> ports = map_.Leaving();
  for (const PortRef& ref : ports) {
    map_.SetService({map_.node(ref.node).info.node_guid, ref.port}, PortService::kOut);
    map_.Disconnect(ref);
  }
  map_.UpdateRoutes();
  engine_.Reroute(now_);
  Report(SmEventKind::kOutOfService, fmt::format("{} ports", ports.size()));
  Compare();
}

// The same links as before, but some went down and came back. The tables are right, so nothing
// needs to stop.
void SubnetManager::Impl::RestoreLinks() {
  is_restoring_ = true;
  map_.PlanForReachable();
  activation_.Configure([this](const StageResult& result) {
    if (result.outcome != StageOutcome::kComplete) {
      OnLinksRestored(result);
      return;
    }
    activation_.Activate([this](const StageResult& last) { OnLinksRestored(last); });
  });
}

void SubnetManager::Impl::OnLinksRestored(const StageResult& result) {
  is_restoring_ = false;
  if (!Continue(result, Restart::kRediscovery, SmPhase::kActivation)) return;
  Report(SmEventKind::kLinksRestored);
  Compare();
}

void SubnetManager::Impl::Settle() {
  restarts_ = 0;
  // Where the LIDs of switches are not looked after, a TrapRepress may never arrive, and a trap
  // that is repeated for ever must not put the sweep off for ever.
  const bool is_fixed = config_.ChangesPaths() && sweep_.next() != kNoDeadline;
  if (!sweep_.IsRunning() && !is_fixed) sweep_.Schedule(now_);
  InspectIfNeeded();
}

bool SubnetManager::Impl::IsSettled() const {
  return phase_ == SmPhase::kUp && restart_ == Restart::kNone && !discovery_.IsRunning() &&
         !reconfiguration_->IsRunning() && !is_restoring_ && !outage_ && changed_.empty() &&
         doubtful_.empty() && planned_.empty();
}

// ---- Common ----

bool SubnetManager::Impl::IsCutOff() const {
  const std::vector<MapPort>& ports = map_.node(FabricMap::kOwnNode).ports;
  return std::none_of(ports.begin(), ports.end(),
                      [](const MapPort& port) { return port.peer.has_value(); });
}

std::optional<int> SubnetManager::Impl::FindOtherMaster() const {
  for (std::size_t i = 1; i < map_.nodes().size(); ++i) {
    const MapNode& node = map_.nodes()[i];
    const bool goes_first = node.manager && node.manager->state == ib::SmState::kMaster &&
                            node.manager->priority > Priority();
    if (goes_first && node.IsReachable()) return static_cast<int>(i);
  }
  return std::nullopt;
}

void SubnetManager::Impl::GiveUp() {
  const std::string name = map_.nodes().empty() ? "" : map_.node(FabricMap::kOwnNode).name + " ";
  Stop(SmEventKind::kCutOff, fmt::format("manager {}cut off in phase '{}': its own link is down",
                                         name, SmPhaseName(outage_->phase)));
}

bool SubnetManager::Impl::MakePlan(const RoutePlan* before, RoutePlan* plan) {
  const auto start = std::chrono::steady_clock::now();
  try {
    *plan = ComputePlan(config_, map_, before, choice_);
    map_.PlanForReachable();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    computations_.push_back({now_, taken.count()});
    return true;
  } catch (const RoutingError& error) {
    Fail(SmPhase::kRouting, error.what());
    return false;
  }
}

void SubnetManager::Impl::AbandonAll() {
  engine_.CancelAll();
  discovery_.Abandon();
  watch_.Abandon();
  takeover_.Abandon();
  reconfiguration_->Abandon();
  numbering_.Abandon();
  sweep_.Abandon();
  counter_reader_.Abandon();
  is_restoring_ = false;
}

void SubnetManager::Impl::TryAgain(Restart what, SmPhase phase, const std::string& why) {
  if (reconfiguration_->IsRunning()) must_reconfigure_ = true;
  AbandonAll();
  if (++restarts_ > config_.max_restarts) {
    Fail(phase, why);
    return;
  }
  phase_ = SmPhase::kDiscovery;
  restart_ = what;
  restart_at_ = now_ + config_.timeout;
  Report(SmEventKind::kRestarted, fmt::format("{}: {}", SmPhaseName(phase), why));
}

bool SubnetManager::Impl::Continue(const StageResult& result, Restart again, SmPhase phase) {
  if (result.outcome == StageOutcome::kComplete) return true;
  if (result.outcome == StageOutcome::kIncomplete) {
    TryAgain(again, phase, result.reason);
  } else {
    Fail(phase, result.reason);
  }
  return false;
}

void SubnetManager::Impl::Fail(SmPhase phase, const std::string& reason) {
  Stop(SmEventKind::kFailed, fmt::format("{}: {}", SmPhaseName(phase), reason));
}

void SubnetManager::Impl::Stop(SmEventKind kind, std::string detail) {
  AbandonAll();
  restart_ = Restart::kNone;
  outage_.reset();
  phase_ = SmPhase::kFailed;
  Report(kind, std::move(detail));
}

void SubnetManager::Impl::Report(SmEventKind kind, std::string detail, bool new_tables) {
  observer_.OnEvent({now_, kind, phase(), std::move(detail), new_tables});
}

}  // namespace lanecut
