// SPDX-License-Identifier: Apache-2.0
//
// From the planned changes of a scenario to what the subnet manager is asked, with GUIDs and ports
// in the place of names.
#pragma once

#include <vector>

#include "sw/scenario/scenario.h"
#include "sw/subnet_manager/planned_change.h"
#include "sw/topology/topology.h"

namespace lanecut {

struct ChangeAction {
  PlannedChange change;
  Cycle at = 0;
  bool after_warmup =
      false;  // `at` counts from the end of the warm-up, else from the start of the simulation
};

struct ChangePlan {
  std::vector<ChangeAction> actions;    // in the order of the scenario
  std::vector<PortKey> out_of_service;  // from the beginning: what is added before it is removed
};

// Throws ScenarioError for a link, switch or root that does not exist, for what would cut other
// nodes off even without faults, and for end nodes that leave with node.reliable.
ChangePlan PlanChanges(const Scenario& scenario, const Topology& topology);

}  // namespace lanecut
