// SPDX-License-Identifier: Apache-2.0
//
// Fabrics for routing tests, and what must hold for any tables.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

using Sizes = std::vector<int>;

// A connected random graph: a random tree, more cables (parallel ones too), one to three end nodes
// per switch.
inline Topology RandomFabric(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % n); };
  const int switches = 2 + below(20);
  const int extra = below(2 * switches);
  Topology t;
  std::vector<int> used(switches, 0);
  for (int i = 0; i < switches; ++i) t.AddNode(NodeKind::kSwitch, fmt::format("R{}", i), 60);
  const auto join = [&](int a, int b) { t.AddCable({a, ++used[a]}, {b, ++used[b]}); };
  for (int i = 1; i < switches; ++i) join(below(i), i);
  for (int i = 0; i < extra; ++i) {
    const int a = below(switches);
    const int b = below(switches);
    if (a != b && used[a] < 50 && used[b] < 50) join(a, b);
  }
  for (int i = 0; i < switches; ++i) {
    for (int k = below(3); k >= 0; --k) {
      const int hca = t.AddNode(NodeKind::kHca, fmt::format("E{}_{}", i, k), 1);
      t.AddCable({i, ++used[i]}, {hca, 1});
    }
  }
  return t;
}

// Without up to `most` random cables between switches; may fall apart.
inline Topology WithRandomFaults(const Topology& t, std::uint32_t seed, int most) {
  std::mt19937 random(seed);
  std::vector<int> failed;
  for (int i = 0; i < most; ++i) {
    const int cable = static_cast<int>(random() % t.cables().size());
    if (t.IsSwitch(t.cables()[cable].a.node) && t.IsSwitch(t.cables()[cable].b.node)) {
      failed.push_back(cable);
    }
  }
  return t.Without(failed);
}

inline RoutingTables ComputeRouting(const char* engine, const Topology& t, int vls,
                                    std::optional<int> root = std::nullopt) {
  return FindRoutingEngine(engine).Compute({t, SequentialLids(t), vls, root});
}

// Whoever can reach a node at all gets there, switches included; the rest reads unreachable.
inline void ExpectAllDelivered(const Topology& t, const RoutingTables& tables) {
  const int nodes = static_cast<int>(t.nodes().size());
  for (int source = 0; source < nodes; ++source) {
    const std::vector<int> hops = t.HopsFrom(source);
    for (int destination = 0; destination < nodes; ++destination) {
      const Path path = TracePath(t, tables, source, destination);
      ASSERT_EQ(path.end, hops[destination] < 0 ? PathEnd::kUnreachable : PathEnd::kDelivered)
          << t.node(source).name << " to " << t.node(destination).name << ": "
          << PathEndName(path.end);
    }
  }
}

inline void ExpectNoDeadlock(const Topology& t, const RoutingTables& tables) {
  const DependencyGraph graph(t, tables);
  EXPECT_EQ(DescribeCycle(t, graph.FindCycle()), "");
  EXPECT_EQ(graph.faults().empty(), t.IsConnected());
}

}  // namespace lanecut
