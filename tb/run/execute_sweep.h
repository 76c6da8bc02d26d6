// SPDX-License-Identifier: Apache-2.0
//
// `lanecut sweep`: brings each group's fabric up once, in a process of its own (SystemC allows one
// fabric per process), and runs each scenario in a fork of that.
#pragma once

#include "sw/cli/cli.h"

namespace lanecut {

// Prints one line for each run on standard output, in the order in which they end. Returns
// kExitOk, or kExitFailed if a run failed. Throws std::runtime_error if there can be no process.
int ExecuteSweep(const SweepOptions& options);

}  // namespace lanecut
