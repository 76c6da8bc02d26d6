// SPDX-License-Identifier: Apache-2.0
//
// Bring-up of whole fabrics over a software double: everything found, everything loaded, everything
// refused that must be.
#include <gtest/gtest.h>

#include "tests/unit/subnet_manager/fabric_double.h"
#include "tests/unit/subnet_manager/test_fabrics.h"

namespace lanecut {
namespace {

constexpr Cycle kLimit = 20'000'000;

struct Fabric {
  const char* name;
  Topology (*build)();
};

void ExpectEndNodePorts(FabricDouble& fabric) {
  const Topology& topology = fabric.topology();
  for (int node = 0; node < static_cast<int>(topology.nodes().size()); ++node) {
    if (!topology.IsSwitch(node)) continue;
    int mask = 0;
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      const auto peer = topology.PeerOf(node, port);
      if (peer && !topology.IsSwitch(peer->node)) mask |= 1 << port;
    }
    EXPECT_EQ(fabric.agent(node).end_node_ports.ports, mask) << topology.node(node).name;
    EXPECT_TRUE(fabric.agent(node).end_node_ports.transit_first);
  }
}

class BringUp : public testing::TestWithParam<Fabric> {};

TEST_P(BringUp, FindsAndLoadsEverything) {
  FabricDouble fabric(GetParam().build(), {});
  SubnetManager& manager = fabric.StartManager({});
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  ASSERT_EQ(manager.phase(), SmPhase::kUp) << fabric.events().back().detail;
  EXPECT_TRUE(manager.IsUp());
  EXPECT_EQ(manager.topology().cables().size(), fabric.topology().cables().size());
  for (const Cable& cable : fabric.topology().cables()) {
    const int node = *manager.topology().FindNode(fabric.topology().node(cable.a.node).name);
    const auto peer = manager.topology().PeerOf(node, cable.a.port);
    ASSERT_TRUE(peer);
    EXPECT_EQ(manager.topology().node(peer->node).guid, fabric.topology().node(cable.b.node).guid);
    EXPECT_EQ(peer->port, cable.b.port);
  }
  ExpectTablesLoaded(fabric);
  ExpectAllDeliverable(fabric);
  ExpectEndNodePorts(fabric);
  EXPECT_EQ(manager.counters().retries, 0u);
  EXPECT_EQ(manager.counters().refused, 0u);
  EXPECT_EQ(manager.counters().unmatched, 0u);
}

TEST_P(BringUp, SurvivesLossOfManagementPackets) {
  DoubleOptions options;
  options.loss = 0.05;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    options.seed = seed;
    FabricDouble fabric(GetParam().build(), options);
    SubnetManager& manager = fabric.StartManager({});
    ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
    ASSERT_EQ(manager.phase(), SmPhase::kUp) << fabric.events().back().detail;
    ExpectTablesLoaded(fabric);
    ExpectAllDeliverable(fabric);
    const bool is_large = fabric.topology().nodes().size() > 10;
    EXPECT_TRUE(!is_large || manager.counters().retries > 0);
  }
}

TEST_P(BringUp, WorksWithOptimizedSlToVlAndNoisyAgents) {
  DoubleOptions options;
  options.optimized_sl_to_vl = true;
  options.traps_for_sets = true;
  FabricDouble fabric(GetParam().build(), options);
  SubnetManager& manager = fabric.StartManager({});
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  ASSERT_EQ(manager.phase(), SmPhase::kUp) << fabric.events().back().detail;
  ExpectTablesLoaded(fabric);
  ExpectAllDeliverable(fabric);
  EXPECT_EQ(manager.counters().traps, 0u);  // no traps for what the manager did itself
}

INSTANTIATE_TEST_SUITE_P(Fabrics, BringUp,
                         testing::Values(Fabric{"TwoSwitches", TwoSwitches},
                                         Fabric{"Torus4x4",
                                                [] {
                                                  return Torus({4, 4}, 2);
                                                }},
                                         Fabric{"Torus2x4",
                                                [] {
                                                  return Torus({2, 4}, 1);
                                                }},
                                         Fabric{"Torus3x3x3",
                                                [] {
                                                  return Torus({3, 3, 3}, 1);
                                                }},
                                         Fabric{"Irregular", Irregular}),
                         [](const auto& param_info) { return param_info.param.name; });

