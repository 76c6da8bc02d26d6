// SPDX-License-Identifier: Apache-2.0
//
// Two routing functions without a cycle of their own, one after the other while all links are full
// (docs/deadlock.md). Unprotected, their packets stop for ever; EBR drops a few and goes on; with
// the literal rule for numbers it does not always; HOQLife and LifeTimeValue wait, drop and go on.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sw/cli/network.h"
#include "tests/query.h"
#include "tests/system/cases.h"
#include "tests/system/ring.h"
#include "tests/system/ring_switches.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut::testing {
namespace {

constexpr int kSeeds = 8;

// Thesis, table 6.2: the rows that say discard, as E_PCK, E_RTD, E_SCHD.
const std::set<std::string> kDiscard{"0 0 1", "0 0 2", "0 1 1", "0 1 2", "0 2 2", "1 0 1",
                                     "1 0 2", "1 1 2", "1 2 2", "2 0 2", "2 1 2"};

std::vector<std::string> Lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// "with numbers 1 1 1" in the message of a stall, one for each head of an input queue on the cycle.
std::vector<std::string> NumbersIn(const std::string& message) {
  const std::regex pattern("with numbers ([0-7] [0-7] [0-7])");
  std::vector<std::string> numbers;
  for (std::sregex_iterator at(message.begin(), message.end(), pattern), end; at != end; ++at) {
    numbers.push_back((*at)[1]);
  }
  return numbers;
}

class Deadlock : public ::testing::Test {
 protected:
  // Runs the change with each seed on that switch; `expect` sees the summary and the results.
  using Expect = std::function<void(const Summary&, const std::filesystem::path& results)>;
  void Run(RingSwitch which, const RingChange& change, const Expect& expect,
           const std::vector<std::string>& overrides = {}) const {
    InChild("fabric", [&] {
      UseRingSwitch(which);
      std::vector<Case> cases;
      for (int seed = 1; seed <= kSeeds; ++seed) {
        cases.push_back({"seed " + std::to_string(seed),
                         [&, seed](Simulation& simulation, const Scenario& scenario) {
                           const auto out = folder_.path() / "out";
                           simulation.SetResultsFolder(out);
                           expect(simulation.Run(With(scenario, {"seed=" + std::to_string(seed)})),
                                  out / "results.sqlite");
                         }});
      }
      RunCases(MakeRing(folder_.path(), change, overrides), cases);
    });
  }

  // One line for each run, as they are in children.
  void Note(const std::string& line) const {
    std::ofstream(folder_.path() / "notes", std::ios::app) << line << '\n';
  }
  int Noted(const std::string& line) const {
    std::ifstream in(folder_.path() / "notes");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return static_cast<int>(std::ranges::count(Lines(text), line));
  }

  // Only packets that had been in the network for longer than 256 x 2^life cycles were dropped, for
  // that reason, each with its event, and all else has arrived.
  Expect RecoversByTime(const std::string& reason, const std::string& event, int life) const {
    return [=, this](const Summary& summary, const std::filesystem::path& results) {
      ASSERT_EQ(summary.outcome, "ok") << summary.message;
      EXPECT_TRUE(summary.accounting.Balanced());
      EXPECT_EQ(summary.accounting.in_flight, 0u);
      EXPECT_EQ(Query(results, "SELECT count(*) FROM events WHERE kind = '" + event + "'"),
                std::to_string(summary.accounting.dropped) + "\n");
      EXPECT_EQ(
          Query(results,
                "SELECT count(*) FROM packets WHERE injected IS NOT NULL AND dropped IS NOT "
                "NULL AND (reason <> '" +
                    reason + "' OR dropped - injected <= " + std::to_string(256 << life) + ")"),
          "0\n");
      Note(summary.accounting.dropped == 0 ? "none dropped" : "some dropped");
      std::cout << reason << " " << life << ", seed " << summary.seed << ": "
                << summary.accounting.delivered << " delivered, " << summary.accounting.dropped
                << " dropped, in cycles "
                << Query(results,
                         "SELECT min(cycle) || ' to ' || max(cycle) FROM events WHERE kind = '" +
                             event + "'")
                << std::flush;
    };
  }

  // Heads of one queue are dropped one after the other, each after the limit.
  Expect RecoversByHoqLife(int life) const {
    return [=, this](const Summary& summary, const std::filesystem::path& results) {
      RecoversByTime("hoq_life", "hoq-drop", life)(summary, results);
      EXPECT_EQ(
          Query(results,
                "SELECT count(*) FROM events a JOIN events b ON a.place = b.place AND a.cycle "
                "< b.cycle AND b.cycle - a.cycle <= " +
                    std::to_string(256 << life) +
                    " WHERE a.kind = 'hoq-drop' AND b.kind = 'hoq-drop'"),
          "0\n");
    };
  }

