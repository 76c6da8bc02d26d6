// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/epoch_reconfiguration.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sw/wire/function_number.h"

namespace lanecut {

void EpochReconfiguration::Run(const RoutePlan& before, const RoutePlan& after, Report report,
                               Done done) {
  Begin(before, after, std::move(report), std::move(done));
  ResetChange();
  StartChange();
  OnTimer();
}

void EpochReconfiguration::ResetChange() {
  is_prepared_ = is_committed_ = false;
  switches_.clear();
}

void EpochReconfiguration::StartChange() {
  for (const RankedSwitch& ranked : RankSwitches(*before_, *after_, config_.order)) {
    const int node = after_->map_nodes[ranked.place];
    if (map_.node(node).IsReachable())
      switches_.push_back({ranked.place, node, ranked.turn, State::kLoading});
  }
  Prepare([this] {
    is_prepared_ = true;
    if (is_computed()) LoadAll();
  });
}

void EpochReconfiguration::OnComputed() {
  if (is_prepared_) LoadAll();
}

void EpochReconfiguration::LoadAll() {
  phase_ = SmPhase::kCommit;
  next_ = NextNumber(numbering_.number());
  if (!CheckNumbers()) return End(result_);
  const bool everything = config_.scheme == ReconfigurationScheme::kEbr;
  if (config_.IsCompact()) return UpdateAll(everything);
  const auto submit = [this, everything] {
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      if (!IsMember(switches_[i].node)) {
        OnLoaded(i, false);
        continue;
      }
      loader_.LoadInactive(batch_, result_, *after_, switches_[i].place, everything,
                           [this, i](bool ok) { OnLoaded(i, ok); });
    }
  };
  batch_.Run(submit, [this] {
    if (!Continue(result_)) return;
    loader_.LoadEndNodes(*after_, [this](const StageResult& loaded) { Finish(loaded); });
  });
}

// Table and commit are one packet: one for each switch, in turn, and nothing waits for an
// answer. What end nodes do not need follows when all is in force.
void EpochReconfiguration::UpdateAll(bool everything) {
  const auto submit = [this, everything] {
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      if (!IsMember(switches_[i].node)) {
        OnCommitted(i, false);
        continue;
      }
      NoteCommit();
      loader_.UpdateInactive(batch_, result_, *after_,
                             {.place = switches_[i].place,
                              .then = TableLoader::Then::kCommit,
                              .number = next_,
                              .everything = everything},
                             [this, i](bool ok) { OnCommitted(i, ok); });
    }
  };
  batch_.Run(submit, [this] {
    if (!Continue(result_)) return;
    loader_.Load(*after_, TableBank::kActive,
                 [this](const StageResult& loaded) { Finish(loaded); });
  });
}

void EpochReconfiguration::Finish(const StageResult& loaded) {
  if (Continue(loaded)) BeforeRelease([this] { ReleaseEndNodes([this] { End(result_); }); });
}

// Every attempt takes a number, and a switch that has missed several of them must still be seen to
// be behind.
bool EpochReconfiguration::CheckNumbers() {
  for (const Switch& each : switches_) {
    const int behind = FunctionsBehind(loader_.NumberOf(each.node), next_);
    if (!IsMember(each.node) || behind <= kFunctionNumbers / 2) continue;
    result_.Note(StageOutcome::kRefused,
                 fmt::format("{} is {} functions behind the others, and {} is the most that can be "
                             "told apart",
                             map_.node(each.node).name, behind, kFunctionNumbers / 2));
  }
  return result_.outcome == StageOutcome::kComplete;
}

// A switch that could not be loaded is left out; whether the change as a whole is good, the result
// will tell.
void EpochReconfiguration::OnLoaded(std::size_t index, bool ok) {
  switches_[index].state = ok ? State::kLoaded : State::kDone;
  CommitWhatMay();
  if (!ok) CompleteIfAllDone();
}

void EpochReconfiguration::CommitWhatMay() {
  int limit = switches_.back().turn;
  for (const Switch& each : switches_) {
    if (each.state == State::kLoading) limit = std::min(limit, each.turn);
  }
  for (std::size_t i = 0; i < switches_.size(); ++i) {
    if (switches_[i].state == State::kLoaded && switches_[i].turn <= limit) Commit(i);
  }
}

void EpochReconfiguration::Commit(std::size_t index) {
  switches_[index].state = State::kCommitting;
  NoteCommit();
  loader_.CommitInactive(batch_, result_, switches_[index].node, next_,
                         [this, index](bool ok) { OnCommitted(index, ok); });
}

// From the first one on there is no way back.
void EpochReconfiguration::NoteCommit() {
  if (is_committed_) return;
  is_committed_ = true;
  numbering_.set_number(next_);
  report_(SmEventKind::kChangeStarted, nullptr);
}

void EpochReconfiguration::OnCommitted(std::size_t index, bool ok) {
  switches_[index].state = State::kDone;
  if (ok) StartEndNodes(switches_[index].place);
  CompleteIfAllDone();
}

void EpochReconfiguration::CompleteIfAllDone() {
  const bool are_all_done = std::all_of(switches_.begin(), switches_.end(), [](const Switch& each) {
    return each.state == State::kDone;
  });
  if (!are_all_done || !is_committed_ || result_.outcome != StageOutcome::kComplete) return;
  report_(SmEventKind::kTablesLoaded, after_);
  report_(SmEventKind::kChangeCompleted, nullptr);
}

void EpochReconfiguration::StartEndNodes(int place) {
  const Topology& topology = after_->topology;
  for (int port = 1; port <= topology.node(place).num_ports; ++port) {
    const std::optional<Peer> peer = topology.PeerOf(place, port);
    if (!peer || topology.IsSwitch(peer->node)) continue;
    const int node = after_->map_nodes[peer->node];
    if (!IsMember(node)) continue;
    SendStart(batch_, node, next_, [] {});
  }
}

}  // namespace lanecut
