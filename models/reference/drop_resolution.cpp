// SPDX-License-Identifier: Apache-2.0
//
// Which packets the drop pulses of a switch mean.
//
// An input's pulse "bad" means one of its bad packets, an output's pulse one of the packets that
// will leave there; which one is decided by counting. A bad packet that must be gone, because one
// behind it has left, may have been dropped at either: it waits in `unknown_` for the counts to
// say.
//
// A pulse of the channel gate (EBR, OSR) means the head of an input queue, and which packet that is
// cannot be seen: packets before it may have crossed. All that it may mean are suspects, until as
// many are left as there were pulses or one behind them has left.
#include <algorithm>
#include <vector>

#include "models/reference/switch_tracker.h"

namespace lanecut::reference {

// One of the pulses "bad" of its input means this packet.
void SwitchTracker::DropBad(PacketIndex i) {
  Input& input = inputs_[InIndex((*pool_)[i].in_port, (*pool_)[i].in_lane)];
  --input.bad_drops;
  --unresolved_bad_[static_cast<std::size_t>(input.kind)];
  gone_(i, DropReason::kBad);
  Unlink(i);
}

// The oldest pulse of the gate of its input means this packet.
void SwitchTracker::DropByGate(PacketIndex i) {
  Input& input = inputs_[InIndex((*pool_)[i].in_port, (*pool_)[i].in_lane)];
  const DropReason reason = input.gate_drops.front();
  input.gate_drops.erase(input.gate_drops.begin());
  --unresolved_gate_[static_cast<std::size_t>(reason)];
  --unresolved_gates_;
  gone_(i, reason);
  Unlink(i);
}

DropReason SwitchTracker::TakeDiscard(Output* output) {
  const DropReason reason = output->drops.front().reason;
  output->drops.erase(output->drops.begin());
  --unresolved_output_[static_cast<std::size_t>(reason)];
  --unresolved_outputs_;
  return reason;
}

// The oldest pulse of that output means this packet.
void SwitchTracker::DropAtOutput(PacketIndex i, std::size_t out) {
  gone_(i, TakeDiscard(&outputs_[out]));
  Unlink(i);
}

bool SwitchTracker::GateDrop(int port, int lane, DropReason reason, const Eligible& eligible) {
  Input& input = inputs_[InIndex(port, lane)];
  for (PacketIndex i = input.uncrossed; i != kNoPacket; i = (*pool_)[i].in_next) {
    HopPacket& p = (*pool_)[i];
    if (p.suspect || !eligible(i)) continue;
    p.suspect = true;
    ++input.suspects;
  }
  if (input.suspects <= static_cast<int>(input.gate_drops.size())) return false;
  input.gate_drops.push_back(reason);
  ++unresolved_gate_[static_cast<std::size_t>(reason)];
  ++unresolved_gates_;
  Resolve();
  return true;
}

// If there are no more suspects than pulses.
bool SwitchTracker::DropAllSuspects(std::size_t in) {
  const Input& input = inputs_[in];
  const int drops = static_cast<int>(input.gate_drops.size());
  if (drops == 0 || input.suspects == 0 || input.suspects > drops) return false;
  for (PacketIndex i = input.head; i != kNoPacket;) {
    const PacketIndex next = (*pool_)[i].in_next;
    if ((*pool_)[i].suspect) {
      CrossBefore(i);
      DropByGate(i);
    }
    i = next;
  }
  return true;
}

int SwitchTracker::MostBlocks(PacketIndex i, int port, int lane) const {
  const HopPacket& p = (*pool_)[i];
  const std::size_t own = InIndex(p.in_port, p.in_lane);
  const std::size_t out = OutIndex(port, lane);
  int blocks = 0;
  for (std::size_t in = 0; in < inputs_.size(); ++in) {
    for (PacketIndex k = queues_[QueueIndex(out, in)].head; k != kNoPacket;
         k = (*pool_)[k].q_next) {
      const HopPacket& other = (*pool_)[k];
      if (k == i || (in == own && other.got_start > p.got_start)) break;
      blocks += other.blocks;
    }
  }
  for (const PacketIndex k : ambiguous_) {
    if (k != i && Allows((*pool_)[k], out)) blocks += (*pool_)[k].blocks;
  }
  return blocks;
}

// What stands before `i` in its pair has been dropped, for `i` is leaving.
void SwitchTracker::DropAhead(PacketIndex i) {
  const HopPacket& p = (*pool_)[i];
  const std::size_t in = InIndex(p.in_port, p.in_lane);
  const std::size_t out = OutOfQueue(p.queue);
  for (PacketIndex ahead = AheadOf(i); ahead != kNoPacket; ahead = AheadOf(i)) {
    const bool at_input = (*pool_)[ahead].bad_linked && inputs_[in].bad_drops > 0;
    if (!at_input && PerhapsGone(inputs_[in], (*pool_)[ahead])) {
      DropByGate(ahead);
    } else if (!at_input) {
      DropAtOutput(ahead, out);
    } else if (outputs_[out].drops.empty()) {
      DropBad(ahead);
    } else {
      unknown_.push_back({ahead, in, out});
      ++inputs_[in].unknown;
      ++outputs_[out].unknown;
      pool_->Hold(ahead);
      Unlink(ahead);
    }
  }
}

bool SwitchTracker::InputDrop(int port, int lane, DropReason reason) {
  Input& input = inputs_[InIndex(port, lane)];
  if (reason == DropReason::kBad) {
    if (input.bad_drops == input.bad + input.unknown) return false;
    ++input.bad_drops;
    ++unresolved_bad_[static_cast<std::size_t>(input.kind)];
    Resolve();
    return true;
  }
  PacketIndex meant = kNoPacket;
  for (PacketIndex i = input.head; i != kNoPacket; i = (*pool_)[i].in_next) {
    const HopPacket& p = (*pool_)[i];
    const bool fits = p.prediction.AllowsDrop(reason);
    if (!fits && !MustDrop(p)) continue;
    // A bad one or a suspect may be gone already, and one that came while the tables changed may
    // not be dropped at all: it is meant only if none behind it must be.
    const bool perhaps_gone = PerhapsGone(input, p) || !MustDrop(p);
    if (fits && (meant == kNoPacket || !perhaps_gone)) meant = i;
    if (!perhaps_gone) break;
  }
  if (meant == kNoPacket) return false;
  CrossBefore(meant);
  gone_(meant, reason);
  Unlink(meant);
  Resolve();
  return true;
}

bool SwitchTracker::OutputDrop(int port, int lane, const Discard& discard) {
  Output& output = outputs_[OutIndex(port, lane)];
  // Counted are the packets that any of the pulses may mean.
  Cycle came_by = discard.came_by;
  if (!output.drops.empty()) came_by = std::max(came_by, output.drops.back().came_by);
  const int candidates = MayLeaveBy(OutIndex(port, lane), came_by) + output.unknown;
  if (static_cast<int>(output.drops.size()) >= candidates) return false;
  output.drops.push_back({discard.reason, came_by});
  ++unresolved_output_[static_cast<std::size_t>(discard.reason)];
  ++unresolved_outputs_;
  Resolve();
  return true;
}

bool SwitchTracker::OutputDropManagement(int port) {
  const std::size_t out = OutIndex(port, vls_);
  PacketIndex oldest = kNoPacket;
  for (std::size_t in = 0; in < inputs_.size(); ++in) {
    const PacketIndex i = queues_[QueueIndex(out, in)].head;
    if (i == kNoPacket) continue;
    if (oldest == kNoPacket || (*pool_)[i].got_start < (*pool_)[oldest].got_start) oldest = i;
  }
  if (oldest == kNoPacket) return false;
  gone_(oldest, DropReason::kPortInactive);
  Unlink(oldest);
  return true;
}

// Of the packets that had come by then.
int SwitchTracker::MayLeaveBy(std::size_t out, Cycle came_by) const {
  int count = 0;
  for (const PacketIndex i : ambiguous_) {
    const HopPacket& p = (*pool_)[i];
    if (Allows(p, out) && p.got_start <= came_by) ++count;
  }
  for (std::size_t in = 0; in < inputs_.size(); ++in) {
    PacketIndex i = queues_[QueueIndex(out, in)].head;
    for (; i != kNoPacket && (*pool_)[i].got_start <= came_by; i = (*pool_)[i].q_next) ++count;
  }
  return count;
}

void SwitchTracker::Resolve() {
  if (unresolved_outputs_ == 0 && unresolved_bad_[0] == 0 && unresolved_bad_[1] == 0 &&
      unresolved_gates_ == 0) {
    return;
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t in = 0; in < inputs_.size(); ++in) {
      changed = DropAllSuspects(in) || changed;
      changed = ResolveInput(in) || changed;
    }
    for (std::size_t out = 0; out < outputs_.size(); ++out) changed = ResolveOutput(out) || changed;
    for (int port = 1; port <= ports_ && !ambiguous_.empty(); ++port) {
      changed = ResolvePort(port) || changed;
    }
  }
}

