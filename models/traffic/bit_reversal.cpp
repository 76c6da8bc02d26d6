// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/bit_reversal.h"

#include <bit>
#include <stdexcept>

namespace lanecut {

BitReversal::BitReversal(int nodes) : bits_(std::countr_zero(static_cast<unsigned>(nodes))) {
  if (nodes < 1 || !std::has_single_bit(static_cast<unsigned>(nodes))) {
    throw std::invalid_argument("a power of 2");
  }
}

int BitReversal::Reverse(int node) const {
  int reversed = 0;
  for (int bit = 0; bit < bits_; ++bit) reversed |= (node >> bit & 1) << (bits_ - 1 - bit);
  return reversed;
}

}  // namespace lanecut
