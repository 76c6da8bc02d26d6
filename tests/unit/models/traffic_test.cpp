// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "models/traffic/uniform.h"

namespace lanecut {
namespace {

std::vector<int> Nodes(int count) {
  std::vector<int> nodes(static_cast<std::size_t>(count));
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

UniformTrafficConfig Config(double load, std::uint64_t seed = 1) {
  return {
      .sources = Nodes(16), .destinations = Nodes(16), .load = load, .seed = seed, .start = 500};
}

std::vector<TrafficEvent> Until(UniformTraffic* traffic, Cycle end) {
  std::vector<TrafficEvent> events;
  while (traffic->NextCycle() < end) events.push_back(traffic->Pop());
  return events;
}

TEST(UniformTraffic, OffersItsLoadInOrderOfTime) {
  UniformTraffic traffic(Config(0.6));
  const std::vector<TrafficEvent> events = Until(&traffic, 500 + 100000);
  const double expected = 16 * 100000 * 0.6 / 15;
  EXPECT_NEAR(static_cast<double>(events.size()), expected, 5 * std::sqrt(expected));
  EXPECT_GE(events.front().cycle, 500U);
  EXPECT_LT(events.front().cycle, 510U);
  for (std::size_t i = 1; i < events.size(); ++i) {
    const TrafficEvent& a = events[i - 1];
    const TrafficEvent& b = events[i];
    ASSERT_TRUE(a.cycle < b.cycle || (a.cycle == b.cycle && a.source < b.source));
  }
}

TEST(UniformTraffic, EveryOtherNodeIsEquallyLikely) {
  UniformTraffic traffic(Config(0.6));
  std::map<std::pair<int, int>, int> counts;
  const std::vector<TrafficEvent> events = Until(&traffic, 500 + 400000);
  for (const TrafficEvent& event : events) ++counts[{event.source, event.destination}];
  EXPECT_EQ(counts.size(), 16U * 15U);
  const double expected = static_cast<double>(events.size()) / (16 * 15);
  for (const auto& [pair, count] : counts) {
    EXPECT_NE(pair.first, pair.second);
    EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
  }
}

TEST(UniformTraffic, SourcesAndDestinationsMayDiffer) {
  UniformTrafficConfig config = Config(0.5);
  config.sources = {3, 20};
  config.destinations = {3, 5, 9};
  UniformTraffic traffic(config);
  std::map<std::pair<int, int>, int> counts;
  for (const TrafficEvent& event : Until(&traffic, 10000)) {
    ++counts[{event.source, event.destination}];
  }
  EXPECT_EQ(counts.size(), 5U);
  EXPECT_FALSE(counts.contains({3, 3}));
  EXPECT_TRUE(counts.contains({20, 3}));
}

TEST(UniformTraffic, RepeatsWithItsSeedOnly) {
  UniformTraffic first(Config(0.3, 7));
  UniformTraffic again(Config(0.3, 7));
  UniformTraffic other(Config(0.3, 8));
  const auto events = Until(&first, 20000);
  EXPECT_EQ(Until(&again, 20000), events);
  EXPECT_NE(Until(&other, 20000), events);
}

TEST(UniformTraffic, ANodeLeftOutDoesNotChangeTheOthers) {
  UniformTrafficConfig config = Config(0.3);
  UniformTraffic all(config);
  config.sources.erase(config.sources.begin() + 4);
  UniformTraffic without(config);
  std::vector<TrafficEvent> expected = Until(&all, 20000);
  std::erase_if(expected, [](const TrafficEvent& event) { return event.source == 4; });
  EXPECT_EQ(Until(&without, 20000), expected);
}

TEST(UniformTraffic, ExtremeLoads) {
  UniformTraffic none(Config(0));
  EXPECT_EQ(none.NextCycle(), kNever);
  UniformTraffic always(Config(15));
  EXPECT_EQ(Until(&always, 510).size(), 160U);
}

TEST(UniformTraffic, RefusesNonsense) {
  EXPECT_THROW(UniformTraffic(Config(-0.1)), std::invalid_argument);
  UniformTrafficConfig config = Config(0.1);
  config.destinations = {0};
  EXPECT_THROW(UniformTraffic{config}, std::invalid_argument);
}

}  // namespace
}  // namespace lanecut
