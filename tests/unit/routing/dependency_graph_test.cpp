// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/dependency_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

// A ring of four with one end node at each, in which everything goes round in one direction.
struct OneWayRing {
  Topology t = BuildTorus(Sizes{4}, 1);
  RoutingTables tables = ComputeRouting("minhop", t, 1);

  OneWayRing() {
    for (int node : t.switches()) {
      for (int hca : t.hcas()) {
        std::uint8_t& port = tables.lft[node][tables.lids[hca]];
        if (port != 3) port = 1;
      }
    }
  }
};

TEST(DependencyGraph, NamesAPlantedCycle) {
  const OneWayRing ring;
  const DependencyGraph graph(ring.t, ring.tables);
  EXPECT_TRUE(graph.faults().empty());
  const std::vector<Channel> cycle = graph.FindCycle();
  ASSERT_EQ(cycle.size(), 4u);
  std::string text = DescribeCycle(ring.t, cycle);
  // It may start anywhere.
  const std::string round = "S0 port 1 VL0 -> S1 port 1 VL0 -> S2 port 1 VL0 -> S3 port 1 VL0 -> ";
  EXPECT_NE((round + round).find(text), std::string::npos) << text;
  EXPECT_EQ(text.substr(0, 13), text.substr(text.size() - 13));
}

TEST(DependencyGraph, EveryStepOfACycleIsADependency) {
  const Topology t = BuildTorus(Sizes{4, 4}, 2);
  const DependencyGraph graph(t, ComputeRouting("minhop", t, 2));
  const std::vector<Channel> cycle = graph.FindCycle();
  ASSERT_GE(cycle.size(), 3u) << "shortest paths on a torus of 4 x 4 must have a cycle";
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::vector<Channel> next = graph.SuccessorsOf(cycle[i]);
    EXPECT_NE(std::find(next.begin(), next.end(), cycle[(i + 1) % cycle.size()]), next.end());
  }
}

TEST(DependencyGraph, CountsChannelsAndDependencies) {
  // Line of two, one end node each: per direction injection, middle, ejection.
  const Topology t = BuildMesh(Sizes{2}, 1);
  const DependencyGraph graph(t, ComputeRouting("updown", t, 1));
  EXPECT_EQ(graph.num_channels(), 6);
  EXPECT_EQ(graph.num_dependencies(), 4);
  EXPECT_EQ(graph.SuccessorsOf({t.hcas()[0], 1, 0}), (std::vector<Channel>{{0, 1, 0}}));
  EXPECT_TRUE(graph.SuccessorsOf({0, 3, 0}).empty()) << "ejection depends on nothing";
}

TEST(DependencyGraph, OnlyWaysThatAreUsedCount) {
  // The ring again, but with neighbours talking only: no packet turns from one ring cable to the
  // next.
  OneWayRing ring;
  for (int node : ring.t.switches()) {
    for (int hca : ring.t.hcas()) {
      const int at = ring.t.PeerOf(hca, 1)->node;
      if (at != node && at != (node + 1) % 4) {
        ring.tables.lft[node][ring.tables.lids[hca]] = kUnreachablePort;
      }
    }
  }
  const DependencyGraph graph(ring.t, ring.tables);
  EXPECT_TRUE(graph.FindCycle().empty());
  EXPECT_EQ(graph.faults().size(), 8u);
}

TEST(DependencyGraph, ServiceLevelsPartTheCycle) {
  // In the one-way ring, ways that pass through S0 use SL 1 and with it VL 1. Then VL 0 has no
  // dependency through S0, and VL 1 none through S2, for no way passes through both.
  OneWayRing ring;
  for (int node = 0; node < static_cast<int>(ring.t.nodes().size()); ++node) {
    const int ports = ring.t.node(node).num_ports;
    for (int in = 0; in <= ports; ++in) {
      for (int out = 0; out <= ports; ++out) ring.tables.sl2vl[node].At(in, out, 1) = 1;
    }
  }
  for (int a : ring.t.hcas()) {
    for (int b : ring.t.hcas()) {
      const int from = ring.t.PeerOf(a, 1)->node;
      const int to = ring.t.PeerOf(b, 1)->node;
      if (to < from && to != 0) ring.tables.sl[a][b] = 1;
    }
  }
  EXPECT_TRUE(DependencyGraph(ring.t, ring.tables).FindCycle().empty());
  // All on SL 1, and the cycle is back.
  for (auto& row : ring.tables.sl) std::fill(row.begin(), row.end(), 1);
  const std::vector<Channel> cycle = DependencyGraph(ring.t, ring.tables).FindCycle();
  ASSERT_EQ(cycle.size(), 4u);
  for (const Channel& channel : cycle) EXPECT_EQ(channel.vl, 1);
}

