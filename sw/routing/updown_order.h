// SPDX-License-Identifier: Apache-2.0
//
// up*/down* routing (Schroeder et al., Autonet, 1991): a spanning tree gives every link an up end,
// and a legal path goes up, then down, and never up again. Links so ordered have no cyclic
// dependencies.
//
// On a breadth-first tree the up end is the one nearer to the root, or of equals the one with the
// lower index. On a depth-first tree (Sancho, Robles, Duato 2000) every link joins a switch and one
// of its ancestors, which is the up end.
//
// Forwarding sees only the destination, so all paths to one destination must fit together: one that
// comes down to a switch must go on down. So a switch that can reach the destination going down
// only does so by the shortest such way, and any other one goes up, towards the neighbour with the
// shortest way on. Or, with a depth-first tree or balanced loads, it goes down only if no way up is
// shorter; then its neighbours above must do without it. On a depth-first tree, where ways down can
// be very long, that saves a tenth of all hops.
//
// Private to sw/routing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/routing.h"
#include "sw/routing/switch_graph.h"

namespace lanecut {

// Ranks by place for an order of switches: by levels, then by place; the lowest level is the top.
std::vector<int> RanksByLevel(const std::vector<int>& level);

// The place of the root that the request names, if it names one.
std::optional<int> RootPlace(const RoutingRequest& request, const SwitchGraph& graph);

class UpDownOrder {
 public:
  // `root` is a place. Without one, and in parts of the fabric that faults have cut off from it, it
  // is the switch with the lowest mean distance from the others; in such parts a depth-first tree
  // begins with the first switch instead.
  UpDownOrder(const Topology& topology, const SwitchGraph& graph, SpanningTree tree,
              std::optional<int> root);

  // By a given order: `ranks` by place, a permutation, the lower the higher up.
  explicit UpDownOrder(std::vector<int> ranks);

  bool IsUp(int from, int to) const { return ranks_[to] < ranks_[from]; }
  bool HasUp(const SwitchGraph& graph, int place) const {
    for (const DirectedLink& link : graph.LinksFrom(place)) {
      if (IsUp(place, link.to)) return true;
    }
    return false;
  }
  const std::vector<int>& top_down() const { return top_down_; }  // all places, roots first

 private:
  std::vector<int> ranks_;  // by place
  std::vector<int> top_down_;
};

class UpDownWays {
 public:
  // A switch that can go down but has a shorter way up takes that if `shorter`.
  UpDownWays(const SwitchGraph& graph, UpDownOrder order, bool shorter);

  // The links on the shortest ways to a switch among those that fit together (updown.cpp).
  void To(int target, NextHops& hops);
  // Hops to that switch; -1 where there is no way.
  int HopsFrom(int place) const { return cost_[place]; }

 private:
  void FindDownWays(int target);
  void FindUpWays();
  void PinWaysDown(int target);
  void FindShorterWays(int target);
  void SortByCost();

  const SwitchGraph& graph_;
  UpDownOrder order_;
  bool shorter_;
  std::vector<int> cost_;                // by place: hops to the target; -1 = no way
  std::vector<std::uint8_t> down_only_;  // by place: the way never goes up
  std::vector<std::uint8_t> pinned_;     // by place: must go down
  std::vector<int> queue_;               // places that have a way
  std::vector<int> sorted_;              // the same, nearest first
  std::vector<int> first_of_cost_;       // scratch
};

}  // namespace lanecut