bool SwitchTracker::ResolveInput(std::size_t in) {
  const Input& input = inputs_[in];
  if (input.bad_drops == 0) return SettleUnknown(in, kAny, /*at_input=*/false);
  // At most `unknown` of the pulses mean packets that are no longer here.
  if (input.bad_drops - input.unknown != input.bad) return false;
  if (input.bad == 0) return SettleUnknown(in, kAny, /*at_input=*/true);
  DropAllBad(in);
  return true;
}

bool SwitchTracker::ResolveOutput(std::size_t out) {
  const Output& output = outputs_[out];
  if (output.drops.empty()) return SettleUnknown(kAny, out, /*at_input=*/true);
  const int candidates = MayLeaveBy(out, output.drops.back().came_by);
  if (static_cast<int>(output.drops.size()) - output.unknown != candidates) return false;
  if (candidates == 0) return SettleUnknown(kAny, out, /*at_input=*/false);
  DropAllQueued(out);
  return true;
}

// A packet that may take one VL of a port or another may be meant by the pulses of either: it is if
// those of all data VLs are as many as the packets that may leave by any of them.
bool SwitchTracker::ResolvePort(int port) {
  const std::size_t first = OutIndex(port, 0);
  const std::size_t end = OutIndex(port, vls_);
  std::size_t drops = 0;
  std::vector<PacketIndex> candidates;
  for (std::size_t out = first; out < end; ++out) {
    if (outputs_[out].unknown != 0) return false;
    drops += outputs_[out].drops.size();
  }
  if (drops == 0) return false;
  for (std::size_t out = first; out < end; ++out) {
    for (std::size_t in = 0; in < inputs_.size(); ++in) {
      PacketIndex i = queues_[QueueIndex(out, in)].head;
      for (; i != kNoPacket; i = (*pool_)[i].q_next) candidates.push_back(i);
    }
  }
  for (const PacketIndex i : ambiguous_) {
    bool may = false;
    for (std::size_t out = first; out < end; ++out) may = may || Allows((*pool_)[i], out);
    if (may) candidates.push_back(i);
  }
  if (candidates.size() != drops) return false;
  std::size_t out = first;
  for (const PacketIndex i : candidates) {
    while (outputs_[out].drops.empty()) ++out;
    DropAtOutput(i, out);
  }
  return true;
}

