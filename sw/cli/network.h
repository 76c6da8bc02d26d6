// SPDX-License-Identifier: Apache-2.0
//
// From a scenario to its topology, and the checks that need both.
#pragma once

#include <optional>
#include <string_view>

#include "sw/scenario/scenario.h"
#include "sw/topology/topology.h"

namespace lanecut {

// Throws NetlistError if the netlist's text is wrong, ScenarioError if sizes make no network.
Topology BuildTopology(const Scenario& scenario);

// A port by its name "S0_0:1"; nothing if there is no such port or it has no cable.
std::optional<PortRef> FindPort(const Topology& topology, std::string_view name);

// Every name in the scenario (roots, the manager's node, links of faults) must exist and be of the
// right kind, and the traffic needs two end nodes and must fit the topology. Throws
// ScenarioError.
void CheckAgainstTopology(const Scenario& scenario, const Topology& topology);

}  // namespace lanecut
