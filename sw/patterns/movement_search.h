// SPDX-License-Identifier: Apache-2.0
//
// All movements that lead from source to destination in every one of some pairs, and could be one
// of as many disjoint paths as a switch has links.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/patterns/pair_instance.h"
#include "sw/routing/torus_movement.h"

namespace lanecut {

struct Candidate {
  Movement movement;
  int hops = 0;                        // summed over the pairs
  std::vector<std::uint64_t> between;  // switches between the ends, a bit each, pair after pair
};

// Movements of up to `most_steps` steps whose paths are simple, fit an SL under SPFTR's turns, are
// at most `detour` hops longer than the distance of each pair, and pass no neighbour of the source
// but the first switch and none of the destination but the last, as the other paths need those. Of
// movements that are the same in all pairs one. Shortest first.
std::vector<Candidate> SearchMovements(const std::vector<PairInstance>& pairs, int detour,
                                       int most_steps);

}  // namespace lanecut
