// SPDX-License-Identifier: Apache-2.0
//
// A topological order of a directed graph to which edges are added one by one. An edge that agrees
// with the order costs nothing, and any other one a search between the ranks of its two ends
// (Pearce, Kelly 2006). The graph is its owner's. Private to sw/routing.
#pragma once

#include <cstdint>
#include <vector>

namespace lanecut {

class VertexOrder {
 public:
  // The order to begin with is that of the numbers.
  explicit VertexOrder(int vertices);

  // Puts `from` before `to`; false, and nothing changes, if there is a way from `to` to `from`.
  // `next(vertex, visit)` and `before(vertex, visit)` call `visit` with every vertex that an edge
  // leads to, or comes from.
  template <typename Next, typename Before>
  bool Put(int from, int to, const Next& next, const Before& before) {
    if (rank_[from] < rank_[to]) return true;
    const auto not_beyond = [this, last = rank_[from]](int v) { return rank_[v] <= last; };
    if (Collect(to, next, not_beyond, from, after_)) return false;
    const auto not_before = [this, first = rank_[to]](int v) { return rank_[v] >= first; };
    Collect(from, before, not_before, kNone, before_);
    Reorder();
    return true;
  }

 private:
  static constexpr int kNone = -1;

  // What ways of edges that keep to `allowed` vertices lead to, the start included; true, and
  // incomplete, as soon as they lead to `sought`.
  template <typename Edges, typename Allowed>
  bool Collect(int start, const Edges& edges, const Allowed& allowed, int sought,
               std::vector<int>& found) {
    ++stamp_;
    found.assign(1, start);
    visited_[start] = stamp_;
    bool is_met = start == sought;
    for (std::size_t head = 0; head < found.size() && !is_met; ++head) {
      edges(found[head], [&](int vertex) {
        if (visited_[vertex] == stamp_ || !allowed(vertex)) return;
        visited_[vertex] = stamp_;
        found.push_back(vertex);
        is_met = is_met || vertex == sought;
      });
    }
    return is_met;
  }
  // Those before the new edge take the lowest ranks that both sets had, those after it the others.
  void Reorder();

  std::vector<int> rank_;               // by vertex: its place in the order
  std::vector<std::uint32_t> visited_;  // by vertex: stamp of the last search that came there
  std::uint32_t stamp_ = 0;
  std::vector<int> after_;
  std::vector<int> before_;
  std::vector<int> ranks_;  // scratch
};

}  // namespace lanecut
