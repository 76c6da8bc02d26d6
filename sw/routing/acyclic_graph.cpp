// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/acyclic_graph.h"

#include <algorithm>
#include <numeric>

namespace lanecut {

AcyclicGraph::AcyclicGraph(int vertices)
    : next_(vertices), before_(vertices), rank_(vertices), seen_(vertices, false) {
  std::iota(rank_.begin(), rank_.end(), 0);
}

bool AcyclicGraph::Search(const std::vector<std::vector<int>>& edges, int start, int limit,
                          bool forward, int forbidden, std::vector<int>& found) {
  const std::size_t first = found.size();
  found.push_back(start);
  seen_[start] = true;
  bool clear = start != forbidden;
  for (std::size_t i = first; clear && i < found.size(); ++i) {
    for (const int vertex : edges[found[i]]) {
      const bool beyond = forward ? rank_[vertex] > limit : rank_[vertex] < limit;
      if (beyond || seen_[vertex]) continue;
      if (vertex == forbidden) clear = false;
      seen_[vertex] = true;
      found.push_back(vertex);
    }
  }
  for (std::size_t i = first; i < found.size(); ++i) seen_[found[i]] = false;
  return clear;
}

bool AcyclicGraph::Add(int from, int to) {
  if (rank_[from] >= rank_[to]) {
    std::vector<int> after;
    if (!Search(next_, to, rank_[from], true, from, after)) return false;
    std::vector<int> moved;
    Search(before_, from, rank_[to], false, -1, moved);
    const auto by_rank = [&](int vertex) { return rank_[vertex]; };
    std::ranges::sort(moved, {}, by_rank);
    std::ranges::sort(after, {}, by_rank);
    moved.insert(moved.end(), after.begin(), after.end());
    std::vector<int> ranks(moved.size());
    std::ranges::transform(moved, ranks.begin(), by_rank);
    std::ranges::sort(ranks);
    for (std::size_t i = 0; i < moved.size(); ++i) rank_[moved[i]] = ranks[i];
  }
  next_[from].push_back(to);
  before_[to].push_back(from);
  return true;
}

}  // namespace lanecut
