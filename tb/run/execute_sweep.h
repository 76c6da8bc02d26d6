// SPDX-License-Identifier: Apache-2.0
//
// `lanecut sweep`: brings each group's fabric up once, in a process of its own (SystemC allows one
// fabric per process), and runs each scenario in a fork of that.
#pragma once

#include "sw/cli/cli.h"

namespace lanecut {

// Prints a table on standard output, a line for each run, in the order in which they end: accepted
// load in words per cycle and end node; mean, 99th percentile and maximum of the latency in cycles;
// packets dropped, and refused by full source queues; cycles from the detection of a change until
// it is over. Returns kExitOk, or kExitFailed if a run failed. Throws std::runtime_error if there
// can be no process.
int ExecuteSweep(const SweepOptions& options);

}  // namespace lanecut
