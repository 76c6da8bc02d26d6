// SPDX-License-Identifier: Apache-2.0
#include "tb/run/trace_counter.h"

#include <fmt/format.h>

namespace lanecut {

void TraceCounter::OnRxDrop(int node, int port, DropReason reason, Cycle t) {
  Count(reason);
  if (readers_.checker != nullptr) readers_.checker->OnRxDrop(node, port, reason, t);
}

void TraceCounter::OnInputDrop(int node, int port, int lane, DropReason reason, Cycle t,
                               const std::optional<EpochNumbers>& numbers) {
  Count(reason);
  if (numbers) readers_.changes->OnEpochDrop(node, port, lane, *numbers, t);
  if (readers_.checker != nullptr)
    readers_.checker->OnInputDrop(node, port, lane, reason, t, numbers);
}

void TraceCounter::OnOutputDrop(int node, int port, int lane, DropReason reason, Cycle t) {
  Count(reason);
  if (reason == DropReason::kHoqLife) readers_.changes->OnHoqDrop(node, port, lane, t);
  if (reason == DropReason::kLifeTime) readers_.changes->OnLifeDrop(node, port, lane, t);
  if (readers_.checker != nullptr) readers_.checker->OnOutputDrop(node, port, lane, reason, t);
}

void TraceCounter::OnSwitchState(int node, const SwitchState& state, Cycle t) {
  readers_.changes->OnSwitchState(node, state, t);
  if (readers_.checker != nullptr) readers_.checker->OnSwitchState(node, state, t);
}

void TraceCounter::OnSwitchError(int node, Cycle t) {
  readers_.failure->Set(
      "assertion", fmt::format("cycle {}: switch {} raised error_o", t, topology_->node(node).name),
      "--around assertion");
}

void TraceCounter::OnHeld(int, std::uint64_t id, Cycle cycles) {
  readers_.ledger->Held(id, cycles);
}

void TraceCounter::OnManagementIn(int node, std::span<const std::uint32_t> words, Cycle t) {
  readers_.management->OnIn(node, words, t);
}

void TraceCounter::OnManagementOut(int node, std::span<const std::uint32_t> words, Cycle t) {
  readers_.management->OnOut(node, words, t);
}

}  // namespace lanecut
