// SPDX-License-Identifier: Apache-2.0
//
// Tables after a fault under the schemes that keep those of the bring-up: apm, where pairs go on
// with the paths that are left to them, and rftr, where those that have lost their last one get a
// new one beside the old ones (sw/routing/rftr.h).
#pragma once

#include <utility>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/subnet_manager/route_plan.h"
#include "sw/subnet_manager/sm_config.h"

namespace lanecut {

// Fills in what the plan's tables are, for its topology. Under apm a pair keeps the path that it
// uses while that is whole, and takes the next one of its list if not. Under rftr a link that has
// failed once is never used again. Throws RoutingError if the fabric has nodes that were not there
// at the bring-up, or if rftr finds no paths.
void KeepTables(const SmConfig& config, const RoutePlan& before, RoutePlan* plan);

// Cables between switches of the base topology that are not there now and that are not among the
// faults of the plan before.
std::vector<int> NewFaults(const RoutePlan& before, const Topology& now);

// The new tables with all paths that packets may be on: theirs and those of the plan before. Some
// may lead over links that are gone.
RoutingTables WithEarlierPaths(const RoutePlan& before, const RoutePlan& plan);

// Pairs of end nodes whose packets take another path than before, or none any more.
std::vector<std::pair<int, int>> ChangedPairs(const RoutePlan& before, const RoutePlan& after);

}  // namespace lanecut
