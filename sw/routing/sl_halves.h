// SPDX-License-Identifier: Apache-2.0
//
// Routing functions with several LIDs and SLs for each destination that follow each other under
// traffic (EBR): every function has its own half of the SLs, one and the other in turn, and keeps
// an eye on the packets of the function before.
//
// A packet that was sent by a path record of the old function keeps its DLID and SL in switches
// that have the new one. Its DLID still leads to its destination, but it may stand at any switch,
// and come to turns that no path of the new function makes on that LID. So in the new function the
// other half of the SLs is for such stragglers alone: all of them go on VL 0, and where the turn is
// one that may close a cycle there, the SLtoVL tables discard them. The first turn that a straggler
// makes, from where the old function has put it, is what EBR is for.
//
// Two functions on, a half is used again. By then no packet must be left that was sent with it.
#pragma once

#include "sw/routing/rftr_paths.h"
#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

inline constexpr int kSlsOfHalf = kServiceLevels / 2;

constexpr int FirstSlOf(int half) { return half * kSlsOfHalf; }

// Tables on SLs 0 to kSlsOfHalf - 1, moved to one half (0 or 1) of the SLs; the other one is for
// stragglers. `base` has the paths that the function began with, which say what turns are
// forbidden; it is of the same topology.
RoutingTables InHalf(int half, const Topology& topology, const RoutingTables& tables,
                     const RftrPaths& base);

}  // namespace lanecut
