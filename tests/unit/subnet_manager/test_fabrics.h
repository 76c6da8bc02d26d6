// SPDX-License-Identifier: Apache-2.0
//
// Topologies and expectations that the tests of the subnet manager share.
#pragma once

#include <vector>

#include "sw/topology/topology.h"
#include "tests/unit/subnet_manager/fabric_double.h"

namespace lanecut {

// H0 - S0 - S1 - H1, with odd port numbers; cable 0 joins the switches, 1 is H0's, 2 is H1's.
Topology TwoSwitches();
Topology Torus(std::vector<int> sizes, int concentration);
// A dozen switches of different sizes, some with two cables between them, end nodes on some of them
// only.
Topology Irregular();

// The cable between two nodes, the first if there are several.
int CableBetween(const Topology& topology, const std::string& a, const std::string& b);

bool IsUpOrFailed(FabricDouble& fabric);
// Every pair of end nodes, those named excepted, can exchange data.
void ExpectAllDeliverable(FabricDouble& fabric, const std::vector<std::string>& except = {});
// The agents hold exactly what the manager says is in force; agents named are not looked at.
void ExpectTablesLoaded(FabricDouble& fabric, const std::vector<std::string>& except = {});
void ExpectNobodyHalted(FabricDouble& fabric);

}  // namespace lanecut
