// SPDX-License-Identifier: Apache-2.0
//
// The packets inside one switch: in arrival order per input (port, lane), and per pair of input and
// output, where they must leave in order. Knows which packet may leave next by an output, and which
// one a drop pulse means.
//
// What cannot be seen from outside is never guessed: a pulse that may mean one of several packets
// (a discarding output whose head is one of many, a bad packet dropped at an input while another
// bad one has already crossed) is kept and resolved when only one reading is left. Counting does
// not wait for that.
//
// Lanes: 0..vls-1 data, vls VL15. Inputs have two more lanes for management packets that pass
// through the agent, one per engine (requests, responses): only within each of the three is order
// kept.
//
// A packet that may take several routes, because a table write was taking effect when it arrived,
// is held apart; its order is not checked. So is one that waits for its routing function, until
// `Place`.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/reference/packet_pool.h"

namespace lanecut::reference {

class SwitchTracker {
 public:
  // How a packet may leave the switch without being sent.
  using Gone = std::function<void(PacketIndex, DropReason)>;

  // `gone` is told of each packet whose drop has been resolved; `unresolved` counts pulses that
  // have not.
  SwitchTracker(PacketPool* pool, int ports, int vls, int buf_blocks, Gone gone);

  int ports() const { return ports_; }
  int vls() const { return vls_; }
  int RelayLane(bool response) const { return vls_ + (response ? 2 : 1); }

  // A packet has arrived at (port, lane); `p.prediction` says where it may go.
  void Link(PacketIndex i, int port, int lane);
  // It is gone: dropped, or taken by the agent.
  void Unlink(PacketIndex i);
  // Its end has arrived and it is bad.
  void MarkBad(PacketIndex i);

  // The packet that leaves by (port, lane) and whose first `count` words are `words` (VL apart), or
  // kNoPacket: the first of its (input, output) pair but for those that may have been dropped.
  // `ended`: an end word follows and nothing more.
  PacketIndex FindLeaving(int port, int lane, const std::uint32_t* words, int count,
                          bool ended) const;
  // First packet in the order of arrival that has these words at first..last-1, wherever it should
  // go.
  PacketIndex FindAnywhere(const std::uint32_t* words, int first, int last) const;
  // The packet that must leave before `i` does, or kNoPacket.
  PacketIndex AheadOf(PacketIndex i) const;

  // `i`, found by FindLeaving, leaves: what stood before it in its input queue has crossed, what
  // stood before it in its pair has been dropped. False if an output queue would have to be fuller
  // than it can be.
  bool Leave(PacketIndex i);
  // A packet that should have been dropped, for others have passed it by; or kNoPacket.
  PacketIndex missing_drop() const { return missing_drop_; }
  // The receiver has told that only `occupied` blocks of the input queue are taken.
  bool Freed(int port, int lane, int occupied, Cycle t);

  // Drop pulses. False: no packet there can be meant.
  bool InputDrop(int port, int lane, DropReason reason);
  // The head of an output queue is discarded: a packet that had come by cycle `came_by`.
  struct Discard {
    DropReason reason;
    Cycle came_by;
  };
  bool OutputDrop(int port, int lane, const Discard& discard);
  // A head was dropped for what it is: one of the packets that may still be in the input queue and
  // are `eligible`. Which one is decided by counting.
  using Eligible = std::function<bool(PacketIndex)>;
  bool GateDrop(int port, int lane, DropReason reason, const Eligible& eligible);
  // Management: the packet is chosen at once (first in arrival order); false: none is waiting for
  // that output.
  bool OutputDropManagement(int port);

  int unresolved_output(DropReason reason) const {
    return unresolved_output_[static_cast<std::size_t>(reason)];
  }
  int unresolved_bad(bool management) const { return unresolved_bad_[management ? 1 : 0]; }

  // Pulses of GateDrop.
  int unresolved_gate(DropReason reason) const {
    return unresolved_gate_[static_cast<std::size_t>(reason)];
  }

  // Packets that wait for their routing function, in the order of arrival, and: it is there, as
  // `p.prediction` says now.
  std::vector<PacketIndex> Pending() const;
  void Place(PacketIndex i);

  // Data packets that may still be in an input queue.
  std::vector<PacketIndex> Uncrossed() const;
  // Such a packet may go elsewhere now: by any of the routes of `prediction`.
  void Reroute(PacketIndex i, const Prediction& prediction);
  // Blocks of packets that are known to be in the output queue: none while some of its packets have
  // been dropped and it is not known which.
  int KnownBlocks(int port, int lane) const {
    const Output& output = outputs_[OutIndex(port, lane)];
    return !output.drops.empty() ? 0 : output.crossed_blocks;
  }

