// SPDX-License-Identifier: Apache-2.0
#include "models/hca/trap_sender.h"

#include <algorithm>

namespace lanecut {

using ib::Mad;

namespace {

std::uint16_t NumberOf(const Mad& trap) { return ib::Notice::Decode(trap).trap_number; }

}  // namespace

void TrapSender::Raise(const Mad& trap) {
  const std::uint16_t number = NumberOf(trap);
  std::erase_if(open_, [&](const Trap& open) { return NumberOf(open.mad) == number; });
  open_.push_back({.mad = trap});
  open_.back().mad.set_transaction_id(++last_id_);
}

bool TrapSender::IsOpen(std::uint16_t number) const {
  return std::ranges::any_of(open_, [&](const Trap& open) { return NumberOf(open.mad) == number; });
}

void TrapSender::Tick() {
  for (Trap& trap : open_) trap.is_due = trap.is_due || ++trap.ticks == kRepeatTicks;
}

std::optional<Mad> TrapSender::Next() {
  for (Trap& trap : open_) {
    if (!trap.is_due) continue;
    trap.is_due = false;
    trap.ticks = 0;
    return trap.mad;
  }
  return {};
}

bool TrapSender::Repress(std::uint64_t transaction_id) {
  const auto has_id = [&](const Trap& trap) { return trap.mad.transaction_id() == transaction_id; };
  return std::erase_if(open_, has_id) != 0;
}

}  // namespace lanecut