void SwitchTracker::DropAllBad(std::size_t in) {
  for (PacketIndex i = inputs_[in].head; i != kNoPacket;) {
    const PacketIndex next = (*pool_)[i].in_next;
    if ((*pool_)[i].bad_linked) DropBad(i);
    i = next;
  }
}

void SwitchTracker::DropAllQueued(std::size_t out) {
  const Cycle came_by = outputs_[out].drops.back().came_by;
  const auto is_meant = [&](PacketIndex i) { return (*pool_)[i].got_start <= came_by; };
  for (std::size_t in = 0; in < inputs_.size(); ++in) {
    const List& queue = queues_[QueueIndex(out, in)];
    while (queue.head != kNoPacket && is_meant(queue.head)) DropAtOutput(queue.head, out);
  }
  const std::vector<PacketIndex> ambiguous = ambiguous_;
  for (const PacketIndex i : ambiguous) {
    if (Allows((*pool_)[i], out) && is_meant(i)) DropAtOutput(i, out);
  }
}

// All packets dropped at input `in` or at output `out` (kAny: whichever) were dropped at the one or
// at the other.
bool SwitchTracker::SettleUnknown(std::size_t in, std::size_t out, bool at_input) {
  const std::size_t before = unknown_.size();
  std::erase_if(unknown_, [&](const Unknown& u) {
    if ((in != kAny && u.in != in) || (out != kAny && u.out != out)) return false;
    Input& input = inputs_[u.in];
    --input.unknown;
    --outputs_[u.out].unknown;
    DropReason reason = DropReason::kBad;
    if (at_input) {
      --input.bad_drops;
      --unresolved_bad_[static_cast<std::size_t>(input.kind)];
    } else {
      reason = TakeDiscard(&outputs_[u.out]);
    }
    gone_(u.packet, reason);
    pool_->Release(u.packet);
    return true;
  });
  return unknown_.size() != before;
}

}  // namespace lanecut::reference
