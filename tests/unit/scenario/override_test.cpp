// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/scenario/scenario_test_util.h"

namespace lanecut {
namespace {

Scenario With(const std::vector<std::string>& overrides) {
  return ParseScenario(
      "[topology]\nkind = \"torus\"\n[[fault]]\nkind = \"cut\"\nat_cycle = 7\nlink = \"S0_0:1\"\n",
      "s.toml", overrides);
}

TEST(OverrideTest, ReplacesValues) {
  const Scenario s = With({"traffic.load=0.5", "topology.size=[5, 6]", "topology.kind=mesh",
                           "run.drain=false", "name='x'", "routing.root=S1_1"});
  EXPECT_DOUBLE_EQ(s.traffic.load, 0.5);
  EXPECT_EQ(s.topology.size, (std::vector<std::uint64_t>{5, 6}));
  EXPECT_EQ(s.topology.kind, TopologyKind::kMesh);
  EXPECT_FALSE(s.run.drain);
  EXPECT_EQ(s.name, "x");
  EXPECT_EQ(s.routing.root, "S1_1");
}

TEST(OverrideTest, TheLastOneCounts) { EXPECT_EQ(With({"seed=1", "seed=2"}).seed, 2u); }

TEST(OverrideTest, TextsMayLookLikeNumbers) { EXPECT_EQ(With({"name=2024"}).name, "2024"); }

TEST(OverrideTest, Faults) {
  EXPECT_EQ(With({"fault.0.at_cycle=9"}).faults[0].at_cycle, 9u);
  EXPECT_TRUE(With({"fault=[]"}).faults.empty());
  const Scenario s = With({"fault.1.kind=restore", "fault.1.link=S0_0:1", "fault.1.at_cycle=99"});
  const Scenario planned =
      With({"change.0.kind=reroute", "change.0.root=S1_0", "change.0.at_cycle=5"});
  ASSERT_EQ(planned.changes.size(), 1u);
  EXPECT_EQ(planned.changes[0].kind, ChangeKind::kReroute);
  EXPECT_EQ(planned.changes[0].root, "S1_0");
  ASSERT_EQ(s.faults.size(), 2u);
  EXPECT_EQ(s.faults[1].kind, FaultKind::kRestore);
  EXPECT_EQ(s.faults[1].at_cycle, 99u);
}

TEST(OverrideTest, ErrorsNameTheArgument) {
  EXPECT_EQ(ErrorOf(kMinimal, {"traffic.load"}),
            "--set traffic.load: not an assignment; expected key=value, like traffic.load=0.3");
  EXPECT_EQ(ErrorOf(kMinimal, {"traffic.lod=1"}),
            "--set traffic.lod=1: unknown key traffic.lod; did you mean traffic.load?");
  EXPECT_EQ(ErrorOf(kMinimal, {"traffik.load=1"}),
            "--set traffik.load=1: unknown table [traffik]; did you mean [traffic]?");
  EXPECT_EQ(ErrorOf(kMinimal, {"traffic.load=fast"}),
            "--set traffic.load=fast: traffic.load is a text; expected a number from 0 to 1");
  EXPECT_EQ(ErrorOf(kMinimal, {"switch.vls=9"}),
            "--set switch.vls=9: switch.vls = 9 is out of range; expected a whole number from 1 to "
            "8");
  EXPECT_EQ(ErrorOf(kMinimal, {"name='x"}),
            "--set name='x: the quotes do not match; expected a text");
  EXPECT_EQ(ErrorOf(kMinimal, {"switch.vls="}),
            "--set switch.vls=: switch.vls is a text; expected a whole number from 1 to 8");
  EXPECT_EQ(ErrorOf(kMinimal, {"fault.2.kind=cut"}),
            "--set fault.2.kind=cut: there is no fault 2; expected at most 0, which adds one");
  EXPECT_EQ(ErrorOf(kMinimal, {"fault.kind=cut"}),
            "--set fault.kind=cut: fault.kind does not say which fault; expected a number, like "
            "fault.0.kind");
  EXPECT_EQ(ErrorOf(kMinimal, {"fault=3"}),
            "--set fault=3: fault is a whole number; expected a table, [[fault]]");
  EXPECT_EQ(ErrorOf(kMinimal, {"link=3"}),
            "--set link=3: link is a whole number; expected a table, [link]");
  EXPECT_EQ(ErrorOf(kMinimal, {"seed=1\nname='y'"}),
            "--set seed=1\nname='y': seed is a text; expected a whole number from 0 to "
            "9007199254740991");
}

// As a shell completes them.
TEST(OverrideTest, FilesAreSeenFromTheCurrentFolder) {
  EXPECT_EQ(ErrorOf(kMinimal, {"traffic.pattern=trace", "traffic.file=no.txt"}),
            "--set traffic.file=no.txt: there is no file \"no.txt\"; expected a text file, its "
            "path seen from the current folder");
}

TEST(OverrideTest, ContradictionsNameTheArgument) {
  EXPECT_EQ(ErrorOf(kMinimal, {"run.warmup_cycles=900", "run.max_cycles=1000"}).substr(0, 28),
            "--set run.warmup_cycles=900:");
}

}  // namespace
}  // namespace lanecut
