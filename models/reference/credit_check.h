// SPDX-License-Identifier: Apache-2.0
//
// Flow control of one lane, seen from outside: what its sender has sent and was allowed, what its
// receiver has got and promised. Counts are 64-byte blocks modulo 4096 (IBA 7.9.4).
//
// Tolerances, in cycles: a node takes a few cycles from the pins to its counters and from its
// counters to the pins. Where a flow-control packet moves a count *down* (healing after losses),
// what held before it is accepted for kSettle cycles more.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw/wire/word.h"

namespace lanecut::reference {

class CreditCheck {
 public:
  static constexpr Cycle kSettle = 16;

  // `buf_blocks`: size of the receiver's buffer per VL.
  CreditCheck(int vls, int buf_blocks);

  // The link went down or came up.
  void Reset();

  // The sender starts a packet. False: without credit.
  bool Start(int vl, int blocks, Cycle t);
  // The sender's flow-control packet says how much it has sent. False: it has sent something else.
  bool SenderSays(int vl, int fctbs) const { return state_[At(vl)].sent == fctbs; }
  // The receiver's promise has arrived at the sender.
  void LimitArrives(int vl, int fccl, Cycle t);

  // The header of a packet has arrived at the receiver.
  void Received(int vl, int blocks);
  // The sender's flow-control packet has arrived at the receiver.
  void SentArrives(int vl, int fctbs, Cycle t);
  // The receiver promises. False: more than its buffer.
  bool Promise(int vl, int fccl, Cycle t);
  bool MayPromise(int vl, int fccl, Cycle t) const;
  // The sender's port, or the receiver's, has been down while the link was not: it has sent
  // nothing. What it has received since, of packets that may have been discarded, and how full its
  // buffer still was, cannot be seen: its count is known again when the sender has told its own.
  void RestartSender(int vl) { state_[At(vl)].sent = 0; }
  void RestartReceiver(int vl, int fccl);
  // Blocks taken in the receiver's buffer according to its last promise, or -1 while that cannot be
  // told. What has arrived since the promise was made counts as taken, whether it fits or not: it
  // may be more than the buffer.
  int Occupied(int vl, Cycle t) const;

  bool HasCredit(int vl, int blocks) const;
  // By the newest promise all of the buffer is free and nothing is on the way there; `since` blocks
  // that were sent last do not count.
  bool Unused(int vl, int since = 0) const;
  int sent(int vl) const { return state_[At(vl)].sent; }
  int limit(int vl) const { return state_[At(vl)].limits[state_[At(vl)].newest].fccl; }
  int received(int vl) const { return state_[At(vl)].received; }
  int buf_blocks() const { return buf_blocks_; }

 private:
  // More flow-control packets of one VL than fit into kSettle cycles.
  static constexpr std::size_t kLimits = kSettle / 2;

  struct Limit {
    Cycle arrived = 0;
    std::uint16_t fccl = 0;
    bool known = false;
  };

  struct Vl {
    std::uint16_t sent = 0;
    std::array<Limit, kLimits> limits{};  // the newest is at `newest`
    std::uint8_t newest = 0;
    std::uint16_t received = 0;
    std::uint16_t before_fall = 0;  // what `received` would be had it not been set to less
    Cycle fell_at = 0;
    std::uint16_t promised = 0;
    bool has_promised = false;
    bool restarted = false;  // `received` is not known
  };

  // `received` was set to less, and the receiver may not have taken that in yet.
  static bool Fell(const Vl& s, Cycle t);
  static std::size_t At(int vl) { return static_cast<std::size_t>(vl); }

  int buf_blocks_;
  std::vector<Vl> state_;
};

}  // namespace lanecut::reference