TEST(BringUpSettings, HoqLifeGoesToTheLinkPortsOfSwitches) {
  FabricDouble fabric(Torus({4, 4}, 2), {});
  SmConfig config;
  config.hoq_life = 3;
  fabric.StartManager(config);
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  const Topology& topology = fabric.topology();
  for (int node = 0; node < static_cast<int>(topology.nodes().size()); ++node) {
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      if (!topology.PeerOf(node, port)) continue;
      EXPECT_EQ(fabric.agent(node).ports[static_cast<std::size_t>(port)].set.hoq_life,
                topology.IsSwitch(node) ? 3 : 0)
          << topology.node(node).name;
    }
  }
}

SmConfig WithArbitration() {
  SmConfig config;
  config.vl_arbitration = {.high = {{0, 0}, {1, 7}}, .low = {{0, 3}}, .high_limit = 9};
  return config;
}

TEST(BringUpSettings, VlArbitrationGoesToAllPortsOfLinks) {
  FabricDouble fabric(Torus({4, 4}, 2), {});
  fabric.StartManager(WithArbitration());
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  EXPECT_TRUE(fabric.manager().IsUp());
  const Topology& topology = fabric.topology();
  for (int node = 0; node < static_cast<int>(topology.nodes().size()); ++node) {
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      if (!topology.PeerOf(node, port)) continue;
      FabricDouble::Port& set = fabric.agent(node).ports[static_cast<std::size_t>(port)];
      EXPECT_EQ(set.set.vl_high_limit, 9);
      EXPECT_EQ(set.arbitration.size(), 2U);
      const auto& high = set.arbitration[ib::kVlArbitrationHigh].entries;
      EXPECT_EQ(high[1], (ib::VlArbitrationEntry{1, 7}));
      EXPECT_EQ(high[2], ib::VlArbitrationEntry{});
      EXPECT_EQ(set.arbitration[ib::kVlArbitrationLow].entries[0], (ib::VlArbitrationEntry{0, 3}));
    }
  }
}

TEST(BringUpSettings, WithoutVlArbitrationTheTablesAreLeftAlone) {
  FabricDouble fabric(TwoSwitches(), {});
  fabric.StartManager({});
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  for (FabricDouble::Port& port : fabric.agent("S0").ports) EXPECT_TRUE(port.arbitration.empty());
}

TEST(BringUpSettings, VlArbitrationBeyondThePortsIsRefused) {
  FabricDouble fabric(TwoSwitches(), {.arbitration_entries = 1});
  fabric.StartManager(WithArbitration());
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  EXPECT_EQ(fabric.manager().phase(), SmPhase::kFailed);
  const std::string& why = fabric.events().back().detail;
  EXPECT_NE(why.find("tables of 1 and 1 entries; needed are 2 and 1"), std::string::npos) << why;
}

TEST(BringUpOrder, LidsGoToEndNodesFirstByGuid) {
  FabricDouble fabric(TwoSwitches(), {});
  fabric.StartManager({});
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  EXPECT_EQ(fabric.agent("H0").lid, 1);
  EXPECT_EQ(fabric.agent("H1").lid, 2);
  EXPECT_EQ(fabric.agent("S0").lid, 3);
  EXPECT_EQ(fabric.agent("S1").lid, 4);
  EXPECT_EQ(fabric.agent("S1").master_lid, 1);
}

TEST(BringUpOrder, EventsComeInOrder) {
  FabricDouble fabric(TwoSwitches(), {});
  fabric.StartManager({});
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  std::vector<SmEventKind> kinds;
  for (const SmEvent& event : fabric.events()) kinds.push_back(event.kind);
  EXPECT_EQ(kinds,
            (std::vector<SmEventKind>{SmEventKind::kDiscoveryDone, SmEventKind::kTablesComputed,
                                      SmEventKind::kLidsAssigned, SmEventKind::kTablesLoaded,
                                      SmEventKind::kSubnetUp}));
  EXPECT_EQ(fabric.events().front().detail, "2 switches, 2 end nodes, 3 links");
}

