// SPDX-License-Identifier: Apache-2.0
#include "models/hca/vl_arbiter.h"

#include <algorithm>

namespace lanecut {

using ib::VlArbitrationEntry;

VlArbiter::VlArbiter(std::size_t entries, int num_vls) {
  for (List* list : {&high_, &low_}) {
    list->entries.resize(entries);
    list->turn = entries - 1;
    for (std::size_t i = 0; i < entries; ++i) {
      list->entries[i].vl = static_cast<std::uint8_t>(i % 16);
    }
  }
  const std::size_t vls = std::min(entries, static_cast<std::size_t>(num_vls));
  for (std::size_t vl = 0; vl < vls; ++vl) low_.entries[vl].weight = 1;
}

void VlArbiter::Write(Priority priority, std::span<const VlArbitrationEntry> entries) {
  List& list = ListOf(priority);
  const std::size_t count = std::min(entries.size(), list.entries.size());
  std::copy_n(entries.begin(), count, list.entries.begin());
  list.left = 0;
  is_written_ = true;
}

int VlArbiter::Next(std::span<const int> blocks) {
  const std::optional<std::size_t> high = TurnOf(high_, blocks);
  const std::optional<std::size_t> low = TurnOf(low_, blocks);
  if (!high && !low) return -1;
  if (!high || (low && LowIsDue())) {
    high_blocks_ = 0;
    return Send(&low_, *low, blocks);
  }
  if (LowIsDue()) high_blocks_ = 0;
  const int vl = Send(&high_, *high, blocks);
  const bool counts = high_limit_ != ib::kVlHighLimitNone;
  high_blocks_ = counts ? high_blocks_ + blocks[static_cast<std::size_t>(vl)] : 0;
  return vl;
}

bool VlArbiter::CanSend(const VlArbitrationEntry& entry, std::span<const int> blocks) {
  return entry.weight != 0 && entry.vl < blocks.size() && blocks[entry.vl] != 0;
}

// The entry whose turn it is.
std::optional<std::size_t> VlArbiter::TurnOf(const List& list, std::span<const int> blocks) {
  if (list.left > 0 && CanSend(list.entries[list.turn], blocks)) return list.turn;
  for (std::size_t step = 1; step <= list.entries.size(); ++step) {
    const std::size_t entry = (list.turn + step) % list.entries.size();
    if (CanSend(list.entries[entry], blocks)) return entry;
  }
  return {};
}

// Returns its VL.
int VlArbiter::Send(List* list, std::size_t entry, std::span<const int> blocks) {
  const VlArbitrationEntry& sender = list->entries[entry];
  const bool goes_on = entry == list->turn && list->left > 0;
  if (!goes_on) list->left = sender.weight;
  list->turn = entry;
  list->left -= blocks[sender.vl];
  return sender.vl;
}

bool VlArbiter::LowIsDue() const {
  return high_limit_ != ib::kVlHighLimitNone && high_blocks_ != 0 &&
         high_blocks_ >= high_limit_ * ib::kVlHighLimitUnit;
}

}  // namespace lanecut
