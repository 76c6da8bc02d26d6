// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sw/routing/disjoint_search.h"
#include "sw/routing/path_report.h"
#include "sw/topology/families.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

RoutingRequest RequestFor(const Topology& t, int paths, int vls, int sls = kServiceLevels) {
  constexpr int kLmc = 6;
  RoutingRequest request{t, SequentialLids(t, kLmc), vls, {}, sls, kLmc, paths};
  return request;
}

std::string RefusalOf(const RoutingRequest& request) {
  try {
    FindRoutingEngine("tftr").Compute(request);
  } catch (const RoutingError& error) {
    return error.what();
  }
  return "none";
}

// All records arrive, nothing can deadlock, and every pair of switches has as many disjoint paths
// as it can have.
PathReport ExpectGood(const RoutingRequest& request) {
  const Topology& t = request.topology;
  const RoutingTables tables = FindRoutingEngine("tftr").Compute(request);
  const DependencyGraph graph(t, tables);
  EXPECT_EQ(DescribeCycle(t, graph.FindCycle()), "");
  EXPECT_EQ(graph.faults().empty(), t.IsConnected());
  const PathReport report = ReportPaths(t, tables);
  EXPECT_LE(report.vls, request.vls);
  EXPECT_LE(report.sls, request.sls);
  std::vector<std::int64_t> expected;
  const SwitchFabric fabric(t);
  for (const int source : t.hcas()) {
    for (const int destination : t.hcas()) {
      const auto from = t.PeerOf(source, 1);
      const auto to = t.PeerOf(destination, 1);
      if (!from || !to || from->node == to->node) continue;
      const int bound = MostDisjointPaths(fabric, fabric.PlaceOf(from->node),
                                          fabric.PlaceOf(to->node), request.paths)
                            .paths;
      expected.resize(std::max<std::size_t>(expected.size(), bound + 1));
      ++expected[bound];
    }
  }
  EXPECT_EQ(report.pairs_by_disjoint, expected);
  return report;
}

struct TorusCase {
  Sizes sizes;
  int paths;
  int thesis_sls;          // Table 8.2
  double thesis_mean;      // Table 8.5: all paths
  double thesis_shortest;  // ... the shortest of each pair
};

TEST(Tftr, AllPairsOfToriAsInTheThesisOrBetter) {
  for (const TorusCase& each : {TorusCase{{4, 4}, 4, 3, 3.2145, 2.1333},
                                {{5, 5}, 4, 3, 3.9666, 2.5067},
                                {{6, 6}, 4, 4, 4.6885, 3.0873},
                                {{7, 7}, 4, 4, 5.3958, 3.5230}}) {
    SCOPED_TRACE(::testing::PrintToString(each.sizes));
    const Topology t = BuildTorus(each.sizes, 1);
    const PathReport report = ExpectGood(RequestFor(t, each.paths, 2));
    EXPECT_EQ(report.pairs_by_disjoint.size(), each.paths + 1u);
    EXPECT_EQ(report.pairs_by_disjoint.back(), report.pairs);
    EXPECT_LE(report.sls, each.thesis_sls);
    EXPECT_LE(report.MeanLength(), each.thesis_mean);
    EXPECT_LE(report.MeanShortest(), each.thesis_shortest + 0.005);
  }
}

TEST(Tftr, SixPathsInThreeDimensions) {
  const Topology t = BuildTorus(Sizes{3, 3, 3}, 1);
  const PathReport report = ExpectGood(RequestFor(t, 6, 2));
  EXPECT_EQ(report.pairs_by_disjoint.back(), report.pairs);
  EXPECT_LE(report.sls, 3);
}

