// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/routing/path_report.h"
#include "sw/routing/pattern_torus.h"
#include "sw/routing/spftr_data.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

constexpr int kLmc = 5;

struct Variant {
  const char* engine;
  int sls;
};
constexpr Variant kSpftr = {"spftr", 4};
constexpr Variant kDerived = {"spftr-derived", 4};
constexpr Variant kASpftr = {"a-spftr", 3};

// As many paths as a switch has links.
int PathsIn(const Topology& t) { return 2 * static_cast<int>(t.grid()->sizes.size()); }

RoutingRequest RequestFor(const Topology& t, const Variant& variant = kSpftr, int lmc = kLmc) {
  return {t, SequentialLids(t, lmc), 2, {}, variant.sls, lmc, PathsIn(t)};
}

RoutingTables Compute(const Topology& t, const Variant& variant = kSpftr, int lmc = kLmc) {
  return FindRoutingEngine(variant.engine).Compute(RequestFor(t, variant, lmc));
}

// Every pair has four (or six) paths that arrive, share no switch and no link, and change their VL
// at most once; no cycle of channels.
PathReport ExpectGood(const Topology& t, const Variant& variant = kSpftr, int lmc = kLmc) {
  const RoutingTables tables = Compute(t, variant, lmc);
  const DependencyGraph graph(t, tables);
  EXPECT_EQ(DescribeCycle(t, graph.FindCycle()), "");
  EXPECT_TRUE(graph.faults().empty());
  const PathReport report = ReportPaths(t, tables);
  std::vector<std::int64_t> all_disjoint(PathsIn(t), 0);
  all_disjoint.push_back(report.pairs);
  EXPECT_EQ(report.pairs_by_disjoint, all_disjoint);
  EXPECT_LE(report.paths_by_transitions.size(), 2u);
  EXPECT_EQ(report.vls, 2);
  EXPECT_EQ(report.sls, variant.sls);
  EXPECT_LE(report.lmc, lmc);
  return report;
}

struct Golden {
  int size;
  double mean;
  double shortest;
  int longest;
};

TEST(Spftr, FourPathsForAllPairsAtEverySize) {
  // Means over all paths and over the shortest of each pair, from an independent computation.
  for (const Golden& golden : {Golden{5, 4.2888, 2.5400, 11},
                               {6, 5.1560, 3.1238, 14},
                               {7, 5.9726, 3.6509, 17},
                               {8, 6.7548, 4.2674, 20}}) {
    SCOPED_TRACE(golden.size);
    const PathReport report = ExpectGood(BuildTorus(Sizes{golden.size, golden.size}, 1));
    EXPECT_NEAR(report.MeanLength(), golden.mean, 0.00005);
    EXPECT_NEAR(report.MeanShortest(), golden.shortest, 0.00005);
    EXPECT_EQ(report.longest, golden.longest);
  }
  for (const Sizes& sizes : {Sizes{9, 9}, Sizes{12, 12}, Sizes{6, 8}, Sizes{8, 6}}) {
    SCOPED_TRACE(::testing::PrintToString(sizes));
    ExpectGood(BuildTorus(sizes, 1));
  }
}

TEST(Spftr, SeveralEndNodesPerSwitch) { ExpectGood(BuildTorus(Sizes{5, 5}, 3)); }

TEST(Spftr, TheExampleOfTheAppendix) {
  // Figure A.1: 5 x 5, from switch 16 to switch 8 (5 y + x).
  const Topology t = BuildTorus(Sizes{5, 5}, 1);
  const RoutingTables tables = Compute(t);
  const int source = *t.FindNode("H1_3_0");
  const int destination = *t.FindNode("H3_1_0");
  std::set<std::pair<int, std::vector<int>>> paths;  // SL, switches
  for (int i = 0; i < tables.NumPaths(source, destination); ++i) {
    const auto record = tables.PathOf(source, destination, i);
    std::vector<int> switches;
    for (const Hop& hop : TracePath(t, tables, source, destination, record).hops) {
      if (t.IsSwitch(hop.node)) switches.push_back(hop.node);
    }
    paths.insert({record.sl, switches});
  }
  EXPECT_EQ(paths,
            (std::set<std::pair<int, std::vector<int>>>{{1, {16, 11, 6, 7, 8}},
                                                        {0, {16, 17, 18, 13, 8}},
                                                        {1, {16, 15, 10, 5, 0, 1, 2, 3, 8}},
                                                        {0, {16, 21, 22, 23, 24, 19, 14, 9, 8}}}));
}

TEST(Spftr, SixPathsForAllPairsInThreeDimensions) {
  // TFTR, which searches for paths, has 4.1605 on 4x4x4.
  const PathReport small = ExpectGood(BuildTorus(Sizes{4, 4, 4}, 1));
  EXPECT_LE(small.MeanLength(), 4.1605);
  EXPECT_LE(small.longest, 9);
  for (const Sizes& sizes : {Sizes{5, 5, 5}, Sizes{5, 7, 6}}) {
    SCOPED_TRACE(::testing::PrintToString(sizes));
    ExpectGood(BuildTorus(sizes, 1), kSpftr, 6);
  }
}

