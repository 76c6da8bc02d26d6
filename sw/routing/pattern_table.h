// SPDX-License-Identifier: Apache-2.0
//
// SPFTR's patterns that derive-patterns finds (sw/patterns): for three dimensions, where the thesis
// does not print its own, and shorter ones for two. Private to sw/routing and sw/patterns.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lanecut {

struct PatternTable {
  std::span<const std::string_view> movements;
  std::span<const std::uint16_t> patterns;  // movements, as many in a row as a switch has links
  std::span<const std::int16_t> cells;      // patterns by class of pair (pair_class.h), -1 = none
};

const PatternTable& SpftrPatterns4x4();
const PatternTable& SpftrPatterns4x4x4();
// Sides of five switches or more.
const PatternTable& SpftrPatterns2d();
const PatternTable& SpftrPatterns3d();

}  // namespace lanecut
