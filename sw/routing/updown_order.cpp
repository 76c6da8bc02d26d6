// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/updown_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sw/routing/switch_fabric.h"

namespace lanecut {
namespace {

// The place in this part of the fabric from which the others are the fewest hops away in all.
int CentreOf(const SwitchGraph& graph, int member) {
  if (graph.num_switches() == 0) return member;
  const std::vector<int> reach = graph.Hops(member);
  int centre = -1;
  std::int64_t best = 0;
  for (int place = 0; place < graph.num_switches(); ++place) {
    if (reach[place] < 0) continue;
    const std::vector<int> hops = graph.Hops(place);
    std::int64_t sum = 0;
    for (const int each : hops) sum += std::max(each, 0);
    if (centre >= 0 && sum >= best) continue;
    centre = place;
    best = sum;
  }
  return centre;
}

std::vector<int> BreadthFirstRanks(const SwitchGraph& graph, std::optional<int> root) {
  std::vector<int> level(graph.num_switches(), -1);
  const auto grow = [&](int from) {
    const std::vector<int> hops = graph.Hops(from);
    for (int place = 0; place < graph.num_switches(); ++place) {
      if (hops[place] >= 0) level[place] = hops[place];
    }
  };
  if (root) grow(*root);
  for (int place = 0; place < graph.num_switches(); ++place) {
    if (level[place] < 0) grow(CentreOf(graph, place));
  }
  return RanksByLevel(level);
}

}  // namespace

std::vector<int> RanksByLevel(const std::vector<int>& level) {
  std::vector<int> order(level.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int place) { return level[place]; });
  std::vector<int> ranks(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<int>(i);
  return ranks;
}

std::optional<int> RootPlace(const RoutingRequest& request, const SwitchGraph& graph) {
  return request.root ? std::optional(graph.PlaceOf(*request.root)) : std::nullopt;
}

UpDownOrder::UpDownOrder(const Topology& topology, const SwitchGraph& graph, SpanningTree tree,
                         std::optional<int> root)
    : UpDownOrder(
          tree == SpanningTree::kBreadthFirst
              ? BreadthFirstRanks(graph, root)
              : DepthFirstOrder(SwitchFabric(topology), root ? *root : CentreOf(graph, 0))) {}

UpDownOrder::UpDownOrder(std::vector<int> ranks)
    : ranks_(std::move(ranks)), top_down_(ranks_.size()) {
  for (std::size_t place = 0; place < ranks_.size(); ++place) {
    top_down_[ranks_[place]] = static_cast<int>(place);
  }
}

UpDownWays::UpDownWays(const SwitchGraph& graph, UpDownOrder order, bool shorter)
    : graph_(graph),
      order_(std::move(order)),
      shorter_(shorter),
      down_only_(graph.num_switches()),
      pinned_(graph.num_switches()) {}

void UpDownWays::FindDownWays(int target) {
  cost_.assign(graph_.num_switches(), -1);
  std::ranges::fill(down_only_, std::uint8_t{0});
  cost_[target] = 0;
  down_only_[target] = 1;
  queue_.assign(1, target);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    const int here = queue_[head];
    for (const DirectedLink& link : graph_.LinksFrom(here)) {
      if (!order_.IsUp(here, link.to) || down_only_[link.to]) continue;
      cost_[link.to] = cost_[here] + 1;
      down_only_[link.to] = 1;
      queue_.push_back(link.to);
    }
  }
}

void UpDownWays::FindUpWays() {
  for (const int place : order_.top_down()) {
    if (down_only_[place]) continue;
    for (const DirectedLink& link : graph_.LinksFrom(place)) {
      const int beyond = cost_[link.to];
      if (!order_.IsUp(place, link.to) || beyond < 0) continue;
      if (cost_[place] < 0 || beyond + 1 < cost_[place]) cost_[place] = beyond + 1;
    }
    if (cost_[place] >= 0) queue_.push_back(place);
  }
}

// From the root the shortest way down, which must stay one: all others can go up to the root.
void UpDownWays::PinWaysDown(int target) {
  for (const int root : order_.top_down()) {
    if (!down_only_[root] || order_.HasUp(graph_, root)) continue;
    for (int here = root; here != target;) {
      pinned_[here] = 1;
      const auto links = graph_.LinksFrom(here);
      here = std::ranges::find_if(links, [&](const DirectedLink& link) {
               return order_.IsUp(link.to, here) && cost_[link.to] == cost_[here] - 1;
             })->to;
    }
  }
}

// Every switch takes the shorter way, down or up, if it need not go down; of equals that down.
void UpDownWays::FindShorterWays(int target) {
  std::ranges::fill(pinned_, std::uint8_t{0});
  FindDownWays(target);
  PinWaysDown(target);
  cost_.assign(graph_.num_switches(), -1);
  std::ranges::fill(down_only_, std::uint8_t{0});
  cost_[target] = 0;
  down_only_[target] = 1;
  queue_.assign(1, target);
  const auto reach = [&](int from, int place, bool down) {
    if (cost_[place] >= 0) return;
    cost_[place] = cost_[from] + 1;
    down_only_[place] = down ? 1 : 0;
    queue_.push_back(place);
  };
  for (std::size_t first = 0, last = 1; first < last; first = last, last = queue_.size()) {
    for (std::size_t i = first; i < last; ++i) {
      const int here = queue_[i];
      for (const DirectedLink& link : graph_.LinksFrom(here)) {
        if (down_only_[here] && order_.IsUp(here, link.to)) reach(here, link.to, true);
      }
    }
    for (std::size_t i = first; i < last; ++i) {
      const int here = queue_[i];
      for (const DirectedLink& link : graph_.LinksFrom(here)) {
        if (order_.IsUp(link.to, here) && !pinned_[link.to]) reach(here, link.to, false);
      }
    }
  }
}

void UpDownWays::SortByCost() {
  first_of_cost_.assign(queue_.size() + 1, 0);
  for (const int place : queue_) ++first_of_cost_[cost_[place] + 1];
  std::partial_sum(first_of_cost_.begin(), first_of_cost_.end(), first_of_cost_.begin());
  sorted_.resize(queue_.size());
  for (const int place : queue_) sorted_[first_of_cost_[cost_[place]]++] = place;
}

void UpDownWays::To(int target, NextHops& hops) {
  if (shorter_) {
    FindShorterWays(target);
  } else {
    FindDownWays(target);
    FindUpWays();
  }
  SortByCost();
  hops.Clear(target);
  for (const int place : sorted_) {
    const int first = graph_.FirstLink(place);
    for (int id = first; id < first + graph_.Degree(place); ++id) {
      const int next = graph_.link(id).to;
      if (cost_[next] < 0 || cost_[next] != cost_[place] - 1) continue;
      const bool up = order_.IsUp(place, next);
      if (down_only_[place] ? !up && down_only_[next] : up) hops.Add(id);
    }
    hops.Close(place);
  }
}

}  // namespace lanecut
