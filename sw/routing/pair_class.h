// SPDX-License-Identifier: Apache-2.0
//
// Classes of pairs of switches that take the same pattern, in tori of every size. Private to
// sw/routing and sw/patterns.
//
// Along an axis of five switches or more it matters whether source and destination are at the
// first, second, last but one or last switch or at any between, and which of the two is further on,
// by one or by more: 33 classes. Four switches are too few for that, and each of the 16 pairs is a
// class of its own. The class of a pair of switches is that of its axes without regard to their
// order, as turns are the same in all planes (pattern_turns.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sw/routing/torus_movement.h"

namespace lanecut {

// A source and a destination on an axis of `size` switches.
struct AxisPair {
  int size = 0;
  int from = 0;
  int to = 0;
};

// Tori whose pairs have classes: all sides of four switches, or all of five or more.
enum class SideKind { kFour, kFiveOrMore };

int NumAxisClasses(SideKind kind);
int AxisClassOf(const AxisPair& pair);

// All combinations of classes of this many axes, from 0.
int NumPairClasses(SideKind kind, int axes);
// The classes of the axes, in ascending order.
std::vector<int> AxisClassesOf(int pair_class, int axes);

struct PairClass {
  int number = 0;
  // The axes by their classes in ascending order: a pattern's k-th axis is the pair's order[k]-th.
  std::array<int, kMaxTorusAxes> order = {};
};
PairClass PairClassOf(std::span<const AxisPair> axes);

// A pattern's movement along the axes of a pair.
Movement AlongAxes(const Movement& movement, const PairClass& pair_class);

}  // namespace lanecut
