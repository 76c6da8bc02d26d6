// SPDX-License-Identifier: Apache-2.0
//
// What an end node reports about data packets. Every packet offered is generated once, and then
// either dropped at the source or injected; an injected packet is delivered, or dropped by someone
// on its way.
//
// With the end-to-end protocol these are copies: each retransmission and each acknowledgement is a
// packet of its own with an id of its own, generated (OnGenerated) when it is injected. Its
// `generated` is that of the message, so that the queue latency of a retransmission holds the wait
// for it; of an acknowledgement it is its own. A copy that arrives whole is delivered, even if the
// protocol has no use for it: then it is `discarded`. So what holds for packets holds for copies,
// and an application sees messages (OnMessage). Time in the reorder buffer is in no latency.
#pragma once

#include <cstdint>

#include "models/hca/path_table.h"
#include "sw/wire/drop_reason.h"
#include "sw/wire/packet.h"
#include "sw/wire/word.h"

namespace lanecut {

// Cycles: `injected` is the one in which the first word is on the source's output pins, `head` and
// `tail` those in which the first and last word are on the destination's input pins. Latency by
// part: queue = injected - generated, network = tail + 1 - injected (so that it is switches x
// ROUTE_CYCLES + links x fly + serialization in an empty network).
// The destination knows kData and kAck only, and of an acknowledgement neither `generated` nor
// `injected`.
struct HcaPacket {
  std::uint64_t id = 0;
  Cycle generated = 0;
  Cycle injected = 0;
  Cycle head = 0;
  Cycle tail = 0;
  std::uint32_t wire_bytes = 0;
  std::uint16_t slid = 0;
  std::uint16_t dlid = 0;
  std::uint8_t sl = 0;
  std::uint8_t vl = 0;
  std::uint8_t number = 0;  // of the routing function that it is for, or (EBR) that sent it here
  PacketKind kind = PacketKind::kData;
  bool discarded = false;
};

// What an application gets in the end-to-end protocol.
struct HcaMessage {
  std::uint16_t source = 0;  // index of the node that sent it
  std::uint16_t dlid = 0;    // the LID that it was sent to
  std::uint64_t number = 0;  // among those of this source and LID, from 0
  Cycle generated = 0;
};

// Double Scheme: where a node stands in the change to function `number`, or after it.
struct HcaDrain {
  std::uint8_t number = 0;  // of what it injects
  bool draining = false;
  bool idle = false;
  bool restricted = false;
  friend bool operator==(const HcaDrain&, const HcaDrain&) = default;
};

// `hca` is the index of the reporting node (HcaConfig::index).
class HcaObserver {
 public:
  virtual ~HcaObserver() = default;
  // Offered in cycle packet.generated: id, generated, wire_bytes, dlid and sl are known.
  virtual void OnGenerated(int hca, const HcaPacket& packet) = 0;
  // Never enters the network: kSourceQueue (queue full), kNoPath (see Hca::SetPathQuery),
  // kVlDiscard or kBadVl (by the SLtoVL table).
  virtual void OnSourceDrop(int hca, const HcaPacket& packet, DropReason reason, Cycle t) = 0;
  // Its first word is on the wire in cycle packet.injected; slid and vl are known now.
  virtual void OnInjected(int hca, const HcaPacket& packet) = 0;
  // The link went down while the packet was being sent; kLinkCut.
  virtual void OnCutShort(int hca, const HcaPacket& packet, Cycle t) = 0;
  // Arrived whole, in order and at the right place. All fields are known.
  virtual void OnDelivered(int hca, const HcaPacket& packet) = 0;
  // Arrived and was refused. `id` is what the packet says, or 0 if it ended before its id; a bad
  // packet may lie.
  virtual void OnReceiveDrop(int hca, std::uint64_t id, DropReason reason, Cycle t) = 0;
  // Called before OnDelivered for a packet that is not younger than the one before it of the same
  // flow (source, DLID, SL): the order was broken, or it came twice. Not with the end-to-end
  // protocol, which puts that right itself.
  virtual void OnOrderError(int hca, const HcaPacket& packet) = 0;
  // End-to-end protocol: handed on to the application, once and in order. Called after OnDelivered
  // for the packet that was missing.
  virtual void OnMessage(int /*hca*/, const HcaMessage& /*message*/, Cycle /*t*/) {}
  // A general management packet has been taken: it came whole and to the right place. That is all
  // that is said of such packets.
  virtual void OnGeneralPacket(int /*hca*/, Cycle /*t*/) {}
  // OSR: the token to function `number` goes out on this VL in cycle t, for the first time.
  virtual void OnTokenSent(int /*hca*/, int /*vl*/, std::uint8_t /*number*/, Cycle /*t*/) {}
  // OSR: the VL has passed the token to function `number`: it, or a packet of that function, has
  // arrived.
  virtual void OnTokenPassed(int /*hca*/, int /*vl*/, std::uint8_t /*number*/, Cycle /*t*/) {}
  // OSR was violated: the packet is of an older function than `passed`, whose token its VL has
  // passed. Called before OnDelivered for it.
  virtual void OnStalePacket(int /*hca*/, const HcaPacket& /*packet*/, std::uint8_t /*passed*/) {}
  // A packet in the source queue will take another path, with this SL.
  virtual void OnReaddressed(int /*hca*/, std::uint64_t /*id*/, std::uint8_t /*sl*/) {}
  // Packets to that destination take another path from now on.
  virtual void OnPathChange(int /*hca*/, const PathTable::Change& /*change*/, Cycle /*t*/) {}
  // Scheme kDouble: the node stands there from now on; packets that start in cycle t or later.
  virtual void OnDrain(int /*hca*/, const HcaDrain& /*drain*/, Cycle /*t*/) {}
};

}  // namespace lanecut
