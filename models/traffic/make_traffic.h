// SPDX-License-Identifier: Apache-2.0
//
// The traffic that a scenario asks for.
#pragma once

#include <memory>

#include "models/traffic/traffic.h"
#include "sw/scenario/scenario.h"
#include "sw/topology/topology.h"

namespace lanecut {

// Sources and destinations are places among the end nodes of the topology; nothing is sent before
// cycle `start`. Throws ScenarioError if the pattern does not fit the topology, or for what is
// wrong in its file.
std::unique_ptr<TrafficSource> MakeTraffic(const Scenario& scenario, const Topology& topology,
                                           Cycle start);

}  // namespace lanecut