TEST(DerivedSpftr, ShorterThanThePrintedOnesAndForMoreSizes) {
  for (const int size : {5, 6, 8}) {
    SCOPED_TRACE(size);
    const Topology t = BuildTorus(Sizes{size, size}, 1);
    const PathReport derived = ExpectGood(t, kDerived);
    const PathReport printed = ReportPaths(t, Compute(t));
    EXPECT_LT(derived.MeanLength(), printed.MeanLength());
    EXPECT_LT(derived.MeanShortest(), printed.MeanShortest());
    EXPECT_LT(derived.longest, printed.longest);
  }
  for (const Sizes& sizes : {Sizes{4, 4}, Sizes{5, 7}, Sizes{13, 5}}) {
    SCOPED_TRACE(::testing::PrintToString(sizes));
    ExpectGood(BuildTorus(sizes, 1), kDerived);
  }
}

TEST(DerivedSpftr, TheSameAsSpftrInThreeDimensions) {
  const Topology t = BuildTorus(Sizes{4, 4, 4}, 1);
  EXPECT_EQ(Compute(t, kDerived), Compute(t));
}

TEST(Spftr, SwitchesHaveTheTableOfTheirRegionInThreeDimensions) {
  // From one growing direction to another the VL depends on whether the switch is the last one
  // along that other axis (Table 4.2, ports 0 to 1), whatever the plane.
  constexpr int kAxes = 3;
  // The ports of an axis are next to each other, that of the growing direction first.
  const auto growing = [](int axis) { return 2 * axis + 1; };
  const auto falling = [](int axis) { return 2 * axis + 2; };
  const Topology t = BuildTorus(Sizes{5, 5, 5}, 1);
  const RoutingTables tables = Compute(t, kSpftr, 6);
  const auto& coordinates = t.grid()->coordinates;
  for (const int node : t.switches()) {
    for (int from = 0; from < kAxes; ++from) {
      for (int to = 0; to < kAxes; ++to) {
        if (from == to) continue;
        std::string lanes;
        // A packet that moves on along an axis comes in by the port of the falling direction.
        for (int sl = 0; sl < 4; ++sl) {
          lanes += static_cast<char>('0' + tables.sl2vl[node].At(falling(from), growing(to), sl));
        }
        EXPECT_EQ(lanes, coordinates[node][to] == 4 ? "1111" : "0100") << t.node(node).name;
      }
    }
  }
}

