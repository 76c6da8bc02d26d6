// SPDX-License-Identifier: Apache-2.0
//
// Telling end nodes by which path to send to whom: the vendor attribute Paths.
#pragma once

#include <optional>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/route_plan.h"
#include "sw/subnet_manager/smp_batch.h"

namespace lanecut {

// Nodes of a plan's topology; without a record: there is no path.
struct PathUse {
  int source = -1;
  int destination = -1;
  std::optional<RoutingTables::PathRecord> record;
};

// What the sources use by the tables of the plan.
PathUse FirstPathOf(const RoutePlan& plan, int source, int destination);

// Requests for a batch that is running, as few as hold it all. `uses` are in the order of sources.
// End nodes that cannot be reached are left out, or get lost; `result` gets what else is wrong.
void TellPaths(SmpBatch& batch, const FabricMap& map, const RoutePlan& plan,
               const std::vector<PathUse>& uses, StageResult* result);

}  // namespace lanecut