TEST(Tftr, AnyTopology) {
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const Topology t = RandomFabric(seed);
    ExpectGood(RequestFor(t, 1 + seed % 4, 4));
    ExpectGood(RequestFor(WithRandomFaults(t, seed, 4), 2, 4));
  }
  ExpectGood(RequestFor(BuildHypercube(4, 2), 4, 2));
  ExpectGood(RequestFor(BuildFullMesh(6, 1), 4, 2));
  ExpectGood(RequestFor(BuildDragonfly({4, 1, {}}, 1), 3, 3));
  ExpectGood(RequestFor(BuildXgft(KaryNtree(3, 3)), 3, 2));
  ExpectGood(RequestFor(BuildMesh(Sizes{4, 5}, 2), 4, 3));
  ExpectGood(RequestFor(BuildTorus(Sizes{2, 4}, 1), 4, 2));
}

TEST(Tftr, AroundFailedLinks) {
  const Topology t = BuildTorus(Sizes{5, 5}, 2);
  for (std::uint32_t seed = 0; seed < 6; ++seed)
    ExpectGood(RequestFor(WithRandomFaults(t, seed, 4), 4, 3));
}

TEST(Tftr, PathsComeShortestFirst) {
  const Topology t = BuildTorus(Sizes{5, 5}, 1);
  const RoutingTables tables = FindRoutingEngine("tftr").Compute(RequestFor(t, 4, 2));
  for (const int source : t.hcas()) {
    for (const int destination : t.hcas()) {
      std::size_t before = 0;
      for (int i = 0; i < tables.NumPaths(source, destination); ++i) {
        const auto record = tables.PathOf(source, destination, i);
        const std::size_t hops = TracePath(t, tables, source, destination, record).hops.size();
        EXPECT_LE(before, hops);
        before = hops;
      }
      if (source == destination) continue;
      EXPECT_EQ(tables.sl[source][destination], tables.PathOf(source, destination, 0).sl);
    }
  }
}

TEST(Tftr, SwitchesAreReached) {
  const Topology t = BuildTorus(Sizes{4, 4}, 2);
  ExpectAllDelivered(t, FindRoutingEngine("tftr").Compute(RequestFor(t, 4, 2)));
}

TEST(Tftr, OnlyTheWantedPairs) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  RoutingRequest request = RequestFor(t, 4, 2);
  request.pairs = {{t.hcas()[0], t.hcas()[5]}, {t.hcas()[5], t.hcas()[0]}};
  const RoutingTables tables = FindRoutingEngine("tftr").Compute(request);
  EXPECT_EQ(tables.NumPaths(t.hcas()[0], t.hcas()[5]), 4);
  EXPECT_EQ(tables.NumPaths(t.hcas()[0], t.hcas()[6]), 0);
  EXPECT_EQ(ReportPaths(t, tables).paths, 8);
}

TEST(Tftr, SaysWhatWouldSuffice) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  const std::string sls = RefusalOf(RequestFor(t, 4, 2, 1));
  EXPECT_NE(sls.find("with 2 VLs and 1 SL, the first: "), std::string::npos) << sls;
  EXPECT_NE(sls.find("; expected 2 SLs"), std::string::npos) << sls;
  const std::string vls = RefusalOf(RequestFor(t, 4, 1));
  EXPECT_NE(vls.find("; expected 2 VLs and 2 SLs"), std::string::npos) << vls;
  RoutingRequest request = RequestFor(t, 4, 2);
  request.lids = SequentialLids(t, 1);
  request.lmc = 1;
  EXPECT_EQ(RefusalOf(request).find("tftr: LMC 1 gives 2 LIDs to an end node, and its paths need "),
            0u)
      << RefusalOf(request);
  request.root = t.hcas()[0];
  EXPECT_EQ(RefusalOf(request), "tftr: node 16 cannot be the root; expected a switch");
}

// What it says would suffice does; so do the SLs that it takes of all.
TEST(Tftr, AsManySlsAsItTakesSuffice) {
  struct Case {
    int size;
    int vls;
  };
  for (const Case& each : {Case{4, 2}, Case{5, 4}}) {
    const Topology t = BuildTorus(Sizes{each.size, each.size}, 1);
    const auto refusal = [&](int sls) { return RefusalOf(RequestFor(t, 4, each.vls, sls)); };
    const RoutingTables free = FindRoutingEngine("tftr").Compute(RequestFor(t, 4, each.vls));
    const int sls = ReportPaths(t, free).sls;
    EXPECT_EQ(refusal(sls), "none") << each.size;
    EXPECT_NE(refusal(1).find(fmt::format("expected {} SLs", sls)), std::string::npos) << each.size;
  }
}

