// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/left_right.h"

#include <memory>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/table_builder.h"

namespace lanecut {

TurnSet LeftRightTurns(const SwitchGraph& graph, const SpanningForest& trees) {
  const std::vector<int> x = trees.Preorder(graph);
  const std::vector<int> level = trees.Levels(graph);
  const auto is_left = [&](const DirectedLink& link) { return x[link.to] < x[link.from]; };
  const auto is_up = [&](const DirectedLink& link) {
    return level[link.to] < level[link.from] ||
           (level[link.to] == level[link.from] && is_left(link));
  };
  const TurnSet all = AllTurns(graph);
  TurnSet turns(graph.num_turns(), 0);
  for (int id = 0; id < graph.num_links(); ++id) {
    const DirectedLink& link = graph.link(id);
    for (int next = graph.FirstLink(link.to); next < graph.FirstLink(link.to + 1); ++next) {
      const DirectedLink& then = graph.link(next);
      const bool to_left = is_left(then);
      const bool to_left_up = to_left && is_up(then);
      const bool permitted = to_left_up ? is_left(link) && is_up(link) : !to_left || is_left(link);
      const int turn = graph.Turn(id, next);
      if (permitted && all[turn] != 0) turns[turn] = 1;
    }
  }
  return Completed(graph, turns, TurnOrder(graph));
}

namespace {

class LTurnEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "lturn"; }
  std::string_view summary() const override {
    return "L-turn: left-up first on a breadth-first tree, any topology, one VL is enough";
  }
  bool takes(EngineOption option) const override {
    return option == EngineOption::kRoot || option == EngineOption::kBalance;
  }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRoot(request, name());
    return RouteByTurns(request, SpanningTree::kBreadthFirst,
                        request.balance ? Spread::kWholeWays : Spread::kOwnLinks, LeftRightTurns);
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeLTurnEngine() { return std::make_unique<LTurnEngine>(); }

}  // namespace lanecut
