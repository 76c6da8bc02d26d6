// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/double_reconfiguration.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sw/wire/function_number.h"

namespace lanecut {

using ib::MadAttribute;
using ib::VendorVlDrain;

namespace {

constexpr VendorVlDrain kDrain{.drain = true};
constexpr VendorVlDrain kReady{.ready = true};
constexpr VendorVlDrain kSwitchOver{.switch_over = true};

}  // namespace

DoubleReconfiguration::DoubleReconfiguration(const ReconfigurationTools& tools)
    : NumberedReconfiguration(tools), drain_batch_(tools.engine) {}

void DoubleReconfiguration::Run(const RoutePlan& before, const RoutePlan& after, Report report,
                                Done done) {
  Begin(before, after, std::move(report), std::move(done));
  if (!IsCommitted()) {
    BeginChange();
  } else {
    change_->are_all_switched ? AwaitOver() : SwitchOverAll();
  }
  OnTimer();
}

void DoubleReconfiguration::Abandon() {
  drain_batch_.Abandon();
  NumberedReconfiguration::Abandon();
}

bool DoubleReconfiguration::IsMember(int node) const {
  return change_->nodes.count(node) > 0 && NumberedReconfiguration::IsMember(node);
}

void DoubleReconfiguration::OnComputed() {
  if (change_ && !change_->is_switching) LoadAll();
}

void DoubleReconfiguration::BeginChange() {
  change_.reset();
  Prepare([this] { OnPrepared(); });
}

void DoubleReconfiguration::OnPrepared() {
  MakeChange(*after_, NextNumber(numbering_.number()));
  DrainAll();
  if (is_computed()) LoadAll();
}

void DoubleReconfiguration::MakeChange(const RoutePlan& plan, std::uint8_t number) {
  change_.emplace();
  change_->plan = plan;
  change_->number = number;
  for (std::size_t place = 0; place < plan.map_nodes.size(); ++place) {
    const int node = plan.map_nodes[place];
    if (!NumberedReconfiguration::IsMember(node)) continue;
    change_->nodes[node].place = static_cast<int>(place);
    change_->nodes[node].is_idle = !map_.node(node).IsSwitch();
  }
}

// Somebody switches over, so everybody drains and has its tables.
void DoubleReconfiguration::Inherit(const InheritedChange& inherited) {
  MakeChange(inherited.plan, inherited.number);
  change_->are_all_draining = change_->are_all_ready = change_->is_switching = true;
}

SmpRequest DoubleReconfiguration::MakeCommand(SmpTarget target, VendorVlDrain command) const {
  command.number = change_->number;
  return SetRequest(target, MadAttribute::kVendorVlDrain, 0, command);
}

void DoubleReconfiguration::Command(SmpBatch& batch, int node, VendorVlDrain command,
                                    bool Node::*acknowledged) {
  SmpRequest request = MakeCommand({node}, command);
  request.urgent = true;
  Send(batch, node, std::move(request), [this, node, acknowledged](const Mad& mad) {
    change_->nodes[node].*acknowledged = true;
    NoteState(node, VendorVlDrain::Decode(mad));
  });
}

void DoubleReconfiguration::NoteState(int node, const VendorVlDrain& state) {
  Node& progress = change_->nodes[node];
  progress.is_idle |= state.idle;
  progress.is_over = state.IsOver(change_->number);
  if (map_.node(node).IsSwitch() && state.epoch == change_->number) {
    loader_.NoteFunction(node, change_->number);
  }
}

void DoubleReconfiguration::CommandAll(SmpBatch& batch, VendorVlDrain command,
                                       bool Node::*acknowledged, std::function<void()> next) {
  const auto submit = [this, &batch, command, acknowledged] {
    for (const bool switches : {false, true}) {
      for (const auto& [node, progress] : change_->nodes) {
        if (progress.*acknowledged || !IsMember(node) || map_.node(node).IsSwitch() != switches)
          continue;
        Command(batch, node, command, acknowledged);
      }
    }
  };
  batch.Run(submit, [this, next = std::move(next)] {
    if (Continue(result_)) next();
  });
}

void DoubleReconfiguration::DrainAll() {
  phase_ = SmPhase::kVlDrain;
  if (config_.IsCompact()) {
    Flood(MakeCommand({}, kDrain));
    change_->are_all_draining = true;
    return;
  }
  CommandAll(drain_batch_, kDrain, &Node::is_draining, [this] {
    change_->are_all_draining = true;
    if (change_->are_all_ready) AwaitIdle();
  });
}

// Farthest from the manager first: the last answers to come, which the switch-over waits for, have
// a short way then.
void DoubleReconfiguration::LoadAll() {
  const auto submit = [this] {
    const RoutePlan& plan = change_->plan;
    for (const RankedSwitch& ranked :
         RankSwitches(plan, plan, DistributionOrder::kFarthestManager)) {
      const int node = plan.map_nodes[ranked.place];
      if (!IsMember(node)) continue;
      config_.IsCompact() ? Update(node, ranked.place) : Load(node, ranked.place);
    }
  };
  batch_.Run(submit, [this] {
    if (Continue(result_)) OnLoaded();
  });
}

void DoubleReconfiguration::Load(int node, int place) {
  loader_.LoadInactive(batch_, result_, change_->plan, place, false, [this, node](bool ok) {
    if (ok) Command(batch_, node, kReady, &Node::is_ready);
  });
}

// Table and announcement are one packet, and its answer is the first poll. The next one does not
// wait for the other tables.
void DoubleReconfiguration::Update(int node, int place) {
  loader_.UpdateInactive(
      batch_, result_, change_->plan,
      {.place = place,
       .then = TableLoader::Then::kReady,
       .number = change_->number,
       .state = [this, node](const VendorVlDrain& state) { NoteState(node, state); }},
      [this, node](bool ok) {
        if (!ok) return;
        change_->nodes[node].is_ready = true;
        if (!change_->nodes[node].is_idle) Command(batch_, node, kDrain, &Node::is_draining);
      });
}

void DoubleReconfiguration::OnLoaded() {
  change_->are_all_ready = true;
  report_(SmEventKind::kTablesLoaded, nullptr);
  if (change_->are_all_draining) AwaitIdle();
}

void DoubleReconfiguration::AwaitIdle() {
  deadline_ = now_ + config_.drain_timeout;
  Reach({kDrain, &Node::is_draining, &Node::is_idle, "packets are left on VLs other than VL0"},
        [this] { OnIdle(); });
}

void DoubleReconfiguration::OnIdle() {
  report_(SmEventKind::kDrained, nullptr);
  loader_.LoadEndNodes(change_->plan, [this](const StageResult& result) {
    if (Continue(result)) SwitchOverAll();
  });
}

void DoubleReconfiguration::SwitchOverAll() {
  phase_ = SmPhase::kSwitchOver;
  change_->is_switching = true;
  if (config_.IsCompact()) {
    Flood(MakeCommand({}, kSwitchOver));
    return OnSwitchedOver();
  }
  CommandAll(batch_, kSwitchOver, &Node::is_switched, [this] { OnSwitchedOver(); });
}

void DoubleReconfiguration::OnSwitchedOver() {
  change_->are_all_switched = true;
  report_(SmEventKind::kChangeStarted, &change_->plan);
  AwaitOver();
}

void DoubleReconfiguration::AwaitOver() {
  phase_ = SmPhase::kReopen;
  deadline_ = now_ + config_.drain_timeout;
  Reach({kSwitchOver, &Node::is_switched, &Node::is_over, "old packets are left on VL0"},
        [this] { OnOver(); });
}

void DoubleReconfiguration::Reach(const Goal& goal, std::function<void()> next) {
  const auto submit = [this, goal] {
    for (const auto& [node, progress] : change_->nodes) {
      if (progress.*goal.is_done || !IsMember(node)) continue;
      Command(batch_, node, goal.command, goal.acknowledged);
    }
  };
  batch_.Run(submit, [this, goal, next = std::move(next)] {
    if (!Continue(result_)) return;
    std::vector<int> waiting;
    for (const auto& [node, progress] : change_->nodes) {
      if (!(progress.*goal.is_done) && IsMember(node)) waiting.push_back(node);
    }
    if (waiting.empty()) return next();
    if (now_ < deadline_) {
      if (goal.command.drain) AskEndNodesOf(waiting);
      return Reach(goal, next);
    }
    result_.Note(StageOutcome::kRefused,
                 fmt::format("{} after {} cycles: {}", goal.what, config_.drain_timeout,
                             map_.NameNodes(waiting)));
    End(result_);
  });
}

// What keeps a switch from being idle may be packets of an end node that has missed the drain.
void DoubleReconfiguration::AskEndNodesOf(const std::vector<int>& waiting) {
  for (auto& [node, progress] : change_->nodes) {
    const std::vector<MapPort>& ports = map_.node(node).ports;
    const bool is_behind = std::any_of(ports.begin(), ports.end(), [&](const MapPort& port) {
      return port.peer && std::binary_search(waiting.begin(), waiting.end(), port.peer->node);
    });
    if (!map_.node(node).IsSwitch() && is_behind && !progress.is_draining) progress.is_idle = false;
  }
}

// New end nodes may send now that every switch knows the way to them.
void DoubleReconfiguration::OnOver() {
  ReleaseEndNodes([this] {
    if (Continue(result_)) config_.IsCompact() ? LoadRest() : Complete();
  });
}

// By the LIDs of switches no packet of an end node travels.
void DoubleReconfiguration::LoadRest() {
  loader_.Load(change_->plan, TableBank::kActive, [this](const StageResult& result) {
    if (Continue(result)) Complete();
  });
}

void DoubleReconfiguration::Complete() {
  numbering_.set_number(change_->number);
  const RoutePlan& plan = change_->plan;
  const bool is_all = SameFabric(plan.topology, after_->topology) && plan.tables == after_->tables;
  change_.reset();
  report_(SmEventKind::kChangeCompleted, nullptr);
  is_all ? End(result_) : BeginChange();
}

}  // namespace lanecut
