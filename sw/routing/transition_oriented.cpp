// SPDX-License-Identifier: Apache-2.0
//
// Transition-Oriented Routing, TOR (Sancho, Robles, Flich, Lopez, Duato 2002): shortest paths,
// which change to a higher VL wherever up*/down* forbids the turn. Within a VL only turns are made
// that cannot close a cycle, and no packet ever goes to a lower VL.
//
// An InfiniBand switch chooses the VL by (in port, out port, SL) without knowing the VL on which a
// packet came. So the pairs are put on SLs, each into the first on which the VLs of all its turns
// can be had together with those of the pairs that are there (lane_plan.h); the paper gives
// further LIDs to destinations instead. The paths are balanced ones, if the VLs and SLs suffice for
// them, or else those that keep to up*/down* wherever shortest paths can.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/lane_plan.h"
#include "sw/routing/legal_shortest_ways.h"
#include "sw/routing/table_builder.h"
#include "sw/routing/updown_order.h"

namespace lanecut {
namespace {

class TransitionOriented {
 public:
  explicit TransitionOriented(const RoutingRequest& request)
      : request_(request),
        graph_(request.topology),
        order_(request.topology, graph_, request.tree, RootPlace(request, graph_)),
        planner_(request, PermittedTurns(graph_, order_)) {}

  RoutingTables Compute() const {
    Forest balanced(request_, true);
    balanced.Route([&](int target, NextHops& hops) { ShortestWays(graph_, target, hops); },
                   Spread::kWholeWays);
    if (const auto plan = planner_.MakePlan(balanced, request_.vls, request_.sls))
      return planner_.Write(*plan, "tor");
    Forest legal(request_, true);
    LegalShortestWays ways(graph_, order_);
    legal.Route([&](int target, NextHops& hops) { ways.To(target, hops); }, Spread::kWholeWays);
    if (const auto plan = planner_.MakePlan(legal, request_.vls, request_.sls))
      return planner_.Write(*plan, "tor");
    Refuse(legal);
  }

 private:
  static std::vector<std::uint8_t> PermittedTurns(const SwitchGraph& graph,
                                                  const UpDownOrder& order) {
    std::vector<std::uint8_t> permitted(graph.num_turns(), 1);
    for (int link = 0; link < graph.num_links(); ++link) {
      const auto [from, to] = std::pair(graph.link(link).from, graph.link(link).to);
      for (int next = graph.FirstLink(to); next < graph.FirstLink(to + 1); ++next) {
        const bool up_again = !order.IsUp(from, to) && order.IsUp(to, graph.link(next).to);
        permitted[graph.Turn(link, next)] = up_again ? 0 : 1;
      }
    }
    return permitted;
  }

  [[noreturn]] void Refuse(const Forest& forest) const {
    std::string expected = "fewer switches";
    for (const int sls : {kServiceLevels, request_.sls}) {
      for (int vls = kDropVl; vls >= request_.vls && planner_.MakePlan(forest, vls, sls); --vls) {
        expected = fmt::format("{} data VLs and {} SLs", vls, sls);
      }
    }
    throw RoutingError(fmt::format(
        "tor: {} data VLs and {} SLs do not suffice for shortest paths; expected {}, or "
        "engine updown, which needs 1",
        request_.vls, request_.sls, expected));
  }

  const RoutingRequest& request_;
  SwitchGraph graph_;
  UpDownOrder order_;
  LanePlanner planner_;
};

class TransitionOrientedEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "tor"; }
  std::string_view summary() const override {
    return "TOR: shortest paths on any topology, on a higher VL after turns up*/down* forbids";
  }
  bool takes(EngineOption option) const override {
    return option == EngineOption::kRoot || option == EngineOption::kTree;
  }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRequest(request);
    CheckOnePath(request);
    CheckRoot(request, name());
    return TransitionOriented(request).Compute();
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeTransitionOrientedEngine() {
  return std::make_unique<TransitionOrientedEngine>();
}

}  // namespace lanecut
