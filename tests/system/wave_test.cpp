// SPDX-License-Identifier: Apache-2.0
//
// A run of which waves are written is the run without: the same results to the byte, also while a
// routing function is replaced.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "sw/cli/network.h"
#include "tb/wave/wave_recorder.h"
#include "tests/system/cases.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut::testing {
namespace {

constexpr const char* kScenario = R"(
[topology]
kind = "torus"
size = [2, 2]
nodes_per_switch = 2
[traffic]
load = 0.4
[run]
warmup_cycles = 500
measure_cycles = 9000
[[fault]]
kind = "cut"
link = "random"
after_warmup = 700
)";

constexpr WaveWindow kWindow{42'000, 50'000};

bool IsInWindow(const Summary& summary, const std::string& kind) {
  return std::ranges::any_of(summary.timeline, [&](const TimelineEntry& entry) {
    return entry.kind == kind && entry.cycle > kWindow.first && entry.cycle < kWindow.last;
  });
}

std::string Read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

class WaveRun : public ::testing::Test {
 protected:
  // The waves are those of all switches, while a link fails and its routing is replaced.
  void Run(const std::string& name, const Scenario& scenario, bool with_waves) const {
    InChild(name, [&] {
      const Topology topology = BuildTopology(scenario);
      Simulation simulation(scenario, topology, {folder_.path() / name, false});
      std::unique_ptr<WaveRecorder> waves;
      bool is_over = false;
      if (with_waves) {
        waves = std::make_unique<WaveRecorder>(scenario, &simulation, topology.switches(), kWindow,
                                               folder_.path() / (name + ".fst"),
                                               [&] { is_over = true; });
      }
      simulation.OpenResults(scenario);
      simulation.BringUp();
      const Summary summary = simulation.Run(scenario);
      EXPECT_EQ(summary.outcome, "ok") << summary.message;
      EXPECT_EQ(is_over, with_waves);  // inside the run
      EXPECT_TRUE(IsInWindow(summary, "fault") && IsInWindow(summary, "in-force"));
      EXPECT_TRUE(!waves || waves->Finish());
    });
  }

  void ExpectSame(const std::string& scheme) const {
    const Scenario scenario = MakeScenario(kScenario, {"reconfiguration.scheme=" + scheme});
    Run("plain", scenario, false);
    Run("waves", scenario, true);
    for (const char* file : {"summary.json", "results.sqlite"}) {
      EXPECT_TRUE(Read(folder_.path() / "plain" / file) == Read(folder_.path() / "waves" / file))
          << file;
    }
    EXPECT_GT(std::filesystem::file_size(folder_.path() / "waves.fst"), 100'000u);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(WaveRun, WavesChangeNothing) { ExpectSame("osr-pda"); }
TEST_F(WaveRun, WavesChangeNothingUnderEpochs) { ExpectSame("ebrd"); }

}  // namespace
}  // namespace lanecut::testing
