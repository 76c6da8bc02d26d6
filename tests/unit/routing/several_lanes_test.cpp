// SPDX-License-Identifier: Apache-2.0
//
// Engines that build on up*/down* and use several VLs: Multiple Roots and TOR.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sw/routing/path_report.h"
#include "sw/topology/families.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

RoutingTables Compute(const char* engine, const Topology& t, int vls, int sls = kServiceLevels,
                      SpanningTree tree = SpanningTree::kBreadthFirst) {
  RoutingRequest request{t, SequentialLids(t), vls, {}};
  request.sls = sls;
  request.tree = tree;
  return FindRoutingEngine(engine).Compute(request);
}

// What holds of packets of one pair on their way.
void ExpectVlsNeverFall(const Topology& t, const RoutingTables& tables) {
  for (const int a : t.hcas()) {
    for (const int b : t.hcas()) {
      const Path path = TracePath(t, tables, a, b);
      for (std::size_t i = 2; i + 1 < path.hops.size(); ++i) {
        ASSERT_GE(path.hops[i].vl, path.hops[i - 1].vl);
      }
    }
  }
}

TEST(MultipleRoots, RandomFabricsAndFaults) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Topology whole = RandomFabric(seed);
    for (const Topology& t : {whole, WithRandomFaults(whole, seed, 6)}) {
      const int vls = 1 + static_cast<int>(seed % 5);
      const auto tree = seed % 2 ? SpanningTree::kDepthFirst : SpanningTree::kBreadthFirst;
      const RoutingTables tables = Compute("mroots", t, vls, kServiceLevels, tree);
      ExpectAllDelivered(t, tables);
      ExpectNoDeadlock(t, tables);
      EXPECT_LE(ReportPaths(t, tables).vls, vls);
    }
  }
}

TEST(MultipleRoots, MoreRootsShortenPathsAndSpreadLoad) {
  const Topology t = BuildTorus(Sizes{8, 8}, 2);
  PathReport before = ReportPaths(t, ComputeRouting("updown", t, 1));
  for (const int vls : {2, 4, 8}) {
    const RoutingTables tables = Compute("mroots", t, vls);
    ExpectNoDeadlock(t, tables);
    const PathReport report = ReportPaths(t, tables);
    EXPECT_EQ(report.vls, vls);
    EXPECT_LT(report.total_length, before.total_length);
    EXPECT_LT(report.busiest_link, before.busiest_link);
    before = report;
  }
}

TEST(MultipleRoots, FewerSwitchesThanVls) {
  const Topology t = BuildMesh(Sizes{3}, 2);
  const RoutingTables tables = Compute("mroots", t, 8);
  ExpectAllDelivered(t, tables);
  ExpectNoDeadlock(t, tables);
}

TEST(TransitionOriented, ShortestPathsOnRandomFabricsAndFaults) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Topology whole = RandomFabric(seed);
    for (const Topology& t : {whole, WithRandomFaults(whole, seed, 6)}) {
      const auto tree = seed % 2 ? SpanningTree::kDepthFirst : SpanningTree::kBreadthFirst;
      const RoutingTables tables = Compute("tor", t, 6, kServiceLevels, tree);
      ExpectAllDelivered(t, tables);
      ExpectNoDeadlock(t, tables);
      ExpectVlsNeverFall(t, tables);
      EXPECT_LE(ReportPaths(t, tables).vls, 6);
      for (const int a : t.hcas()) {
        const std::vector<int> hops = t.HopsFrom(a);
        for (const int b : t.hcas()) {
          if (hops[b] < 0) continue;
          ASSERT_EQ(static_cast<int>(TracePath(t, tables, a, b).hops.size()), hops[b]);
        }
      }
    }
  }
}

TEST(TransitionOriented, ThreeVlsServeATorus) {
  const Topology t = BuildTorus(Sizes{8, 8}, 1);
  const RoutingTables tables = Compute("tor", t, 3);
  ExpectNoDeadlock(t, tables);
  const PathReport report = ReportPaths(t, tables);
  EXPECT_NEAR(report.MeanLength(), 4.0635, 0.0001);  // the mean distance
  EXPECT_LE(report.sls, 4);
}

TEST(TransitionOriented, TooFewVlsOrSlsAreAnErrorThatNamesWhatSuffices) {
  const Topology t = BuildTorus(Sizes{5, 5}, 1);
  for (const auto& [vls, sls] : {std::pair(1, 16), std::pair(2, 1), std::pair(1, 1)}) {
    try {
      Compute("tor", t, vls, sls);
      ADD_FAILURE() << vls << " " << sls;
    } catch (const RoutingError& error) {
      const std::string text = error.what();
      const std::size_t at = text.find("expected ");
      ASSERT_NE(at, std::string::npos);
      const int enough_vls = std::stoi(text.substr(at + 9));
      const int enough_sls = std::stoi(text.substr(text.find(" and ", at) + 5));
      ExpectNoDeadlock(t, Compute("tor", t, enough_vls, enough_sls));
    }
  }
}

}  // namespace
}  // namespace lanecut
