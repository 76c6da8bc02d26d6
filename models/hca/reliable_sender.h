// SPDX-License-Identifier: Apache-2.0
//
// The source's half of the end-to-end protocol: what has been sent and is not yet known to have
// arrived.
//
// A flow is all that goes to one destination, known by its lowest LID. Its packets are numbered
// (PSN, 24 bits, IBA 9.7.2); an acknowledgement of a PSN acknowledges all before it too. Only the
// oldest packet of a flow is ever sent again, when it has been out for the timeout: what came after
// it most likely waits in the receiver's reorder buffer, and an acknowledgement will tell. If it
// does not, the next one is the oldest then, and due at once. There is no limit to the attempts; a
// flow of which nothing is acknowledged during kSilentTimeouts of them in a row is said to be
// silent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sw/wire/word.h"

namespace lanecut {

inline constexpr std::uint32_t kPsnMask = 0xFFFFFF;

// Of both halves.
struct ReliableConfig {
  bool on = false;
  int window = 16;              // packets of a flow that may be unacknowledged, 1..2^22
  int reorder = 16;             // packets that the receiver keeps behind a missing one, 0..2^22
  Cycle retransmit = 10'000;    // how long a packet is out before it is sent again
  std::uint32_t first_psn = 0;  // of every flow
};

class ReliableSender {
 public:
  static constexpr int kSilentTimeouts = 2;

  // The copy that is kept. The payload of a simulated packet follows from this and its id.
  struct Copy {
    std::uint16_t dlid = 0;
    std::uint8_t sl = 0;
    int payload_bytes = 0;
    Cycle generated = 0;
    std::uint32_t psn = 0;
  };

  explicit ReliableSender(const ReliableConfig& config);

  bool MaySend(std::uint16_t dlid) const;
  // A packet goes out in cycle t for the first time; returns its PSN, which `copy` need not know.
  std::uint32_t Send(const Copy& copy, Cycle t);
  // An acknowledgement from there. True if it was news.
  bool Acknowledge(std::uint16_t dlid, std::uint32_t psn);
  // Something is unacknowledged.
  bool Waiting() const { return unacknowledged_ != 0; }
  std::size_t unacknowledged() const { return unacknowledged_; }

  // To be called in every cycle t in which it is Waiting. True if packets have become due.
  bool Expire(Cycle t) { return t >= next_deadline_ && Scan(t); }
  // Packets to be sent again, those due first in front.
  std::size_t due() const { return due_.size(); }
  const Copy& Due(std::size_t index) const { return flows_[due_[index]].sent.front().copy; }
  // The destinations of flows that have become silent since the last call, or silent again.
  std::vector<std::uint16_t> TakeSilent() { return std::exchange(silent_, {}); }
  // It goes out again in cycle t.
  void Resend(std::size_t index, Cycle t);

 private:
  static constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

  struct Sent {
    Copy copy;
    Cycle cycle = 0;
  };
  struct Flow {
    std::uint32_t next_psn = 0;
    std::deque<Sent> sent;  // unacknowledged, in order of PSN
    bool due = false;
    int timeouts = 0;  // since the last acknowledgement, or since it was silent
  };

  bool Scan(Cycle t);
  void Watch(const Flow& flow);

  ReliableConfig config_;
  std::vector<Flow> flows_;
  std::unordered_map<std::uint16_t, std::size_t> flow_of_dlid_;
  std::vector<std::size_t> due_;
  std::vector<std::uint16_t> silent_;
  std::size_t unacknowledged_ = 0;
  Cycle next_deadline_ = kNever;  // no flow is due before
};

}  // namespace lanecut
