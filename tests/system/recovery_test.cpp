// SPDX-License-Identifier: Apache-2.0
//
// Links of a torus of RTL switches fail one after the other under traffic, and the manager chooses
// what to do (apm-rftr-ebr): other paths that are there, more of them by RFTR, and in the end new
// tables by EBR, after which the first two begin again. The reference model looks on.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/query.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

// 8 LIDs for each end node: with so few links left RFTR runs out of them at the tenth fault.
const std::vector<std::string> kLinks = {"S1_1:1", "S1_1:3", "S3_0:1", "S2_2:3", "S0_1:3", "S2_0:3",
                                         "S1_3:1", "S0_2:2", "S1_0:3", "S0_3:3", "S2_1:1"};
constexpr Cycle kFirstFault = 4000;
constexpr Cycle kBetweenFaults = 12'000;
constexpr Cycle kLastFault = kFirstFault + 160'000;  // when the change by EBR is long over
constexpr Cycle kAfterFaults = 40'000;

Scenario Start() {
  return MakeScenario(
      "[topology]\nkind = \"torus\"\nsize = [4, 4]\n"
      "[routing]\nengine = \"tftr\"\npaths = 2\nlmc = 3\n"
      "[manager]\ntimeout_cycles = 2500\nsweep_cycles = 4000\n"
      "[reconfiguration]\nscheme = \"apm-rftr-ebr\"\n");
}

std::vector<std::string> FaultsAtLoad(double load, int seed) {
  std::vector<std::string> overrides = {
      fmt::format("traffic.load={}", load), fmt::format("seed={}", seed), "run.warmup_cycles=1000",
      fmt::format("run.measure_cycles={}", kLastFault + kAfterFaults)};
  for (std::size_t i = 0; i < kLinks.size(); ++i) {
    overrides.push_back(fmt::format("fault.{}.kind=cut", i));
    overrides.push_back(fmt::format("fault.{}.link={}", i, kLinks[i]));
    const Cycle at = i + 1 == kLinks.size() ? kLastFault : kFirstFault + i * kBetweenFaults;
    overrides.push_back(fmt::format("fault.{}.after_warmup={}", i, at));
  }
  return overrides;
}

class Results {
 public:
  explicit Results(const std::string& name)
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("lanecut-recovery-{}-{}", getpid(), name)) {
    std::filesystem::remove_all(folder_);
  }
  ~Results() { std::filesystem::remove_all(folder_); }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::string Ask(const std::string& sql) const { return Query(folder_ / "results.sqlite", sql); }
  int Count(const std::string& what) const {
    return std::stoi(Ask("SELECT count(*) FROM " + what));
  }
  int Chosen(const std::string& way) const {
    return Count(fmt::format("events WHERE kind = 'recovery' AND detail LIKE '{}: %'", way));
  }

 private:
  std::filesystem::path folder_;
};

// Between the end of every change and the next fault all that is sent arrives. Returns how often
// that took a while.
int ExpectTrafficRecovers(const Results& results) {
  constexpr Cycle kLongEnough = 2000;
  std::istringstream events(
      results.Ask("SELECT group_concat(cycle || ' ' || kind, ' ') FROM (SELECT cycle, kind FROM "
                  "events WHERE kind IN ('fault', 'recovery', 'migrated') ORDER BY cycle, kind = "
                  "'migrated')"));
  int times = 0;
  Cycle migrated = 0;  // 0: a change is under way
  Cycle cycle = 0;
  std::string kind;
  std::string last;
  while (events >> cycle >> kind) {
    if (kind == "fault" && migrated != 0 && cycle > migrated + kLongEnough) {
      ++times;
      const std::string sent = fmt::format("packets WHERE injected > {}", migrated);
      EXPECT_EQ(results.Count(fmt::format("{} AND dropped < {}", sent, cycle)), 0);
      EXPECT_GT(results.Count(fmt::format("{} AND delivered < {}", sent, cycle)), 100);
    }
    // One that was under way at the fault does not help.
    const bool is_over = kind == "migrated" && last == "recovery";
    migrated = is_over ? cycle : 0;
    last = kind;
  }
  return times;
}

void ExpectAllThree(Simulation& simulation, const Scenario& work, const std::string& name) {
  const Results results(name);
  simulation.SetResultsFolder(results.folder());
  const Summary summary = simulation.Run(work);
  ASSERT_EQ(summary.outcome, "ok") << summary.message;
  EXPECT_TRUE(summary.accounting.Balanced());
  EXPECT_EQ(summary.accounting.in_flight, 0u);

  EXPECT_GT(results.Count("events WHERE kind = 'on-alternates'"), 5);
  EXPECT_GT(results.Chosen("rftr"), 3);
  EXPECT_GT(results.Chosen("ebr"), 0);
  EXPECT_EQ(results.Count("events WHERE kind = 'recovery' AND detail LIKE 'ebr: rftr: %'"),
            results.Chosen("ebr"));
  // End nodes were told of other paths before anything was loaded into switches.
  EXPECT_LT(results.Ask("SELECT min(cycle) FROM events WHERE kind = 'on-alternates'"),
            results.Ask("SELECT min(cycle) FROM events WHERE kind = 'loaded' AND cycle > (SELECT "
                        "min(cycle) FROM events WHERE kind = 'fault')"));
  EXPECT_GT(ExpectTrafficRecovers(results), 4);
  // In the end every pair gets through.
  const std::string last = "(SELECT max(cycle) FROM events WHERE kind = 'migrated')";
  EXPECT_EQ(results.Count(fmt::format("packets WHERE injected > {} AND delivered IS NULL", last)),
            0);
  EXPECT_EQ(results.Count(fmt::format("(SELECT DISTINCT source, destination FROM packets WHERE "
                                      "injected > {} AND delivered IS NOT NULL)",
                                      last)),
            240);
}

TEST(Recovery, AllThreeOneAfterTheOther) {
  std::vector<Case> cases;
  for (const auto& [load, seed] : {std::pair{0.2, 1}, {0.5, 2}}) {
    const std::string name = fmt::format("{}", load);
    cases.push_back({"load " + name, [=](Simulation& simulation, const Scenario& scenario) {
                       ExpectAllThree(simulation, With(scenario, FaultsAtLoad(load, seed)), name);
                     }});
  }
  RunCases(Start(), cases);
}

}  // namespace
}  // namespace lanecut::testing
