// SPDX-License-Identifier: Apache-2.0
//
// What the manager does about a fault under scheme apm-rftr-ebr: the quickest of three ways that
// gets the pairs along, one after the other as the earlier ones are used up.
//
//   1. Pairs whose path has failed take another one that they have, at once.
//   2. Pairs that have fewer than two disjoint paths left get more by RFTR, computed meanwhile.
//   3. Where RFTR runs out of VLs, SLs or LIDs, the engine computes another set of paths for what
//      is left of the fabric; EBR brings it into force, and the first two begin again with it.
//
// Source: J. M. Montanana, thesis UPV 2008, 9.2 (Figures 9.1 and 9.2: few faults are for disjoint
// paths, more for RFTR, and those beyond its resources for EBR) and 9.4 (two disjoint paths at any
// time).
#pragma once

#include <functional>
#include <string>

#include "sw/subnet_manager/route_plan.h"
#include "sw/subnet_manager/sm_config.h"

namespace lanecut {

inline constexpr int kPathsReady = 2;  // disjoint ones, for every pair

// The bring-up: turns the tables of the engine, on at most kSlsOfHalf SLs, into those of a function
// that others may follow. Throws RoutingError if RFTR cannot work with them; the plan is as before
// then.
void BeginFunction(const SmConfig& config, RoutingTables tables, int half, RoutePlan* plan);

// Fills in the plan's tables, what is to be done and why. `compute` asks the engine for tables of
// the plan's topology; it is called only for EBR. Throws RoutingError if nothing helps.
void PlanRecovery(const SmConfig& config, const RoutePlan& before,
                  const std::function<RoutingTables()>& compute, RoutePlan* plan);

// "rftr: 12 pairs get further paths, ...", as the timeline shows it.
std::string DescribeRecovery(const RoutePlan& plan);

}  // namespace lanecut
