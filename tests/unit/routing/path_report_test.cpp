// SPDX-License-Identifier: Apache-2.0
//
// The checks of path records, on tables with planted faults.
#include "sw/routing/path_report.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

// Switches of a ring of five with one end node at each and two LIDs for every end node: everything
// to the lower LID goes up the ring, everything to the higher one goes down.
struct TwoWayRing {
  static constexpr int kSize = 5;
  Topology t = BuildTorus(Sizes{kSize}, 1);
  RoutingTables tables;

  TwoWayRing() {
    RoutingRequest request{t, SequentialLids(t, 1), 1, {}, 16, 1};
    tables = FindRoutingEngine("minhop").Compute(request);
    const std::size_t nodes = t.nodes().size();
    tables.alternatives.assign(nodes, std::vector<RoutingTables::PathList>(nodes));
    for (int source : t.hcas()) {
      for (int destination : t.hcas()) {
        if (source == destination) continue;
        const Lid lid = tables.lids[destination];
        tables.alternatives[source][destination] = {{lid, 0}, {static_cast<Lid>(lid + 1), 0}};
      }
    }
    for (int node : t.switches()) {
      for (int destination : t.hcas()) {
        if (t.PeerOf(destination, 1)->node == node) continue;
        tables.lft[node][tables.lids[destination]] = 1;
        tables.lft[node][tables.lids[destination] + 1] = 2;
      }
    }
  }
};

TEST(PathReport, TwoWaysRoundARing) {
  const TwoWayRing ring;
  const PathReport report = ReportPaths(ring.t, ring.tables);
  EXPECT_EQ(report.pairs, 20);
  EXPECT_EQ(report.paths, 40);
  EXPECT_EQ(report.pairs_by_disjoint, (std::vector<std::int64_t>{0, 0, 20}));
  EXPECT_EQ(report.total_length, 20 * TwoWayRing::kSize);
  EXPECT_EQ(report.total_shortest, 5 * (1 + 2 + 2 + 1));
  EXPECT_EQ(report.longest, 4);
  EXPECT_EQ(report.vls, 1);
  EXPECT_EQ(report.sls, 1);
  EXPECT_EQ(report.lmc, 1);
  EXPECT_EQ(report.paths_by_transitions, (std::vector<std::int64_t>{40}));
  EXPECT_DOUBLE_EQ(report.MeanLength(), 2.5);
}

TEST(PathReport, ASharedSwitchIsNotDisjoint) {
  // Both ways over the same switch, on cables of their own.
  Topology t;
  for (const char* name : {"A", "M", "B"}) t.AddNode(NodeKind::kSwitch, name, 8);
  for (int port = 1; port <= 2; ++port) {
    t.AddCable({0, port}, {1, port});
    t.AddCable({1, port + 2}, {2, port});
  }
  const int a = t.AddNode(NodeKind::kHca, "HA", 1);
  const int b = t.AddNode(NodeKind::kHca, "HB", 1);
  t.AddCable({0, 8}, {a, 1});
  t.AddCable({2, 8}, {b, 1});
  RoutingRequest request{t, SequentialLids(t, 1), 1, {}, 16, 1};
  RoutingTables tables = FindRoutingEngine("minhop").Compute(request);
  const Lid to = tables.lids[b];
  tables.lft[0][to] = 1;
  tables.lft[0][to + 1] = 2;
  tables.lft[1][to] = 3;
  tables.lft[1][to + 1] = 4;
  tables.alternatives.assign(5, std::vector<RoutingTables::PathList>(5));
  tables.alternatives[a][b] = {{to, 0}, {static_cast<Lid>(to + 1), 0}};
  tables.alternatives[b][a] = {{tables.lids[a], 0}};
  EXPECT_EQ(ReportPaths(t, tables).pairs_by_disjoint, (std::vector<std::int64_t>{0, 2}));
}

TEST(PathReport, APathThatDoesNotArriveIsNone) {
  TwoWayRing ring;
  const int lost = ring.t.hcas()[2];
  ring.tables.lft[1][ring.tables.lids[lost]] = kUnreachablePort;
  const PathReport report = ReportPaths(ring.t, ring.tables);
  EXPECT_EQ(report.paths, 36);
  EXPECT_EQ(report.pairs_by_disjoint, (std::vector<std::int64_t>{0, 4, 16}));
  EXPECT_EQ(DependencyGraph(ring.t, ring.tables).faults().size(), 4u);
}

TEST(DependencyGraph, FollowsEveryAlternative) {
  // The first paths leave a dependency out, the others close the ring.
  TwoWayRing ring;
  EXPECT_EQ(DependencyGraph(ring.t, ring.tables).FindCycle().size(), 5u);
  for (int source : ring.t.hcas()) {
    for (int destination : ring.t.hcas()) {
      if (source == destination) continue;
      auto& paths = ring.tables.alternatives[source][destination];
      const int hops = (destination - source + TwoWayRing::kSize) % TwoWayRing::kSize;
      if (hops > 1) std::swap(paths[0], paths[1]);
      if (hops > 1 && hops < 4) paths.clear();
    }
  }
  // Ways of one hop, and of four in the other direction: a cycle of the second paths only.
  EXPECT_EQ(DependencyGraph(ring.t, ring.tables).FindCycle().size(), 5u);
  for (auto& row : ring.tables.alternatives) {
    for (auto& paths : row) paths.resize(std::min<std::size_t>(paths.size(), 1));
  }
  const DependencyGraph firsts(ring.t, ring.tables);
  EXPECT_TRUE(firsts.FindCycle().empty());
  EXPECT_EQ(firsts.faults().size(), 10u) << "pairs without a path";
}

TEST(DependencyGraph, LinksOfAllLids) {
  const TwoWayRing ring;
  EXPECT_EQ(DependencyGraph::OfLinks(ring.t, ring.tables).num_channels(), 5 * 2 + 5);
}

}  // namespace
}  // namespace lanecut
