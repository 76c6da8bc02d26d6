// SPDX-License-Identifier: Apache-2.0
#include "tb/switch/packet_tap.h"

namespace lanecut {

void PacketTap::Open(Cycle t, std::uint32_t word) {
  open_ = word >> 28 == kVl15;
  if (!open_) return;
  start_ = t;
  words_.assign(1, word);
}

bool PacketTap::Continue(Cycle t, Word word) {
  const bool ends = word.ctrl == Ctrl::kGoodEnd;
  open_ = (word.ctrl == Ctrl::kBody || ends) && t == start_ + words_.size();
  if (!open_) return false;
  words_.push_back(word.data);
  open_ = !ends;
  return ends;
}

}  // namespace lanecut