TEST(DependencyGraph, LinksAloneHaveTheCycleThatVlsPart) {
  const Topology torus = BuildTorus(Sizes{4, 4}, 1);
  const RoutingTables dor = ComputeRouting("dor", torus, 2);
  EXPECT_TRUE(DependencyGraph(torus, dor).FindCycle().empty());
  const std::vector<Channel> cycle = DependencyGraph::OfLinks(torus, dor).FindCycle();
  ASSERT_EQ(cycle.size(), 4u);
  for (const Channel& channel : cycle) EXPECT_EQ(channel.vl, 0);
  EXPECT_TRUE(
      DependencyGraph::OfLinks(torus, ComputeRouting("updown", torus, 2)).FindCycle().empty());
  const Topology mesh = BuildMesh(Sizes{4, 4}, 1);
  EXPECT_TRUE(DependencyGraph::OfLinks(mesh, ComputeRouting("dor", mesh, 2)).FindCycle().empty());
}

// The dependencies of channels that no end node's packets take one after the other close it.
TEST(DependencyGraph, LinksOfPacketsThatStandAnywhere) {
  OneWayRing ring;
  for (const int hca : ring.t.hcas()) {
    if (ring.t.PeerOf(hca, 1)->node % 2 != 0) ring.tables.lids[hca] = 0;
  }
  EXPECT_TRUE(DependencyGraph(ring.t, ring.tables).FindCycle().empty());
  EXPECT_EQ(DependencyGraph::OfLinks(ring.t, ring.tables).FindCycle().size(), 4u);
}

TEST(DependencyGraph, ReportsHowPacketsGoAstray) {
  const Topology t = BuildMesh(Sizes{3}, 2);
  const RoutingTables good = ComputeRouting("updown", t, 1);
  const int last = t.hcas().back();
  const Lid lid = good.lids[last];
  // How the way from the first to the last end node ends; the graph must say the same of all pairs
  // as tracing each does.
  const auto end_of = [&](const RoutingTables& tables) {
    const DependencyGraph graph(t, tables);
    for (int a : t.hcas()) {
      for (int b : t.hcas()) {
        const auto fault =
            std::find_if(graph.faults().begin(), graph.faults().end(),
                         [&](const PathFault& f) { return f.source == a && f.destination == b; });
        EXPECT_EQ(fault == graph.faults().end() ? PathEnd::kDelivered : fault->end,
                  TracePath(t, tables, a, b).end);
      }
    }
    return TracePath(t, tables, t.hcas().front(), last).end;
  };
  EXPECT_EQ(end_of(good), PathEnd::kDelivered);
  RoutingTables tables = good;
  tables.lft[1][lid] = 2;  // back where it came from
  EXPECT_EQ(end_of(tables), PathEnd::kLoop);
  tables.lft[1][lid] = kUnreachablePort;
  EXPECT_EQ(end_of(tables), PathEnd::kUnreachable);
  tables.lft[1][lid] = 3;  // to the end node of S1
  EXPECT_EQ(end_of(tables), PathEnd::kMisdelivered);
  tables.lft[1][lid] = 0;  // into the agent of S1
  EXPECT_EQ(end_of(tables), PathEnd::kMisdelivered);
  tables.lft[1].resize(1);
  EXPECT_EQ(end_of(tables), PathEnd::kUnreachable);
  tables = good;
  tables.sl2vl[1].At(2, 1, 0) = kDropVl;
  EXPECT_EQ(end_of(tables), PathEnd::kVlDiscard);
}

TEST(DependencyGraph, TraceShowsPortsAndVls) {
  const Topology t = BuildMesh(Sizes{2}, 1);
  RoutingTables tables = ComputeRouting("updown", t, 1);
  tables.sl2vl[0].At(3, 1, 0) = 4;
  const int a = t.hcas()[0];
  const Path path = TracePath(t, tables, a, t.hcas()[1]);
  EXPECT_EQ(path.hops, (std::vector<Hop>{{a, 0, 1, 0}, {0, 3, 1, 4}, {1, 2, 3, 0}}));
  EXPECT_TRUE(TracePath(t, tables, a, a).hops.empty());
}

TEST(DependencyGraph, NodesWithoutLidTakeNoPart) {
  const Topology t = BuildMesh(Sizes{3}, 1);
  std::vector<Lid> lids = SequentialLids(t);
  lids[t.hcas()[1]] = 0;
  const RoutingTables tables = FindRoutingEngine("updown").Compute({t, lids, 1, {}});
  EXPECT_TRUE(DependencyGraph(t, tables).faults().empty());
}

TEST(DependencyGraph, IsQuickOnTheMainTorus) {
  const Topology t = BuildTorus(Sizes{8, 8}, 2);
  const RoutingTables tables = ComputeRouting("dor", t, 2);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(DependencyGraph(t, tables).FindCycle().empty());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 1.0) << "takes 5 ms on an idle machine";
}

}  // namespace
}  // namespace lanecut
