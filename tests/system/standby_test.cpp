// SPDX-License-Identifier: Apache-2.0
//
// The subnet manager loses its own link in the middle of a change, on the RTL: a standby takes over
// and finishes it, by every scheme and with either encoding; without one the run fails and names
// the phase.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sw/subnet_manager/sm_config.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr const char* kManager = "H0_0_0";
constexpr const char* kStandby = "H2_2_0";
constexpr Cycle kFault = 500;

// The manager computes tables 2,350 cycles after the fault. Undisturbed, the change is complete
// after `last` cycles.
constexpr Cycle kFirst = 2350;

struct Kind {
  std::string_view scheme;
  std::string encoding;
  Cycle last = 0;
};

Scenario Torus(const Kind& kind, bool has_standby) {
  return MakeScenario(
      "[topology]\nkind = \"torus\"\nsize = [3, 3]\n[traffic]\nload = 0.15\n[run]\n"
      "warmup_cycles = 12000\nmeasure_cycles = 12000\nstall_cycles = "
      "200000\n[manager]\ntimeout_cycles = 2500\nretries = "
      "3\n"
      "standby_poll_cycles = 2500\nencoding = \"" +
      kind.encoding + "\"\n" +
      (has_standby ? std::string("standby = \"") + kStandby + "\"\n" : std::string()) +
      "[reconfiguration]\nscheme = \"" + std::string(kind.scheme) + "\"\n");
}

std::vector<std::string> Cuts(Cycle delay) {
  return {"fault.0.kind=cut",
          "fault.0.link=S1_1:1",
          "fault.0.after_warmup=" + std::to_string(kFault),
          "fault.1.kind=cut",
          std::string("fault.1.link=") + kManager + ":1",
          "fault.1.after_warmup=" + std::to_string(kFault + delay)};
}

// The last entry of that kind, or null.
const TimelineEntry* Last(const Summary& summary, std::string_view kind) {
  const TimelineEntry* last = nullptr;
  for (const TimelineEntry& entry : summary.timeline) {
    if (entry.kind == kind) last = &entry;
  }
  return last;
}

void ExpectFinished(const Summary& summary, std::string_view scheme) {
  EXPECT_EQ(summary.outcome, "ok") << summary.message;
  EXPECT_TRUE(summary.accounting.Balanced());
  EXPECT_EQ(summary.accounting.in_flight, 0u);
  const TimelineEntry* took_over = Last(summary, "took-over");
  ASSERT_NE(took_over, nullptr);
  const TimelineEntry* lost = Last(summary, "manager-lost");
  const TimelineEntry* cut_off = Last(summary, "cut-off");
  ASSERT_TRUE(lost != nullptr && cut_off != nullptr);
  EXPECT_EQ(cut_off->detail.find("phase 'up'"), std::string::npos) << "in the middle of nothing";
  EXPECT_LT(cut_off->cycle, lost->cycle);
  EXPECT_LT(lost->cycle, took_over->cycle);
  const bool is_static = scheme == "static";  // all tables change while nobody sends
  for (const std::string_view kind :
       {is_static ? "resumed" : "completed", is_static ? "drained" : "in-force", "loaded"}) {
    const TimelineEntry* end = Last(summary, kind);
    ASSERT_NE(end, nullptr) << kind;
    EXPECT_GT(end->cycle, took_over->cycle) << kind;
  }
}

class Standby : public ::testing::TestWithParam<Kind> {};

TEST_P(Standby, FinishesTheChange) {
  std::vector<Case> cases;
  for (Cycle fifth = 1; fifth <= 4; ++fifth) {
    const Cycle delay = kFirst + (GetParam().last - kFirst) * fifth / 5;
    cases.push_back({"manager cut off after " + std::to_string(delay),
                     [delay](Simulation& simulation, const Scenario& scenario) {
                       const Summary summary = simulation.Run(With(scenario, Cuts(delay)));
                       ExpectFinished(summary, GetParam().scheme);
                       for (int i = 0; i < simulation.fabric().num_hcas(); ++i)
                         EXPECT_FALSE(simulation.fabric().hca(i).hca().halted() && i != 0) << i;
                     }});
  }
  RunCases(Torus(GetParam(), true), cases);
}

const Kind kKinds[] = {{"static", "ib", 9852},
                       {"static", "compact", 3739},
                       {"osr-pda", "ib", 10'886},
                       {"osr-pda", "compact", 3533},
                       {"osr-la", "ib", 10'375},
                       {"osr-la", "compact", 3852},
                       {"ebr", "ib", 5202},
                       {"ebr", "compact", 2615},
                       {"ebrd", "ib", 4295},
                       {"ebrd", "compact", 2602},
                       {"double-scheme", "ib", 11'652},
                       {"double-scheme", "compact", 3275}};

INSTANTIATE_TEST_SUITE_P(Schemes, Standby, ::testing::ValuesIn(kKinds), [](const auto& kind) {
  std::string name = std::string(kind.param.scheme) + "_" + kind.param.encoding;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Its link is up again before it gives up, and after the standby has taken over.
TEST(StandbyReturn, ALinkThatComesBackMakesNoSecondMaster) {
  std::vector<Case> cases;
  for (const Cycle duration : {1000, 60'000}) {
    cases.push_back({"down for " + std::to_string(duration),
                     [duration](Simulation& simulation, const Scenario& scenario) {
                       std::vector<std::string> overrides = Cuts(3200);
                       overrides.emplace_back("run.measure_cycles=160000");
                       overrides.emplace_back("fault.1.kind=flap");
                       overrides.push_back("fault.1.duration_cycles=" + std::to_string(duration));
                       const Summary summary = simulation.Run(With(scenario, overrides));
                       EXPECT_EQ(summary.outcome, "ok") << summary.message;
                       EXPECT_TRUE(summary.accounting.Balanced());
                       EXPECT_EQ(Last(summary, "took-over") != nullptr, duration > 2500);
                     }});
  }
  RunCases(Torus({"ebrd", "ib"}, true), cases);
}

TEST(NoStandby, TheRunFailsNamingThePhase) {
  for (const char* scheme : {"static", "osr-pda"}) {
    std::vector<Case> cases;
    for (const Cycle delay : {2800, 5500, 8400}) {
      cases.push_back({std::string(scheme) + ", cut off after " + std::to_string(delay),
                       [=](Simulation& simulation, const Scenario& scenario) {
                         SmPhase phase = SmPhase::kIdle;
                         const int cut = simulation.fabric().clock().agenda().Add(
                             [&](Cycle) { phase = simulation.manager().phase(); });
                         simulation.fabric().clock().agenda().Arm(
                             cut, simulation.fabric().clock().now() + scenario.run.warmup_cycles +
                                      kFault + delay);
                         const Summary summary = simulation.Run(With(scenario, Cuts(delay)));
                         EXPECT_EQ(summary.outcome, "manager");
                         EXPECT_NE(summary.message.find("manager H0_0_0 cut off in phase '" +
                                                        std::string(SmPhaseName(phase)) + "'"),
                                   std::string::npos)
                             << summary.message;
                       }});
    }
    RunCases(Torus({scheme, "ib"}, false), cases);
  }
}

}  // namespace
}  // namespace lanecut::testing
