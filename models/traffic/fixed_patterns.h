// SPDX-License-Identifier: Apache-2.0
//
// The patterns of the literature in which every source has one destination, as it follows from its
// number (Dally, Towles 2004, table 3.1). A source that would send to itself sends nothing. Where a
// pattern is not defined, std::invalid_argument says what it needs.
#pragma once

#include <span>

#include "models/traffic/permutation.h"

namespace lanecut {

// Of 2^k nodes, node i sends to the one with all bits of i inverted.
Permutation BitComplement(int nodes);

// Of 2^2k nodes, node i sends to the one with the two halves of i's bits exchanged: a square matrix
// transposed.
Permutation Transpose(int nodes);

// Of 2^k nodes, node i sends to the one with i's bits rotated left by one.
Permutation Shuffle(int nodes);

// Nodes of a grid of `sizes` switches, dimension 0 fastest, with `nodes_per_switch` in a row on
// each. Node j of a switch sends to node j of the switch ceil(k/2) - 1 places on in every
// dimension, k being its size, around the end: against this a torus gets half of its capacity from
// shortest paths.
Permutation Tornado(std::span<const int> sizes, int nodes_per_switch);

// The same, one place on in every dimension.
Permutation NearestNeighbour(std::span<const int> sizes, int nodes_per_switch);

}  // namespace lanecut