TEST(Tftr, FewerPathsIfAllowed) {
  const Topology t = BuildTorus(Sizes{6, 6}, 1);
  RoutingRequest request = RequestFor(t, 4, 2, 2);
  request.fewer_paths = true;
  const RoutingTables tables = FindRoutingEngine("tftr").Compute(request);
  const DependencyGraph graph(t, tables);
  EXPECT_TRUE(graph.FindCycle().empty());
  EXPECT_TRUE(graph.faults().empty());
  const PathReport report = ReportPaths(t, tables);
  EXPECT_EQ(report.sls, 2);
  // The thesis has 75.24 % of the pairs with four paths, 0 % with one.
  EXPECT_EQ(report.pairs_by_disjoint[1], 0);
  EXPECT_GT(report.pairs_by_disjoint[4], report.pairs * 0.95);
}

TEST(Tftr, SameRequestSameTables) {
  const Topology t = BuildTorus(Sizes{5, 4}, 1);
  const RoutingRequest request = RequestFor(t, 4, 2);
  EXPECT_EQ(FindRoutingEngine("tftr").Compute(request), FindRoutingEngine("tftr").Compute(request));
}

TEST(Tftr, BothLanesCarryPackets) {
  const Topology t = BuildTorus(Sizes{6, 6}, 1);
  const RoutingTables tables = FindRoutingEngine("tftr").Compute(RequestFor(t, 4, 2));
  std::vector<std::int64_t> hops(2);
  for (const int source : t.hcas()) {
    for (const int destination : t.hcas()) {
      if (source == destination) continue;
      const Path path = TracePath(t, tables, source, destination);
      for (std::size_t i = 1; i + 1 < path.hops.size(); ++i) ++hops[path.hops[i].vl];
    }
  }
  EXPECT_GT(hops[1], (hops[0] + hops[1]) / 3) << "of first paths, on VL 1";
}

TEST(DisjointBound, OfKnownGraphs) {
  const Topology torus = BuildTorus(Sizes{6, 6}, 1);
  const SwitchFabric fabric(torus);
  // Neighbours: 1 + 3 + 3 + 5, as the way round the ring is no longer than any other.
  EXPECT_EQ(MostDisjointPaths(fabric, 0, 1, 4).paths, 4);
  EXPECT_EQ(MostDisjointPaths(fabric, 0, 1, 4).total_length, 1 + 3 + 3 + 5);
  EXPECT_EQ(MostDisjointPaths(fabric, 0, 1, 3).total_length, 1 + 3 + 3);
  EXPECT_EQ(MostDisjointPaths(fabric, 0, 7, 4).total_length, 2 + 2 + 6 + 6);
  // A shortest way that is in the way of two disjoint ones.
  Topology trap;
  for (const char* name : {"S", "A", "B", "C", "D", "T"}) trap.AddNode(NodeKind::kSwitch, name, 8);
  std::vector<int> used(6, 0);
  for (const auto& [a, b] :
       std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 5}, {0, 3}, {3, 2}, {1, 4}, {4, 5}}) {
    trap.AddCable({a, ++used[a]}, {b, ++used[b]});
  }
  EXPECT_EQ(MostDisjointPaths(SwitchFabric(trap), 0, 5, 4).paths, 2);
  EXPECT_EQ(MostDisjointPaths(SwitchFabric(trap), 0, 5, 4).total_length, 6);
  const SwitchFabric parallel(BuildTorus(Sizes{2}, 1));
  EXPECT_EQ(MostDisjointPaths(parallel, 0, 1, 4).paths, 2);
}

}  // namespace
}  // namespace lanecut
