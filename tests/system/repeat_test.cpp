// SPDX-License-Identifier: Apache-2.0
//
// The same scenario and seed give the same results to the byte, also from a results folder; another
// seed does not; evaluating idle nodes changes nothing; running without checks changes nothing but
// the reasons of drops, which it gives only if it can know them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sw/cli/network.h"
#include "sw/scenario/reader.h"
#include "tb/run/execute_sweep.h"
#include "tests/query.h"
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
    Execute(name, MakeScenario(kScenario, overrides));
  }

  // Runs in a child; the results are in folder_/name, the deliveries in folder_/name.log.
  void Execute(const std::string& name, const Scenario& scenario) {
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

// A fabric that another run's scenario brought up gives the same packets.
TEST_F(Repeat, RunsOfASweepAreThoseOfTheirScenarios) {
  const Scenario scenario = MakeScenario(kScenario);
  SweepOptions sweep{.groups = {{{"one", scenario}, {"two", With(scenario, {"seed=2"})}}},
                     .out = folder() / "sweep",
                     .jobs = 2};
  EXPECT_EQ(ExecuteSweep(sweep), kExitOk);
  Run("two", {"seed=2"});
  const std::string packets = "SELECT * FROM packets";
  const std::string rows = Query(folder() / "two" / "results.sqlite", packets);
  EXPECT_GT(rows.size(), 10'000u);
  EXPECT_TRUE(rows == Query(folder() / "sweep" / "two" / "results.sqlite", packets));
  EXPECT_FALSE(rows == Query(folder() / "sweep" / "one" / "results.sqlite", packets));
}

TEST_F(Repeat, ASweepFailsIfOneOfItsRunsDoes) {
  const Scenario scenario = MakeScenario(kScenario);
  SweepOptions sweep{
      .groups = {{{"good", scenario}, {"bad", With(scenario, {"run.drain_cycles=1"})}}},
      .out = folder() / "sweep",
      .jobs = 1};
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(ExecuteSweep(sweep), kExitFailed);
  const std::string lines = ::testing::internal::GetCapturedStdout();
  EXPECT_NE(lines.find("good    0."), std::string::npos) << lines;
  EXPECT_NE(lines.find("bad   timeout: cycle "), std::string::npos) << lines;
}

TEST_F(Repeat, SkippingIdleNodesChangesNothing) {
  Run("skip", {});
  Run("no-skip", {"run.skip_idle=false"});
  EXPECT_GT(Read("skip.log").size(), 1000u);
  EXPECT_TRUE(Read("skip.log") == Read("no-skip.log"));
  EXPECT_EQ(Read("skip/summary.json"), Read("no-skip/summary.json"));
}

// Drops by reason, one in a line.
constexpr const char* kReasons =
    "SELECT reason, count(*) FROM packets WHERE injected IS NOT NULL AND dropped IS NOT NULL "
    "GROUP BY reason";
constexpr const char* kDropped =
    "SELECT 'unknown', count(*) FROM packets WHERE injected IS NOT NULL AND dropped IS NOT NULL";

TEST_F(Repeat, WithoutChecksNoReasonIsGuessed) {
  Run("checks", {});
  Run("no-checks", {"run.checks=false"});
  EXPECT_TRUE(Read("checks.log") == Read("no-checks.log"));
  const std::string reasons = Query(folder() / "no-checks" / "results.sqlite", kReasons);
  EXPECT_EQ(reasons, Query(folder() / "checks" / "results.sqlite", kDropped));
  EXPECT_NE(reasons, "");
}

// Whether a flipped bit gives packets one reason to be dropped or several is up to the seed.
TEST_F(Repeat, WithoutChecksTheOnlyReasonIsKnown) {
  int known = 0;
  for (const char* seed : {"seed=1", "seed=2", "seed=3"}) {
    const std::vector<std::string> errors = {seed,
                                             "fault=[]",
                                             "fault.0.kind=bit-errors",
                                             "fault.0.link=all",
                                             "fault.0.rate=0.0002",
                                             "fault.0.after_warmup=0"};
    std::vector<std::string> unchecked = errors;
    unchecked.push_back("run.checks=false");
    Run("checks", errors);
    Run("no-checks", unchecked);
    const std::string truth = Query(folder() / "checks" / "results.sqlite", kReasons);
    const std::string reasons = Query(folder() / "no-checks" / "results.sqlite", kReasons);
    const bool told = reasons == truth;
    known += told && truth != "";
    EXPECT_TRUE(told || reasons == Query(folder() / "checks" / "results.sqlite", kDropped))
        << seed << ": " << reasons << "instead of " << truth;
  }
  EXPECT_GT(known, 0);
}

TEST_F(Repeat, ResultsOfANetlistRepeatThemselves) {
  Execute("a", MakeScenario("[topology]\nkind = \"netlist\"\nfile = \"netlists/pair.net\"\n"
                            "[traffic]\nload = 0.3\n[run]\nmeasure_cycles = 3000\n"));
  Execute("b", ReadScenario(folder() / "a" / "scenario.toml"));
  for (const char* file : {"summary.json", "results.sqlite", "scenario.toml", "topology.net"}) {
    EXPECT_TRUE(Read(std::string("a/") + file) == Read(std::string("b/") + file)) << file;
  }
}

}  // namespace
}  // namespace lanecut::testing
