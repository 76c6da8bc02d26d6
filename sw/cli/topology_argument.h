// SPDX-License-Identifier: Apache-2.0
//
// The TOPOLOGY argument of `lanecut topo` and `lanecut route`: a shape like torus:8x8:2, a netlist
// or a scenario. Private to sw/cli.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sw/scenario/scenario.h"
#include "sw/topology/topology.h"

namespace lanecut {

struct NamedTopology {
  Topology topology;
  std::optional<Scenario> scenario;  // if the argument was one
};

// For help texts.
inline constexpr std::string_view kTopologyArgumentHelp =
    "a shape like torus:8x8:2 (KIND:SIZES[:NODES], xgft:CHILDREN:PARENTS, "
    "random-regular:SWITCHESxLINKS[:NODES[:SEED]]; kinds and sizes as in lanecut run --schema); a "
    "netlist; or a scenario (.toml)";

// Throws UsageError, ScenarioError or NetlistError.
NamedTopology ReadTopologyArgument(const std::string& argument);

}  // namespace lanecut
