// SPDX-License-Identifier: Apache-2.0
//
// Counts the drops that nodes report, passes what switches report on to the checker, if there is
// one, and to the log of changes, and fails the run when a switch says that something impossible
// has happened.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sw/topology/topology.h"
#include "tb/run/change_log.h"
#include "tb/run/checker.h"
#include "tb/run/failure.h"
#include "tb/switch/switch_module.h"

namespace lanecut {

class TraceCounter : public SwitchObserver {
 public:
  // `checker` may be null. Pointers are kept.
  TraceCounter(const Topology* topology, Checker* checker, ChangeLog* changes, Failure* failure)
      : topology_(topology), checker_(checker), changes_(changes), failure_(failure) {}

  // Reports of data and management packets by reason; one packet may cause two when a link is cut.
  const std::array<std::uint64_t, kDropReasons>& drops() const { return drops_; }

  // Starts anew: what was reported before the first data packet was about management packets.
  void Reset() { drops_.fill(0); }
  void Count(DropReason reason) { ++drops_[static_cast<std::size_t>(reason)]; }

  void OnRxDrop(int node, int port, DropReason reason, Cycle t) override;
  void OnInputDrop(int node, int port, int lane, DropReason reason, Cycle t,
                   const std::optional<EpochNumbers>& numbers) override;
  void OnOutputDrop(int node, int port, int lane, DropReason reason, Cycle t) override;
  void OnSwitchState(int node, const SwitchState& state, Cycle t) override;
  void OnSwitchError(int node, Cycle t) override;

 private:
  const Topology* topology_;
  Checker* checker_;
  ChangeLog* changes_;
  Failure* failure_;
  std::array<std::uint64_t, kDropReasons> drops_{};
};

}  // namespace lanecut
