// SPDX-License-Identifier: Apache-2.0
//
// A fabric that deadlocks ends the run: exit status 1, and a line that names the cycle of waiting
// channels.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

namespace lanecut::testing {
namespace {

struct Result {
  int status = -1;
  std::string output;  // both streams
};

Result Lanecut(const std::string& arguments) {
  Result result;
  FILE* pipe = popen((std::string(LANECUT_PROGRAM " ") + arguments + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) result.output += buffer.data();
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::string Out(const std::string& name) {
  const auto folder = std::filesystem::temp_directory_path() / ("lanecut-" + name);
  std::filesystem::remove_all(folder);
  return folder.string();
}

constexpr const char* kRing = LANECUT_SCENARIOS
    "/torus4x4-static.toml --set topology.size=[6] --set fault=[] --set routing.root=\"\" "
    "--set traffic.load=1.0 --set routing.engine=minhop --set run.measure_cycles=60000 ";

TEST(Stall, CyclicTablesAreRefused) {
  const Result result = Lanecut("run " + std::string(kRing) + "--out " + Out("refused"));
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("cycl"), std::string::npos) << result.output;
}

TEST(Stall, DeadlockIsNamedAndFailsTheRun) {
  const Result result = Lanecut("run " + std::string(kRing) +
                                "--set routing.allow_cyclic=true --out " + Out("stall"));
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("lanecut: stall: cycle "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("a cycle of "), std::string::npos) << result.output;
}

TEST(Stall, WarmUpThatNeverEndsFailsTheRun) {
  const Result result = Lanecut("run " LANECUT_SCENARIOS
                                "/two-switches.toml --set traffic.load=0.0001 --set "
                                "run.warmup_packets=100000 --set run.max_cycles=300000 --out " +
                                Out("warm-up"));
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("warm-up"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace lanecut::testing
