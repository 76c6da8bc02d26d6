// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/apm_rftr_ebr_reconfiguration.h"

#include <utility>

#include "sw/subnet_manager/kept_tables.h"

namespace lanecut {

void ApmRftrEbrReconfiguration::Run(const RoutePlan& before, const RoutePlan& after, Report report,
                                    Done done) {
  Begin(before, after, std::move(report), std::move(done));
  ResetChange();
  has_moved_ = false;
  moves_.clear();
  phase_ = SmPhase::kPaths;
  MoveToAlternates();
  OnTimer();
}

void ApmRftrEbrReconfiguration::MoveToAlternates() {
  for (const PathMove& move : after_->moves) {
    moves_[{move.source, move.destination}] = move.record;
    doubtful_.emplace(move.source, move.destination);
  }
  const std::vector<PathUse> uses = PathsToBeginWith();
  batch_.Run([this, &uses] { TellPaths(batch_, map_, *before_, uses, &result_); },
             [this] {
               if (!Continue(result_)) return;
               if (!moves_.empty()) report_(SmEventKind::kAlternatesTaken, nullptr);
               has_moved_ = true;
               if (is_computed()) Proceed();
             });
}

// The moves. If end nodes may have paths of a function that is no longer in force, all are told:
// the SLs of these are those of the next function.
std::vector<PathUse> ApmRftrEbrReconfiguration::PathsToBeginWith() const {
  std::vector<PathUse> uses;
  for (const int source : before_->topology.hcas()) {
    for (const int destination : before_->topology.hcas()) {
      if (source == destination) continue;
      const auto move = moves_.find({source, destination});
      if (move != moves_.end()) {
        uses.push_back({source, destination, move->second});
      } else if (are_untold_) {
        uses.push_back(FirstPathOf(*before_, source, destination));
      }
    }
  }
  return uses;
}

void ApmRftrEbrReconfiguration::OnComputed() {
  report_(SmEventKind::kRecoveryChosen, nullptr);
  if (has_moved_) Proceed();
}

void ApmRftrEbrReconfiguration::Proceed() {
  after_->recovery == Recovery::kEbr ? StartChange() : AddPaths();
}

// As apm and rftr do it, but that nodes which are new have a number to be given.
void ApmRftrEbrReconfiguration::AddPaths() {
  phase_ = SmPhase::kReload;
  const auto activated = [this](const StageResult& result) {
    if (!Continue(result)) return;
    for (const auto& pair : ChangedPairs(*before_, *after_)) doubtful_.insert(pair);
    TellNewPaths([this] { ReleaseEndNodes([this] { End(result_); }); });
  };
  const auto loaded = [this, activated](const StageResult& result) {
    if (!Continue(result)) return;
    if (after_->recovery == Recovery::kRftr) report_(SmEventKind::kTablesLoaded, nullptr);
    activation_.Activate(activated);
  };
  const auto configured = [this, loaded](const StageResult& result) {
    if (Continue(result)) loader_.Add(*after_, loaded);
  };
  numbering_.Run(true, [this, configured](const StageResult& result) {
    if (Continue(result)) activation_.Configure(configured);
  });
}

// Everybody has another path now. Nodes may have other numbers than before.
void ApmRftrEbrReconfiguration::BeforeRelease(const std::function<void()>& next) {
  are_untold_ = true;
  doubtful_.clear();
  for (const int source : after_->topology.hcas()) {
    for (const int destination : after_->topology.hcas()) {
      if (source != destination) doubtful_.emplace(source, destination);
    }
  }
  TellNewPaths(next);
}

void ApmRftrEbrReconfiguration::TellNewPaths(std::function<void()> next) {
  phase_ = SmPhase::kPaths;
  std::vector<PathUse> uses;
  for (const auto& pair : doubtful_) {
    const PathUse use = FirstPathOf(*after_, pair.first, pair.second);
    const auto moved = moves_.find(pair);
    if (moved == moves_.end() || use.record != moved->second) uses.push_back(use);
  }
  batch_.Run([this, &uses] { TellPaths(batch_, map_, *after_, uses, &result_); },
             [this, next = std::move(next)] {
               if (!Continue(result_)) return;
               doubtful_.clear();
               are_untold_ = false;
               report_(SmEventKind::kPathsChanged, after_);
               next();
             });
}

}  // namespace lanecut
