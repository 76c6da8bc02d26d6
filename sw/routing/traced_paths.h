// SPDX-License-Identifier: Apache-2.0
//
// The path records of some tables as links between switches.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/routing/switch_fabric.h"
#include "sw/topology/topology.h"

namespace lanecut {

struct TracedPath {
  int source = -1;  // end nodes, as node indices
  int destination = -1;
  RoutingTables::PathRecord record;
  int from = -1;  // their switches, as places of the fabric
  int to = -1;
  int pair = -1;  // numbers the pairs (source, destination) from 0 on
  std::vector<std::int32_t> links;
  std::vector<std::uint8_t> vls;  // by link
};

// All path records of all pairs of end nodes that have LIDs and that the topology joins; ordered by
// destination's switch, source's switch, source, destination, record. Throws RoutingError, which
// begins with `who`, if a path does not arrive.
std::vector<TracedPath> TracePaths(const SwitchFabric& fabric, const Topology& topology,
                                   const RoutingTables& tables, std::string_view who);

}  // namespace lanecut
