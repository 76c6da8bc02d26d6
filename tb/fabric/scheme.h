// SPDX-License-Identifier: Apache-2.0
//
// The reconfiguration scheme that a scenario names.
#pragma once

#include "sw/scenario/scenario.h"
#include "sw/subnet_manager/sm_config.h"

namespace lanecut {

// Throws ScenarioError if the manager does not know it.
ReconfigurationScheme SchemeOf(const Scenario& scenario);

}  // namespace lanecut
