// SPDX-License-Identifier: Apache-2.0
//
// A directed graph that takes an edge only if no cycle closes. Private to sw/routing.
#pragma once

#include <vector>

#include "sw/routing/vertex_order.h"

namespace lanecut {

class AcyclicGraph {
 public:
  explicit AcyclicGraph(int vertices);

  // False, and nothing changed, if there is a way back from `to` to `from`.
  bool Add(int from, int to);

 private:
  std::vector<std::vector<int>> next_;
  std::vector<std::vector<int>> before_;
  VertexOrder order_;
};

}  // namespace lanecut
