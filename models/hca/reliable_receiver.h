// SPDX-License-Identifier: Apache-2.0
//
// The destination's half of the end-to-end protocol: takes every packet once, hands messages on in
// order, and knows what is to be acknowledged.
//
// A flow is all that one source sends to this node, by whichever of its LIDs; Arrival has the
// lowest. A packet ahead of a missing one waits in the flow's reorder buffer; one that lies beyond
// it, or came before, is discarded. Nothing here can block: a flow owes at most one
// acknowledgement, of the last packet in order, and a later one takes its place. It is due
// kAckDelay cycles after the first packet that it acknowledges. A duplicate is acknowledged again,
// as its acknowledgement may have been lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/hca/reliable_sender.h"
#include "sw/wire/word.h"

namespace lanecut {

class ReliableReceiver {
 public:
  static constexpr Cycle kAckDelay = 32;

  struct Arrival {
    std::uint16_t source = 0;  // the sending node, by its index
    std::uint16_t slid = 0;
    std::uint16_t dlid = 0;
    std::uint8_t sl = 0;
    std::uint32_t psn = 0;
    Cycle generated = 0;
  };
  struct Message {
    std::uint64_t number = 0;  // in its flow, from 0
    Cycle generated = 0;
  };
  struct Ack {
    std::uint16_t slid = 0;  // the LID that the data was sent to
    std::uint16_t dlid = 0;
    std::uint8_t sl = 0;  // that of the data
    std::uint32_t psn = 0;
  };

  explicit ReliableReceiver(const ReliableConfig& config) : config_(config) {}

  // False if the packet is discarded. Appends the messages that are in order now.
  bool Receive(const Arrival& arrival, Cycle t, std::vector<Message>* in_order);

  // Some flow owes an acknowledgement.
  bool Owes() const { return !owed_.empty(); }
  // To be called in every cycle t in which it Owes. True if one has become due.
  bool Mature(Cycle t);
  // Acknowledgements to send, those due first in front.
  std::size_t due() const { return due_; }
  Ack Due(std::size_t index) const;
  // It goes out.
  void Acknowledged(std::size_t index);

 private:
  struct Flow {
    Arrival last;                // addresses, as they were last
    std::uint32_t expected = 0;  // PSN of the next packet in order
    std::uint64_t delivered = 0;
    std::deque<std::optional<Cycle>> ahead;  // [i]: PSN expected + i, generated in that cycle
    bool owes = false;
    Cycle ack_at = 0;
  };

  bool Take(Flow* flow, const Arrival& arrival, std::vector<Message>* in_order) const;
  void Owe(std::size_t index, Cycle t);

  ReliableConfig config_;
  std::vector<Flow> flows_;
  std::unordered_map<std::uint32_t, std::size_t> flow_of_;  // source << 16 | dlid
  std::deque<std::size_t> owed_;                            // flows, in the order of ack_at
  std::size_t due_ = 0;                                     // of these, at the front
};

}  // namespace lanecut
