// SPDX-License-Identifier: Apache-2.0
//
// Ways under rules that say which turns packets may make.
//
// A switch sends all packets to a destination by one link, whatever link they came by. So the ways
// to a destination are a tree in which every turn must be permitted, or, where packets may break
// the rule a few times (on a higher VL each time), be broken no more often on any way. The tree
// grows from the destination, nearest switches first. A switch takes the link by which the most of
// its neighbours can join it then, of equals the one with the least load. What cannot join at last
// makes the switches on its way over the spanning tree keep to that: its turns are always
// permitted, so every switch gets a way. Private to sw/routing.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/spanning_forest.h"
#include "sw/routing/switch_graph.h"

namespace lanecut {

// By turn of a SwitchGraph: whether packets may make it.
using TurnSet = std::vector<std::uint8_t>;

// All turns but those back to the switch that a packet came from.
TurnSet AllTurns(const SwitchGraph& graph);
// The turns between links of the trees.
TurnSet TreeTurns(const SwitchGraph& graph, const SpanningForest& trees);

// The set and, one by one in order, all turns that close no cycle with what is there. `set` must
// have none. Throws std::logic_error if it has.
TurnSet Completed(const SwitchGraph& graph, const TurnSet& set, const std::vector<int>& order);
// All turns but those that go back, in the order of their numbers.
std::vector<int> TurnOrder(const SwitchGraph& graph);

class TurnWays {
 public:
  // `permitted` must have the turns of the trees and may change between calls of To. A way breaks
  // the rule at most `breaks` times. All must outlive this.
  TurnWays(const SwitchGraph& graph, const SpanningForest& trees, const TurnSet& permitted,
           int breaks);

  // A tree, as links counted from a switch's first, by place; empty if not yet known.
  using Tree = std::vector<std::uint8_t>;

  // The tree of ways to a switch, one link for each. Its load takes the place of that of the tree
  // that an earlier call found.
  void To(int target, NextHops& hops) { To(target, graph_.EndNodesAt(target), of_[target], hops); }
  // The same to so many of a switch's end nodes, which have a tree of their own: what an earlier
  // call found for them, and finds now.
  void To(int target, int end_nodes, Tree& tree, NextHops& hops);
  // The link towards the target of the last call; -1 at the target and where there is no way.
  int LinkFrom(int place) const { return link_[place]; }

 private:
  void Grow(int target);
  bool PinStranded(int target);
  void CollectCandidates(int place);
  void Join(int place);
  bool IsPermitted(int link, int next) const { return permitted_[graph_.Turn(link, next)] != 0; }
  // Times that a way breaks the rule which begins with this link.
  int BreaksBy(int link) const;
  int CanJoin(int link) const;  // neighbours of its sender
  void AddLoad(int target, int end_nodes, const Tree& tree);

  const SwitchGraph& graph_;
  const SpanningForest& trees_;
  const TurnSet& permitted_;
  int most_breaks_;
  std::vector<std::int64_t> load_;  // by link: pairs
  std::vector<Tree> of_;            // by target: what the first form of To has found
  // Of the tree that grows, by place.
  std::vector<int> link_;
  std::vector<int> breaks_;
  std::vector<std::int64_t> cost_;  // squared loads on the way
  std::vector<int> pinned_;         // link that must be taken; -1 = any
  std::vector<std::vector<int>> candidates_;
  std::vector<int> joined_;  // places in their order, the target first
  std::vector<int> next_level_;
  std::vector<int> part_;  // by place: number of the part of the fabric that it is in
  std::vector<int> part_sizes_;
};

// The turns that a routing permits, which may close no cycle, given the spanning tree.
using TurnRule = std::function<TurnSet(const SwitchGraph&, const SpanningForest&)>;

// Tables of the ways under a rule, for packets on any VL. `spread`: ways are chosen by load in any
// case, and by kWholeWays in several rounds and for every LID, not for all of a switch at once.
RoutingTables RouteByTurns(const RoutingRequest& request, SpanningTree kind, Spread spread,
                           const TurnRule& rule);

}  // namespace lanecut
