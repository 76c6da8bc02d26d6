// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/feeder_rows.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

using Feed = std::tuple<int, int, int, int, int>;  // node; in port, VL; out port, VL

// What packets do, found pair by pair.
std::set<Feed> TracedFeeds(const Topology& t, const RoutingTables& tables) {
  std::set<Feed> feeds;
  for (int source : t.hcas()) {
    for (int destination : t.hcas()) {
      if (source == destination) continue;
      const Path path = TracePath(t, tables, source, destination);
      for (std::size_t i = 1; i < path.hops.size(); ++i) {
        const Hop& hop = path.hops[i];
        feeds.emplace(hop.node, hop.in_port, path.hops[i - 1].vl, hop.out_port, hop.vl);
      }
    }
  }
  return feeds;
}

void ExpectExactly(const Topology& t, const std::vector<FeederRows>& rows,
                   const std::set<Feed>& feeds, int vls) {
  for (int node : t.switches()) {
    const int ports = t.node(node).num_ports;
    for (int in = 0; in < ports * vls; ++in) {
      for (int out = 0; out < ports * vls; ++out) {
        const Feed feed{node, in / vls + 1, in % vls, out / vls + 1, out % vls};
        ASSERT_EQ(rows[node].MayFeed(in / vls + 1, in % vls, out / vls + 1, out % vls),
                  feeds.count(feed) > 0)
            << t.node(node).name << " channel " << in << " to " << out;
      }
    }
  }
}

RoutingTables UpDownFromFirst(const Topology& t, int vls) {
  return FindRoutingEngine("updown").Compute({t, SequentialLids(t), vls, *t.FindNode("S0_0")});
}

bool IsBetweenSwitches(const Topology& t, const Feed& feed) {
  const auto& [node, in, in_vl, out, out_vl] = feed;
  return t.IsSwitch(t.PeerOf(node, in)->node) && t.IsSwitch(t.PeerOf(node, out)->node);
}

TEST(FeederRows, UpDownOnATorusIsAcyclic) {
  const Topology t = BuildTorus(Sizes{8, 8}, 1);
  const RoutingTables tables = UpDownFromFirst(t, 1);
  const DependencyGraph graph(t, tables);
  const std::set<Feed> feeds = TracedFeeds(t, tables);
  EXPECT_EQ(graph.num_dependencies(), static_cast<int>(feeds.size()));
  int between = 0;
  for (const Feed& feed : feeds) between += IsBetweenSwitches(t, feed) ? 1 : 0;
  // Every end node's link feeds, and is fed by, all four links of its switch; of the 768 turns
  // between links of switches these tables use 574.
  EXPECT_EQ(feeds.size(), 574u + 2 * 4 * 64);
  EXPECT_EQ(between, 574);
  ExpectExactly(t, ComputeFeederRows(t, graph, 1), feeds, 1);
}

TEST(FeederRows, TwoEndNodesPerSwitchAndTwoVls) {
  const Topology t = BuildTorus(Sizes{8, 8}, 2);
  const RoutingTables tables = UpDownFromFirst(t, 2);
  const DependencyGraph graph(t, tables);
  ExpectExactly(t, ComputeFeederRows(t, graph, 2), TracedFeeds(t, tables), 2);
}

TEST(FeederRows, DimensionOrderWithDatelines) {
  const Topology t = BuildTorus(Sizes{5, 4}, 2);
  const RoutingTables tables = ComputeRouting("dor", t, 2);
  const DependencyGraph graph(t, tables);
  ExpectExactly(t, ComputeFeederRows(t, graph, 2), TracedFeeds(t, tables), 2);
}

TEST(FeederRows, RandomFabrics) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const Topology t = RandomFabric(seed);
    const RoutingTables tables = ComputeRouting("updown", t, 2);
    const DependencyGraph graph(t, tables);
    ExpectExactly(t, ComputeFeederRows(t, graph, 2), TracedFeeds(t, tables), 2);
  }
}

TEST(FeederRows, EarlierServiceLevelsCount) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  RoutingTables tables = UpDownFromFirst(t, 2);
  RoutingTables before = tables;
  for (int source : t.hcas()) {
    for (int destination : t.hcas()) before.sl[source][destination] ^= 1;
  }
  std::set<Feed> feeds = TracedFeeds(t, tables);
  feeds.merge(TracedFeeds(t, before));
  const DependencyGraph graph(t, tables, before.sl);
  ExpectExactly(t, ComputeFeederRows(t, graph, 2), feeds, 2);
}

TEST(FeederRows, ACycleIsNamed) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  const DependencyGraph graph(t, ComputeRouting("minhop", t, 1));
  try {
    ComputeFeederRows(t, graph, 1);
    FAIL() << "shortest paths on a torus must have a cycle";
  } catch (const RoutingError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("channels would wait for each other's tokens: S"), 0u) << text;
    EXPECT_NE(text.find(" VL0 -> S"), std::string::npos) << text;
  }
}

TEST(FeederRows, VlsThatSwitchesLackAreRefused) {
  const Topology t = BuildMesh(Sizes{2}, 2);
  const DependencyGraph graph(t, ComputeRouting("updown", t, 2));
  EXPECT_THROW(ComputeFeederRows(t, graph, 1), RoutingError);
}

TEST(FeederRows, Blocks) {
  FeederRows small(6, 2);  // 12 rows of a word
  EXPECT_EQ(small.NumBlocks(), 1);
  small.Add(1, 0, 1, 1);
  small.Add(6, 1, 6, 1);
  EXPECT_EQ(small.BlockAt(0)[1], 1u);
  EXPECT_EQ(small.BlockAt(0)[11], 1u << 11);
  EXPECT_EQ(small.BlockAt(0)[12], 0u);

  FeederRows large(14, 5);  // 70 rows of three words, five to a block
  EXPECT_EQ(large.NumBlocks(), 14);
  large.Add(14, 4, 2, 1);  // channel 69 to channel 6: block 1, row 1
  EXPECT_EQ(large.BlockAt(1)[3 + 2], 1u << 5);
  large.Add(1, 1, 14, 4);
  EXPECT_EQ(large.BlockAt(13)[4 * 3], 1u << 1);
  EXPECT_FALSE(large.MayFeed(14, 4, 2, 0));
  EXPECT_TRUE(large.MayFeed(14, 4, 2, 1));
}

}  // namespace
}  // namespace lanecut
