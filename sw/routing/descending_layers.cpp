// SPDX-License-Identifier: Apache-2.0
//
// Descending Layers, DL (Koibuchi, Jouraku, Watanabe, Amano 2003): every VL is a layer of the
// network, with the rules of L-turn (left_right.h) in each, and a packet that makes a turn which
// they forbid goes down to the next layer, never back. So with n VLs a path may have n - 1 such
// turns, and the more VLs there are, the shorter paths are; one VL is enough. TOR in contrast has
// shortest paths only and wants as many VLs as these take.
//
// A layer is a VL here, the first one VL 0. A switch gives VLs by (in port, out port, SL), so pairs
// whose turns would contradict each other get different SLs (lane_plan.h); if there are too few of
// these, paths have to do with fewer forbidden turns.
#include <memory>

#include "sw/routing/forest.h"
#include "sw/routing/lane_plan.h"
#include "sw/routing/left_right.h"
#include "sw/routing/table_builder.h"
#include "sw/routing/turn_ways.h"

namespace lanecut {
namespace {

class DescendingLayersEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "dl"; }
  std::string_view summary() const override {
    return "descending layers: L-turn on every VL, on to the next at turns it forbids, any "
           "topology, better with each VL";
  }
  bool takes(EngineOption option) const override { return option == EngineOption::kRoot; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRequest(request);
    CheckOnePath(request);
    CheckRoot(request, name());
    const SwitchGraph graph(request.topology);
    const SpanningForest trees(request, graph, SpanningTree::kBreadthFirst);
    const TurnSet turns = LeftRightTurns(graph, trees);
    const LanePlanner planner(request, turns);
    for (int breaks = request.vls - 1;; --breaks) {
      Forest forest(request, true);
      TurnWays ways(graph, trees, turns, breaks);
      forest.Route([&](int target, NextHops& hops) { ways.To(target, hops); }, Spread::kWholeWays);
      // Without breaks any path fits the first SL.
      const auto plan = planner.MakePlan(forest, request.vls, request.sls);
      if (plan) return planner.Write(*plan, name());
    }
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeDescendingLayersEngine() {
  return std::make_unique<DescendingLayersEngine>();
}

}  // namespace lanecut
