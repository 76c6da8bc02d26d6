// SPDX-License-Identifier: Apache-2.0
//
// Puts management packets (VL15) together from the words on a port's pins, one direction of it.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/wire/packet.h"
#include "sw/wire/word.h"

namespace lanecut {

class PacketTap {
 public:
  // A word that is not idle. True if it is the last one of a whole management packet, with a good
  // end.
  bool OnWord(Cycle t, Word word) {
    if (word.ctrl == Ctrl::kStartData) Open(t, word.data);
    return open_ && word.ctrl != Ctrl::kStartData && Continue(t, word);
  }

  // Of that packet: the words LRH to the one with the VCRC, and the cycle of the first.
  const std::vector<std::uint32_t>& words() const { return words_; }
  Cycle start() const { return start_; }

 private:
  void Open(Cycle t, std::uint32_t word);
  bool Continue(Cycle t, Word word);

  bool open_ = false;
  Cycle start_ = 0;
  std::vector<std::uint32_t> words_;
};

}  // namespace lanecut
