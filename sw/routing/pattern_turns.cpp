// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/pattern_turns.h"

#include <algorithm>
#include <array>

namespace lanecut {
namespace {

constexpr LaneBits Bits(const char (&lanes)[kSpftrSls + 1]) {
  LaneBits bits = 0;
  for (int sl = 0; sl < kSpftrSls; ++sl) bits |= (lanes[sl] == '1' ? 1U : 0U) << sl;
  return bits;
}

// Table 4.2: by in port, out port, then region: neither, last column, last row, both. Ports: up,
// right, down, left.
constexpr std::array<std::array<std::array<LaneBits, 4>, 4>, 4> kTurnLanes = {{
    {{{0, 0, 0, 0},
      {Bits("0100"), Bits("1111"), Bits("0100"), Bits("1111")},
      {Bits("0100"), Bits("0100"), Bits("1111"), Bits("1111")},
      {Bits("1111"), Bits("1111"), Bits("1111"), Bits("1111")}}},
    {{{Bits("1101"), Bits("1111"), Bits("1101"), Bits("1111")},
      {0, 0, 0, 0},
      {Bits("0101"), Bits("0101"), Bits("1101"), Bits("0101")},
      {Bits("1101"), Bits("1111"), Bits("1101"), Bits("1111")}}},
    {{{Bits("1101"), Bits("1101"), Bits("1111"), Bits("1111")},
      {Bits("0101"), Bits("1101"), Bits("0101"), Bits("0101")},
      {0, 0, 0, 0},
      {Bits("1101"), Bits("1101"), Bits("1111"), Bits("1111")}}},
    {{{Bits("1111"), Bits("1111"), Bits("1111"), Bits("1111")},
      {Bits("0100"), Bits("1111"), Bits("0100"), Bits("1111")},
      {Bits("0100"), Bits("0100"), Bits("1111"), Bits("1111")},
      {0, 0, 0, 0}}},
}};

// The table's port for a direction in a plane.
int PortOf(bool is_vertical, bool falls) {
  if (is_vertical) return falls ? 0 : 2;
  return falls ? 3 : 1;
}

}  // namespace

bool IsForbiddenTurn(int heading, int next, LastBits last) {
  const bool falls = IsFalling(heading);
  const auto is_last = [last](int direction) { return (last >> AxisOf(direction) & 1U) != 0; };
  if (falls != IsFalling(next)) return !falls;
  return falls ? is_last(heading) : is_last(next);
}

LaneBits SpftrLanes(int heading, int next, LastBits last) {
  const int from = AxisOf(heading);
  const int to = AxisOf(next);
  // Going straight on, any plane will do.
  const int other = from != to ? to : from == 0 ? 1 : 0;
  const int horizontal = std::min(from, other);
  const int vertical = std::max(from, other);
  const unsigned region = (last >> horizontal & 1U) | (last >> vertical & 1U) << 1U;
  return kTurnLanes[PortOf(from == vertical, !IsFalling(heading))]
                   [PortOf(to == vertical, IsFalling(next))][region];
}

}  // namespace lanecut
