// SPDX-License-Identifier: Apache-2.0
//
// A fabric that is up, as the programs that look at it print it: OpenSM's opensm-subnet.lst and the
// output of ibnetdiscover. ReadNetlist() reads both back.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "sw/topology/topology.h"

namespace lanecut {

struct FabricListing {
  const Topology& topology;
  std::vector<std::uint16_t> lids;  // by node
  std::optional<int> manager = {};  // the end node that a subnet manager runs on
  bool four_lanes = false;          // links of 4X, not 1X; all are up, at 2.5 Gb/s for each lane
};

// One line for each end of a cable:
//
//   { SW Ports:06 SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:004C43 DevID:4C43 Rev:00000001
//   {S0_0} LID:0002 PN:01 } { .. {S1_0} LID:0003 PN:02 } PHY=1x LOG=ACT SPD=2.5
//
// (all on one line). As OpenSM 3.3.23 prints the far end: VenID with 8 digits, DevID two bytes too
// far to the left.
void WriteSubnetList(const FabricListing& fabric, std::ostream& out);

// As ibnetdiscover prints it, but for the head, which says where and when; switches first.
void WriteNetDiscover(const FabricListing& fabric, std::ostream& out);

}  // namespace lanecut
