// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/subnet_manager/test_fabrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lanecut {

namespace {

bool Has(const std::vector<std::string>& names, const FabricDouble& fabric, int node) {
  return std::find(names.begin(), names.end(), fabric.topology().node(node).name) != names.end();
}

}  // namespace

Topology TwoSwitches() {
  Topology topology;
  const int s0 = topology.AddNode(NodeKind::kSwitch, "S0", 4);
  const int s1 = topology.AddNode(NodeKind::kSwitch, "S1", 4);
  const int h0 = topology.AddNode(NodeKind::kHca, "H0", 1);
  const int h1 = topology.AddNode(NodeKind::kHca, "H1", 1);
  topology.AddCable({s0, 2}, {s1, 3});
  topology.AddCable({h0, 1}, {s0, 4});
  topology.AddCable({h1, 1}, {s1, 1});
  return topology;
}

Topology Torus(std::vector<int> sizes, int concentration) {
  return BuildTorus(sizes, concentration);
}

Topology Irregular() {
  Topology topology;
  std::vector<int> switches;
  for (int i = 0; i < 12; ++i) {
    switches.push_back(topology.AddNode(NodeKind::kSwitch, fmt::format("S{}", i), 5 + i % 3));
  }
  std::vector<int> next(12, 1);
  const auto join = [&](int a, int b) {
    topology.AddCable({switches[a], next[a]++}, {switches[b], next[b]++});
  };
  for (int i = 1; i < 12; ++i) join(i, (i - 1) / 2);
  join(3, 11);
  join(3, 11);
  join(5, 8);
  join(9, 10);
  for (const int i : {0, 4, 6, 7, 8, 11}) {
    const int hca = topology.AddNode(NodeKind::kHca, fmt::format("H{}", i), 1);
    topology.AddCable({hca, 1}, {switches[i], next[i]++});
  }
  return topology;
}

bool IsUpOrFailed(FabricDouble& fabric) {
  return fabric.manager().IsSettled() || fabric.manager().phase() == SmPhase::kFailed;
}

void ExpectAllDeliverable(FabricDouble& fabric, const std::vector<std::string>& except) {
  for (const int source : fabric.topology().hcas()) {
    for (const int destination : fabric.topology().hcas()) {
      if (source == destination || Has(except, fabric, source) || Has(except, fabric, destination))
        continue;
      EXPECT_EQ(fabric.WhyUndeliverable(source, destination), "")
          << fabric.topology().node(source).name << " to "
          << fabric.topology().node(destination).name;
    }
  }
}

void ExpectTablesLoaded(FabricDouble& fabric, const std::vector<std::string>& except) {
  const Topology& seen = fabric.manager().topology();
  const RoutingTables& tables = fabric.manager().tables();
  ASSERT_EQ(seen.nodes().size(), fabric.topology().nodes().size());
  int top = 0;  // LID of a switch, or the last one of an end node
  for (std::size_t i = 0; i < seen.nodes().size(); ++i) {
    const int more = seen.IsSwitch(static_cast<int>(i)) ? 0 : (1 << tables.lmc) - 1;
    if (tables.lids[i] != 0) top = std::max(top, tables.lids[i] + more);
  }
  for (std::size_t i = 0; i < seen.nodes().size(); ++i) {
    const int node = static_cast<int>(i);
    if (std::find(except.begin(), except.end(), seen.node(node).name) != except.end()) continue;
    const auto& agent = fabric.agent(seen.node(node).name);
    EXPECT_EQ(agent.lid, tables.lids[i]);
    if (!seen.IsSwitch(node)) continue;
    EXPECT_EQ(agent.fdb_top, top);
    for (std::size_t lid = 1; lid < tables.lft[i].size(); ++lid) {
      EXPECT_EQ(agent.lft[agent.bank][lid], tables.lft[i][lid])
          << seen.node(node).name << " LID " << lid;
    }
    EXPECT_EQ(agent.lft[agent.bank][0], ib::kLftUnreachable);
  }
}

int CableBetween(const Topology& topology, const std::string& a, const std::string& b) {
  const int from = *topology.FindNode(a);
  const int to = *topology.FindNode(b);
  for (std::size_t i = 0; i < topology.cables().size(); ++i) {
    const Cable& cable = topology.cables()[i];
    if ((cable.a.node == from && cable.b.node == to) ||
        (cable.a.node == to && cable.b.node == from)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

void ExpectNobodyHalted(FabricDouble& fabric) {
  for (const int node : fabric.topology().hcas()) {
    EXPECT_FALSE(fabric.agent(node).halted) << fabric.topology().node(node).name;
  }
}

}  // namespace lanecut
