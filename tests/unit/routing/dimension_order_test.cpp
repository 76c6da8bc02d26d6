// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <vector>

#include "sw/routing/path_report.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

// Pairs of end nodes on every channel between switches, by (switch, port) and VL.
using Loads = std::map<std::pair<int, int>, std::map<int, int>>;

Loads LoadsOf(const Topology& t, const RoutingTables& tables) {
  Loads loads;
  for (int a : t.hcas()) {
    for (int b : t.hcas()) {
      const Path path = TracePath(t, tables, a, b);
      for (std::size_t i = 1; i + 1 < path.hops.size(); ++i) {
        ++loads[{path.hops[i].node, path.hops[i].out_port}][path.hops[i].vl];
      }
    }
  }
  return loads;
}

// Ways are minimal, finish each dimension before the next, and cannot deadlock.
void ExpectDimensionOrder(const Topology& t, int vls) {
  const RoutingTables tables = ComputeRouting("dor", t, vls);
  ExpectAllDelivered(t, tables);
  ExpectNoDeadlock(t, tables);
  for (int a : t.hcas()) {
    const std::vector<int> hops = t.HopsFrom(a);
    for (int b : t.hcas()) {
      const Path path = TracePath(t, tables, a, b);
      ASSERT_EQ(static_cast<int>(path.hops.size()), hops[b]);
      std::size_t dimension = 0;
      for (std::size_t i = 1; i + 1 < path.hops.size(); ++i) {
        const auto& from = t.grid()->coordinates[path.hops[i].node];
        const auto& to = t.grid()->coordinates[path.hops[i + 1].node];
        std::size_t d = 0;
        while (from[d] == to[d]) ++d;
        ASSERT_GE(d, dimension);
        dimension = d;
        ASSERT_LT(path.hops[i].vl, vls);
      }
    }
  }
}

TEST(DimensionOrder, RingsAndToriOfEverySize) {
  for (int k = 1; k <= 11; ++k) {
    SCOPED_TRACE(k);
    ExpectDimensionOrder(BuildTorus(Sizes{k}, 2), 2);
    ExpectDimensionOrder(BuildTorus(Sizes{k, k > 6 ? 4 : k}, 1), 2);
    ExpectDimensionOrder(BuildTorus(Sizes{3, k}, 2), 2);
    ExpectDimensionOrder(BuildTorus(Sizes{k}, 1), 3);
  }
}

TEST(DimensionOrder, MoreDimensionsAndMoreVls) {
  for (const Sizes& sizes :
       {Sizes{2, 4}, Sizes{2, 2, 2}, Sizes{3, 3, 3}, Sizes{4, 4, 4}, Sizes{5, 2, 3}, Sizes{1, 6, 4},
        Sizes{2, 2, 2, 2, 2}, Sizes{4, 2, 4, 2}, Sizes{3, 3, 3, 3, 3}}) {
    SCOPED_TRACE(::testing::PrintToString(sizes));
    ExpectDimensionOrder(BuildTorus(sizes, 1), 2);
  }
  ExpectDimensionOrder(BuildTorus(Sizes{6, 5}, 1), 4);
  ExpectDimensionOrder(BuildTorus(Sizes{6, 6}, 1), 8);
}

TEST(DimensionOrder, MeshesNeedOneVl) {
  for (const Sizes& sizes :
       {Sizes{1}, Sizes{2}, Sizes{9}, Sizes{4, 4}, Sizes{2, 5}, Sizes{3, 4, 3}}) {
    SCOPED_TRACE(::testing::PrintToString(sizes));
    ExpectDimensionOrder(BuildMesh(sizes, 2), 1);
    ExpectDimensionOrder(BuildMesh(sizes, 1), 2);
  }
  // Rings of three have ways of one hop only.
  ExpectDimensionOrder(BuildTorus(Sizes{3, 3}, 2), 1);
}

// And none of their links carries more than with two.
TEST(DimensionOrder, RingsOfFourNeedOneVl) {
  for (const Sizes& sizes : {Sizes{4}, Sizes{4, 4}, Sizes{4, 4, 4}, Sizes{4, 3}, Sizes{2, 4},
                             Sizes{4, 4, 2}, Sizes{3, 4, 4}, Sizes{4, 4, 4, 4, 4}}) {
    for (const int concentration : {1, 2}) {
      SCOPED_TRACE(::testing::PrintToString(sizes));
      if (sizes.size() == 5 && concentration > 1) continue;
      const Topology t = BuildTorus(sizes, concentration);
      ExpectDimensionOrder(t, 1);
      if (sizes.size() > 4) continue;  // no SLs to choose among two VLs
      EXPECT_LE(ReportPaths(t, ComputeRouting("dor", t, 1)).busiest_link,
                ReportPaths(t, ComputeRouting("dor", t, 2)).busiest_link);
    }
  }
}

