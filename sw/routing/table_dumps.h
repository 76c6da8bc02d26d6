// SPDX-License-Identifier: Apache-2.0
//
// The files in which a routing function comes from elsewhere, as OpenSM dumps them.
#pragma once

#include <filesystem>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

struct TableDumps {
  std::filesystem::path lfts;   // opensm-lfts.dump or opensm.fdbs
  std::filesystem::path sl2vl;  // opensm-sl2vl.dump; empty: VL 0 for all
  std::filesystem::path
      path_records;   // what `saquery PathRecord` prints; empty: SL 0 for all pairs
  int vls = kDropVl;  // data VLs that SLtoVL tables may name
};

// Throws RoutingError "file:line: what is wrong; expected ..".
RoutingTables ReadTableDumps(const Topology& topology, const TableDumps& dumps);

// As above, and unless every end node reaches every other one.
RoutingTables ReadWorkingTableDumps(const Topology& topology, const TableDumps& dumps);

}  // namespace lanecut
