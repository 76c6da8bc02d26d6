// SPDX-License-Identifier: Apache-2.0
//
// A fabric as a drawing: the language of Graphviz (dot, neato, fdp).
#pragma once

#include <ostream>

#include "sw/topology/topology.h"

namespace lanecut {

// An undirected graph: switches as boxes, end nodes by name, every cable
// an edge with its port numbers at both ends. Switches of a mesh or torus of up to two dimensions
// have places (`neato -n` keeps them).
void WriteDot(const Topology& topology, std::ostream& out);

}  // namespace lanecut
