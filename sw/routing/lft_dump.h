// SPDX-License-Identifier: Apache-2.0
//
// Forwarding tables as text, in the format of OpenSM's opensm-lfts.dump:
//
//   Unicast lids [0-192] of switch Lid 2 guid 0x4c43000000010000 ('S0_0'):
//   0x0001 005 # Channel Adapter portguid 0x4c43000000020001: 'H0_0_0'
//   ...
//   192 lids dumped
//
// LIDs without a line are unreachable.
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

void WriteLftDump(const Topology& topology, const RoutingTables& tables, std::ostream& out);

// Tables and where in the file they stand: lines are counted from 1, 0 is none.
struct LftDump {
  RoutingTables tables;
  std::vector<int> headers;             // by node: of a switch
  std::vector<std::vector<int>> lines;  // by node, then LID: of an LFT entry
  int end = 0;                          // the file's last line
};

// Fills `tables.lft`, and the LIDs that the dump names; switches and nodes are matched by GUID. SL
// 0 and VL 0 everywhere. Throws RoutingError "file:line: what is wrong; expected ..".
LftDump ParseLftDump(const Topology& topology, std::istream& in, const std::string& file);

// Throws RoutingError "file:line: .." unless every LID is that of a node, every port exists, and
// every end node reaches every other one.
void CheckLftDump(const Topology& topology, const LftDump& dump, const std::string& file);

}  // namespace lanecut
