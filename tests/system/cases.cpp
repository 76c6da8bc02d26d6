// SPDX-License-Identifier: Apache-2.0
#include "tests/system/cases.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "sw/cli/network.h"
#include "sw/scenario/reader.h"

namespace lanecut::testing {
namespace {

int Failures() {
  return ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

}  // namespace

void InChild(const std::string& name, const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t pid = fork();
  ASSERT_GE(pid, 0) << "fork failed";
  if (pid == 0) {
    const int before = Failures();
    try {
      body();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    std::fflush(nullptr);
    _exit(Failures() == before ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "case \"" << name << "\" failed";
}

Scenario MakeScenario(const std::string& toml, const std::vector<std::string>& overrides) {
  return ParseScenario(toml, LANECUT_SCENARIOS "/test.toml", overrides);
}

Scenario With(const Scenario& scenario, const std::vector<std::string>& overrides) {
  return ParseScenario(DumpScenario(scenario), scenario.source, overrides);
}

void RunCases(const Scenario& scenario, const std::vector<Case>& cases) {
  InChild("bring-up", [&] {
    Simulation simulation(scenario, BuildTopology(scenario), {});
    simulation.BringUp();
    ASSERT_FALSE(simulation.failure()) << simulation.failure().message();
    for (const Case& test : cases) {
      InChild(test.name, [&] { test.body(simulation, scenario); });
    }
  });
}

}  // namespace lanecut::testing
