// SPDX-License-Identifier: Apache-2.0
//
// The order in which OpenSM goes through nodes: that of the numbers that their GUIDs are when the
// bytes in network order are read by a little-endian machine.
#pragma once

#include <vector>

#include "sw/topology/topology.h"

namespace lanecut {

// All nodes, by node GUID.
std::vector<int> OpenSmOrder(const Topology& topology);
// By the GUID of the port.
std::vector<int> OpenSmPortOrder(const Topology& topology);

}  // namespace lanecut
