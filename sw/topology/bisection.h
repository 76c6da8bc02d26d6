// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sw/topology/topology.h"

namespace lanecut {

// The fewest cables between switches that part a fabric into two halves with equally many end nodes
// (one more in one of them if their number is odd); without end nodes, with equally many switches.
struct Bisection {
  int cables = 0;
  // Proven for meshes and tori whose largest dimension is even, lines and rings, hypercubes, full
  // meshes, and fat trees with as many cables above as below every switch; else there may be a
  // smaller one.
  bool exact = false;
};

// Of a connected fabric; its end nodes are distributed evenly over the switches that have some.
Bisection FindBisection(const Topology& topology);

}  // namespace lanecut
