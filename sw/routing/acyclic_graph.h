// SPDX-License-Identifier: Apache-2.0
//
// A directed graph that takes an edge only if no cycle closes. It keeps a topological order, so an
// edge that agrees with it costs nothing, and any other one a search between its two ends (Pearce,
// Kelly 2006). Private to sw/routing.
#pragma once

#include <vector>

namespace lanecut {

class AcyclicGraph {
 public:
  // The order to begin with is that of the numbers.
  explicit AcyclicGraph(int vertices);

  // False, and nothing changed, if there is a way back from `to` to `from`.
  bool Add(int from, int to);

 private:
  // Vertices reached from `start` by `edges` and in the order not beyond `limit`, appended to
  // `found`; false if `forbidden` is one of them.
  bool Search(const std::vector<std::vector<int>>& edges, int start, int limit, bool forward,
              int forbidden, std::vector<int>& found);

  std::vector<std::vector<int>> next_;
  std::vector<std::vector<int>> before_;
  std::vector<int> rank_;  // by vertex: its place in the order
  std::vector<bool> seen_;
};

}  // namespace lanecut
