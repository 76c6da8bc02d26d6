// SPDX-License-Identifier: Apache-2.0
//
// Engines that forbid turns and need one VL: L-turn, FX and smart routing; and descending layers,
// which may break L-turn's rules once for every further VL.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "sw/routing/path_report.h"
#include "sw/topology/families.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

RoutingTables Compute(const char* engine, const Topology& t, int vls, bool balance = false,
                      int sls = kServiceLevels) {
  RoutingRequest request{t, SequentialLids(t), vls, {}};
  request.balance = balance;
  request.sls = sls;
  return FindRoutingEngine(engine).Compute(request);
}

TEST(RestrictedTurns, RandomFabricsAndFaults) {
  for (const char* engine : {"lturn", "fx", "smart"}) {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(std::string(engine) + " " + std::to_string(seed));
      const Topology whole = RandomFabric(seed);
      for (const Topology& t : {whole, WithRandomFaults(whole, seed, 6)}) {
        const RoutingTables tables = Compute(engine, t, 1, seed % 2 == 1);
        ExpectAllDelivered(t, tables);
        ExpectNoDeadlock(t, tables);
        // By links alone, so that a packet may be on any VL and come from any switch.
        EXPECT_EQ(DescribeCycle(t, DependencyGraph::OfLinks(t, tables).FindCycle()), "");
      }
    }
  }
}

TEST(RestrictedTurns, AnyRoot) {
  const Topology t = BuildTorus(Sizes{4, 5}, 1);
  for (const char* engine : {"lturn", "fx", "smart", "dl"}) {
    for (const int root : t.switches()) {
      const RoutingTables tables = ComputeRouting(engine, t, 2, root);
      ExpectAllDelivered(t, tables);
      ExpectNoDeadlock(t, tables);
    }
  }
}

TEST(RestrictedTurns, ARowOfSwitchesForbidsNothing) {
  const Topology t = BuildMesh(Sizes{7}, 1);
  for (const char* engine : {"lturn", "fx", "smart", "dl"}) {
    EXPECT_NEAR(ReportPaths(t, Compute(engine, t, 1)).MeanLength(), 8.0 / 3, 1e-9) << engine;
  }
}

// A leaf's end nodes are not all reached over the same switch above: 448 pairs would cross the one
// link then, and 112 do if all four carry the same.
TEST(RestrictedTurns, EndNodesOfASwitchHaveWaysOfTheirOwn) {
  const Topology t = BuildXgft({{8, 8}, {1, 4}});
  const int leaf = t.switches()[0];
  for (const char* engine : {"lturn", "fx", "smart"}) {
    const RoutingTables tables = Compute(engine, t, 1, true);
    ExpectAllDelivered(t, tables);
    ExpectNoDeadlock(t, tables);
    EXPECT_LE(ReportPaths(t, tables).busiest_link, 2 * 112) << engine;
    std::set<int> ports;
    for (const int hca : t.hcas()) {
      if (t.PeerOf(hca, 1)->node == t.switches()[1])
        ports.insert(tables.lft[leaf][tables.lids[hca]]);
    }
    EXPECT_GT(ports.size(), 1u) << engine;
  }
}

TEST(RestrictedTurns, LoadIsLessThanUpDownsOnATorus) {
  // On a torus of 8 x 8 up*/down* puts the most on the links at its root, and that is what the
  // others are for; their paths are no longer.
  const Topology t = BuildTorus(Sizes{8, 8}, 2);
  const PathReport updown = ReportPaths(t, Compute("updown", t, 1, true));
  for (const char* engine : {"lturn", "fx", "smart"}) {
    const PathReport report = ReportPaths(t, Compute(engine, t, 1, true));
    EXPECT_LT(report.busiest_link, 2 * updown.busiest_link / 3) << engine;
    EXPECT_LT(report.total_length, updown.total_length) << engine;
  }
}

TEST(DescendingLayers, RandomFabricsAndFaults) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Topology whole = RandomFabric(seed);
    for (const Topology& t : {whole, WithRandomFaults(whole, seed, 6)}) {
      const int vls = 1 + static_cast<int>(seed % 4);
      const int sls = 1 + static_cast<int>(seed / 4 % 3);
      const RoutingTables tables = Compute("dl", t, vls, false, sls);
      ExpectAllDelivered(t, tables);
      ExpectNoDeadlock(t, tables);
      const PathReport report = ReportPaths(t, tables);
      EXPECT_LE(report.vls, vls);
      EXPECT_LE(report.sls, sls);
      EXPECT_LE(static_cast<int>(report.paths_by_transitions.size()), vls);
    }
  }
}

TEST(DescendingLayers, LayersShortenPaths) {
  const Topology t = BuildTorus(Sizes{8, 8}, 1);
  const PathReport one = ReportPaths(t, Compute("dl", t, 1));
  const PathReport two = ReportPaths(t, Compute("dl", t, 2));
  EXPECT_GT(one.MeanLength(), 4.1);
  EXPECT_NEAR(two.MeanLength(), 4.0635, 0.0001);  // the mean distance
  EXPECT_LT(two.busiest_link, one.busiest_link);
  // Without SLs to tell pairs apart, layers are of no use on this torus.
  EXPECT_EQ(ReportPaths(t, Compute("dl", t, 2, false, 1)).total_length, one.total_length);
}

}  // namespace
}  // namespace lanecut
