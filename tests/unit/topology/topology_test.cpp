// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/topology.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace lanecut {
namespace {

using Sizes = std::vector<int>;

TEST(Topology, NumbersNodesAndGuids) {
  const Topology t = BuildTorus(Sizes{3, 2}, 2);
  ASSERT_EQ(t.switches().size(), 6u);
  ASSERT_EQ(t.hcas().size(), 12u);
  EXPECT_EQ(t.node(0).name, "S0_0");
  EXPECT_EQ(t.node(1).name, "S1_0");
  EXPECT_EQ(t.node(3).name, "S0_1");
  EXPECT_EQ(t.node(3).guid, 0x4c43000000010003u);
  EXPECT_EQ(t.node(3).PortGuid(), 0x4c43000000010003u);
  EXPECT_EQ(t.node(6).name, "H0_0_0");
  EXPECT_EQ(t.node(7).name, "H0_0_1");
  EXPECT_EQ(t.node(7).guid, 0x4c43000000020001u);
  EXPECT_EQ(t.node(7).PortGuid(), 0x4c43000000020002u);
  EXPECT_EQ(t.FindNode("S0_1"), 3);
  EXPECT_EQ(t.FindNode("S9_9"), std::nullopt);
  EXPECT_EQ(t.FindGuid(0x4c43000000020001u), 7);
}

TEST(Topology, GridPortsFollowTheDimensions) {
  const Topology t = BuildTorus(Sizes{4, 3}, 1);
  const int node = *t.FindNode("S3_1");
  EXPECT_EQ(t.node(node).num_ports, 5);
  const auto expect_peer = [&](int port, const char* name, int peer_port) {
    const auto peer = t.PeerOf(node, port);
    ASSERT_TRUE(peer);
    EXPECT_EQ(t.node(peer->node).name, name);
    EXPECT_EQ(peer->port, peer_port);
    const Cable& cable = t.cables()[peer->cable];
    EXPECT_TRUE(cable.a == (PortRef{node, port}) || cable.b == (PortRef{node, port}));
  };
  expect_peer(1, "S0_1", 2);
  expect_peer(2, "S2_1", 1);
  expect_peer(3, "S3_2", 4);
  expect_peer(4, "S3_0", 3);
  expect_peer(5, "H3_1_0", 1);
  EXPECT_FALSE(t.PeerOf(node, 0));
  EXPECT_FALSE(t.PeerOf(node, 6));
}

TEST(Topology, SmallDimensions) {
  // Size 2: two parallel cables in a torus, one in a mesh. Size 1: none.
  const TopologySummary torus = BuildTorus(Sizes{2, 1}, 1).Summarize();
  EXPECT_EQ(torus.cables, 2 + 2);
  EXPECT_EQ(torus.parallel_cables, 1);
  EXPECT_EQ(torus.max_degree, 2);
  EXPECT_EQ(BuildMesh(Sizes{2, 1}, 1).Summarize().parallel_cables, 0);
  const TopologySummary lone = BuildTorus(Sizes{1, 1, 1}, 0).Summarize();
  EXPECT_EQ(lone.switches, 1);
  EXPECT_EQ(lone.cables, 0);
  EXPECT_TRUE(lone.connected);
}

TEST(Topology, SummaryOfTheMainTorus) {
  const Topology t = BuildTorus(Sizes{8, 8}, 2);
  const TopologySummary s = t.Summarize();
  EXPECT_EQ(s.switches, 64);
  EXPECT_EQ(s.hcas, 128);
  EXPECT_EQ(s.cables, 128 + 128);
  EXPECT_EQ(s.parallel_cables, 0);
  EXPECT_EQ(s.diameter, 8);
  EXPECT_EQ(s.min_degree, 4);
  EXPECT_EQ(s.max_degree, 4);
  EXPECT_TRUE(s.connected);
  EXPECT_NE(Describe(t).find("8 (ring) x 8 (ring)"), std::string::npos);
  const TopologySummary mesh = BuildMesh(Sizes{3, 4, 2}, 1).Summarize();
  EXPECT_EQ(mesh.diameter, 2 + 3 + 1);
  EXPECT_EQ(mesh.min_degree, 3);
  EXPECT_EQ(mesh.max_degree, 5);
}

TEST(Topology, GridIsRecognizedFromNamesAndCables) {
  const Topology torus = BuildTorus(Sizes{4, 2}, 1);
  ASSERT_TRUE(torus.grid());
  EXPECT_EQ(torus.grid()->sizes, (Sizes{4, 2}));
  EXPECT_EQ(torus.grid()->wraps, (std::vector<bool>{true, false}));
  EXPECT_EQ(torus.grid()->coordinates[*torus.FindNode("S2_1")], (Sizes{2, 1}));
  EXPECT_EQ(BuildMesh(Sizes{4, 4}, 1).grid()->wraps, (std::vector<bool>{false, false}));

  Topology diagonal;
  for (const char* name : {"S0_0", "S1_0", "S0_1", "S1_1"}) {
    diagonal.AddNode(NodeKind::kSwitch, name, 4);
  }
  EXPECT_TRUE(diagonal.DeriveGrid());
  diagonal.AddCable({0, 1}, {3, 1});
  EXPECT_FALSE(diagonal.DeriveGrid());
  EXPECT_FALSE(diagonal.grid());

  Topology gap;
  gap.AddNode(NodeKind::kSwitch, "S0", 4);
  gap.AddNode(NodeKind::kSwitch, "S2", 4);
  EXPECT_FALSE(gap.DeriveGrid());
  Topology other;
  other.AddNode(NodeKind::kSwitch, "Spine1", 4);
  EXPECT_FALSE(other.DeriveGrid());
}

TEST(Topology, FailedCablesLeaveTheNodes) {
  const Topology t = BuildMesh(Sizes{3}, 1);
  const int cut = t.PeerOf(*t.FindNode("S0"), 1)->cable;
  const Topology left = t.Without(std::vector<int>{cut});
  EXPECT_EQ(left.nodes(), t.nodes());
  EXPECT_EQ(left.cables().size(), t.cables().size() - 1);
  EXPECT_TRUE(t.IsConnected());
  EXPECT_FALSE(left.IsConnected());
  EXPECT_EQ(left.grid(), t.grid());
  EXPECT_FALSE(left.PeerOf(*t.FindNode("S0"), 1));
  for (std::size_t i = 0; i < left.cables().size(); ++i) {
    const PortRef a = left.cables()[i].a;
    EXPECT_EQ(left.PeerOf(a.node, a.port)->cable, static_cast<int>(i));
  }
}

TEST(Topology, EndNodesDoNotForward) {
  Topology t;
  const int a = t.AddNode(NodeKind::kSwitch, "A", 2);
  const int h = t.AddNode(NodeKind::kHca, "H", 1);
  const int b = t.AddNode(NodeKind::kSwitch, "B", 2);
  t.AddCable({a, 1}, {h, 1});
  EXPECT_EQ(t.HopsFrom(h), (std::vector<int>{1, 0, -1}));
  EXPECT_EQ(t.HopsFrom(b), (std::vector<int>{-1, -1, 0}));
}

TEST(Topology, RefusesWhatCannotBe) {
  Topology t;
  const int a = t.AddNode(NodeKind::kSwitch, "A", 4);
  const int b = t.AddNode(NodeKind::kSwitch, "B", 4);
  const int g = t.AddNode(NodeKind::kHca, "G", 1);
  const int h = t.AddNode(NodeKind::kHca, "H", 1);
  t.AddCable({a, 1}, {b, 1});
  EXPECT_THROW(t.AddCable({a, 1}, {b, 2}), std::invalid_argument);
  EXPECT_THROW(t.AddCable({a, 5}, {b, 2}), std::invalid_argument);
  EXPECT_THROW(t.AddCable({a, 0}, {b, 2}), std::invalid_argument);
  EXPECT_THROW(t.AddCable({a, 2}, {a, 3}), std::invalid_argument);
  EXPECT_THROW(t.AddCable({g, 1}, {h, 1}), std::invalid_argument);
  EXPECT_THROW(t.AddNode(NodeKind::kSwitch, "A", 4), std::invalid_argument);
  EXPECT_THROW(t.AddNode(NodeKind::kSwitch, "C", 255), std::invalid_argument);
  EXPECT_THROW(t.AddNode(NodeKind::kHca, "C", 2), std::invalid_argument);
  EXPECT_THROW(t.AddNode(NodeKind::kSwitch, "C", 4, kSwitchGuidBase), std::invalid_argument);
  EXPECT_NO_THROW(t.AddNode(NodeKind::kSwitch, "C", 4));
  EXPECT_THROW(BuildTorus(Sizes{}, 1), std::invalid_argument);
  EXPECT_THROW(BuildTorus(Sizes{4, 0}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace lanecut
