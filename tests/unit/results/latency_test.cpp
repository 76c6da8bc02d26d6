// SPDX-License-Identifier: Apache-2.0
#include "sw/results/latency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace lanecut {
namespace {

// The definitions, word for word.
LatencyStatistics Naive(std::vector<Cycle> latencies) {
  LatencyStatistics s;
  s.packets = latencies.size();
  if (latencies.empty()) return s;
  std::ranges::sort(latencies);
  s.mean = static_cast<double>(std::accumulate(latencies.begin(), latencies.end(), Cycle{0})) /
           static_cast<double>(latencies.size());
  const auto smallest_covering = [&latencies](std::size_t percent) {
    for (Cycle candidate : latencies) {
      const auto covered =
          std::ranges::count_if(latencies, [=](Cycle l) { return l <= candidate; });
      if (static_cast<std::size_t>(covered) * 100 >= percent * latencies.size()) return candidate;
    }
    return latencies.back();
  };
  s.p50 = smallest_covering(50);
  s.p99 = smallest_covering(99);
  s.max = latencies.back();
  return s;
}

void ExpectSame(const std::vector<Cycle>& latencies) {
  LatencyHistogram histogram;
  for (Cycle latency : latencies) histogram.Add(latency);
  const LatencyStatistics actual = histogram.Statistics();
  const LatencyStatistics expected = Naive(latencies);
  EXPECT_EQ(actual.packets, expected.packets);
  EXPECT_DOUBLE_EQ(actual.mean, expected.mean);
  EXPECT_EQ(actual.p50, expected.p50);
  EXPECT_EQ(actual.p99, expected.p99);
  EXPECT_EQ(actual.max, expected.max);
}

TEST(LatencyTest, Corners) {
  ExpectSame({});
  ExpectSame({0});
  ExpectSame({7});
  ExpectSame({1, 2});
  ExpectSame({5, 5, 5, 900});
  ExpectSame({65'535, 65'536, 65'537, 10'000'000'000});  // both sides of the array's end
}

TEST(LatencyTest, EqualsTheDefinition) {
  std::mt19937_64 random(1);
  for (int size : {3, 10, 99, 100, 101, 500}) {
    for (Cycle range : {3u, 1000u, 200'000u}) {
      std::vector<Cycle> latencies;
      for (int i = 0; i < size; ++i) latencies.push_back(random() % range);
      ExpectSame(latencies);
    }
  }
}

}  // namespace
}  // namespace lanecut
