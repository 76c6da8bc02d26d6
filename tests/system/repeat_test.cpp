// SPDX-License-Identifier: Apache-2.0
//
// The same scenario and seed give the same results to the byte, also from a results folder; another
// seed does not; evaluating idle nodes changes nothing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sw/cli/network.h"
#include "sw/scenario/reader.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr const char* kScenario = R"(
[topology]
kind = "torus"
size = [2, 2]
nodes_per_switch = 2
[traffic]
load = 0.3
[run]
warmup_cycles = 500
measure_cycles = 3000
[[fault]]
kind = "flap"
link = "random"
duration_cycles = 2500
after_warmup = 700
)";

class Repeat : public ::testing::Test {
 protected:
  Repeat()
      : folder_(std::filesystem::temp_directory_path() /
                ("lanecut-repeat-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~Repeat() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path& folder() const { return folder_; }

  void Run(const std::string& name, const std::vector<std::string>& overrides) {
    Run(name, MakeScenario(kScenario, overrides));
  }

  // Runs in a child; the results are in folder_/name, the deliveries in folder_/name.log.
  void Run(const std::string& name, const Scenario& scenario) {
    InChild(name, [&] {
      Simulation simulation(scenario, BuildTopology(scenario), {folder_ / name, false});
      std::ofstream log(folder_ / (name + ".log"));
      simulation.ledger().SetDeliveryHook([&log](int hca, const HcaPacket& packet) {
        log << hca << ' ' << packet.id << ' ' << packet.injected << ' ' << packet.tail << '\n';
      });
      simulation.BringUp();
      const Summary summary = simulation.Run(scenario);
      EXPECT_EQ(summary.outcome, "ok") << summary.message;
      log << "end " << summary.cycles << '\n';
    });
  }

  std::string Read(const std::string& file) const {
    std::ifstream in(folder_ / file, std::ios::binary);
    EXPECT_TRUE(in) << file;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Repeat, SameSeedSameBytes) {
  Run("a", {});
  Run("b", {});
  Run("c", {"seed=2"});
  EXPECT_EQ(Read("a/summary.json"), Read("b/summary.json"));
  EXPECT_TRUE(Read("a/results.sqlite") == Read("b/results.sqlite"));
  EXPECT_NE(Read("a.log"), Read("c.log"));
}

TEST_F(Repeat, SkippingIdleNodesChangesNothing) {
  Run("skip", {});
  Run("no-skip", {"run.skip_idle=false"});
  EXPECT_GT(Read("skip.log").size(), 1000u);
  EXPECT_TRUE(Read("skip.log") == Read("no-skip.log"));
  EXPECT_EQ(Read("skip/summary.json"), Read("no-skip/summary.json"));
}

TEST_F(Repeat, ResultsOfANetlistRepeatThemselves) {
  Run("a", MakeScenario("[topology]\nkind = \"netlist\"\nfile = \"netlists/pair.net\"\n"
                        "[traffic]\nload = 0.3\n[run]\nmeasure_cycles = 3000\n"));
  Run("b", ReadScenario(folder() / "a" / "scenario.toml"));
  for (const char* file : {"summary.json", "results.sqlite", "scenario.toml", "topology.net"}) {
    EXPECT_TRUE(Read(std::string("a/") + file) == Read(std::string("b/") + file)) << file;
  }
}

}  // namespace
}  // namespace lanecut::testing
