// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/routing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
  EXPECT_EQ(names, (std::vector<std::string_view>{"updown", "dor", "minhop"}));
  try {
    FindRoutingEngine("ftree");
    ADD_FAILURE();
  } catch (const RoutingError& error) {
    EXPECT_STREQ(error.what(), "no routing engine \"ftree\"; expected one of updown, dor, minhop");
  }
}

TEST(Routing, SameRequestSameTables) {
  const Topology t = BuildTorus(Sizes{4, 5}, 2);
  for (const auto& engine : RoutingEngines()) {
    const RoutingRequest request{t, SequentialLids(t), 2, {}};
    EXPECT_EQ(engine->Compute(request), engine->Compute(request)) << engine->name();
  }
}

TEST(Routing, AnyLidsWillDo) {
  // Sparse LIDs in descending order, switches without one.
  const Topology t = BuildTorus(Sizes{3, 4}, 1);
  std::vector<Lid> lids(t.nodes().size(), 0);
  for (std::size_t i = 0; i < t.hcas().size(); ++i)
    lids[t.hcas()[i]] = static_cast<Lid>(900 - 7 * i);
  for (const auto& engine : RoutingEngines()) {
    const RoutingTables tables = engine->Compute({t, lids, 2, {}});
    EXPECT_TRUE(DependencyGraph(t, tables).faults().empty()) << engine->name();
    EXPECT_EQ(tables.lft[0].size(), 901u);
    EXPECT_EQ(tables.lft[0][1], kUnreachablePort);
    EXPECT_EQ(tables.lft[0][0], kUnreachablePort);
  }
}

TEST(Routing, SwitchesReachThemselvesThroughPortZero) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  for (const auto& engine : RoutingEngines()) {
    const RoutingTables tables = engine->Compute({t, SequentialLids(t), 2, {}});
    for (int node : t.switches())
      EXPECT_EQ(tables.lft[node][tables.lids[node]], 0) << engine->name();
    ExpectAllDelivered(t, tables);
  }
}

TEST(Routing, AnEndNodeWithoutCableIsUnreachable) {
  const Topology whole = BuildTorus(Sizes{3, 3}, 2);
  const int lone = whole.hcas()[3];
  const Topology t = whole.Without(std::vector<int>{whole.PeerOf(lone, 1)->cable});
  for (const auto& engine : RoutingEngines()) {
    const RoutingTables tables = engine->Compute({t, SequentialLids(t), 2, {}});
    for (int node : t.switches()) {
      EXPECT_EQ(tables.lft[node][tables.lids[lone]], kUnreachablePort) << engine->name();
    }
    ExpectAllDelivered(t, tables);
  }
}

TEST(Routing, VlsStayWithinTheRequest) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  for (const auto& engine : RoutingEngines()) {
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

TEST(Routing, RefusesMalformedRequests) {
  const Topology t = BuildMesh(Sizes{2}, 1);
  const auto refusal = [&](std::vector<Lid> lids, int vls) -> std::string {
    try {
      FindRoutingEngine("updown").Compute({t, std::move(lids), vls, {}});
    } catch (const RoutingError& error) {
      return error.what();
    }
    return "none";
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
