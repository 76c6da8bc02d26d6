// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/sl_halves.h"

#include <gtest/gtest.h>

#include "sw/routing/dependency_graph.h"
#include "sw/topology/families.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

struct Function {
  RoutingTables tables;
  RftrPaths paths;
};

Function TftrOf(const Topology& t, const std::vector<int>& cuts) {
  const Topology left = t.Without(cuts);
  RoutingRequest request{left, SequentialLids(left, 4), 2, {}};
  request.lmc = 4;
  request.paths = 2;
  request.sls = kSlsOfHalf;
  request.fewer_paths = true;
  RoutingTables tables = FindRoutingEngine("tftr").Compute(request);
  return {tables, RftrPaths(left, tables, {2, kSlsOfHalf})};
}

TEST(SlHalves, PathsAreTheSameOnOtherSls) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  const Function function = TftrOf(t, {});
  for (const int half : {0, 1}) {
    const RoutingTables placed = InHalf(half, t, function.tables, function.paths);
    for (const int source : t.hcas()) {
      for (const int destination : t.hcas()) {
        if (source == destination) continue;
        for (int i = 0; i < function.tables.NumPaths(source, destination); ++i) {
          const auto before = function.tables.PathOf(source, destination, i);
          const auto now = placed.PathOf(source, destination, i);
          EXPECT_EQ(now.sl, before.sl + FirstSlOf(half));
          EXPECT_EQ(now.dlid, before.dlid);
          const Path path = TracePath(t, placed, source, destination, now);
          EXPECT_EQ(path.end, PathEnd::kDelivered);
          // But for the VL to end nodes, which follows the SL.
          Path old = TracePath(t, function.tables, source, destination, before);
          ASSERT_EQ(path.hops.size(), old.hops.size());
          for (std::size_t hop = 1; hop + 1 < old.hops.size(); ++hop)
            EXPECT_EQ(path.hops[hop], old.hops[hop]);
        }
      }
    }
  }
}

// Packets of an old function under a new one: from every switch, by every port, with every LID.
TEST(SlHalves, StragglersCloseNoCycle) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  for (const std::vector<int>& cuts :
       {std::vector<int>{},
        {t.PeerOf(t.switches()[5], 1)->cable},
        {t.PeerOf(t.switches()[0], 2)->cable, t.PeerOf(t.switches()[9], 3)->cable}}) {
    const Topology left = t.Without(cuts);
    const Function function = TftrOf(t, cuts);
    for (const int half : {0, 1}) {
      const RoutingTables placed = InHalf(half, left, function.tables, function.paths);
      DependencyGraph graph(left, placed);
      EXPECT_TRUE(graph.faults().empty());
      const int before = graph.num_dependencies();
      graph.AddStragglers(left, placed, FirstSlOf(1 - half), kSlsOfHalf);
      EXPECT_GT(graph.num_dependencies(), before);
      EXPECT_EQ(DescribeCycle(left, graph.FindCycle()), "");
      // With the SLs of its own paths they would: what the halves are for.
      DependencyGraph unsafe(left, placed);
      unsafe.AddStragglers(left, placed, FirstSlOf(half), kSlsOfHalf);
      EXPECT_NE(DescribeCycle(left, unsafe.FindCycle()), "");
    }
  }
}

// Most of them have a way on.
TEST(SlHalves, StragglersMostlyArrive) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  const Function function = TftrOf(t, {});
  const RoutingTables placed = InHalf(1, t, function.tables, function.paths);
  int arrived = 0;
  int all = 0;
  for (const int source : t.hcas()) {
    for (const int destination : t.hcas()) {
      for (int i = 0; i < 16 && source != destination; ++i) {
        const auto lid = static_cast<Lid>(placed.lids[destination] + i);
        const PathEnd end = TracePath(t, placed, source, destination, {lid, 0}).end;
        EXPECT_TRUE(end == PathEnd::kDelivered || end == PathEnd::kVlDiscard);
        arrived += end == PathEnd::kDelivered ? 1 : 0;
        ++all;
      }
    }
  }
  EXPECT_GT(arrived, all / 2);
  EXPECT_LT(arrived, all);
}

}  // namespace
}  // namespace lanecut
