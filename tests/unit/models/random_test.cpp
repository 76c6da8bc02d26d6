// SPDX-License-Identifier: Apache-2.0
#include "models/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "models/geometric.h"

namespace lanecut {
namespace {

// Values of an independent implementation.
TEST(Random, SameOnEveryPlatform) {
  Random random(42, 7);
  EXPECT_EQ(random.Next(), 16797791211601080252U);
  EXPECT_EQ(random.Next(), 15776468783856026618U);
  for (int i = 2; i < 999; ++i) random.Next();
  EXPECT_EQ(random.Next(), 7109106335493984362U);
}

TEST(Random, SeedsAndStreamsDiffer) {
  std::set<std::uint64_t> draws;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t stream = 0; stream < 30; ++stream) {
      draws.insert(Random(seed, stream).Next());
    }
  }
  EXPECT_EQ(draws.size(), 900U);
}

TEST(Random, BelowIsUniform) {
  Random random(1);
  int counts[7] = {};
  for (int i = 0; i < 70000; ++i) ++counts[random.Below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(random.Below(1), 0U);
}

TEST(Geometric, MeanAndVarianceAreThoseOfABernoulliProcess) {
  for (const double p : {0.9, 0.5, 0.05, 0.001}) {
    const GeometricGap gap(p);
    Random random(5);
    const int draws = 200000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; ++i) {
      const auto x = static_cast<double>(gap.Draw(&random));
      ASSERT_GE(x, 1);
      sum += x;
      squares += x * x;
    }
    const double mean = sum / draws;
    const double variance = squares / draws - mean * mean;
    EXPECT_NEAR(mean, 1 / p, 5 * std::sqrt((1 - p) / draws) / p) << p;
    EXPECT_NEAR(variance, (1 - p) / (p * p), 0.04 * (1 - p) / (p * p)) << p;
  }
}

TEST(Geometric, FirstTrialSucceedsWithItsProbability) {
  const GeometricGap gap(0.3);
  Random random(5);
  int ones = 0;
  for (int i = 0; i < 100000; ++i) ones += gap.Draw(&random) == 1 ? 1 : 0;
  EXPECT_NEAR(ones, 30000, 750);
}

TEST(Geometric, NeverAndAlways) {
  Random random(1);
  EXPECT_EQ(GeometricGap(0).Draw(&random), GeometricGap::kNever);
  EXPECT_EQ(GeometricGap(-1).Draw(&random), GeometricGap::kNever);
  EXPECT_EQ(GeometricGap(1).Draw(&random), 1U);
  EXPECT_EQ(GeometricGap(2).Draw(&random), 1U);
}

}  // namespace
}  // namespace lanecut
