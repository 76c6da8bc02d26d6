// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/routing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sw/routing/path_report.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

TEST(Routing, EnginesHaveNames) {
  std::vector<std::string_view> names;
  for (const auto& engine : RoutingEngines()) {
    names.push_back(engine->name());
    EXPECT_FALSE(engine->summary().empty());
    EXPECT_EQ(&FindRoutingEngine(engine->name()), engine.get());
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{
                       "updown", "dor", "minhop", "lash", "dfsssp", "ftree", "mroots", "tor",
                       "lturn", "fx", "smart", "dl", "tftr", "spftr", "spftr-derived", "a-spftr"}));
  try {
    FindRoutingEngine("torus-2qos");
    ADD_FAILURE();
  } catch (const RoutingError& error) {
    EXPECT_STREQ(
        error.what(),
        "no routing engine \"torus-2qos\"; expected one of updown, dor, minhop, lash, "
        "dfsssp, ftree, mroots, tor, lturn, fx, smart, dl, tftr, spftr, spftr-derived, a-spftr");
  }
}

// That route grids.
std::vector<const RoutingEngine*> SinglePathEngines() {
  std::vector<const RoutingEngine*> engines;
  for (const auto& engine : RoutingEngines()) {
    if (!engine->needs_lid_ranges() && engine->name() != "ftree") engines.push_back(engine.get());
  }
  return engines;
}

TEST(Routing, SameRequestSameTables) {
  const Topology t = BuildTorus(Sizes{4, 5}, 2);
  for (const RoutingEngine* engine : SinglePathEngines()) {
    const RoutingRequest request{t, SequentialLids(t), 4, {}};
    EXPECT_EQ(engine->Compute(request), engine->Compute(request)) << engine->name();
  }
}

TEST(Routing, AnyLidsWillDo) {
  // Sparse LIDs in descending order, switches without one.
  const Topology t = BuildTorus(Sizes{3, 4}, 1);
  std::vector<Lid> lids(t.nodes().size(), 0);
  for (std::size_t i = 0; i < t.hcas().size(); ++i)
    lids[t.hcas()[i]] = static_cast<Lid>(900 - 7 * i);
  for (const RoutingEngine* engine : SinglePathEngines()) {
    const RoutingTables tables = engine->Compute({t, lids, 2, {}});
    EXPECT_TRUE(DependencyGraph(t, tables).faults().empty()) << engine->name();
    EXPECT_EQ(tables.lft[0].size(), 901u);
    EXPECT_EQ(tables.lft[0][1], kUnreachablePort);
    EXPECT_EQ(tables.lft[0][0], kUnreachablePort);
  }
}

TEST(Routing, SwitchesReachThemselvesThroughPortZero) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  for (const RoutingEngine* engine : SinglePathEngines()) {
    const RoutingTables tables = engine->Compute({t, SequentialLids(t), 2, {}});
    for (int node : t.switches())
      EXPECT_EQ(tables.lft[node][tables.lids[node]], 0) << engine->name();
    ExpectAllDelivered(t, tables);
  }
}

TEST(Routing, FabricsWithoutSwitchesOrEndNodes) {
  Topology lone;
  lone.AddNode(NodeKind::kHca, "H", 1);
  Topology switches;
  switches.AddNode(NodeKind::kSwitch, "S0_0", 2);
  switches.AddNode(NodeKind::kSwitch, "S1_0", 2);
  switches.AddCable({0, 1}, {1, 1});
  for (const Topology& t : {lone, switches}) {
    for (const auto& engine : RoutingEngines()) {
      for (const bool best : {false, true}) {
        RoutingRequest request{t, SequentialLids(t), 2, {}};
        if (best) request.root_choice = RootChoice::kLeastLoad;
        if (best) request.tree = SpanningTree::kDepthFirst;
        try {
          EXPECT_TRUE(DependencyGraph(t, engine->Compute(request)).faults().empty());
        } catch (const RoutingError&) {  // no grid, for instance
        }
      }
    }
  }
}

TEST(Routing, AnEndNodeWithoutCableIsUnreachable) {
  const Topology whole = BuildTorus(Sizes{3, 3}, 2);
  const int lone = whole.hcas()[3];
  const Topology t = whole.Without(std::vector<int>{whole.PeerOf(lone, 1)->cable});
  for (const RoutingEngine* engine : SinglePathEngines()) {
    const RoutingTables tables = engine->Compute({t, SequentialLids(t), 2, {}});
    for (int node : t.switches()) {
      EXPECT_EQ(tables.lft[node][tables.lids[lone]], kUnreachablePort) << engine->name();
    }
    ExpectAllDelivered(t, tables);
  }
}

TEST(Routing, VlsStayWithinTheRequest) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  for (const RoutingEngine* engine : SinglePathEngines()) {
    for (int vls : {2, 3}) {
      const RoutingTables tables = engine->Compute({t, SequentialLids(t), vls, {}});
      for (int node = 0; node < static_cast<int>(t.nodes().size()); ++node) {
        for (int in = 0; in <= t.node(node).num_ports; ++in) {
          for (int out = 0; out <= t.node(node).num_ports; ++out) {
            for (int sl = 0; sl < kServiceLevels; ++sl) {
              ASSERT_LT(tables.sl2vl[node].At(in, out, sl), vls) << engine->name();
            }
          }
        }
      }
    }
  }
}

std::string RefusalOf(const RoutingRequest& request, const char* engine = "updown") {
  try {
    FindRoutingEngine(engine).Compute(request);
  } catch (const RoutingError& error) {
    return error.what();
  }
  return "none";
}

