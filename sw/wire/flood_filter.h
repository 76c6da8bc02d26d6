// SPDX-License-Identifier: Apache-2.0
//
// Which flooded commands are new to a node: see rtl/mgmt/mgmt_flood.sv, which does the same.
#pragma once

#include <cstdint>

#include "sw/wire/word.h"

namespace lanecut {

// Numbers are 24 bits wide, and half of them are ahead of any.
constexpr bool IsFloodAhead(std::uint32_t number, std::uint32_t of) {
  const std::uint32_t ahead = (number - of) & 0xFFFFFF;
  return ahead != 0 && ahead < 0x800000;
}

// After so long without a new one any number is new, so that a manager may begin anywhere.
inline constexpr Cycle kFloodForgotten = Cycle{16} * 4096;

class FloodFilter {
 public:
  // Is it new? If so, it is the newest from now on.
  bool Take(std::uint32_t number, Cycle t) {
    const bool is_known = taken_ && t - at_ < kFloodForgotten;
    if (is_known && !IsFloodAhead(number, number_)) return false;
    taken_ = true;
    at_ = t;
    number_ = number;
    return true;
  }

 private:
  bool taken_ = false;
  Cycle at_ = 0;
  std::uint32_t number_ = 0;
};

}  // namespace lanecut
