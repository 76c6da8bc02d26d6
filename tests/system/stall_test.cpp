// SPDX-License-Identifier: Apache-2.0
//
// Runs that must fail do: a deadlock ends with exit status 1 and the cycle of waiting channels, and
// so does what the manager refuses.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
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

// Minimal routing closes every ring into a cycle of channels.
class Stall : public ::testing::Test {
 protected:
  Stall() : folder_(Out("stall-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/ring.toml") << R"(
[topology]
kind = "torus"
size = [5]
nodes_per_switch = 4
[routing]
engine = "minhop"
[switch]
transit_first = false
[traffic]
load = 1.0
[run]
measure_cycles = 60_000
)";
  }
  ~Stall() override { std::filesystem::remove_all(folder_); }

  Result Run(const std::string& arguments) {
    return Lanecut("run " + folder_ + "/ring.toml --out " + folder_ + "/out " + arguments);
  }

 private:
  std::string folder_;
};

TEST_F(Stall, CyclicTablesAreRefused) {
  const Result result = Run("");
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("cycl"), std::string::npos) << result.output;
}

TEST_F(Stall, DeadlockIsNamedAndFailsTheRun) {
  const Result result = Run("--set routing.allow_cyclic=true");
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("lanecut: stall: cycle "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("a cycle of "), std::string::npos) << result.output;
}

TEST_F(Stall, DeadlockIsFoundWithoutChecks) {
  const Result result = Run("--set routing.allow_cyclic=true --set run.checks=false");
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("lanecut: stall: cycle "), std::string::npos) << result.output;
}

TEST_F(Stall, BuffersThatDisagreeAreRefusedWithBothValues) {
  const Result result = Run("--set routing.engine=updown --set node.buffer_bytes=512");
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("has 8 blocks per data VL"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("has 16"), std::string::npos) << result.output;
}

TEST_F(Stall, WarmUpLongerThanTheRunIsBadInput) {
  const Result result = Run("--set run.warmup_packets=1000000000 --set run.max_cycles=300000");
  EXPECT_EQ(result.status, 2) << result.output;
  EXPECT_NE(result.output.find("warm"), std::string::npos) << result.output;
}

}  // namespace
}  // namespace lanecut::testing
