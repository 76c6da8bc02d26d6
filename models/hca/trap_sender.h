// SPDX-License-Identifier: Apache-2.0
//
// The traps of an end node that the subnet manager has not repressed yet (IBA 13.4.9): at most one
// of each number. A trap is sent at once and every kRepeatTicks ticks again, until a TrapRepress
// with its transaction ID comes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/mad/attributes.h"
#include "sw/mad/mad.h"

namespace lanecut {

class TrapSender {
 public:
  static constexpr int kRepeatTicks = 16;

  // A Trap as the subnet manager shall get it, but for its transaction ID. It takes the place of an
  // unanswered one of the same number.
  void Raise(const ib::Mad& trap);
  bool IsOpen(std::uint16_t number) const;
  // A tick has passed.
  void Tick();
  // A trap that is due, which counts as sent.
  std::optional<ib::Mad> Next();
  // False if no trap has this transaction ID.
  bool Repress(std::uint64_t transaction_id);
  void Clear() { open_.clear(); }

 private:
  struct Trap {
    ib::Mad mad;
    bool is_due = true;
    int ticks = 0;  // since it was sent
  };

  std::vector<Trap> open_;
  std::uint64_t last_id_ = 0;
};

}  // namespace lanecut
