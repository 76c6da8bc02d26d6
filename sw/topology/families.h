// SPDX-License-Identifier: Apache-2.0
//
// The other families of topologies beside meshes and tori (topology.h). In all of them ports
// between switches come first, in the order stated, then those to end nodes; switches come before
// end nodes. Direct networks have `concentration` end nodes H<switch>_<k> at every switch. Sizes
// that make no network throw std::invalid_argument, which says what was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sw/topology/topology.h"

namespace lanecut {

// A torus of one dimension: S<i> has port 1 towards S<i+1>, port 2 towards S<i-1>.
Topology BuildRing(int switches, int concentration);

// 2^dimensions switches S<x>_<y>_.. with coordinates 0 and 1, so also a mesh; port 1+d changes
// coordinate d.
Topology BuildHypercube(int dimensions, int concentration);

// Every switch S<i> joined to every other one; ports in the order of the others.
Topology BuildFullMesh(int switches, int concentration);

// Kim, Dally, Scott, Abts (2008). Groups of `switches` that are joined all to all (ports
// 1..switches-1, in the order of the others); every switch has `global` more ports to other
// groups. Global port q of a group (q = switch * global + port) leads to the q-th other group; with
// fewer than switches * global + 1 groups it goes on from the first again, as often as all groups
// get one, and ports that are left over stay free. Switches are named D<group>_<switch>.
struct DragonflyShape {
  int switches = 0;           // per group, 1 or more
  int global = 0;             // global cables per switch, 1 or more
  std::optional<int> groups;  // 2 or more; most and default: switches * global + 1
};
Topology BuildDragonfly(const DragonflyShape& shape, int concentration);

// A connected graph without parallel cables in which every switch R<i> has `degree` others: a
// circulant graph, of which pairs of cables exchange ends at random many times. Ports in the order
// of the others. The same seed gives the same graph.
Topology BuildRandomRegular(int switches, int degree, int concentration, std::uint64_t seed);

// XGFT(h; m1..mh; w1..wh), extended generalized fat tree (Ohring, Ibel, Das, Kumar 1995): end nodes
// H<i> are level 0; a node of level l has children[l-1] children and, below the top, parents[l]
// parents. parents[0] is 1, as end nodes have one port. A node of level l is (A, B): A numbers its
// subtree, B numbers it among the tops of that subtree; it is named F<l>_<A * tops + B>. Its port
// 1+c leads to the child in subtree A * children[l-1] + c, then come the ports to its parents.
struct XgftShape {
  std::vector<int> children;  // m
  std::vector<int> parents;   // w
  friend bool operator==(const XgftShape&, const XgftShape&) = default;
};
Topology BuildXgft(const XgftShape& shape);

// k-ary n-tree (Petrini, Vanneschi 1997): XGFT(n; k..k; 1,k..k), k^n end nodes, n k^(n-1) switches.
XgftShape KaryNtree(int k, int n);

// The shape of an XGFT with all its cables, by the names of its nodes.
std::optional<XgftShape> RecognizeXgft(const Topology& topology);

}  // namespace lanecut