TEST(BringUpOrder, NoPortIsActiveBeforeAllAreArmedAndTablesLoaded) {
  FabricDouble fabric(Torus({4, 4}, 1), {});
  fabric.outbound_filter = [&](const Mad& mad) {
    if (mad.method() != ib::MadMethod::kSet || mad.attribute() != ib::MadAttribute::kPortInfo)
      return true;
    if (ib::PortInfo::Decode(mad).port_state != ib::PortState::kActive) return true;
    EXPECT_TRUE(fabric.Find(SmEventKind::kTablesLoaded).has_value());
    for (const Cable& cable : fabric.topology().cables()) {
      EXPECT_GE(fabric.agent(cable.a.node).ports[cable.a.port].state, ib::PortState::kArmed);
      EXPECT_GE(fabric.agent(cable.b.node).ports[cable.b.port].state, ib::PortState::kArmed);
    }
    return true;
  };
  fabric.StartManager({});
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  EXPECT_TRUE(fabric.manager().IsUp());
}

TEST(BringUpOrder, SetsMtuAndVlsOfBothEnds) {
  FabricDouble fabric(TwoSwitches(), {});
  fabric.StartManager({});
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  const ib::PortInfo& set = fabric.agent("S0").ports[2].set;
  EXPECT_EQ(set.neighbor_mtu, 2);
  EXPECT_EQ(set.operational_vls, 2);
  EXPECT_EQ(fabric.agent("H0").ports[1].set.lmc, 0);
}

TEST(BringUpCost, EightByEightTorus) {
  DoubleOptions options;
  options.optimized_sl_to_vl = true;
  FabricDouble fabric(Torus({8, 8}, 2), options);
  SmConfig config;
  config.window = 16;
  SubnetManager& manager = fabric.StartManager(config);
  ASSERT_TRUE(fabric.RunUntil([&] { return manager.IsUp(); }, kLimit));
  RecordProperty("cycles", static_cast<int>(fabric.now()));
  RecordProperty("smps", static_cast<int>(manager.counters().total_sent));
  const auto& sent = manager.counters().sent;
  EXPECT_LE(sent.at(ib::MadAttribute::kNodeInfo), 260u);  // once per cable, hardly more
  EXPECT_EQ(sent.at(ib::MadAttribute::kNodeDescription), 192u);
  EXPECT_EQ(sent.at(ib::MadAttribute::kLinearForwardingTable), 4u * 64);
  EXPECT_LE(manager.counters().total_sent, 3000u);
  EXPECT_LE(fabric.now(), 270'000u);
}

TEST(BringUpCost, EightByEightTorusWithoutOptimizedSlToVl) {
  FabricDouble fabric(Torus({8, 8}, 2), {});
  SmConfig config;
  config.window = 16;
  SubnetManager& manager = fabric.StartManager(config);
  ASSERT_TRUE(fabric.RunUntil([&] { return manager.IsUp(); }, kLimit));
  RecordProperty("cycles", static_cast<int>(fabric.now()));
  RecordProperty("smps", static_cast<int>(manager.counters().total_sent));
  EXPECT_LE(manager.counters().total_sent,
            4700u);  // the rest is SLtoVL, one Set per pair of ports in use
}

// ---- Refusals ----

std::string FailureOf(Topology topology, SmConfig config, DoubleOptions options = {},
                      const std::function<void(FabricDouble&)>& prepare = {}) {
  FabricDouble fabric(std::move(topology), options);
  if (prepare) prepare(fabric);
  SubnetManager& manager = fabric.StartManager(std::move(config));
  EXPECT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, 100'000'000));
  EXPECT_EQ(manager.phase(), SmPhase::kFailed);
  EXPECT_EQ(manager.NextDeadline(), kNoDeadline);
  EXPECT_FALSE(manager.IsUp());
  return fabric.events().back().detail;
}

