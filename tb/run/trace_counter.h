// SPDX-License-Identifier: Apache-2.0
//
// Counts the drops that nodes report, passes what switches report on to the checker, if there is
// one, to the ledger and to the logs, and fails the run when a switch says that something
// impossible has happened.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "sw/topology/topology.h"
#include "tb/run/change_log.h"
#include "tb/run/checker.h"
#include "tb/run/failure.h"
#include "tb/run/management_log.h"
#include "tb/run/packet_ledger.h"
#include "tb/switch/switch_module.h"

namespace lanecut {

class TraceCounter : public SwitchObserver {
 public:
  struct Readers {
    Checker* checker;  // may be null
    ChangeLog* changes;
    ManagementLog* management;
    PacketLedger* ledger;
    Failure* failure;
  };
  // Pointers are kept.
  TraceCounter(const Topology* topology, const Readers& readers)
      : topology_(topology), readers_(readers) {}

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
  void OnHeld(int node, std::uint64_t id, Cycle cycles) override;
  void OnManagementIn(int node, std::span<const std::uint32_t> words, Cycle t) override;
  void OnManagementOut(int node, std::span<const std::uint32_t> words, Cycle t) override;

 private:
  const Topology* topology_;
  Readers readers_;
  std::array<std::uint64_t, kDropReasons> drops_{};
};

}  // namespace lanecut
