// SPDX-License-Identifier: Apache-2.0
//
// Path records as text, as `saquery PathRecord` prints them:
//
//   PathRecord dump:
//           ...
//           dlid....................44
//           slid....................33
//           ...
//           sl......................0x1
//           mtu.....................0x82
//           ...
//
// None of OpenSM's own dumps tells the SLs of pairs.
#pragma once

#include <istream>
#include <string>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

// Fills `tables->sl`; records belong to nodes by `tables->lids`, and other fields are read over.
// Throws RoutingError "file:line: what is wrong; expected .." unless there is a record for every
// pair of end nodes.
void ReadPathRecordDump(const Topology& topology, std::istream& in, const std::string& file,
                        RoutingTables* tables);

}  // namespace lanecut
