// SPDX-License-Identifier: Apache-2.0
#include "models/reference/switch_tracker.h"

#include <algorithm>
#include <utility>

namespace lanecut::reference {

namespace {

constexpr std::uint32_t kWithoutVl = 0x0FFFFFFF;
constexpr std::uint32_t kAllBits = 0xFFFFFFFF;

}  // namespace

SwitchTracker::SwitchTracker(PacketPool* pool, int ports, int vls, int buf_blocks, Gone gone)
    : pool_(pool),
      ports_(ports),
      vls_(vls),
      buf_blocks_(buf_blocks),
      gone_(std::move(gone)),
      inputs_(static_cast<std::size_t>(ports * (vls + 3))),
      outputs_(static_cast<std::size_t>(ports * (vls + 1))),
      queues_(inputs_.size() * outputs_.size()) {
  for (std::size_t in = 0; in < inputs_.size(); ++in) {
    inputs_[in].kind = static_cast<int>(in) % (vls + 3) >= vls ? 1 : 0;
  }
}

void SwitchTracker::Link(PacketIndex i, int port, int lane) {
  HopPacket& p = (*pool_)[i];
  pool_->Hold(i);
  p.in_port = static_cast<std::uint8_t>(port);
  p.in_lane = static_cast<std::uint8_t>(lane);
  const std::size_t in = InIndex(port, lane);
  Input& input = inputs_[in];
  p.in_prev = input.tail;
  p.in_next = kNoPacket;
  (input.tail == kNoPacket ? input.head : (*pool_)[input.tail].in_next) = i;
  input.tail = i;
  if (input.uncrossed == kNoPacket) input.uncrossed = i;
  input.uncrossed_blocks += p.blocks;

  if (p.prediction.Certain()) {
    Append(i);
  } else {
    ambiguous_.push_back(i);
  }
}

// To the queue of its pair of input and output.
void SwitchTracker::Append(PacketIndex i) {
  HopPacket& p = (*pool_)[i];
  const Route& route = p.prediction.routes[0];
  if (route.drop != DropReason::kNone || route.port == 0) return;
  const std::size_t out = OutIndex(route.port, route.lane);
  p.queue = static_cast<std::int32_t>(QueueIndex(out, InIndex(p.in_port, p.in_lane)));
  List& queue = queues_[static_cast<std::size_t>(p.queue)];
  p.q_prev = queue.tail;
  p.q_next = kNoPacket;
  (queue.tail == kNoPacket ? queue.head : (*pool_)[queue.tail].q_next) = i;
  queue.tail = i;
  ++outputs_[out].packets;
}

std::vector<PacketIndex> SwitchTracker::Pending() const {
  std::vector<PacketIndex> pending;
  for (const PacketIndex i : ambiguous_) {
    if ((*pool_)[i].prediction.Pending()) pending.push_back(i);
  }
  return pending;
}

void SwitchTracker::Place(PacketIndex i) {
  if (!(*pool_)[i].prediction.Certain()) return;
  std::erase(ambiguous_, i);
  Append(i);
}

std::vector<PacketIndex> SwitchTracker::Uncrossed() const {
  std::vector<PacketIndex> waiting;
  for (const Input& input : inputs_) {
    if (input.kind != 0) continue;
    for (PacketIndex i = input.uncrossed; i != kNoPacket; i = (*pool_)[i].in_next) {
      waiting.push_back(i);
    }
  }
  return waiting;
}

void SwitchTracker::Reroute(PacketIndex i, const Prediction& prediction) {
  HopPacket& p = (*pool_)[i];
  if (p.queue >= 0) LeaveQueue(i);
  if (!p.prediction.Certain()) std::erase(ambiguous_, i);
  p.prediction = prediction;
  if (prediction.Certain()) {
    Append(i);
  } else {
    ambiguous_.push_back(i);
  }
}

void SwitchTracker::LeaveQueue(PacketIndex i) {
  HopPacket& p = (*pool_)[i];
  List& queue = queues_[static_cast<std::size_t>(p.queue)];
  (p.q_prev == kNoPacket ? queue.head : (*pool_)[p.q_prev].q_next) = p.q_next;
  (p.q_next == kNoPacket ? queue.tail : (*pool_)[p.q_next].q_prev) = p.q_prev;
  Output& output = outputs_[OutOfQueue(p.queue)];
  --output.packets;
  if (p.in_output) output.crossed_blocks -= p.blocks;
  p.queue = -1;
}

void SwitchTracker::Unlink(PacketIndex i) {
  HopPacket& p = (*pool_)[i];
  Input& input = inputs_[InIndex(p.in_port, p.in_lane)];
  if (!p.crossed) input.uncrossed_blocks -= p.blocks;
  if (input.uncrossed == i) input.uncrossed = p.in_next;
  (p.in_prev == kNoPacket ? input.head : (*pool_)[p.in_prev].in_next) = p.in_next;
  (p.in_next == kNoPacket ? input.tail : (*pool_)[p.in_next].in_prev) = p.in_prev;
  if (p.bad_linked) --input.bad;
  if (p.suspect) --input.suspects;
  p.suspect = false;
  if (p.queue >= 0) {
    LeaveQueue(i);
  } else if (!p.prediction.Certain()) {
    std::erase(ambiguous_, i);
  }
  p.node = -1;
  pool_->Release(i);
}

void SwitchTracker::MarkBad(PacketIndex i) {
  HopPacket& p = (*pool_)[i];
  p.bad_linked = true;
  ++inputs_[InIndex(p.in_port, p.in_lane)].bad;
}

bool SwitchTracker::Fits(const HopPacket& p, const std::uint32_t* words, int count,
                         bool ended) const {
  const int before_end = p.got_words - 1;  // words that leave unchanged once the end has arrived
  if (p.got_done && (ended ? before_end != count : before_end < count)) return false;
  if (!p.got_done && (ended || p.got_words < count)) return false;
  if (((p.words[0] ^ words[0]) & kWithoutVl) != 0) return false;
  // The words that differ between packets come last.
  for (int k = count - 1; k > 0; --k) {
    // Which number a data packet must have when it leaves is for the prediction to say.
    const std::uint32_t mask = k == 1 && p.in_lane < vls_ ? kWithoutNumber : kAllBits;
    if (((pool_->WordAt(p, k) ^ words[k]) & mask) != 0) return false;
  }
  return true;
}

PacketIndex SwitchTracker::FindLeaving(int port, int lane, const std::uint32_t* words, int count,
                                       bool ended) const {
  const std::size_t out = OutIndex(port, lane);
  const List* queue = &queues_[QueueIndex(out, 0)];
  for (std::size_t in = 0; in < inputs_.size(); ++in, ++queue) {
    std::size_t passed = 0;
    int passed_bad = 0;
    std::size_t passed_gate = 0;
    for (PacketIndex i = queue->head; i != kNoPacket;) {
      const HopPacket& p = (*pool_)[i];
      if (Fits(p, words, count, ended)) return i;
      if (p.bad_linked && passed_bad < inputs_[in].bad_drops) {
        ++passed_bad;
      } else if (p.suspect && passed_gate < inputs_[in].gate_drops.size()) {
        ++passed_gate;
      } else if (passed < outputs_[out].drops.size() &&
                 p.got_start <= outputs_[out].drops.back().came_by) {
        ++passed;
      } else {
        break;
      }
      i = p.q_next;
    }
  }
  for (const PacketIndex i : ambiguous_) {
    const HopPacket& p = (*pool_)[i];
    if (p.prediction.Allows(port, lane) && Fits(p, words, count, ended)) return i;
  }
  return kNoPacket;
}

PacketIndex SwitchTracker::FindAnywhere(const std::uint32_t* words, int first, int last) const {
  for (const Input& input : inputs_) {
    for (PacketIndex i = input.head; i != kNoPacket; i = (*pool_)[i].in_next) {
      const HopPacket& p = (*pool_)[i];
      if (p.got_words < last) continue;
      bool same = true;
      for (int k = first; k < last && same; ++k) {
        const std::uint32_t differs = pool_->WordAt(p, k) ^ words[k];
        same = (differs & (k == 0 ? kWithoutVl : k == 1 ? kWithoutNumber : kAllBits)) == 0;
      }
      if (same) return i;
    }
  }
  return kNoPacket;
}

PacketIndex SwitchTracker::AheadOf(PacketIndex i) const {
  const HopPacket& p = (*pool_)[i];
  return p.queue < 0 ? kNoPacket : p.q_prev;
}

bool SwitchTracker::CrossOne(Input* input) {
  const PacketIndex i = input->uncrossed;
  HopPacket& p = (*pool_)[i];
  input->uncrossed = p.in_next;
  input->uncrossed_blocks -= p.blocks;
  p.crossed = true;
  if (MustDrop(p)) {
    if (p.bad_linked && input->bad_drops > 0) {
      DropBad(i);
    } else if (p.suspect && !input->gate_drops.empty()) {
      DropByGate(i);
    } else {
      missing_drop_ = i;
    }
    return true;
  }
  if (p.queue < 0 || p.bad_linked || p.in_lane >= vls_ || PerhapsGone(*input, p)) return true;
  Output& output = outputs_[OutOfQueue(p.queue)];
  p.in_output = true;
  output.crossed_blocks += p.blocks;
  return !output.drops.empty() || output.crossed_blocks <= buf_blocks_;
}

bool SwitchTracker::CrossBefore(PacketIndex i) {
  const HopPacket& p = (*pool_)[i];
  Input& input = inputs_[InIndex(p.in_port, p.in_lane)];
  bool fits = true;
  while (!p.crossed && input.uncrossed != i) fits = CrossOne(&input) && fits;
  return fits;
}

bool SwitchTracker::Leave(PacketIndex i) {
  const HopPacket& p = (*pool_)[i];
  if (p.queue >= 0) DropAhead(i);
  bool fits = CrossBefore(i);
  if (!p.crossed) fits = CrossOne(&inputs_[InIndex(p.in_port, p.in_lane)]) && fits;
  Unlink(i);
  Resolve();
  return fits;
}

bool SwitchTracker::Freed(int port, int lane, int occupied, Cycle t) {
  Input& input = inputs_[InIndex(port, lane)];
  bool fits = true;
  while (input.uncrossed != kNoPacket &&
         input.uncrossed_blocks - (*pool_)[input.uncrossed].blocks >= occupied) {
    (*pool_)[input.uncrossed].crossed_at = t;
    fits = CrossOne(&input) && fits;
  }
  return fits;
}

}  // namespace lanecut::reference
