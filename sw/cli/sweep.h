// SPDX-License-Identifier: Apache-2.0
//
// One scenario with some of its values varied: which runs that makes, and which of them can share a
// fabric that is brought up once.
#pragma once

#include <string>
#include <vector>

#include "sw/cli/cli.h"

namespace lanecut {

// "traffic.load=0.1,0.2" or "seed=1..5" (whole numbers, both ends included): KEY=VALUE for each
// value, in order. Commas inside brackets or quotes do not separate. Throws UsageError.
std::vector<std::string> ParseVariation(const std::string& text);

// Every combination of the variations, the last one varying fastest, read and checked as by
// ReadScenario. Runs that differ only in what Simulation::Run() takes from its scenario are one
// group. Throws ScenarioError and UsageError before anything runs.
std::vector<SweepGroup> PlanSweep(const std::string& file,
                                  const std::vector<std::string>& overrides,
                                  const std::vector<std::string>& variations);

}  // namespace lanecut
