// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/lane_order.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace lanecut {
namespace {

using Turns = std::vector<int>;

// Turns 0 to 5; 2 and 5 are forbidden.
const std::vector<bool> kForbidden = {false, false, true, false, false, true};

TEST(LaneOrder, AForbiddenTurnSettlesThePath) {
  LaneOrder order(kForbidden, 2);
  ASSERT_TRUE(order.Add(Turns{0, 1, 2, 3}));
  for (const int turn : {0, 1}) EXPECT_EQ(order.highest(turn), 0) << turn;
  for (const int turn : {2, 3}) EXPECT_EQ(order.lowest(turn), 1) << turn;
  EXPECT_EQ(order.lowest(4), 0);
  EXPECT_EQ(order.highest(4), 1);
}

TEST(LaneOrder, AMappingConflictIsRefusedAndLeavesNothing) {
  LaneOrder order(kForbidden, 2);
  ASSERT_TRUE(order.Add(Turns{0, 1, 2, 3}));
  // Turn 1 would have to be on VL 1 after 5, and is on VL 0 before 2.
  EXPECT_FALSE(order.Add(Turns{4, 5, 1}));
  EXPECT_EQ(order.highest(4), 1);
  EXPECT_TRUE(order.Add(Turns{3, 4})) << "4 is free to be on VL 1";
  EXPECT_EQ(order.lowest(4), 1);
}

TEST(LaneOrder, ConflictsThroughOtherPaths) {
  LaneOrder order(kForbidden, 2);
  // No VL is settled by these two, but whatever is before 4 is on no higher VL than 0.
  ASSERT_TRUE(order.Add(Turns{4, 3, 0}));
  ASSERT_TRUE(order.Add(Turns{0, 1}));
  ASSERT_TRUE(order.Add(Turns{1, 2}));
  EXPECT_EQ(order.highest(4), 0);
  EXPECT_FALSE(order.Add(Turns{5, 4}));
}

TEST(LaneOrder, MoreLanesAllowMoreForbiddenTurns) {
  LaneOrder two(kForbidden, 2);
  EXPECT_FALSE(two.Add(Turns{0, 2, 1, 5}));
  LaneOrder three(kForbidden, 3);
  EXPECT_TRUE(three.Add(Turns{0, 2, 1, 5}));
  EXPECT_FALSE(three.Add(Turns{5, 0})) << "a cycle that rises";
  EXPECT_TRUE(three.Add(Turns{1, 3, 1})) << "one that does not";
}

TEST(LaneOrder, UndoRestores) {
  LaneOrder order(kForbidden, 2);
  ASSERT_TRUE(order.Add(Turns{3, 4}));
  const auto mark = order.mark();
  ASSERT_TRUE(order.Add(Turns{0, 1, 2, 3}));
  EXPECT_EQ(order.lowest(4), 1);
  order.UndoTo(mark);
  EXPECT_EQ(order.lowest(4), 0);
  EXPECT_EQ(order.highest(1), 1);
  EXPECT_TRUE(order.Add(Turns{4, 5, 1}));
}

// Against all assignments of VLs, one after the other.
bool SomeAssignmentFits(const std::vector<Turns>& paths, int vls) {
  std::vector<int> vl(kForbidden.size(), 0);
  for (;;) {
    bool fits = vl[2] > 0 && vl[5] > 0;
    for (const Turns& path : paths) {
      for (std::size_t i = 0; i + 1 < path.size(); ++i)
        fits = fits && vl[path[i + 1]] >= vl[path[i]] + (kForbidden[path[i + 1]] ? 1 : 0);
    }
    if (fits) return true;
    std::size_t digit = 0;
    while (digit < vl.size() && ++vl[digit] == vls) vl[digit++] = 0;
    if (digit == vl.size()) return false;
  }
}

TEST(LaneOrder, AcceptsExactlyWhatSomeAssignmentSatisfies) {
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    const int vls = 2 + round % 2;
    LaneOrder order(kForbidden, vls);
    std::vector<Turns> paths;
    for (int i = 0; i < 6; ++i) {
      Turns path(2 + random() % 3);
      for (int& turn : path) turn = static_cast<int>(random() % kForbidden.size());
      paths.push_back(path);
      const bool fits = SomeAssignmentFits(paths, vls);
      ASSERT_EQ(order.Add(path), fits);
      if (fits) continue;
      paths.pop_back();
      ++refused;
    }
    // What it settles on is such an assignment.
    const std::vector<int> link = {0, 1, 0, 1, 0, 1};
    std::vector<std::vector<std::int64_t>> load(2, std::vector<std::int64_t>(vls, 0));
    const auto vl = order.Settle(std::vector<int>(6, 1), link, load);
    for (const Turns& path : paths) {
      for (std::size_t i = 0; i + 1 < path.size(); ++i)
        ASSERT_GE(vl[path[i + 1]], vl[path[i]] + (kForbidden[path[i + 1]] ? 1 : 0));
    }
    for (const auto each : vl) ASSERT_LT(each, vls);
  }
  EXPECT_GT(refused, 100);
}

TEST(LaneOrder, OnASingleVlForbiddenTurnsAreOnItToo) {
  LaneOrder order(kForbidden, 1);
  ASSERT_TRUE(order.Add(Turns{0, 1, 3}));
  EXPECT_FALSE(order.Add(Turns{0, 2}));
  std::vector<std::vector<std::int64_t>> load(1, std::vector<std::int64_t>(1, 0));
  const auto vl = order.Settle({1, 1, 0, 1, 0, 0}, std::vector<int>(6, 0), load);
  EXPECT_EQ(vl, std::vector<std::uint8_t>(6, 0));
  EXPECT_EQ(load[0][0], 3);
}

TEST(LaneOrder, SettlesEvenly) {
  // Two paths without forbidden turns, over the same links: one each.
  const std::vector<bool> none(4, false);
  LaneOrder level(none, 2);
  ASSERT_TRUE(level.Add(Turns{0, 1}));
  ASSERT_TRUE(level.Add(Turns{2, 3}));
  std::vector<std::vector<std::int64_t>> load(2, std::vector<std::int64_t>(2, 0));
  level.Settle({5, 5, 5, 5}, {0, 1, 0, 1}, load);
  EXPECT_EQ(load, (std::vector<std::vector<std::int64_t>>{{5, 5}, {5, 5}}));
}

}  // namespace
}  // namespace lanecut
