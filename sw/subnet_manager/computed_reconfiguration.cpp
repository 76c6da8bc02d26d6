// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/computed_reconfiguration.h"

#include <utility>

#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

ComputedReconfiguration::ComputedReconfiguration(const ReconfigurationTools& tools, SmPhase phase)
    : config_(tools.config),
      map_(tools.map),
      engine_(tools.engine),
      batch_(tools.engine),
      activation_(tools.activation),
      loader_(tools.loader),
      now_(tools.now),
      phase_(phase) {}

void ComputedReconfiguration::Begin(const RoutePlan& before, const RoutePlan& after, Report report,
                                    Done done) {
  before_ = &before;
  after_ = &after;
  report_ = std::move(report);
  done_ = std::move(done);
  result_ = {};
  is_running_ = true;
  is_computed_ = false;
  computed_at_ = now_ + after.compute_time;
}

void ComputedReconfiguration::Abandon() {
  batch_.Abandon();
  activation_.Abandon();
  loader_.Abandon();
  is_running_ = false;
}

void ComputedReconfiguration::OnTimer() {
  if (!is_running_ || is_computed_ || now_ < computed_at_) return;
  is_computed_ = true;
  report_(SmEventKind::kTablesComputed, nullptr);
  OnComputed();
}

Cycle ComputedReconfiguration::NextDeadline() const {
  return is_running_ && !is_computed_ ? computed_at_ : kNoDeadline;
}

bool ComputedReconfiguration::Continue(const StageResult& result) {
  if (result.outcome == StageOutcome::kComplete) return true;
  End(result);
  return false;
}

void ComputedReconfiguration::End(const StageResult& result) {
  // Abandon() clears what `result` may refer to.
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const StageResult copy = result;
  const Done done = std::move(done_);
  Abandon();
  done(copy);
}

}  // namespace lanecut
