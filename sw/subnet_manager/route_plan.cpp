// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/route_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "sw/routing/dependency_graph.h"

namespace lanecut {

namespace {

constexpr std::size_t kItemsNamed = 6;

std::optional<int> RootOf(const SmConfig& config, const RoutePlan& plan, const FabricMap& map) {
  if (config.root.empty()) return std::nullopt;
  const std::optional<int> root = plan.topology.FindNode(config.root);
  if (!root || !plan.topology.IsSwitch(*root)) {
    throw RoutingError(fmt::format("root \"{}\" is no switch of this fabric", config.root));
  }
  if (!map.node(plan.map_nodes[*root]).IsReachable()) return std::nullopt;
  return root;
}

std::vector<Lid> LidsOf(const RoutePlan& plan, const FabricMap& map) {
  std::vector<Lid> lids;
  for (const int node : plan.map_nodes) lids.push_back(map.node(node).lid);
  return lids;
}

bool IsReachable(const RoutePlan& plan, const FabricMap& map, int node) {
  return map.node(plan.map_nodes[node]).IsReachable();
}

void CheckTables(const SmConfig& config, const RoutePlan& plan, const FabricMap& map) {
  const DependencyGraph graph(plan.topology, plan.tables);
  for (const PathFault& fault : graph.faults()) {
    if (!IsReachable(plan, map, fault.source) || !IsReachable(plan, map, fault.destination))
      continue;
    throw RoutingError(fmt::format("the tables of {} do not lead from {} to {}: {}",
                                   config.routing_engine, plan.topology.node(fault.source).name,
                                   plan.topology.node(fault.destination).name,
                                   PathEndName(fault.end)));
  }
  if (config.allow_cyclic) return;
  const std::vector<Channel> cycle = graph.FindCycle();
  if (cycle.empty()) return;
  throw RoutingError(
      fmt::format("the tables of {} can deadlock, and cyclic tables are not allowed: {}",
                  config.routing_engine, DescribeCycle(plan.topology, cycle)));
}

void CollectUsedPairs(RoutePlan* plan) {
  plan->used.resize(plan->topology.nodes().size());
  for (const int source : plan->topology.hcas()) {
    for (const int destination : plan->topology.hcas()) {
      if (source == destination) continue;
      const Path path = TracePath(plan->topology, plan->tables, source, destination);
      if (path.end != PathEnd::kDelivered) continue;
      for (const Hop& hop : path.hops) plan->used[hop.node].emplace(hop.in_port, hop.out_port);
    }
  }
}

// A cable by what does not change between two topologies: GUIDs and ports, smaller GUID first.
using CableKey = std::array<std::uint64_t, 4>;

std::vector<std::pair<CableKey, std::string>> Cables(const Topology& topology) {
  std::vector<std::pair<CableKey, std::string>> keys;
  for (const Cable& cable : topology.cables()) {
    const Node& a = topology.node(cable.a.node);
    const Node& b = topology.node(cable.b.node);
    CableKey key{a.guid, static_cast<std::uint64_t>(cable.a.port), b.guid,
                 static_cast<std::uint64_t>(cable.b.port)};
    if (b.guid < a.guid) key = {key[2], key[3], key[0], key[1]};
    keys.emplace_back(
        key, fmt::format("{} port {} - {} port {}", a.name, cable.a.port, b.name, cable.b.port));
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

// Names what `whole` has and `part` has not.
void AddMissing(const Topology& whole, const Topology& part, std::string_view verb,
                std::vector<std::string>* items) {
  const auto all = Cables(whole);
  const auto some = Cables(part);
  std::vector<std::pair<CableKey, std::string>> missing;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(missing),
                      [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, text] : missing) items->push_back(fmt::format("{} link {}", verb, text));
}

}  // namespace

RoutePlan ComputePlan(const SmConfig& config, const FabricMap& map) {
  RoutePlan plan;
  plan.topology = map.BuildTopology(&plan.map_nodes);
  const RoutingRequest request{plan.topology, LidsOf(plan, map), config.data_vls,
                               RootOf(config, plan, map)};
  plan.tables = FindRoutingEngine(config.routing_engine).Compute(request);
  CheckTables(config, plan, map);
  CollectUsedPairs(&plan);
  return plan;
}

bool SameFabric(const Topology& a, const Topology& b) {
  return a.nodes() == b.nodes() && a.cables() == b.cables();
}

std::string DescribeChange(const Topology& before, const Topology& after) {
  std::vector<std::string> items;
  AddMissing(before, after, "lost", &items);
  AddMissing(after, before, "found", &items);
  const std::size_t named = std::min(items.size(), kItemsNamed);
  std::string text = fmt::format("{}", fmt::join(items.begin(), items.begin() + named, "; "));
  if (items.size() > named) text += fmt::format("; and {} more", items.size() - named);
  return text;
}

}  // namespace lanecut
