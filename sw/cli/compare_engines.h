// SPDX-License-Identifier: Apache-2.0
//
// Routing engines side by side. Private to sw/cli.
#pragma once

#include <string>
#include <vector>

#include "sw/cli/engine_options.h"
#include "sw/topology/topology.h"

namespace lanecut {

// A table with a row for each engine, in this order: VLs and SLs in use; hops of a pair's first
// path on average, and of any path at most; pairs on the busiest link between switches when every
// end node sends to every other one, and how many times that is those on a link on average;
// dependencies between channels. An engine that cannot meet the request has its reason in its row.
// All options but the engine are as for one; each engine uses those that it takes. Throws
// RoutingError for a name that is no engine's.
std::string CompareEngines(const Topology& topology, const EngineOptions& options,
                           const std::vector<std::string>& engines);

}  // namespace lanecut