// On the main torus every channel between switches carries the same, and neither VL much more than
// half of it. 0.5625 is the least that two VLs allow: so many of the ways over the channel after a
// cut pass through the cut.
TEST(DimensionOrder, LoadIsEvenOverChannelsAndVls) {
  for (int concentration : {1, 2}) {
    const Topology t = BuildTorus(Sizes{8, 8}, concentration);
    const Loads loads = LoadsOf(t, ComputeRouting("dor", t, 2));
    ASSERT_EQ(loads.size(), 64u * 4);
    const int even = 64 * concentration * concentration;
    int most = 0;
    for (const auto& [port, by_vl] : loads) {
      int sum = 0;
      for (const auto& [vl, pairs] : by_vl) {
        sum += pairs;
        most = std::max(most, pairs);
      }
      EXPECT_EQ(sum, even) << t.node(port.first).name << " port " << port.second;
    }
    RecordProperty("most_on_one_vl_percent", 100 * most / even);
    EXPECT_LE(most, 0.66 * even);
  }
}

TEST(DimensionOrder, InjectionAndEjectionUseBothVls) {
  const Topology t = BuildTorus(Sizes{8, 8}, 2);
  const RoutingTables tables = ComputeRouting("dor", t, 2);
  for (int hca : t.hcas()) {
    int out[2] = {0, 0};
    int in[2] = {0, 0};
    for (int other : t.hcas()) {
      if (other == hca) continue;
      ++out[TracePath(t, tables, hca, other).hops.front().vl];
      ++in[TracePath(t, tables, other, hca).hops.back().vl];
    }
    for (int vl : {0, 1}) {
      EXPECT_GT(out[vl], 127 * 2 / 5);
      EXPECT_GT(in[vl], 127 * 2 / 5);
    }
  }
}

TEST(DimensionOrder, ParallelCablesOfASmallRingShare) {
  const Topology t = BuildTorus(Sizes{2, 4}, 2);
  const Loads loads = LoadsOf(t, ComputeRouting("dor", t, 2));
  const auto sum = [&](int node, int port) {
    int pairs = 0;
    for (const auto& [vl, count] : loads.at({node, port})) pairs += count;
    return pairs;
  };
  for (int node : t.switches()) EXPECT_EQ(sum(node, 1), sum(node, 2));
}

TEST(DimensionOrder, ACutParallelCableIsNoHindrance) {
  const Topology t = BuildTorus(Sizes{2, 4}, 2);
  ExpectDimensionOrder(t.Without(std::vector<int>{t.PeerOf(0, 1)->cable}), 2);
}

std::string RefusalOf(const Topology& t, int vls) {
  try {
    ComputeRouting("dor", t, vls);
  } catch (const RoutingError& error) {
    return error.what();
  }
  return "none";
}

TEST(DimensionOrder, SaysWhyItRefuses) {
  EXPECT_NE(RefusalOf(RandomFabric(3), 2).find("not a mesh or torus; expected"), std::string::npos);
  const Topology t = BuildTorus(Sizes{4, 5}, 1);
  EXPECT_NE(
      RefusalOf(t, 1).find("ring of 5 switches in dimension 1 needs 2 data VLs, but there is 1"),
      std::string::npos)
      << RefusalOf(t, 1);
  const std::string fault = RefusalOf(t.Without(std::vector<int>{t.PeerOf(0, 1)->cable}), 2);
  EXPECT_NE(fault.find("\"S0_0\" has no cable to its neighbour at 1 in dimension 0"),
            std::string::npos)
      << fault;
  const Topology mesh = BuildMesh(Sizes{3, 3}, 1);
  EXPECT_NE(RefusalOf(mesh.Without(std::vector<int>{mesh.PeerOf(4, 2)->cable}), 2).find("no cable"),
            std::string::npos);
  EXPECT_NE(RefusalOf(BuildTorus(Sizes{4, 4, 4, 4, 5}, 0), 2).find("need 2^5 SLs"),
            std::string::npos);
}

}  // namespace
}  // namespace lanecut
