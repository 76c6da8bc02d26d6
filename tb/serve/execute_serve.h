// SPDX-License-Identifier: Apache-2.0
//
// `lanecut serve`: builds the scenario's fabric and lets programs outside manage it until SIGINT or
// SIGTERM.
#pragma once

#include "sw/cli/cli.h"

namespace lanecut {

// Says on standard output when clients can come, and, with traffic, the summary at the end. Returns
// the exit status: kExitOk, or kExitFailed with one line on standard error that says why. Throws
// ScenarioError and ResultsError.
int ExecuteServe(const ServeOptions& options);

}  // namespace lanecut
