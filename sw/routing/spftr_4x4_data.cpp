// SPDX-License-Identifier: Apache-2.0
//
// Written by: derive-patterns 4x4
#include <array>

#include "sw/routing/pattern_table.h"

namespace lanecut {

// clang-format off
const PatternTable& SpftrPatterns4x4() {
  static constexpr std::array<std::string_view, 36> kMovements = {{
    "D L", "L D", "D", "L", "R", "U", "(DST+1)U R U", "(DST-1)R U R", "1HL D L", "1HU L U", "D R",
    "L U", "R U", "U L", "U R", "1HD L D", "1HD L U", "1HD R D", "1HD R U", "1HL D R", "1HL U L",
    "1HL U R", "1HR D L", "1HR D R", "1HR U L", "1HR U R", "1HU L D", "1HU R D", "R D",
    "(DST+1)L D L", "(DST+1)U L U", "(DST-1)D L D", "(DST-1)D R D", "(DST-1)R D R", "1HR 1HD R D",
    "1HU R U",
  }};
  static constexpr std::array<std::uint16_t, 88> kPatterns = {{
    12, 20, 32, 14, 7, 11, 15, 13, 28, 29, 10, 6, 24, 21, 2, 5, 4, 3, 18, 27, 22, 19, 2, 5, 4, 3,
    16, 26, 34, 8, 10, 35, 33, 1, 0, 9, 24, 19, 2, 5, 25, 1, 0, 9, 4, 3, 18, 26, 7, 11, 31, 13,
    23, 1, 0, 30, 25, 11, 15, 13, 12, 8, 17, 14, 7, 1, 0, 9, 22, 21, 2, 5, 23, 1, 0, 6, 28, 8, 10,
    6, 12, 20, 17, 14, 4, 3, 16, 27,
  }};
  static constexpr std::array<std::int16_t, 136> kCells = {{
    -1, 5, 7, 5, 7, 2, 17, 15, 15, 1, 3, 0, 0, 12, 12, -1, 4, 4, 11, 6, -1, 5, 19, 2, 18, 8, 5, 2,
    5, 7, 2, 1, 1, 5, 2, 0, 3, 0, 0, 1, 1, 3, 0, 0, 1, 3, 0, 0, 1, 1, 3, 0, 0, 1, 14, -1, 4, 4,
    11, 6, -1, 4, 4, 6, 6, -1, 5, 7, 2, 13, 8, 5, 2, 2, 8, 8, 5, 2, 9, 7, 2, 13, 16, 9, 2, 2, 10,
    10, 9, 2, 2, 3, 0, 0, 1, 1, 3, 0, 0, 1, 10, 3, 0, 0, 0, 3, 0, 0, 1, 1, 3, 0, 0, 1, 14, 3, 0,
    20, 1, 1, -1, 4, 4, 11, 6, -1, 4, 4, 6, 6, -1, 4, 21, 6, 6, -1,
  }};
  static constexpr PatternTable kTable = {kMovements, kPatterns, kCells};
  return kTable;
}
// clang-format on

}  // namespace lanecut
