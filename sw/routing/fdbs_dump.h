// SPDX-License-Identifier: Apache-2.0
//
// Forwarding tables as text, in the format of OpenSM's opensm.fdbs:
//
//   dump_ucast_routes: Switch 0x4c43000000010000
//   LID    : Port : Hops : Optimal
//   0x0001 : 005  : 01   : yes
//   0x0002 : 001  : 03   : No 2 hop path possible via port 2!
//   0x0003 : UNREACHABLE
//
// Hops are cables from that switch to the node; a way is optimal if the fabric has none with fewer.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "sw/routing/lft_dump.h"

namespace lanecut {

void WriteFdbs(const Topology& topology, const RoutingTables& tables, std::ostream& out);

// The file does not say whose a LID is: a switch's own is the one with port 0, an end node's the
// one that its switch sends to its port. Errors as of ParseLftDump(); hops are not looked at.
LftDump ParseFdbs(const Topology& topology, std::istream& in, const std::string& file);

}  // namespace lanecut
