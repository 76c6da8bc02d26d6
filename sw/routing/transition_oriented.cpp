// SPDX-License-Identifier: Apache-2.0
//
// Transition-Oriented Routing, TOR (Sancho, Robles, Flich, Lopez, Duato 2002): shortest paths,
// which change to a higher VL wherever up*/down* forbids the turn. Within a VL only turns are made
// that cannot close a cycle, and no packet ever goes to a lower VL.
//
// An InfiniBand switch chooses the VL by (in port, out port, SL) without knowing the VL on which a
// packet came. So the pairs are put on SLs, each into the first on which the VLs of all its turns
// can be had together with those of the pairs that are there (lane_order.h); the paper gives
// further LIDs to destinations instead. The paths are balanced ones, if the VLs and SLs suffice for
// them, or else those that keep to up*/down* wherever shortest paths can.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/lane_order.h"
#include "sw/routing/legal_shortest_ways.h"
#include "sw/routing/multipath_tables.h"
#include "sw/routing/switch_fabric.h"
#include "sw/routing/table_builder.h"
#include "sw/routing/updown_order.h"

namespace lanecut {
namespace {

class TransitionOriented {
 public:
  explicit TransitionOriented(const RoutingRequest& request)
      : request_(request),
        fabric_(request.topology),
        graph_(request.topology),
        order_(request.topology, graph_, request.tree,
               request.root ? std::optional(graph_.PlaceOf(*request.root)) : std::nullopt),
        forbidden_(fabric_.num_turns(), false) {
    for (int link = 0; link < fabric_.num_links(); ++link) {
      const auto [from, to] = std::pair(fabric_.link(link).from, fabric_.link(link).to);
      for (const int next : fabric_.LinksFrom(to)) {
        forbidden_[fabric_.Turn(link, next)] =
            !order_.IsUp(from, to) && order_.IsUp(to, fabric_.link(next).to);
      }
    }
  }

  RoutingTables Compute() const {
    Forest balanced(request_, true);
    balanced.Route([&](int target, NextHops& hops) { ShortestWays(graph_, target, hops); },
                   Spread::kWholeWays);
    if (const auto plan = MakePlan(balanced, request_.vls, request_.sls)) return Write(*plan);
    Forest legal(request_, true);
    LegalShortestWays ways(graph_, order_);
    legal.Route([&](int target, NextHops& hops) { ways.To(target, hops); }, Spread::kWholeWays);
    if (const auto plan = MakePlan(legal, request_.vls, request_.sls)) return Write(*plan);
    Refuse(legal);
  }

 private:
  // Every pair's path and SL, and what VLs the turns of every SL may have.
  struct Plan {
    PathSets paths;
    std::vector<LaneOrder> levels;
    std::vector<std::vector<int>> weight;  // by SL, then turn: pairs that make it
  };

  [[noreturn]] void Refuse(const Forest& forest) const {
    std::string expected = "fewer switches";
    for (const int sls : {kServiceLevels, request_.sls}) {
      for (int vls = kDropVl; vls >= request_.vls && MakePlan(forest, vls, sls); --vls) {
        expected = fmt::format("{} data VLs and {} SLs", vls, sls);
      }
    }
    throw RoutingError(fmt::format(
        "tor: {} data VLs and {} SLs do not suffice for shortest paths; expected {}, or "
        "engine updown, which needs 1",
        request_.vls, request_.sls, expected));
  }

  std::vector<int> WayOf(const Forest& forest, int tree, int place) const {
    std::vector<int> links;
    for (int link = forest.LinkTo(tree, place); link >= 0; link = forest.LinkTo(tree, place)) {
      const DirectedLink& taken = graph_.link(link);
      for (const int each : fabric_.LinksFrom(place)) {
        if (fabric_.link(each).out_port == taken.out_port) links.push_back(each);
      }
      place = taken.to;
    }
    return links;
  }

  // Nothing if VLs or SLs do not suffice.
  std::optional<Plan> MakePlan(const Forest& forest, int vls, int sls) const {
    const int count = fabric_.num_switches();
    Plan plan;
    plan.paths.resize(static_cast<std::size_t>(count) * count);
    for (int tree = 0; tree < forest.num_trees(); ++tree) {
      if (forest.EndNodesOf(tree) == 0) continue;
      for (int from = 0; from < count; ++from) {
        SwitchPath path;
        if (graph_.EndNodesAt(from) > 0) path.links = WayOf(forest, tree, from);
        if (path.links.empty()) continue;
        const std::vector<int> turns = fabric_.TurnsOf(path.links);
        path.sl = FirstLevel(plan, turns, vls, sls);
        if (path.sl < 0) return std::nullopt;
        for (const int turn : turns) ++plan.weight[path.sl][turn];
        plan.paths[static_cast<std::size_t>(from) * count + forest.TargetOf(tree)] = {path};
      }
    }
    return plan;
  }

  // The first SL that takes a path with these turns, a new one if need be; -1 if there is none.
  int FirstLevel(Plan& plan, const std::vector<int>& turns, int vls, int sls) const {
    const auto open = static_cast<int>(plan.levels.size());
    for (int sl = 0; sl < open; ++sl) {
      if (plan.levels[sl].Add(turns)) return sl;
    }
    if (open == sls) return -1;
    plan.levels.emplace_back(forbidden_, vls);
    plan.weight.emplace_back(fabric_.num_turns(), 0);
    return plan.levels.back().Add(turns) ? open : -1;
  }

  RoutingTables Write(const Plan& plan) const {
    std::vector<int> link_of(fabric_.num_turns());
    for (int link = 0; link < fabric_.num_links(); ++link) {
      link_of[fabric_.Injection(link)] = link;
      for (const int next : fabric_.LinksFrom(fabric_.link(link).to)) {
        link_of[fabric_.Turn(link, next)] = next;
      }
    }
    std::vector<std::vector<std::int64_t>> load(fabric_.num_links(),
                                                std::vector<std::int64_t>(request_.vls, 0));
    TurnLanes lanes;
    for (std::size_t sl = 0; sl < plan.levels.size(); ++sl) {
      lanes.push_back(plan.levels[sl].Settle(plan.weight[sl], link_of, load));
    }
    RoutingTables tables = MakeMultipathTables(request_, fabric_, plan.paths, lanes, "tor");
    tables.alternatives.clear();  // one path each, to the lowest LID
    return tables;
  }

  const RoutingRequest& request_;
  SwitchFabric fabric_;
  SwitchGraph graph_;
  UpDownOrder order_;
  std::vector<bool> forbidden_;  // by turn
};

class TransitionOrientedEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "tor"; }
  std::string_view summary() const override {
    return "TOR: shortest paths on any topology, on a higher VL after turns up*/down* forbids";
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
