// SPDX-License-Identifier: Apache-2.0
#include "tb/run/trace_counter.h"

#include <fmt/format.h>

namespace lanecut {

void TraceCounter::OnRxDrop(int node, int port, DropReason reason, Cycle t) {
  Count(reason);
  if (checker_ != nullptr) checker_->OnRxDrop(node, port, reason, t);
}

void TraceCounter::OnInputDrop(int node, int port, int lane, DropReason reason, Cycle t,
                               const std::optional<EpochNumbers>& numbers) {
  Count(reason);
  if (numbers) changes_->OnEpochDrop(node, port, lane, *numbers, t);
  if (checker_ != nullptr) checker_->OnInputDrop(node, port, lane, reason, t, numbers);
}

void TraceCounter::OnOutputDrop(int node, int port, int lane, DropReason reason, Cycle t) {
  Count(reason);
  if (reason == DropReason::kHoqLife) changes_->OnHoqDrop(node, port, lane, t);
  if (checker_ != nullptr) checker_->OnOutputDrop(node, port, lane, reason, t);
}

void TraceCounter::OnSwitchState(int node, const SwitchState& state, Cycle t) {
  changes_->OnSwitchState(node, state, t);
  if (checker_ != nullptr) checker_->OnSwitchState(node, state, t);
}

void TraceCounter::OnSwitchError(int node, Cycle t) {
  failure_->Set("assertion",
                fmt::format("cycle {}: switch {} raised error_o", t, topology_->node(node).name));
}

}  // namespace lanecut
