// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/acyclic_graph.h"

namespace lanecut {

AcyclicGraph::AcyclicGraph(int vertices) : next_(vertices), before_(vertices), order_(vertices) {}

bool AcyclicGraph::Add(int from, int to) {
  const auto all_of = [](const std::vector<std::vector<int>>& edges) {
    return [&edges](int vertex, const auto& visit) {
      for (const int other : edges[vertex]) visit(other);
    };
  };
  if (!order_.Put(from, to, all_of(next_), all_of(before_))) return false;
  next_[from].push_back(to);
  before_[to].push_back(from);
  return true;
}

}  // namespace lanecut
