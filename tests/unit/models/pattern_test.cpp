// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/traffic/bit_reversal.h"
#include "models/traffic/fixed_patterns.h"
#include "models/traffic/hot_spot.h"
#include "models/traffic/injection.h"
#include "models/traffic/permutation.h"
#include "models/traffic/uniform.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {
namespace {

std::vector<int> Nodes(int count) {
  std::vector<int> nodes(static_cast<std::size_t>(count));
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

InjectionConfig Config(int nodes, double load) {
  return {.sources = Nodes(nodes), .load = load, .seed = 3, .start = 100};
}

std::map<std::pair<int, int>, int> Counts(Injection* traffic, Cycle end) {
  std::map<std::pair<int, int>, int> counts;
  while (traffic->NextCycle() < end) {
    const TrafficEvent event = traffic->Pop();
    EXPECT_NE(event.source, event.destination);
    ++counts[{event.source, event.destination}];
  }
  return counts;
}

TEST(BitReversal, SendsToTheReversedNumber) {
  const BitReversal eight(8);
  EXPECT_EQ(eight.Draw(1, nullptr), 4);
  EXPECT_EQ(eight.Draw(6, nullptr), 3);
  EXPECT_EQ(BitReversal(16).Draw(1, nullptr), 8);
  EXPECT_EQ(BitReversal(16).Draw(11, nullptr), 13);
  for (const int palindrome : {0, 2, 5, 7}) EXPECT_FALSE(eight.Sends(palindrome));
  Injection traffic(Config(8, 0.5), std::make_unique<BitReversal>(8));
  const auto counts = Counts(&traffic, 10000);
  EXPECT_EQ(counts.size(), 4U);
  for (const auto& [pair, count] : counts) EXPECT_EQ(eight.Draw(pair.first, nullptr), pair.second);
}

TEST(BitReversal, NeedsAPowerOfTwo) {
  EXPECT_THROW(BitReversal(0), std::invalid_argument);
  EXPECT_THROW(BitReversal(12), std::invalid_argument);
  EXPECT_NO_THROW(BitReversal(1));
}

std::vector<int> DestinationsOf(const Permutation& pattern, int nodes) {
  std::vector<int> destinations;
  for (int node = 0; node < nodes; ++node) destinations.push_back(pattern.Draw(node, nullptr));
  return destinations;
}

TEST(FixedPatterns, DestinationsByNumber) {
  EXPECT_EQ(DestinationsOf(BitComplement(8), 8), (std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(DestinationsOf(Shuffle(8), 8), (std::vector<int>{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(DestinationsOf(Transpose(16), 16),
            (std::vector<int>{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  EXPECT_FALSE(Shuffle(8).Sends(7));
  EXPECT_FALSE(Transpose(16).Sends(5));
  EXPECT_FALSE(BitComplement(1).Sends(0));
}

TEST(FixedPatterns, DestinationsOnGrids) {
  // Rings of 5 and 4: two places on, and one.
  EXPECT_EQ(DestinationsOf(Tornado(std::vector<int>{5}, 1), 5), (std::vector<int>{2, 3, 4, 0, 1}));
  EXPECT_EQ(DestinationsOf(Tornado(std::vector<int>{4}, 1), 4), (std::vector<int>{1, 2, 3, 0}));
  EXPECT_EQ(DestinationsOf(NearestNeighbour(std::vector<int>{3, 2}, 2), 12),
            (std::vector<int>{8, 9, 10, 11, 6, 7, 2, 3, 4, 5, 0, 1}));
}

TEST(FixedPatterns, AllArePermutations) {
  const std::vector<int> sizes = {6, 4, 3};
  for (std::vector<int> destinations :
       {DestinationsOf(BitComplement(64), 64), DestinationsOf(Transpose(64), 64),
        DestinationsOf(Shuffle(64), 64), DestinationsOf(Tornado(sizes, 2), 144),
        DestinationsOf(NearestNeighbour(sizes, 2), 144)}) {
    std::ranges::sort(destinations);
    EXPECT_EQ(destinations, Nodes(static_cast<int>(destinations.size())));
  }
}

TEST(FixedPatterns, SayWhatTheyNeed) {
  EXPECT_THROW(BitComplement(12), std::invalid_argument);
  EXPECT_THROW(Shuffle(0), std::invalid_argument);
  EXPECT_THROW(Transpose(8), std::invalid_argument);
  EXPECT_THROW(Tornado({}, 1), std::invalid_argument);
  EXPECT_THROW(NearestNeighbour(std::vector<int>{4}, 0), std::invalid_argument);
}

TEST(HotSpot, ATenthOfTheSourcesSendsToOneNode) {
  constexpr int kNodes = 40;
  auto pattern = std::make_unique<HotSpot>(kNodes, 0.1, 5);
  const int spot = pattern->spot();
  Injection traffic(Config(kNodes, 0.5), std::move(pattern));
  const auto counts = Counts(&traffic, 400000);
  std::map<int, std::set<int>> destinations;
  std::map<int, int> sent;
  for (const auto& [pair, count] : counts) {
    destinations[pair.first].insert(pair.second);
    sent[pair.first] += count;
  }
  int hot = 0;
  for (const auto& [source, to] : destinations) {
    if (to.size() == 1) {
      EXPECT_EQ(*to.begin(), spot);
      ++hot;
      continue;
    }
    EXPECT_EQ(to.size(), kNodes - 1U);
    const double expected = sent[source] / (kNodes - 1.0);
    for (const int destination : to) {
      EXPECT_NEAR(counts.at({source, destination}), expected, 5 * std::sqrt(expected));
    }
  }
  EXPECT_EQ(hot, 4);
  EXPECT_EQ(destinations.size(), static_cast<std::size_t>(kNodes));
}

TEST(HotSpot, TheSeedChooses) {
  std::set<int> spots;
  for (std::uint64_t seed = 0; seed < 200; ++seed) spots.insert(HotSpot(8, 0.1, seed).spot());
  EXPECT_EQ(spots.size(), 8U);
  EXPECT_EQ(HotSpot(8, 0.1, 4).spot(), HotSpot(8, 0.1, 4).spot());
}

TEST(HotSpot, NoFewerThanOneAndNoMoreThanTheOthers) {
  for (const double fraction : {0.001, 1.0}) {
    const HotSpot pattern(6, fraction, 1);
    Random random(9);
    int hot = 0;
    for (int source = 0; source < 6; ++source) {
      bool always = true;
      for (int i = 0; i < 100; ++i) always &= pattern.Draw(source, &random) == pattern.spot();
      hot += always ? 1 : 0;
    }
    EXPECT_EQ(hot, fraction == 1.0 ? 5 : 1);
  }
}

TEST(Permutation, DrawnWithoutFixedPoints) {
  for (const int nodes : {2, 3, 16, 101}) {
    std::set<int> destinations;
    const Permutation pattern = Permutation::Drawn(nodes, 7);
    for (int source = 0; source < nodes; ++source) {
      EXPECT_TRUE(pattern.Sends(source));
      destinations.insert(pattern.Draw(source, nullptr));
    }
    EXPECT_EQ(destinations.size(), static_cast<std::size_t>(nodes));
  }
  std::set<int> first;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    first.insert(Permutation::Drawn(6, seed).Draw(0, nullptr));
  }
  EXPECT_EQ(first.size(), 5U);
}

class PermutationFile : public testing::Test {
 protected:
  std::string ErrorOf(const std::string& text) {
    folder.Write("p.txt", text);
    try {
      Permutation::Read(file, names);
    } catch (const TrafficFileError& error) {
      const std::string what = error.what();
      EXPECT_TRUE(what.starts_with(file.string())) << what;
      return what.substr(file.string().size());
    }
    return "";
  }

  TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "p.txt";
  NodeNames names{{"H0", "H1", "H2", "H3"}};
};

TEST_F(PermutationFile, ByNameOrNumber) {
  EXPECT_EQ(ErrorOf("# all but H3\nH0 H1\n\n1  2 # numbers\r\n\tH2\tH0\n"), "");
  const Permutation pattern = Permutation::Read(file, names);
  EXPECT_EQ(pattern.Draw(0, nullptr), 1);
  EXPECT_EQ(pattern.Draw(1, nullptr), 2);
  EXPECT_EQ(pattern.Draw(2, nullptr), 0);
  EXPECT_FALSE(pattern.Sends(3));
}

TEST_F(PermutationFile, Errors) {
  EXPECT_EQ(ErrorOf("0 1\n\n2\n"), ":3: 1 field; expected 2: source and destination");
  EXPECT_EQ(ErrorOf("0 4\n"),
            ":1: there is no end node \"4\"; expected an end node by name, like H0, or number, 0 "
            "to 3");
  EXPECT_EQ(ErrorOf("0 1\n#\nH0 2\n"),
            ":3: H0 is a source again; expected each source once; it is one in line 1");
  EXPECT_EQ(ErrorOf("0 1\n2 H1\n"),
            ":2: H1 is a destination again; expected each destination once; it is one in line 1");
  std::filesystem::remove(file);
  EXPECT_THROW(Permutation::Read(file, names), TrafficFileError);
}

TEST(OnOff, KeepsTheMeanLoadAndComesInBursts) {
  for (const double load : {0.05, 0.25}) {
    InjectionConfig config = Config(16, load);
    config.on_off = {.on = 300, .off = 900};
    Injection traffic(config, std::make_unique<UniformPattern>(Nodes(16)));
    constexpr Cycle kCycles = 2'000'000;
    std::map<int, Cycle> last;
    int packets = 0;
    int long_gaps = 0;
    while (traffic.NextCycle() < 100 + kCycles) {
      const TrafficEvent event = traffic.Pop();
      const auto before = last.find(event.source);
      if (before != last.end() && event.cycle - before->second > 600) ++long_gaps;
      last[event.source] = event.cycle;
      ++packets;
    }
    const double expected = 16.0 * kCycles * load / 15;
    EXPECT_NEAR(packets, expected, 0.03 * expected);
    // Gaps of more than 600 cycles are times off, which a steady source of load 0.25 never has.
    const double bursts = 16.0 * kCycles / 1200;
    EXPECT_GT(long_gaps, 0.3 * bursts);
  }
}

TEST(OnOff, SendsAtTheHigherRateWhileOn) {
  InjectionConfig config = Config(1, 0.5);
  config.on_off = {.on = 100'000, .off = 100'000};
  config.sources = {0};
  Injection traffic(config, std::make_unique<UniformPattern>(Nodes(2)));
  std::vector<Cycle> gaps;
  for (Cycle last = traffic.Pop().cycle; gaps.size() < 20001;) {
    const Cycle next = traffic.Pop().cycle;
    gaps.push_back(next - last);
    last = next;
  }
  std::nth_element(gaps.begin(), gaps.begin() + 10000, gaps.end());
  EXPECT_NEAR(static_cast<double>(gaps[10000]), 15 * std::log(2), 1);  // at the link rate
}

TEST(OnOff, LeavesTheOtherSourcesAlone) {
  InjectionConfig config = Config(4, 0.2);
  config.on_off = {.on = 50, .off = 70};
  Injection all(config, std::make_unique<UniformPattern>(Nodes(4)));
  config.sources = {0, 1, 3};
  Injection without(config, std::make_unique<UniformPattern>(Nodes(4)));
  for (int i = 0; i < 2000; ++i) {
    TrafficEvent event = all.Pop();
    while (event.source == 2) event = all.Pop();
    ASSERT_EQ(without.Pop(), event);
  }
}

TEST(OnOff, RefusesMoreThanTheLinkRate) {
  InjectionConfig config = Config(4, 0.6);
  config.on_off = {.on = 100, .off = 100};
  EXPECT_THROW(Injection(config, std::make_unique<UniformPattern>(Nodes(4))),
               std::invalid_argument);
}

}  // namespace
}  // namespace lanecut
