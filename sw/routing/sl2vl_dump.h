// SPDX-License-Identifier: Apache-2.0
//
// SLtoVL tables as text, in the format of OpenSM's opensm-sl2vl.dump:
//
//   Switch 0x4c43000000010000, base LID 2, "S0_0"
//   #in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
//   #--------------------------------------------------------
//   0   1   : 0  1  0  1  0  1  0  1  0  1  0  1  0  1  0  1
//   ...
//   #--------------------------------------------------------
//
// A line for every in port of each out port that has a cable, the SLs 0..15 in a row; an end node
// has one line, of ports 0 0.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

void WriteSlToVlDump(const Topology& topology, const RoutingTables& tables, std::ostream& out);

// Fills `tables->sl2vl`; nodes are matched by GUID. Throws RoutingError "file:line: what is wrong;
// expected .." unless the file has all these lines, with VLs below `vls` or 15.
void ReadSlToVlDump(const Topology& topology, std::istream& in, const std::string& file, int vls,
                    RoutingTables* tables);

}  // namespace lanecut