TEST(Refusal, BufferSizesThatDisagree) {
  const std::string why = FailureOf(TwoSwitches(), {}, {}, [](FabricDouble& fabric) {
    fabric.agent("S1").data_blocks = 8;
    fabric.agent("H1").data_blocks = 8;
  });
  EXPECT_NE(why.find("discovery: the ends of a link disagree on input buffers"), std::string::npos)
      << why;
  EXPECT_NE(why.find("S0 port 2 has 16"), std::string::npos) << why;
  EXPECT_NE(why.find("S1 port 3 has 8"), std::string::npos) << why;
}

TEST(Refusal, TooFewVls) {
  SmConfig config;
  config.data_vls = 4;
  const std::string why = FailureOf(TwoSwitches(), config);
  EXPECT_NE(why.find("has 2 data VLs, expected 4"), std::string::npos) << why;
}

TEST(Refusal, CyclicTables) {
  SmConfig config;
  config.routing_engine = "minhop";
  const std::string why = FailureOf(Torus({4, 4}, 1), config);
  EXPECT_EQ(why.find("routing: "), 0u) << why;
  EXPECT_NE(why.find("->"), std::string::npos) << why;
}

TEST(Refusal, CyclicTablesUnlessAllowed) {
  SmConfig config;
  config.routing_engine = "minhop";
  config.allow_cyclic = true;
  FabricDouble fabric(Torus({4, 4}, 1), {});
  fabric.StartManager(config);
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  EXPECT_TRUE(fabric.manager().IsUp());
  ExpectAllDeliverable(fabric);
}

TEST(Refusal, CyclicTablesAreNeverSent) {
  SmConfig config;
  config.routing_engine = "minhop";
  FabricDouble fabric(Torus({4, 4}, 1), {});
  fabric.StartManager(config);
  ASSERT_TRUE(fabric.RunUntil([&] { return IsUpOrFailed(fabric); }, kLimit));
  EXPECT_EQ(fabric.manager().counters().sent.count(ib::MadAttribute::kLinearForwardingTable), 0u);
}

TEST(Refusal, UnknownRoot) {
  SmConfig config;
  config.root = "S9_9";
  const std::string why = FailureOf(TwoSwitches(), config);
  EXPECT_NE(why.find("root \"S9_9\" is no switch"), std::string::npos) << why;
}

TEST(Refusal, UnknownEngine) {
  SmConfig config;
  config.routing_engine = "wishful";
  FabricDouble fabric(TwoSwitches(), {});
  EXPECT_THROW(fabric.StartManager(config), RoutingError);
}

TEST(Refusal, ForwardingTableTooSmall) {
  DoubleOptions options;
  options.lft_depth = 64;
  const std::string why = FailureOf(Torus({4, 4}, 4), {}, options);
  EXPECT_NE(why.find("has a forwarding table of 64 LIDs, 81 are needed"), std::string::npos) << why;
}

TEST(Refusal, SilentNeighbour) {
  SmConfig config;
  config.timeout = 2000;
  config.retries = 2;
  const std::string why = FailureOf(TwoSwitches(), config, {},
                                    [](FabricDouble& fabric) { fabric.agent("S1").mute = true; });
  EXPECT_EQ(why, "discovery: the neighbour of S0 port 2 does not answer NodeInfo");
}

TEST(Refusal, OwnPortDown) {
  const std::string why =
      FailureOf(TwoSwitches(), {}, {}, [](FabricDouble& fabric) { fabric.Cut(1); });
  EXPECT_EQ(why, "discovery: the manager's own port is down");
}

TEST(Restart, LinkCutDuringBringUp) {
  for (Cycle when = 500; when < 40'000; when += 2500) {
    SmConfig config;
    config.timeout = 4000;
    FabricDouble fabric(Torus({4, 4}, 1), {});
    fabric.At(when, [&] { fabric.Cut(5); });
    SubnetManager& manager = fabric.StartManager(config);
    ASSERT_TRUE(
        fabric.RunUntil([&] { return IsUpOrFailed(fabric) && fabric.now() > when; }, kLimit))
        << when;
    ASSERT_TRUE(manager.IsUp()) << when << ": " << fabric.events().back().detail;
    EXPECT_EQ(manager.topology().cables().size(), fabric.topology().cables().size() - 1) << when;
    ExpectAllDeliverable(fabric);
  }
}

}  // namespace
}  // namespace lanecut
