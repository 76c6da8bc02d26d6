// SPDX-License-Identifier: Apache-2.0
//
// `lanecut run`: brings the scenario's fabric up, runs it, writes the results and prints the
// summary.
#pragma once

#include "sw/cli/cli.h"

namespace lanecut {

// Returns the exit status: kExitOk, or kExitFailed with one line on standard error that says why.
// Throws ScenarioError and ResultsError.
int ExecuteRun(const RunOptions& options);

}  // namespace lanecut
