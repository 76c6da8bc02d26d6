// SPDX-License-Identifier: Apache-2.0
//
// Finds a fabric that has stopped although packets wait in it, and a packet that never gets its
// turn.
//
// Stalled: for `stall_cycles` no node has begun a packet and none has been delivered, while a
// switch holds a packet or an end node has one that it may send. Starved: a packet has been in the
// network for twenty times as long. With a reference model the message names the channels that wait
// for each other and their head packets.
#pragma once

#include <string>

#include "models/reference/reference_model.h"
#include "tb/fabric/fabric.h"
#include "tb/run/failure.h"
#include "tb/run/packet_ledger.h"

namespace lanecut {

class StallDetector {
 public:
  // `reference` may be null: then no cycle is named, and starvation is not looked for. Pointers are
  // kept.
  StallDetector(const Fabric* fabric, PacketLedger* ledger, const ReferenceModel* reference,
                Cycle stall_cycles, Failure* failure);

  // To be called every few hundred cycles.
  void Look(Cycle now);

 private:
  void LookForStarvation(Cycle now);
  std::string WhoWaits() const;

  const Fabric* fabric_;
  PacketLedger* ledger_;
  const ReferenceModel* reference_;
  Cycle stall_cycles_;
  Failure* failure_;
  std::uint64_t moves_ = 0;
  Cycle last_move_ = 0;
};

}  // namespace lanecut
