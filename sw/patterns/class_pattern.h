// SPDX-License-Identifier: Apache-2.0
//
// The pattern of a class of pairs.
#pragma once

#include <optional>
#include <vector>

#include "sw/patterns/pair_instance.h"
#include "sw/routing/torus_movement.h"

namespace lanecut {

using Pattern = std::vector<Movement>;  // by first direction

// Hops of its paths together; nothing if one does not arrive, comes back to a switch, fits no SL,
// or two share a switch or a link. Shares no code with the search but the rules of turns.
std::optional<int> HopsOf(const Pattern& pattern, const PairInstance& pair);

// Where patterns must hold.
struct PatternRange {
  int axes = 3;
  int least = 5;       // switches on a side
  int most = 8;        // those that count for the length, all sides equal
  int most_mixed = 9;  // those where it must hold as well, sides equal or not
};

struct ClassPattern {
  Pattern pattern;  // empty if none was found
  // The pairs whose hops count, and those that showed a shorter pattern not to hold.
  std::vector<PairInstance> pairs;
  int hops = 0;  // over these
};

// Begins with a few pairs of the class. A pattern that does not hold for some other one is given
// up, and that pair counts from then on.
ClassPattern FindClassPattern(int pair_class, const PatternRange& range);

// Whether a pattern does as well as the one found.
bool IsAsGood(const Pattern& pattern, int pair_class, const ClassPattern& found,
              const PatternRange& range);

}  // namespace lanecut
