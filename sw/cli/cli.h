// SPDX-License-Identifier: Apache-2.0
//
// The command line: `lanecut run | topo | route`. Parses, validates, explains itself; simulation is
// done by the function that main() hands in, so this library needs neither SystemC nor RTL.
//
// Exit status: 0 it worked, 1 the run or the check failed (stall, accounting, cyclic routing), 2
// bad input.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

#include "sw/scenario/scenario.h"

namespace lanecut {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitBadInput = 2;

struct RunOptions {
  Scenario scenario;          // read, overridden, validated; --seed applied
  std::filesystem::path out;  // results folder: --out, else out/<scenario name>
  bool json = false;          // print summary.json instead of the table
  bool progress = false;      // stderr is a terminal
};

// Runs a scenario and returns the exit status. May throw ScenarioError or ResultsError (status 2);
// anything else thrown is 1.
using RunFunction = std::function<int(const RunOptions&)>;

// The whole program but for simulation. Results and help go to `out`, errors to `err`, one line
// each.
int RunCli(int argc, const char* const* argv, const RunFunction& run, std::ostream& out,
           std::ostream& err);

// The same on standard output and error; `progress` is decided here.
int RunCli(int argc, const char* const* argv, const RunFunction& run);

}  // namespace lanecut
