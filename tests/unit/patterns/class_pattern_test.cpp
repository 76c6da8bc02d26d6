// SPDX-License-Identifier: Apache-2.0
#include "sw/patterns/class_pattern.h"

#include <gtest/gtest.h>

#include <array>

#include "sw/routing/pattern_table.h"

namespace lanecut {
namespace {

constexpr int kAxes = 3;
constexpr PatternRange kFours = {kAxes, 4, 4, 4};

Pattern PatternOf(const PatternTable& table, int cell, int axes = kAxes) {
  Pattern pattern;
  for (int i = 0; i < 2 * axes; ++i)
    pattern.push_back(ParseMovement(table.movements[table.patterns[cell * 2 * axes + i]]));
  return pattern;
}

// Every pair of every torus of these sides has as many paths as a switch has links; they arrive,
// share nothing and fit an SL.
void ExpectComplete(const PatternTable& table, int axes, SideKind kind, int least, int most) {
  ASSERT_EQ(table.cells.size(), static_cast<std::size_t>(NumPairClasses(kind, axes)));
  int misses = 0;
  for (int i = 0; i < NumPairClasses(kind, axes); ++i) {
    const auto pairs = InstancesOf(i, axes, least, most, Sides::kAny);
    ASSERT_EQ(table.cells[i] < 0, pairs.empty()) << i;
    if (pairs.empty()) continue;
    const Pattern pattern = PatternOf(table, table.cells[i], axes);
    for (const PairInstance& pair : pairs) misses += HopsOf(pattern, pair) ? 0 : 1;
  }
  EXPECT_EQ(misses, 0);
}

TEST(ClassPattern, ThoseOfFoursHoldForAllPairs) {
  ExpectComplete(SpftrPatterns4x4(), 2, SideKind::kFour, 4, 4);
  ExpectComplete(SpftrPatterns4x4x4(), 3, SideKind::kFour, 4, 4);
}

TEST(ClassPattern, ThoseOfLargerToriHoldForAllPairsWithAnySides) {
  ExpectComplete(SpftrPatterns2d(), 2, SideKind::kFiveOrMore, 5, 12);
  ExpectComplete(SpftrPatterns3d(), 3, SideKind::kFiveOrMore, 5, 9);
}

TEST(ClassPattern, ThoseCommittedAreAsGoodAsThoseFound) {
  const PatternRange range;
  const PatternTable& table = SpftrPatterns3d();
  for (int i = 50; i < NumPairClasses(SideKind::kFiveOrMore, kAxes); i += 997) {
    const ClassPattern found = FindClassPattern(i, range);
    ASSERT_FALSE(found.pattern.empty()) << i;
    EXPECT_TRUE(IsAsGood(PatternOf(table, table.cells[i]), i, found, range)) << i;
  }
}

TEST(ClassPattern, WhatIsFoundHoldsAndIsShortest) {
  // Neighbours in the middle of 8x8x8 have one path of a hop, four of three, and one that must go
  // round or make a detour.
  const std::array<AxisPair, kAxes> axes = {AxisPair{8, 3, 4}, AxisPair{8, 3, 3},
                                            AxisPair{8, 3, 3}};
  const ClassPattern found = FindClassPattern(PairClassOf(axes).number, {kAxes, 8, 8, 8});
  ASSERT_FALSE(found.pattern.empty());
  for (const PairInstance& pair : found.pairs) {
    const std::optional<int> hops = HopsOf(found.pattern, pair);
    ASSERT_TRUE(hops);
    EXPECT_GE(*hops, 1 + 4 * 3 + 5);
  }
}

std::optional<int> HopsIn7x7(const std::vector<std::string_view>& movements) {
  const std::array axes = {AxisPair{7, 1, 3}, AxisPair{7, 1, 3}};
  return HopsOf(ParseMovements(movements), PairInstance(axes));
}

TEST(ClassPattern, PlantedMistakesAreSeen) {
  EXPECT_EQ(HopsIn7x7({"R D", "D R"}), 8);
  EXPECT_EQ(HopsIn7x7({"1HR D R", "D R"}), std::nullopt);       // one switch is shared
  EXPECT_EQ(HopsIn7x7({"1HR D R", "1HD R D"}), std::nullopt);   // in the middle
  EXPECT_EQ(HopsIn7x7({"R D", "D"}), std::nullopt);             // does not arrive
  EXPECT_EQ(HopsIn7x7({"R 1HL D R"}), std::nullopt);            // turns back
  EXPECT_EQ(HopsIn7x7({"1HR 1HD 1HL 1HU R D"}), std::nullopt);  // comes back to the source
  EXPECT_EQ(HopsIn7x7({"R MAXD L U R"}), std::nullopt);         // more forbidden turns than VLs
  const std::array neighbours = {AxisPair{7, 1, 2}, AxisPair{7, 1, 1}};
  EXPECT_EQ(
      HopsOf(ParseMovements(std::vector<std::string_view>{"R", "1HR"}), PairInstance(neighbours)),
      std::nullopt);  // one link twice
}

TEST(ClassPattern, APlantedSharedSwitchInTheDataIsSeen) {
  // Each path of a pattern in place of each other one: two are the same then.
  const PatternTable& table = SpftrPatterns4x4x4();
  for (int i = 1; i < NumPairClasses(SideKind::kFour, kAxes); i += 40) {
    if (table.cells[i] < 0) continue;
    const PairInstance pair = InstancesOf(i, kAxes, 4, 4, Sides::kEqual).front();
    const Pattern good = PatternOf(table, table.cells[i]);
    ASSERT_TRUE(HopsOf(good, pair));
    for (std::size_t path = 0; path < good.size(); ++path) {
      Pattern bad = good;
      bad[path] = good[(path + 1) % good.size()];
      EXPECT_FALSE(HopsOf(bad, pair)) << i;
    }
  }
}

TEST(ClassPattern, NoneWhereThereIsNone) {
  // A switch has no way to itself.
  const std::array self = {AxisPair{4, 1, 1}, AxisPair{4, 2, 2}, AxisPair{4, 0, 0}};
  EXPECT_TRUE(FindClassPattern(PairClassOf(self).number, kFours).pattern.empty());
}

}  // namespace
}  // namespace lanecut
