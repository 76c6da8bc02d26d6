// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/acyclic_graph.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

namespace lanecut {
namespace {

bool Leads(const std::set<std::pair<int, int>>& edges, int from, int to) {
  std::vector<int> queue = {from};
  std::set<int> seen = {from};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    if (queue[head] == to) return true;
    for (const auto& [a, b] : edges) {
      if (a == queue[head] && seen.insert(b).second) queue.push_back(b);
    }
  }
  return false;
}

TEST(AcyclicGraph, RefusesWhatClosesACycleAndNothingElse) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const int vertices = 2 + static_cast<int>(random() % 12);
    AcyclicGraph graph(vertices);
    std::set<std::pair<int, int>> edges;
    for (int i = 0; i < 60; ++i) {
      const int from = static_cast<int>(random() % vertices);
      const int to = static_cast<int>(random() % vertices);
      const bool cycle = Leads(edges, to, from);
      ASSERT_EQ(graph.Add(from, to), !cycle) << seed << ": " << from << " to " << to;
      if (!cycle) edges.emplace(from, to);
    }
  }
}

}  // namespace
}  // namespace lanecut
