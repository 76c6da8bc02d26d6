// SPDX-License-Identifier: Apache-2.0
//
// The best pattern that candidates make.
#pragma once

#include <vector>

#include "sw/patterns/movement_search.h"

namespace lanecut {

// One candidate for each first direction, of which no two share a switch in any pair, with the
// fewest hops together, by first direction; empty if there are none. Candidates: shortest first.
//
// Exact branch and bound: after each candidate taken, what is left of the other directions bounds
// the hops from below. A limit on the work, the same on every machine, is reached where directions
// have thousands of candidates each; then it is the best found until there.
std::vector<int> ChooseDisjoint(const std::vector<Candidate>& candidates, int directions);

}  // namespace lanecut
