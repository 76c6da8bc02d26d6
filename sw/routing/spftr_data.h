// SPDX-License-Identifier: Apache-2.0
//
// The route patterns of SPFTR for a 7 x 7 torus: Tables A.1 to A.3 of the thesis. Private to
// sw/routing.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lanecut {

// As in torus_movement.h.
const std::array<std::string_view, 155>& SpftrMovements();
// Four movements each, whose ways share no switch and no link.
const std::array<std::array<std::uint8_t, 4>, 236>& SpftrPatterns();
// The pattern by source, then destination, switches counted as 7 y + x; -1 from a switch to itself.
const std::array<std::array<std::int16_t, 49>, 49>& SpftrCells();

}  // namespace lanecut
