// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom when nothing moves.
#include <gtest/gtest.h>

#include "models/reference/waiting_cycle.h"
#include "tests/unit/reference/ring.h"

namespace lanecut {
namespace {

using reference::FindWaitingCycle;

TEST(WaitingCycle, NoneInAChain) { EXPECT_TRUE(FindWaitingCycle({1, 2, -1}).empty()); }

TEST(WaitingCycle, FoundBehindATail) {
  EXPECT_EQ(FindWaitingCycle({2, -1, 4, 2, 3}), (std::vector<int>{2, 4, 3}));
}

TEST(WaitingCycle, OneThatWaitsForItself) {
  EXPECT_EQ(FindWaitingCycle({-1, 1}), (std::vector<int>{1}));
}

TEST_F(Ring, DeadlockIsNamed) {
  Deadlock();
  EXPECT_CLEAN(model_);
  const std::vector<std::string> cycle = model_.WaitingCycle();
  ASSERT_EQ(cycle.size(), 6u) << Failure(model_);
  EXPECT_NE(cycle[0].find("input queue of A port 2"), std::string::npos) << cycle[0];
  EXPECT_NE(cycle[0].find("waits for room in the output queue of A port 1"), std::string::npos)
      << cycle[0];
  EXPECT_NE(cycle[1].find("waits for credits of the input queue of B port 2"), std::string::npos)
      << cycle[1];
  EXPECT_NE(cycle[0].find("LID 3 -> 2"), std::string::npos) << cycle[0];
}

TEST_F(Ring, NoCycleWhileNothingWaits) {
  EXPECT_TRUE(model_.Waiting().empty());
  EXPECT_TRUE(model_.WaitingCycle().empty());
}

}  // namespace
}  // namespace lanecut
