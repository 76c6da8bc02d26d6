// SPDX-License-Identifier: Apache-2.0
//
// What a link carries in one cycle and one direction: a 32-bit word and a control code.
//
// Bytes of a packet fill words in wire order, first byte in bits 31:24. The last word of a data
// packet holds the two VCRC bytes in bits 31:16; the packet's two delimiter symbols fill the rest,
// so that n words take exactly the time of n words. A link packet is two words: {Op, FCTBS, VL,
// FCCL}, then {LPCRC, 16'b0}. The codes equal `lanecut_pkg::ctrl_e` in the RTL.
#pragma once

#include <cstdint>

namespace lanecut {

using Cycle = std::uint64_t;

enum class Ctrl : std::uint8_t {
  kIdle = 0,
  kStartData = 1,  // first word of a data or management packet
  kStartLink = 2,  // first word of a link packet
  kBody = 3,
  kGoodEnd = 4,  // last word, EGP
  kBadEnd = 5,   // last word, EBP: the sender found the packet bad after its head had left
};

struct Word {
  std::uint32_t data = 0;
  Ctrl ctrl = Ctrl::kIdle;
  friend bool operator==(const Word&, const Word&) = default;
};

}  // namespace lanecut