TEST(Routing, AllLidsOfAnEndNodeLeadToIt) {
  const Topology t = BuildTorus(Sizes{4, 3}, 2);
  RoutingRequest request{t, SequentialLids(t, 2), 2, {}};
  request.lmc = 2;
  for (const RoutingEngine* engine : SinglePathEngines()) {
    RoutingTables tables = engine->Compute(request);
    EXPECT_EQ(tables.lmc, 2) << engine->name();
    // Every source uses every LID.
    tables.alternatives.assign(t.nodes().size(),
                               std::vector<RoutingTables::PathList>(t.nodes().size()));
    for (int source : t.hcas()) {
      for (int destination : t.hcas()) {
        for (int i = 0; i < 4 && source != destination; ++i) {
          tables.alternatives[source][destination].push_back(
              {static_cast<Lid>(tables.lids[destination] + i), tables.sl[source][destination]});
        }
      }
    }
    ExpectAllDelivered(t, tables);
    const DependencyGraph graph(t, tables);
    EXPECT_TRUE(graph.faults().empty()) << engine->name();
    const PathReport report = ReportPaths(t, tables);
    EXPECT_EQ(report.lmc, 2);
    EXPECT_EQ(report.paths, 4 * report.pairs);
    EXPECT_EQ(report.pairs_by_disjoint, (std::vector<std::int64_t>{0, report.pairs}));
  }
}

TEST(Routing, SequentialLidsAreRanges) {
  const Topology t = BuildMesh(Sizes{2}, 2);
  EXPECT_EQ(SequentialLids(t), (std::vector<Lid>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(SequentialLids(t, 2), (std::vector<Lid>{1, 2, 4, 8, 12, 16}));
  const Topology large = BuildTorus(Sizes{32, 32}, 1);
  EXPECT_EQ(SequentialLids(large, 5).back(), 1056 + 1023 * 32 - 0);
  EXPECT_THROW(SequentialLids(large, 6), RoutingError);
}

TEST(Routing, FewerSlsThanVls) {
  const Topology t = BuildTorus(Sizes{5, 5}, 1);
  RoutingRequest request{t, SequentialLids(t), 4, {}};
  request.sls = 2;
  const RoutingTables tables = FindRoutingEngine("updown").Compute(request);
  EXPECT_EQ(ReportPaths(t, tables).sls, 2);
  EXPECT_EQ(ReportPaths(t, tables).vls, 2);
  request.sls = 3;
  EXPECT_EQ(RefusalOf(request, "dor"),
            "dor: 2 dimensions with rings need 2^2 SLs, but there are 3; expected 4 SLs, or engine "
            "updown");
}

TEST(Routing, RefusesWhatNoEngineCanRead) {
  const Topology t = BuildMesh(Sizes{2}, 1);
  const RoutingRequest good{t, {1, 2, 4, 6}, 1, {}, 16, 1};
  EXPECT_EQ(RefusalOf(good), "none");
  const auto with = [&](auto change) {
    RoutingRequest request = good;
    change(request);
    return RefusalOf(request);
  };
  EXPECT_EQ(with([](auto& r) {
              r.lids = {1, 2, 5, 6};
            }),
            "LID 5 of \"H0_0\" with LMC 1; expected a multiple of 2");
  EXPECT_EQ(with([](auto& r) {
              r.lids = {1, 5, 4, 6};
            }),
            "LID 5 belongs to \"S1\" and to \"H0_0\"; expected every LID once");
  EXPECT_EQ(with([](auto& r) { r.lmc = 8; }), "LMC 8; expected 0 to 7");
  EXPECT_EQ(with([](auto& r) { r.sls = 0; }), "0 SLs; expected 1 to 16");
  EXPECT_EQ(with([](auto& r) { r.paths = 0; }), "0 paths for a pair; expected 1 to 128");
  EXPECT_EQ(with([](auto& r) { r.paths = 4; }),
            "4 paths for each pair, and this engine has one; expected 1, or an engine for more, "
            "like tftr");
  EXPECT_EQ(with([](auto& r) {
              r.pairs = {{0, 2}};
            }),
            "nodes 0 and 2 are no pair to serve; expected two end nodes");
}

TEST(Routing, RefusesMalformedRequests) {
  const Topology t = BuildMesh(Sizes{2}, 1);
  const auto refusal = [&](std::vector<Lid> lids, int vls) {
    return RefusalOf({t, std::move(lids), vls, {}});
  };
  EXPECT_EQ(refusal({1, 2, 3, 4}, 1), "none");
  EXPECT_EQ(refusal({1, 2, 2, 4}, 1),
            "LID 2 belongs to \"S1\" and to \"H0_0\"; expected every LID once");
  EXPECT_EQ(refusal({1, 2}, 1), "2 LIDs for 4 nodes; expected one each (0 = none)");
  EXPECT_EQ(refusal({1, 2, 3, 4}, 0), "0 data VLs; expected 1 to 15");
  EXPECT_EQ(refusal({1, 2, 3, 4}, 16), "16 data VLs; expected 1 to 15");
}

TEST(Routing, MinhopIsMinimal) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Topology t = RandomFabric(seed);
    const RoutingTables tables = ComputeRouting("minhop", t, 1);
    ExpectAllDelivered(t, tables);
    for (int a : t.hcas()) {
      const std::vector<int> hops = t.HopsFrom(a);
      for (int b : t.hcas()) {
        EXPECT_EQ(static_cast<int>(TracePath(t, tables, a, b).hops.size()), hops[b]);
      }
    }
  }
}

}  // namespace
}  // namespace lanecut
