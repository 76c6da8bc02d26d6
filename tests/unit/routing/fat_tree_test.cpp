// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sw/routing/path_report.h"
#include "sw/topology/families.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

// All pairs of end nodes, and all of an end node and a switch.
void ExpectGood(const Topology& t) {
  const RoutingTables tables = ComputeRouting("ftree", t, 2);
  ExpectNoDeadlock(t, tables);
  for (const int source : t.hcas()) {
    const std::vector<int> hops = t.HopsFrom(source);
    for (int node = 0; node < static_cast<int>(t.nodes().size()); ++node) {
      const Path path = TracePath(t, tables, source, node);
      ASSERT_EQ(path.end, PathEnd::kDelivered) << t.node(source).name << " " << t.node(node).name;
      if (t.IsSwitch(node)) continue;
      ASSERT_EQ(static_cast<int>(path.hops.size()), hops[node]);
    }
  }
}

TEST(FatTree, ShortestPathsOnTreesOfManyShapes) {
  for (const XgftShape& shape :
       {KaryNtree(2, 2), KaryNtree(4, 2), KaryNtree(2, 4), KaryNtree(3, 3),
        XgftShape{{4, 6}, {1, 2}}, XgftShape{{3, 2, 4}, {1, 2, 3}}, XgftShape{{2, 5}, {1, 3}}}) {
    SCOPED_TRACE(::testing::PrintToString(shape.children));
    ExpectGood(BuildXgft(shape));
  }
}

// Every cable carries what all of its level must carry on average.
TEST(FatTree, LoadIsEven) {
  const auto busiest = [](const XgftShape& shape) {
    const Topology t = BuildXgft(shape);
    return ReportPaths(t, ComputeRouting("ftree", t, 1)).busiest_link;
  };
  EXPECT_EQ(busiest(KaryNtree(4, 3)), 60);                   // 4 end nodes x 60 others / 4 parents
  EXPECT_EQ(busiest(XgftShape{{8, 8}, {1, 4}}), 112);        // 8 x 56 / 4
  EXPECT_EQ(busiest(XgftShape{{4, 4, 4}, {1, 2, 2}}), 192);  // 16 x 48 / (2 x 2), upper level
}

// A parent serves its destinations only: a shift of all end nodes puts no two on a cable.
TEST(FatTree, ShiftsDoNotCollide) {
  const Topology t = BuildXgft(KaryNtree(3, 3));
  const RoutingTables tables = ComputeRouting("ftree", t, 1);
  const int count = static_cast<int>(t.hcas().size());
  for (int shift = 1; shift < count; ++shift) {
    std::vector<std::vector<int>> used(t.nodes().size(), std::vector<int>(16, 0));
    for (int i = 0; i < count; ++i) {
      const Path path = TracePath(t, tables, t.hcas()[i], t.hcas()[(i + shift) % count]);
      for (const Hop& hop : path.hops) ASSERT_EQ(used[hop.node][hop.out_port]++, 0) << shift;
    }
  }
}

TEST(FatTree, RoutesAroundAMissingCable) {
  const Topology t = BuildXgft(KaryNtree(4, 3));
  for (int cable = 0; cable < static_cast<int>(t.cables().size()); cable += 5) {
    if (!t.IsSwitch(t.cables()[cable].a.node) || !t.IsSwitch(t.cables()[cable].b.node)) continue;
    const Topology left = t.Without(std::vector<int>{cable});
    const RoutingTables tables = ComputeRouting("ftree", left, 1);
    ExpectNoDeadlock(left, tables);
  }
}

std::string RefusalOf(const Topology& t) {
  try {
    ComputeRouting("ftree", t, 1);
  } catch (const RoutingError& error) {
    return error.what();
  }
  return "none";
}

TEST(FatTree, RefusesWhatIsNoFatTree) {
  EXPECT_NE(RefusalOf(BuildTorus(Sizes{4, 4}, 1)).find("on level 0; expected a fat tree"),
            std::string::npos);
  EXPECT_NE(RefusalOf(BuildDragonfly({4, 2, std::nullopt}, 1)).find("on level 0"),
            std::string::npos);
  Topology bare;
  for (const char* name : {"A", "B"}) bare.AddNode(NodeKind::kSwitch, name, 1);
  bare.AddCable({0, 1}, {1, 1});
  EXPECT_NE(RefusalOf(bare).find("to no end node"), std::string::npos);
  // A chain of leaf, spine, leaf, spine, leaf: its ends have no common ancestor.
  Topology chain;
  for (int i = 0; i < 5; ++i) chain.AddNode(NodeKind::kSwitch, fmt::format("S{}", i), 4);
  for (int i = 0; i < 4; ++i) chain.AddCable({i, 1}, {i + 1, 2});
  for (const int leaf : {0, 2, 4}) {
    const int hca = chain.AddNode(NodeKind::kHca, fmt::format("H{}", leaf), 1);
    chain.AddCable({leaf, 3}, {hca, 1});
  }
  EXPECT_NE(RefusalOf(chain).find("have no common ancestor"), std::string::npos);
}

}  // namespace
}  // namespace lanecut