TEST(Spftr, PathsThatShareASwitchDoNotCount) {
  const Topology t = BuildTorus(Sizes{5, 5}, 1);
  const RoutingRequest request = RequestFor(t);
  const PatternScheme scheme = {
      .engine = "test",
      .shape = "",
      .takes = [](std::span<const int>) { return true; },
      .sls = kSpftrSls,
      .region_of =
          [](std::span<const int> at, std::span<const int> sizes) {
            return static_cast<int>(LastBitsOf(at, sizes));
          },
      .lanes = [](int heading, int next,
                  int region) { return SpftrLanes(heading, next, static_cast<LastBits>(region)); }};
  const PatternTorus torus(request, scheme);
  // "1HR D R" crosses "D R" where both turn to the right, if it is a column from the destination's.
  const std::vector<Movement> pattern =
      ParseMovements(std::vector<std::string_view>{"1HR D R", "D R", "U R", "L D"});
  const auto find = [&](int from, int to, std::vector<SwitchPath>& paths) {
    paths.assign(pattern.size(), {});
    for (std::size_t i = 0; i < pattern.size(); ++i) torus.Walk(pattern[i], from, to, paths[i]);
  };
  try {
    torus.MakeTables(find, "other patterns");
    FAIL() << "no error";
  } catch (const RoutingError& error) {
    EXPECT_NE(std::string(error.what()).find("have only"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("expected other patterns"), std::string::npos);
  }
}

TEST(ASpftr, FourPathsForAllPairsAtEverySize) {
  // Never longer than SPFTR's, which has one SL more: means of SPFTR as above.
  for (const Golden& spftr : {Golden{5, 4.2888, 2.5400, 11},
                              {6, 5.1560, 3.1238, 14},
                              {7, 5.9726, 3.6509, 17},
                              {8, 6.7548, 4.2674, 20}}) {
    SCOPED_TRACE(spftr.size);
    const PathReport report = ExpectGood(BuildTorus(Sizes{spftr.size, spftr.size}, 1), kASpftr);
    EXPECT_LT(report.MeanLength(), spftr.mean);
    EXPECT_LT(report.MeanShortest(), spftr.shortest);
    EXPECT_LE(report.longest, spftr.longest);
  }
  for (const Sizes& sizes : {Sizes{9, 9}, Sizes{12, 12}, Sizes{6, 8}, Sizes{5, 9}, Sizes{13, 5}}) {
    SCOPED_TRACE(::testing::PrintToString(sizes));
    ExpectGood(BuildTorus(sizes, 1), kASpftr);
  }
}

TEST(ASpftr, SeveralEndNodesPerSwitch) { ExpectGood(BuildTorus(Sizes{5, 5}, 3), kASpftr); }

TEST(ASpftr, SwitchesHaveTheTableOfTheirRegion) {
  // Of Table 4.3, a turn that differs between regions, read off the SLtoVL tables: from right to
  // up, on SLs 0, 1, 2.
  constexpr int kRight = 1;
  constexpr int kUp = 4;
  const Topology t = BuildTorus(Sizes{6, 5}, 1);
  const RoutingTables tables = Compute(t, kASpftr);
  const auto lanes = [&](const char* name) {
    const SlToVlTable& table = tables.sl2vl[*t.FindNode(name)];
    std::string text;
    for (int sl = 0; sl < 3; ++sl) text += static_cast<char>('0' + table.At(kRight, kUp, sl));
    return text;
  };
  const std::vector<std::pair<const char*, const char*>> expected = {
      {"S0_0", "111"}, {"S3_0", "111"}, {"S5_0", "111"}, {"S0_2", "011"}, {"S1_2", "101"},
      {"S3_2", "111"}, {"S5_2", "111"}, {"S0_4", "101"}, {"S4_4", "101"}, {"S5_4", "111"}};
  for (const auto& [name, text] : expected) EXPECT_EQ(lanes(name), text) << name;
}

TEST(Spftr, DataAreThoseOfTheAppendix) {
  // Patterns are numbered in the order of their first appearance, and all are used.
  std::set<int> seen;
  for (std::size_t source = 0; source < SpftrCells().size(); ++source) {
    for (std::size_t destination = 0; destination < SpftrCells().size(); ++destination) {
      const int pattern = SpftrCells()[source][destination];
      ASSERT_EQ(pattern < 0, source == destination);
      if (pattern < 0 || seen.contains(pattern)) continue;
      EXPECT_EQ(pattern, static_cast<int>(seen.size()));
      seen.insert(pattern);
    }
  }
  EXPECT_EQ(seen.size(), SpftrPatterns().size());
  EXPECT_EQ(std::set(SpftrMovements().begin(), SpftrMovements().end()).size(), 155u);
}

TEST(Spftr, Refusals) {
  const auto refusal = [](const RoutingRequest& request,
                          const Variant& variant = kSpftr) -> std::string {
    try {
      FindRoutingEngine(variant.engine).Compute(request);
    } catch (const RoutingError& error) {
      return error.what();
    }
    return "none";
  };
  const Topology t = BuildTorus(Sizes{5, 5}, 1);
  const auto with = [&](auto change, const Variant& variant = kSpftr) {
    RoutingRequest request = RequestFor(t, variant);
    change(request);
    return refusal(request, variant);
  };
  EXPECT_EQ(refusal(RequestFor(t)), "none");
  EXPECT_EQ(with([](auto& r) { r.sls = 3; }), "spftr: 2 data VLs and 3 SLs; expected 2 and 4");
  EXPECT_EQ(with([](auto& r) { r.vls = 1; }), "spftr: 1 data VLs and 4 SLs; expected 2 and 4");
  EXPECT_EQ(with([](auto& r) { r.paths = 5; }), "spftr: 5 paths for each pair; expected at most 4");
  for (const Topology& other :
       {BuildTorus(Sizes{4, 5}, 1), BuildMesh(Sizes{5, 5}, 1), BuildTorus(Sizes{4, 4, 5}, 1),
        BuildTorus(Sizes{3, 3, 3}, 1), BuildTorus(Sizes{3, 3, 3, 3}, 1), RandomFabric(1)}) {
    EXPECT_EQ(refusal({other, SequentialLids(other, 2), 2, {}, 4, 2, 4}),
              "spftr: the topology is no torus of two or three dimensions of 5 switches or more, "
              "nor one of 4x4x4; expected one, or engine tftr, which takes any topology");
  }
  const Topology cube = BuildTorus(Sizes{5, 5, 5}, 1);
  EXPECT_EQ(refusal({cube, SequentialLids(cube, 5), 2, {}, 3, 5, 6}, kASpftr),
            "a-spftr: the topology is no torus of two dimensions of 5 switches or more; expected "
            "one, or engine tftr, which takes any topology");
  EXPECT_EQ(refusal({cube, SequentialLids(cube, 3), 2, {}, 4, 3, 7}),
            "spftr: 7 paths for each pair; expected at most 6");
  EXPECT_EQ(with([](auto& r) { r.sls = 2; }, kASpftr),
            "a-spftr: 2 data VLs and 2 SLs; expected 2 and 3");
  const Topology cut = t.Without(std::vector<int>{0});
  EXPECT_NE(refusal(RequestFor(cut)).find("has no link to a neighbour"), std::string::npos);
}

}  // namespace
}  // namespace lanecut
