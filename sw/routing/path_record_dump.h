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
// None of OpenSM's own dumps tells the SLs of pairs. What is written has these three fields only.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

// The three fields of one record.
void WritePathRecord(Lid slid, Lid dlid, int sl, std::ostream& out);

// The records of all pairs of end nodes, to the lowest LID.
void WritePathRecordDump(const Topology& topology, const RoutingTables& tables, std::ostream& out);

// Fills `tables->sl`; records belong to nodes by `tables->lids`, and other fields are read over.
// Throws RoutingError "file:line: what is wrong; expected .." unless there is a record for every
// pair of end nodes.
void ReadPathRecordDump(const Topology& topology, std::istream& in, const std::string& file,
                        RoutingTables* tables);

}  // namespace lanecut
