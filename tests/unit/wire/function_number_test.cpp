// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/function_number.h"

#include <gtest/gtest.h>

namespace lanecut {
namespace {

// Plain comparison would take 0 for older than 7.
TEST(FunctionNumber, NewerGoesRound) {
  EXPECT_TRUE(IsNewer(0, 7));
  EXPECT_FALSE(IsNewer(7, 0));
  EXPECT_TRUE(IsNewer(2, 7));
  EXPECT_FALSE(IsNewer(3, 7));
}

TEST(FunctionNumber, UpToThreeAheadIsNewer) {
  for (std::uint8_t a = 0; a < 8; ++a) {
    for (std::uint8_t ahead = 0; ahead < 8; ++ahead) {
      EXPECT_EQ(IsNewer(FunctionNumber(a + ahead), a), ahead >= 1 && ahead <= 3)
          << int{a} << " + " << int{ahead};
    }
  }
}

TEST(FunctionNumber, HowFarBehindCountsModulo8) {
  EXPECT_EQ(FunctionsBehind(5, 5), 0);
  EXPECT_EQ(FunctionsBehind(6, 1), 3);
  EXPECT_EQ(FunctionsBehind(1, 6), 5);
  EXPECT_EQ(FunctionsBehind(31, 0), 1);
}

TEST(FunctionNumber, TwoBitsOfTheWireAreNotUsed) {
  EXPECT_EQ(FunctionNumber(31), 7);
  EXPECT_EQ(NextNumber(7), 0);
  EXPECT_TRUE(IsNewer(25, 0));
}

}  // namespace
}  // namespace lanecut
