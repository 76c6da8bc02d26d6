// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/token_reconfiguration.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sw/wire/function_number.h"

namespace lanecut {

using ib::MadAttribute;

TokenReconfiguration::TokenReconfiguration(const ReconfigurationTools& tools)
    : NumberedReconfiguration(tools), start_batch_(tools.engine) {}

void TokenReconfiguration::Run(const RoutePlan& before, const RoutePlan& after, Report report,
                               Done done) {
  Begin(before, after, std::move(report), std::move(done));
  is_prepared_ = false;
  IsCommitted() ? Resume() : BeginChange();
  OnTimer();
}

void TokenReconfiguration::Abandon() {
  start_batch_.Abandon();
  NumberedReconfiguration::Abandon();
}

bool TokenReconfiguration::IsMember(int node) const {
  return change_->nodes.count(node) > 0 && NumberedReconfiguration::IsMember(node);
}

void TokenReconfiguration::BeginChange() {
  change_.reset();
  Prepare([this] {
    is_prepared_ = true;
    OnPrepared();
  });
}

void TokenReconfiguration::OnComputed() {
  if (!is_prepared_) return;
  change_ ? LoadAfterStart() : OnPrepared();
}

void TokenReconfiguration::OnPrepared() {
  if (!is_computed() && !StartsFirst()) return;
  MakeChange(*after_, NextNumber(numbering_.number()));
  if (!StartsFirst()) return LoadAll();
  StartAll();
  if (is_computed()) LoadAfterStart();
}

void TokenReconfiguration::LoadAfterStart() {
  LoadAll();
  if (config_.IsCompact()) ConfirmStart();
}

void TokenReconfiguration::MakeChange(const RoutePlan& plan, std::uint8_t number) {
  change_.emplace();
  change_->plan = plan;
  change_->number = number;
  for (std::size_t place = 0; place < plan.map_nodes.size(); ++place) {
    const int node = plan.map_nodes[place];
    if (NumberedReconfiguration::IsMember(node)) {
      change_->nodes[node].place = static_cast<int>(place);
    }
  }
}

// Some nodes have started. A command to start may be repeated, so all are told.
void TokenReconfiguration::Inherit(const InheritedChange& inherited) {
  MakeChange(inherited.plan, inherited.number);
  change_->is_started = true;
  change_->are_all_ready = true;
  for (auto& [node, progress] : change_->nodes) {
    if (!map_.node(node).IsSwitch()) continue;
    progress.is_complete = progress.is_ready = inherited.holders.count(node) > 0;
    change_->are_all_ready &= progress.is_ready;
  }
}

// Behind the tables, but not when they have arrived: an end node that has missed the flood holds up
// all others. (A switch starts with its neighbours.)
void TokenReconfiguration::ConfirmStart() {
  const auto submit = [this] {
    for (auto& [node, progress] : change_->nodes) {
      if (IsMember(node) && !map_.node(node).IsSwitch()) Ask(start_batch_, node, progress);
    }
  };
  start_batch_.Run(submit, [this] { Continue(result_); });
}

// An abandoned change. What was asked of a node without an answer is asked again.
void TokenReconfiguration::Resume() {
  // Who has missed a flood has not been found out yet, so all who have not been seen to start
  // count.
  if (config_.IsCompact()) change_->are_all_started = false;
  const bool are_all_told = change_->are_all_started;
  const bool are_all_loaded = change_->are_all_ready;
  if (!are_all_told) StartAll();
  if (!are_all_loaded) LoadAll();
  if (are_all_told && are_all_loaded) OnAllToldAndLoaded();
}

void TokenReconfiguration::StartAll() {
  phase_ = SmPhase::kStart;
  const bool is_first = !std::exchange(change_->is_started, true);
  if (config_.IsCompact() && is_first) {
    Flood(SetRequest({}, MadAttribute::kVendorFunction, 0, StartOf(change_->number)));
    return OnStarted();
  }
  const auto submit = [this] {
    // End nodes first, so that the last packets of the old function are on their way early.
    for (const bool switches : {false, true}) {
      for (const auto& [node, progress] : change_->nodes) {
        if (progress.is_started || !IsMember(node) || map_.node(node).IsSwitch() != switches)
          continue;
        SendStart(start_batch_, node, change_->number,
                  [this, node = node] { change_->nodes[node].is_started = true; });
      }
    }
  };
  start_batch_.Run(submit, [this] {
    if (Continue(result_)) OnStarted();
  });
}

void TokenReconfiguration::OnStarted() {
  change_->are_all_started = true;
  report_(SmEventKind::kChangeStarted, &change_->plan);
  if (change_->are_all_ready) OnAllToldAndLoaded();
}

void TokenReconfiguration::LoadAll() {
  phase_ = SmPhase::kBankLoad;
  const auto submit = [this] {
    for (const auto& [node, progress] : change_->nodes) {
      if (progress.is_ready || !IsMember(node) || !map_.node(node).IsSwitch()) continue;
      if (progress.is_complete) {
        Announce(node);
        continue;
      }
      if (config_.IsCompact()) {
        Update(node, progress.place);
        continue;
      }
      loader_.LoadInactive(batch_, result_, change_->plan, progress.place, false,
                           [this, node = node](bool ok) {
                             if (ok) Announce(node);
                           });
    }
  };
  batch_.Run(submit, [this] {
    if (Continue(result_)) OnLoaded();
  });
}

// Table and announcement are one packet.
void TokenReconfiguration::Update(int node, int place) {
  loader_.UpdateInactive(batch_, result_, change_->plan,
                         {.place = place,
                          .then = TableLoader::Then::kReady,
                          .number = change_->number,
                          .everything = !config_.differences},
                         [this, node](bool ok) {
                           if (ok)
                             change_->nodes[node].is_complete = change_->nodes[node].is_ready =
                                 true;
                         });
}

void TokenReconfiguration::Announce(int node) {
  change_->nodes[node].is_complete = true;
  ib::VendorFunction function;
  function.ready = true;
  function.number = change_->number;
  SmpRequest request = SetRequest({node}, MadAttribute::kVendorFunction, 0, function);
  request.urgent = true;
  Send(batch_, node, std::move(request),
       [this, node](const Mad&) { change_->nodes[node].is_ready = true; });
}

void TokenReconfiguration::OnLoaded() {
  change_->are_all_ready = true;
  report_(SmEventKind::kTablesLoaded, nullptr);
  if (!change_->is_started) {
    StartAll();
  } else if (change_->are_all_started) {
    OnAllToldAndLoaded();
  }
}

void TokenReconfiguration::OnAllToldAndLoaded() {
  loader_.LoadEndNodes(change_->plan, [this](const StageResult& result) {
    if (!Continue(result)) return;
    deadline_ = now_ + config_.drain_timeout;
    own_deadline_ = now_ + config_.timeout;
    WaitForTokens();
  });
}

// A link that has gone down and come back would keep its tokens for ever if nobody activated it.
void TokenReconfiguration::WaitForTokens() {
  phase_ = SmPhase::kTokens;
  MustActivateLinks() ? ActivateLinks([this] { Poll(); }) : Poll();
}

// Links of nodes that came back must wait until these have tables.
bool TokenReconfiguration::MustActivateLinks() const {
  return LinkActivation::IsNeeded(map_) && !Numbering::IsNeeded(map_);
}

// The answers of a whole fabric would keep tokens from the manager's node, behind whose link they
// queue up, and so from the end of the change. Its own node is asked without a link; the others
// when it is done, or when it waits as if somebody had missed the start.
bool TokenReconfiguration::IsOwnNodeEnough() const {
  const auto own = change_->nodes.find(FabricMap::kOwnNode);
  return own != change_->nodes.end() && !own->second.is_done && IsMember(FabricMap::kOwnNode) &&
         now_ < own_deadline_;
}

void TokenReconfiguration::Poll() {
  const auto submit = [this] {
    if (IsOwnNodeEnough())
      return Ask(batch_, FabricMap::kOwnNode, change_->nodes[FabricMap::kOwnNode]);
    for (const int node : numbering_.held()) {
      if (IsMember(node)) numbering_.Release(batch_, result_, node);
    }
    for (auto& [node, progress] : change_->nodes) {
      if (!progress.is_done && IsMember(node)) Ask(batch_, node, progress);
      if (config_.IsCompact() && !progress.is_started && !IsMember(node)) Nudge(node);
    }
  };
  batch_.Run(submit, [this] {
    if (Continue(result_)) OnPolled();
  });
}

void TokenReconfiguration::Ask(SmpBatch& batch, int node, TokenChange::Node& progress) {
  if (map_.node(node).IsSwitch()) {
    Send(batch, node, GetRequest({node}, MadAttribute::kVendorStatus),
         [this, &batch, node, &progress](const Mad& mad) {
           const auto status = ib::VendorStatus::Decode(mad, ib::NodeType::kSwitch);
           progress.is_done = status.epoch == change_->number;
           if (progress.is_done) loader_.NoteBank(node, status.active_bank, status.epoch);
           progress.is_started = progress.is_done || status.changing;
           if (!progress.is_started) Remind(batch, node);
         });
  } else {
    Send(batch, node, GetRequest({node}, MadAttribute::kVendorFunction),
         [this, &batch, node, &progress](const Mad& mad) {
           const auto function = ib::VendorFunction::Decode(mad);
           progress.is_done = function.epoch == change_->number && !function.start;
           progress.is_started = function.epoch == change_->number;
           if (!progress.is_started) Remind(batch, node);
         });
  }
}

// A node that was lost for a while before it was seen to start, and has not been numbered again:
// its neighbours may wait for its tokens. If it has forgotten its function, it does not matter.
void TokenReconfiguration::Nudge(int node) {
  if (!map_.node(node).IsReachable()) return;
  batch_.Add(SetRequest({node}, MadAttribute::kVendorFunction, 0, StartOf(change_->number)),
             [this, node](const SmpReply& reply) {
               if (reply.outcome == SmpOutcome::kAnswered) change_->nodes[node].is_started = true;
             });
}

// It has missed the flood.
void TokenReconfiguration::Remind(SmpBatch& batch, int node) {
  if (!config_.IsCompact()) return;
  SendStart(batch, node, change_->number, [this, node] { change_->nodes[node].is_started = true; });
}

void TokenReconfiguration::OnPolled() {
  std::vector<int> waiting;
  for (const auto& [node, progress] : change_->nodes) {
    if (!progress.is_done && IsMember(node)) waiting.push_back(node);
  }
  if (waiting.empty()) return config_.IsCompact() ? LoadRest() : Complete();
  if (now_ < deadline_) return WaitForTokens();
  result_.Note(StageOutcome::kRefused, fmt::format("the tokens have not arrived in {} cycles: {}",
                                                   config_.drain_timeout, map_.NameNodes(waiting)));
  End(result_);
}

// What the new function needs only when it is the old one of the next change.
void TokenReconfiguration::LoadRest() {
  loader_.Load(change_->plan, TableBank::kActive, [this](const StageResult& result) {
    if (Continue(result)) Complete();
  });
}

void TokenReconfiguration::Complete() {
  numbering_.set_number(change_->number);
  const RoutePlan& plan = change_->plan;
  const bool is_all = SameFabric(plan.topology, after_->topology) && plan.tables == after_->tables;
  start_batch_.Abandon();
  change_.reset();
  report_(SmEventKind::kChangeCompleted, nullptr);
  is_all ? End(result_) : BeginChange();
}

}  // namespace lanecut
