// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/spanning_forest.h"

#include <algorithm>

#include "sw/routing/updown_order.h"

namespace lanecut {

SpanningForest::SpanningForest(const RoutingRequest& request, const SwitchGraph& graph,
                               SpanningTree kind)
    : top_down_(UpDownOrder(request.topology, graph, kind, RootPlace(request, graph)).top_down()),
      parent_link_(graph.num_switches(), -1) {
  std::vector<int> rank(graph.num_switches());
  for (std::size_t i = 0; i < top_down_.size(); ++i) rank[top_down_[i]] = static_cast<int>(i);
  // Of the neighbours above, the parent is the highest one if the tree is breadth-first, and the
  // lowest one if it is depth-first, as all of them are ancestors then.
  const auto is_better = [&](int one, int other) {
    return kind == SpanningTree::kBreadthFirst ? rank[one] < rank[other] : rank[one] > rank[other];
  };
  for (int place = 0; place < graph.num_switches(); ++place) {
    int& best = parent_link_[place];
    for (int id = graph.FirstLink(place); id < graph.FirstLink(place + 1); ++id) {
      const int above = graph.link(id).to;
      if (rank[above] > rank[place]) continue;
      if (best < 0 || is_better(above, graph.link(best).to)) best = id;
    }
  }
}

std::vector<int> SpanningForest::Preorder(const SwitchGraph& graph) const {
  std::vector<int> size(graph.num_switches(), 1);  // of a place's subtree
  for (std::size_t i = top_down_.size(); i-- > 0;) {
    const int up = parent_link_[top_down_[i]];
    if (up >= 0) size[graph.link(up).to] += size[top_down_[i]];
  }
  std::vector<int> next(graph.num_switches());  // by place: number of its next child
  std::vector<int> number(graph.num_switches());
  int roots = 0;
  for (const int place : top_down_) {
    const int up = parent_link_[place];
    int& free = up >= 0 ? next[graph.link(up).to] : roots;
    number[place] = free;
    free += size[place];
    next[place] = number[place] + 1;
  }
  return number;
}

std::vector<int> SpanningForest::Levels(const SwitchGraph& graph) const {
  std::vector<int> level(graph.num_switches(), 0);
  for (const int place : top_down_) {
    if (parent_link_[place] >= 0) level[place] = level[graph.link(parent_link_[place]).to] + 1;
  }
  return level;
}

}  // namespace lanecut
