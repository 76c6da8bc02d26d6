// SPDX-License-Identifier: Apache-2.0
//
// Runs test cases on one fabric that is brought up once. SystemC allows one fabric per process, so
// the fabric lives in a child process and every case in a child of that one: cases start from the
// same state and do not disturb each other.
//
// Bodies use EXPECT_* as usual; a failure in a child fails the test.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sw/scenario/scenario.h"
#include "tb/run/simulation.h"

namespace lanecut::testing {

struct Case {
  std::string name;
  std::function<void(Simulation& simulation, const Scenario& scenario)> body;
};

// The scenario of a TOML text; relative paths are seen from the project's folder scenarios/.
Scenario MakeScenario(const std::string& toml, const std::vector<std::string>& overrides = {});

// Builds the scenario's fabric, expects it to come up, and runs the cases one after the other.
void RunCases(const Scenario& scenario, const std::vector<Case>& cases);

// `body` in a child process.
void InChild(const std::string& name, const std::function<void()>& body);

// The scenario with overrides as on the command line.
Scenario With(const Scenario& scenario, const std::vector<std::string>& overrides);

}  // namespace lanecut::testing
