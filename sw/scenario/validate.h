// SPDX-License-Identifier: Apache-2.0
//
// Checks that the values of a scenario fit together. Private to sw/scenario.
#pragma once

#include <string_view>

#include "sw/scenario/scenario.h"

namespace lanecut {

// Throws ScenarioError at the first contradiction. Every single value is already known to be in its
// range.
void ValidateScenario(const Scenario& scenario);

// Whether a key of [topology] means anything for this kind.
bool TakesKey(TopologyKind kind, std::string_view key);

}  // namespace lanecut
