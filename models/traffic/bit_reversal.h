// SPDX-License-Identifier: Apache-2.0
//
// Bit reversal: of 2^k nodes, the one with the number b(k-1)..b0 sends to b0..b(k-1). One whose
// number reads the same both ways sends nothing.
#pragma once

#include "models/traffic/pattern.h"

namespace lanecut {

class BitReversal : public Pattern {
 public:
  // std::invalid_argument, which says what is needed, unless the number of nodes is a power of 2.
  explicit BitReversal(int nodes);
  bool Sends(int source) const override { return Reverse(source) != source; }
  int Draw(int source, Random*) const override { return Reverse(source); }

 private:
  int Reverse(int node) const;

  int bits_;
};

}  // namespace lanecut
