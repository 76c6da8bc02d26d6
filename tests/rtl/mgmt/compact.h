// SPDX-License-Identifier: Apache-2.0
//
// Compact packets as the tests of the agent see them, built by the letter of the format and
// independently of everything in sw/.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/rtl/mgmt/smp.h"

namespace lanecut::mgmt_test {

// LRH 0, 1; BTH 2..4; path from 5 on; attribute and method; modifier (not in an answer); data;
// ICRC.
struct Compact {
  uint8_t opcode = 0xC3;  // its lower half: words of path
  uint8_t hop = 1;
  uint32_t number = 0x123456;
  std::vector<uint32_t> path = {0x20000000, 0, 0};
  uint16_t attribute = 0;
  uint16_t code = kGet;            // words wanted and method, or status
  std::vector<uint32_t> contents;  // modifier and data, or data
};

// ICRC as InfiniBand has it, with the path as ones.
inline void SealCompact(Words& words) {
  Words covered = words;
  const std::size_t path_words = words[2] >> 24 & 0xF;
  for (std::size_t i = 5; i < 5 + path_words && i + 1 < words.size(); ++i) covered[i] = 0xFFFFFFFF;
  SealIcrc(covered);
  words.back() = covered.back();
}

inline Words Build(const Compact& compact) {
  Words words = {0xF002FFFF, 0xFFFF, static_cast<uint32_t>(compact.opcode) << 24 | 0xFFFF,
                 static_cast<uint32_t>(compact.hop) << 24, compact.number};
  words.insert(words.end(), compact.path.begin(), compact.path.end());
  words.push_back(static_cast<uint32_t>(compact.attribute) << 16 | compact.code);
  words.insert(words.end(), compact.contents.begin(), compact.contents.end());
  words.push_back(0);
  words[1] |= static_cast<uint32_t>(words.size()) << 16;
  SealCompact(words);
  return words;
}

}  // namespace lanecut::mgmt_test
