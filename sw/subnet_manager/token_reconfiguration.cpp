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
  change_ ? LoadAll() : OnPrepared();
}

void TokenReconfiguration::OnPrepared() {
  if (!is_computed() && !StartsFirst()) return;
  change_.emplace();
  change_->plan = *after_;
  change_->number = NextNumber(numbering_.number());
  for (std::size_t place = 0; place < change_->plan.map_nodes.size(); ++place) {
    const int node = change_->plan.map_nodes[place];
    if (NumberedReconfiguration::IsMember(node)) {
      change_->nodes[node].place = static_cast<int>(place);
    }
  }
  if (StartsFirst()) StartAll();
  if (is_computed()) LoadAll();
}

// An abandoned change. What was asked of a node without an answer is asked again.
void TokenReconfiguration::Resume() {
  if (!change_->are_all_started) StartAll();
  if (!change_->are_all_ready) LoadAll();
  if (change_->are_all_started && change_->are_all_ready) OnAllToldAndLoaded();
}

void TokenReconfiguration::StartAll() {
  phase_ = SmPhase::kStart;
  change_->is_started = true;
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

void TokenReconfiguration::Poll() {
  const auto submit = [this] {
    for (const int node : numbering_.held()) {
      if (IsMember(node)) numbering_.Release(batch_, result_, node);
    }
    for (auto& [node, progress] : change_->nodes) {
      if (!progress.is_done && IsMember(node)) Ask(node, progress);
    }
  };
  batch_.Run(submit, [this] {
    if (Continue(result_)) OnPolled();
  });
}

void TokenReconfiguration::Ask(int node, TokenChange::Node& progress) {
  if (map_.node(node).IsSwitch()) {
    Send(batch_, node, GetRequest({node}, MadAttribute::kVendorStatus),
         [this, node, &progress](const Mad& mad) {
           const auto status = ib::VendorStatus::Decode(mad, ib::NodeType::kSwitch);
           progress.is_done = status.epoch == change_->number;
           if (progress.is_done) loader_.NoteBank(node, status.active_bank, status.epoch);
         });
  } else {
    Send(batch_, node, GetRequest({node}, MadAttribute::kVendorFunction),
         [this, &progress](const Mad& mad) {
           const auto function = ib::VendorFunction::Decode(mad);
           progress.is_done = function.epoch == change_->number && !function.start;
         });
  }
}

void TokenReconfiguration::OnPolled() {
  std::vector<int> waiting;
  for (const auto& [node, progress] : change_->nodes) {
    if (!progress.is_done && IsMember(node)) waiting.push_back(node);
  }
  if (waiting.empty()) return Complete();
  if (now_ < deadline_) return WaitForTokens();
  result_.Note(StageOutcome::kRefused, fmt::format("the tokens have not arrived in {} cycles: {}",
                                                   config_.drain_timeout, map_.NameNodes(waiting)));
  End(result_);
}

void TokenReconfiguration::Complete() {
  numbering_.set_number(change_->number);
  const RoutePlan& plan = change_->plan;
  const bool is_all = SameFabric(plan.topology, after_->topology) && plan.tables == after_->tables;
  change_.reset();
  report_(SmEventKind::kChangeCompleted, nullptr);
  is_all ? End(result_) : BeginChange();
}

}  // namespace lanecut