  // Nothing was dropped but what the table says, and all else has arrived.
  Expect Recovers() const {
    return [this](const Summary& summary, const std::filesystem::path& results) {
      ASSERT_EQ(summary.outcome, "ok") << summary.message;
      EXPECT_TRUE(summary.accounting.Balanced());
      EXPECT_EQ(summary.accounting.in_flight, 0u);
      const auto drops = Lines(Query(
          results, "SELECT detail FROM events WHERE kind = 'epoch-drop' ORDER BY cycle, place"));
      EXPECT_EQ(drops.size(), summary.accounting.dropped);
      for (const std::string& numbers : drops) EXPECT_TRUE(kDiscard.contains(numbers)) << numbers;
      EXPECT_EQ(Query(results,
                      "SELECT DISTINCT reason FROM packets WHERE injected IS NOT NULL AND dropped "
                      "IS NOT NULL"),
                drops.empty() ? "" : "epoch\n");
      Note(drops.empty() ? "none dropped" : "some dropped");
    };
  }

  const TemporaryFolder folder_;
};

// Every turn of the ring is taken by a head that reads the same number three times: no rule would
// drop it.
TEST_F(Deadlock, LiteralRuleLetsARingStall) {
  Run(RingSwitch::kLiteral, kRingChange, [this](const Summary& summary, const auto&) {
    Note(summary.outcome);
    if (summary.ok()) return;
    ASSERT_EQ(summary.outcome, "stall") << summary.message;
    EXPECT_NE(summary.message.find("a cycle of 8 channels"), std::string::npos) << summary.message;
    EXPECT_EQ(NumbersIn(summary.message), std::vector<std::string>(4, "1 1 1")) << summary.message;
  });
  EXPECT_GT(Noted("stall"), 0);
  EXPECT_EQ(Noted("stall") + Noted("ok"), kSeeds);
}

TEST_F(Deadlock, TheRingRecoversByTheNumberThatRouted) {
  Run(RingSwitch::kEbr, kRingChange, Recovers());
  EXPECT_GT(Noted("some dropped"), 0);
}

TEST_F(Deadlock, AMeshFromXFirstToYFirstStallsUnprotected) {
  Run(RingSwitch::kUnprotected, kMeshChange, [this](const Summary& summary, const auto&) {
    Note(summary.outcome);
    if (summary.ok()) return;
    ASSERT_EQ(summary.outcome, "stall") << summary.message;
    EXPECT_NE(summary.message.find("a cycle of 8 channels"), std::string::npos) << summary.message;
  });
  EXPECT_GT(Noted("stall"), 0);
}

TEST_F(Deadlock, AMeshFromXFirstToYFirstRecoversByEbr) {
  Run(RingSwitch::kEbr, kMeshChange, Recovers());
  EXPECT_GT(Noted("some dropped"), 0);
}

TEST_F(Deadlock, AMeshFromXFirstToYFirstRecoversByHoqLife) {
  for (const int life : {0, 1, 2, 3, 4}) {
    Run(RingSwitch::kUnprotected, kMeshChange, RecoversByHoqLife(life),
        {"switch.hoq_life=" + std::to_string(life)});
  }
  EXPECT_GT(Noted("some dropped"), 0);
}

TEST_F(Deadlock, AMeshFromXFirstToYFirstRecoversByLifeTime) {
  for (const int life : {0, 1, 2, 3, 4}) {
    Run(RingSwitch::kUnprotected, kMeshChange, RecoversByTime("life_time", "life-drop", life),
        {"switch.life_time=" + std::to_string(life)});
  }
  EXPECT_GT(Noted("some dropped"), 0);
}

// The same change at 4X: the limits are the same times, four times as many cycles.
TEST_F(Deadlock, TheLimitsAreTimesAtEveryRate) {
  for (const std::string key : {"hoq_life", "life_time"}) {
    const std::string event = key == "hoq_life" ? "hoq-drop" : "life-drop";
    Run(RingSwitch::kUnprotected, kMeshChange, RecoversByTime(key, event, 2),
        {"switch." + key + "=0", "link.rate=4x-sdr"});
  }
  EXPECT_GT(Noted("some dropped"), 0);
}

}  // namespace
}  // namespace lanecut::testing
