// SPDX-License-Identifier: Apache-2.0
//
// From paths between switches to InfiniBand tables. Private to sw/routing.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "sw/routing/disjoint_search.h"
#include "sw/routing/routing.h"
#include "sw/routing/switch_fabric.h"

namespace lanecut {

// The paths from one switch to another, by from * switches + to, in the order in which to use them.
using PathSets = std::vector<std::vector<SwitchPath>>;

// Fills in, by source, the paths from all switches to one; what is there before is of no use but
// its memory. Called for one destination after the other, so not all paths need exist at once.
using PathsTo = std::function<void(int to, std::vector<std::vector<SwitchPath>>& paths)>;

// VLs by SL, then turn of the fabric.
using TurnLanes = std::vector<std::vector<std::uint8_t>>;

// Which pairs of switches a request needs paths for, in the form of PathSets.
std::vector<bool> WantedPairs(const RoutingRequest& request, const SwitchFabric& fabric);

// Tables that lead every packet with a path record along its path, on the VLs of its turns.
//
// A switch sends all packets to one LID by the same port. So paths to one switch share a LID number
// (an offset from an end node's lowest LID) where they do not part: each takes the lowest number
// that it fits, first paths before second ones. Switches that no path with a number passes get
// entries that lead to one; nothing is promised about deadlock there, and no path record uses them.
// Switches' own LIDs are routed like the lowest LID of an end node.
//
// Throws RoutingError, which says what LMC would do, if LIDs do not suffice; `engine` is for it.
RoutingTables MakeMultipathTables(const RoutingRequest& request, const SwitchFabric& fabric,
                                  const PathsTo& paths, const TurnLanes& lanes,
                                  std::string_view engine);
RoutingTables MakeMultipathTables(const RoutingRequest& request, const SwitchFabric& fabric,
                                  const PathSets& paths, const TurnLanes& lanes,
                                  std::string_view engine);

}  // namespace lanecut