  // The most blocks that the output queue can hold, the packet `i` and what stands behind it in its
  // input queue apart.
  int MostBlocks(PacketIndex i, int port, int lane) const;
  // First packet that may still be in the input queue.
  PacketIndex Uncrossed(int port, int lane) const { return inputs_[InIndex(port, lane)].uncrossed; }

  // Oldest packet of an input lane.
  PacketIndex First(int port, int lane) const { return inputs_[InIndex(port, lane)].head; }

 private:
  struct List {
    PacketIndex head = kNoPacket;
    PacketIndex tail = kNoPacket;
  };
  struct Input : List {
    PacketIndex uncrossed = kNoPacket;  // first packet that may still be in the input queue
    int uncrossed_blocks = 0;
    int bad = 0;                         // bad packets, ended, still here
    int bad_drops = 0;                   // unresolved pulses
    int unknown = 0;                     // packets that were dropped here or at an output
    int kind = 0;                        // 1: a lane of management
    int suspects = 0;                    // packets that one of these pulses may mean
    std::vector<DropReason> gate_drops;  // unresolved, oldest first
  };
  struct Output {
    int packets = 0;             // that will leave here, routes certain
    int unknown = 0;             // packets that were dropped here or at an input
    int crossed_blocks = 0;      // known to be in the output queue
    std::vector<Discard> drops;  // unresolved pulses, oldest first
  };

  std::size_t InIndex(int port, int lane) const {
    return static_cast<std::size_t>((port - 1) * (vls_ + 3) + lane);
  }
  std::size_t OutIndex(int port, int lane) const {
    return static_cast<std::size_t>((port - 1) * (vls_ + 1) + lane);
  }
  std::size_t QueueIndex(std::size_t out, std::size_t in) const {
    return out * inputs_.size() + in;
  }
  std::size_t OutOfQueue(int queue) const {
    return static_cast<std::size_t>(queue) / inputs_.size();
  }

  bool Fits(const HopPacket& p, const std::uint32_t* words, int count, bool ended) const;
  bool MustDrop(const HopPacket& p) const {
    return p.prediction.Certain() && p.prediction.routes[0].drop != DropReason::kNone;
  }
  bool PerhapsGone(const Input& input, const HopPacket& p) const {
    return (p.bad_linked && input.bad_drops > 0) || (p.suspect && !input.gate_drops.empty());
  }
  void Append(PacketIndex i);
  void LeaveQueue(PacketIndex i);  // of its pair
  bool CrossOne(Input* input);
  bool CrossBefore(PacketIndex i);

  // Drop pulses (drop_resolution.cpp).
  void DropBad(PacketIndex i);
  void DropByGate(PacketIndex i);
  DropReason TakeDiscard(Output* output);
  void DropAtOutput(PacketIndex i, std::size_t out);
  bool DropAllSuspects(std::size_t in);
  void DropAhead(PacketIndex i);
  void Resolve();
  bool ResolveInput(std::size_t in);
  bool ResolveOutput(std::size_t out);
  bool ResolvePort(int port);
  void DropAllBad(std::size_t in);
  void DropAllQueued(std::size_t out);
  bool SettleUnknown(std::size_t in, std::size_t out, bool at_input);
  int MayLeaveBy(std::size_t out, Cycle came_by) const;
  bool Allows(const HopPacket& p, std::size_t out) const {
    return p.prediction.Allows(static_cast<int>(out) / (vls_ + 1) + 1,
                               static_cast<int>(out) % (vls_ + 1));
  }

  // A bad packet that has been dropped, at its input or at its output.
  struct Unknown {
    PacketIndex packet;
    std::size_t in;
    std::size_t out;
  };
  static constexpr std::size_t kAny = ~std::size_t{0};

  PacketPool* pool_;
  int ports_;
  int vls_;
  int buf_blocks_;
  Gone gone_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<List> queues_;  // [output][input]
  std::vector<PacketIndex> ambiguous_;
  std::vector<Unknown> unknown_;
  PacketIndex missing_drop_ = kNoPacket;
  std::array<int, kDropReasons> unresolved_output_{};
  int unresolved_outputs_ = 0;           // their sum
  std::array<int, 2> unresolved_bad_{};  // data, management
  std::array<int, kDropReasons> unresolved_gate_{};
  int unresolved_gates_ = 0;  // their sum
};

}  // namespace lanecut::reference
