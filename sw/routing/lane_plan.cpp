// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/lane_plan.h"

#include <utility>

namespace lanecut {

LanePlanner::LanePlanner(const RoutingRequest& request, const std::vector<std::uint8_t>& permitted)
    : request_(request), fabric_(request.topology), forbidden_(fabric_.num_turns(), false) {
  const SwitchGraph graph(request.topology);
  for (int link = 0; link < fabric_.num_links(); ++link) {
    const SwitchFabric::Link& from = fabric_.link(link);
    const int in_graph = graph.LinkAt(from.from, from.out_port);
    for (const int next : fabric_.LinksFrom(from.to)) {
      const int turn = graph.Turn(in_graph, graph.LinkAt(from.to, fabric_.link(next).out_port));
      forbidden_[fabric_.Turn(link, next)] = permitted[turn] == 0;
    }
  }
}

std::vector<int> LanePlanner::WayOf(const Forest& forest, int tree, int place) const {
  std::vector<int> links;
  for (int link = forest.LinkTo(tree, place); link >= 0; link = forest.LinkTo(tree, place)) {
    const DirectedLink& taken = forest.graph().link(link);
    for (const int each : fabric_.LinksFrom(place)) {
      if (fabric_.link(each).out_port == taken.out_port) links.push_back(each);
    }
    place = taken.to;
  }
  return links;
}

std::optional<LanePlanner::Plan> LanePlanner::MakePlan(const Forest& forest, int vls,
                                                       int sls) const {
  const int count = fabric_.num_switches();
  Plan plan;
  plan.paths.resize(static_cast<std::size_t>(count) * count);
  for (int tree = 0; tree < forest.num_trees(); ++tree) {
    if (forest.EndNodesOf(tree) == 0) continue;
    for (int from = 0; from < count; ++from) {
      SwitchPath path;
      if (forest.graph().EndNodesAt(from) > 0) path.links = WayOf(forest, tree, from);
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
int LanePlanner::FirstLevel(Plan& plan, const std::vector<int>& turns, int vls, int sls) const {
  const auto open = static_cast<int>(plan.levels.size());
  for (int sl = 0; sl < open; ++sl) {
    if (plan.levels[sl].Add(turns)) return sl;
  }
  if (open == sls) return -1;
  plan.levels.emplace_back(forbidden_, vls);
  plan.weight.emplace_back(fabric_.num_turns(), 0);
  return plan.levels.back().Add(turns) ? open : -1;
}

RoutingTables LanePlanner::Write(const Plan& plan, std::string_view engine) const {
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
  RoutingTables tables = MakeMultipathTables(request_, fabric_, plan.paths, lanes, engine);
  tables.alternatives.clear();  // one path each, to the lowest LID
  return tables;
}

}  // namespace lanecut
