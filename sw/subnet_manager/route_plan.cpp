// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/route_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/sl_halves.h"
#include "sw/subnet_manager/kept_tables.h"
#include "sw/subnet_manager/recovery.h"

namespace lanecut {

namespace {

constexpr std::size_t kItemsNamed = 6;

// The engine and root that are due.
RoutingChoice ChoiceOf(const SmConfig& config, bool is_bring_up, const RoutingChoice& wish) {
  RoutingChoice choice{config.routing_engine, config.root};
  if (!is_bring_up && !config.after_fault_engine.empty()) choice.engine = config.after_fault_engine;
  if (!is_bring_up && !config.after_fault_root.empty()) choice.root = config.after_fault_root;
  if (!wish.engine.empty() && wish.engine != choice.engine) choice = {wish.engine, ""};
  if (!wish.root.empty()) choice.root = wish.root;
  return choice;
}

std::optional<int> RootOf(const std::string& name, const RoutePlan& plan,
                          const std::vector<bool>& connected) {
  if (name.empty()) return std::nullopt;
  const std::optional<int> root = plan.topology.FindNode(name);
  if (!root || !plan.topology.IsSwitch(*root)) {
    throw RoutingError(fmt::format("root \"{}\" is no switch of this fabric", name));
  }
  if (!connected[*root]) return std::nullopt;
  return root;
}

std::vector<Lid> LidsOf(const RoutePlan& plan, const FabricMap& map) {
  std::vector<Lid> lids;
  for (const int node : plan.map_nodes) lids.push_back(map.node(node).lid);
  return lids;
}

// By node of the topology: some way over links in service leads there from the manager.
std::vector<bool> ConnectedTo(const RoutePlan& plan) {
  const auto manager = std::find(plan.map_nodes.begin(), plan.map_nodes.end(), 0);
  std::vector<bool> connected;
  for (const int hops :
       plan.topology.HopsFrom(static_cast<int>(manager - plan.map_nodes.begin()))) {
    connected.push_back(hops >= 0);
  }
  return connected;
}

// The SL of every pair under the plan in force, as a matrix for the new topology; the new SL where
// it has none.
SlMatrix EarlierSls(const RoutePlan& before, const RoutePlan& plan) {
  SlMatrix sls = plan.tables.sl;
  std::vector<std::pair<int, int>> both;  // end nodes of the two topologies
  for (const int node : plan.topology.hcas()) {
    const std::optional<int> earlier = before.topology.FindGuid(plan.topology.node(node).guid);
    if (earlier) both.emplace_back(*earlier, node);
  }
  for (const auto& [old_source, source] : both) {
    for (const auto& [old_destination, destination] : both) {
      sls[source][destination] = before.tables.sl[old_source][old_destination];
    }
  }
  return sls;
}

void CheckPaths(const std::string& engine, const RoutePlan& plan,
                const std::vector<bool>& connected, const DependencyGraph& graph) {
  for (const PathFault& fault : graph.faults()) {
    if (!connected[fault.source] || !connected[fault.destination]) continue;
    throw RoutingError(fmt::format("the tables of {} do not lead from {} to {}: {}", engine,
                                   plan.topology.node(fault.source).name,
                                   plan.topology.node(fault.destination).name,
                                   PathEndName(fault.end)));
  }
}

void CheckCycles(const SmConfig& config, const std::string& engine, const RoutePlan& plan,
                 const DependencyGraph& graph) {
  if (config.allow_cyclic && !config.UsesNumbers()) return;
  const std::vector<Channel> cycle = graph.FindCycle();
  if (cycle.empty()) return;
  const std::string why = config.UsesNumbers() ? fmt::format("scheme {} needs tables that cannot",
                                                             SchemeName(config.scheme))
                                               : "cyclic tables are not allowed";
  throw RoutingError(fmt::format("the tables of {} can deadlock, and {}: {}", engine, why,
                                 DescribeCycle(plan.topology, cycle)));
}

// Of the function before, on the other half of the SLs.
void CheckStragglers(const SmConfig& config, const std::string& engine, const RoutePlan& plan,
                     DependencyGraph graph) {
  graph.AddStragglers(plan.topology, plan.tables, FirstSlOf(1 - plan.half), kSlsOfHalf);
  CheckCycles(config, engine, plan, graph);
}

void MakeTables(const SmConfig& config, const RoutePlan* before,
                const std::function<RoutingTables()>& compute, RoutePlan* plan) {
  if (before != nullptr && config.ReplacesKeptTables()) {
    PlanRecovery(config, *before, compute, plan);
  } else if (before != nullptr && config.ChangesPaths()) {
    KeepTables(config, *before, plan);
  } else if (config.ReplacesKeptTables()) {
    BeginFunction(config, compute(), 0, plan);
  } else {
    plan->tables = compute();
    if (config.ChangesPaths())
      plan->base = std::make_shared<const BaseTables>(BaseTables{plan->topology, plan->tables});
  }
}

// In a change by Double Scheme all packets are on one VL at a time, and old ones go on by the new
// function from wherever they are.
void CheckLinks(const SmConfig& config, const std::string& engine, const RoutePlan& plan) {
  if (config.data_vls < 2) {
    throw RoutingError(
        fmt::format("scheme {} needs 2 data VLs, and there is one", SchemeName(config.scheme)));
  }
  const std::vector<Channel> cycle =
      DependencyGraph::OfLinks(plan.topology, plan.tables).FindCycle();
  if (cycle.empty()) return;
  throw RoutingError(fmt::format(
      "the tables of {} can deadlock if all packets are on one VL, as scheme {} has them during a "
      "change: {}; expected tables whose links alone have no cycle, like those of updown",
      engine, SchemeName(config.scheme), DescribeCycle(plan.topology, cycle)));
}

// Returns how many paths there are.
std::size_t CollectUsedPairs(RoutePlan* plan) {
  std::size_t paths = 0;
  plan->used.resize(plan->topology.nodes().size());
  for (const int source : plan->topology.hcas()) {
    for (const int destination : plan->topology.hcas()) {
      if (source == destination) continue;
      for (int i = 0; i < plan->tables.NumPaths(source, destination); ++i) {
        const Path path = TracePath(plan->topology, plan->tables, source, destination,
                                    plan->tables.PathOf(source, destination, i));
        if (path.end != PathEnd::kDelivered) continue;
        ++paths;
        for (const Hop& hop : path.hops) plan->used[hop.node].emplace(hop.in_port, hop.out_port);
      }
    }
  }
  return paths;
}

// Stragglers come by any port.
void UseAllPairs(RoutePlan* plan) {
  const Topology& topology = plan->topology;
  for (const int node : topology.switches()) {
    for (int in_port = 1; in_port <= topology.node(node).num_ports; ++in_port) {
      for (int out_port = 1; out_port <= topology.node(node).num_ports; ++out_port) {
        if (topology.PeerOf(node, in_port) && topology.PeerOf(node, out_port))
          plan->used[node].emplace(in_port, out_port);
      }
    }
  }
}

Cycle ComputeTime(const SmConfig& config, const RoutePlan& plan, const std::vector<bool>& connected,
                  std::size_t paths) {
  const auto switches =
      std::ranges::count_if(plan.topology.switches(), [&](int node) { return connected[node]; });
  const double linear = config.compute_time_per_switch * static_cast<double>(switches) +
                        config.compute_time_per_path * static_cast<double>(paths);
  return config.compute_time + static_cast<Cycle>(std::llround(linear));
}

// A cable by what does not change between two topologies: GUIDs and ports, smaller GUID first.
using CableKey = std::array<std::uint64_t, 4>;

CableKey KeyOf(const Topology& topology, const Cable& cable) {
  const CableKey key{topology.node(cable.a.node).guid, static_cast<std::uint64_t>(cable.a.port),
                     topology.node(cable.b.node).guid, static_cast<std::uint64_t>(cable.b.port)};
  return key[2] < key[0] ? CableKey{key[2], key[3], key[0], key[1]} : key;
}

std::vector<std::pair<CableKey, std::string>> Cables(const Topology& topology) {
  std::vector<std::pair<CableKey, std::string>> keys;
  for (const Cable& cable : topology.cables()) {
    const Node& a = topology.node(cable.a.node);
    const Node& b = topology.node(cable.b.node);
    keys.emplace_back(KeyOf(topology, cable), fmt::format("{} port {} - {} port {}", a.name,
                                                          cable.a.port, b.name, cable.b.port));
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

std::set<int> SwitchesThatLostLinks(const Topology& before, const Topology& after) {
  std::set<CableKey> kept;
  for (const Cable& cable : after.cables()) kept.insert(KeyOf(after, cable));
  std::set<int> switches;
  for (const Cable& cable : before.cables()) {
    if (kept.count(KeyOf(before, cable)) > 0) continue;
    for (const PortRef& end : {cable.a, cable.b}) {
      if (before.IsSwitch(end.node)) switches.insert(end.node);
    }
  }
  return switches;
}

}  // namespace

RoutePlan ComputePlan(const SmConfig& config, const FabricMap& map, const RoutePlan* before,
                      const RoutingChoice& wish) {
  RoutePlan plan;
  plan.choice = wish;
  plan.topology = map.BuildTopology(&plan.map_nodes);
  const std::vector<bool> connected = ConnectedTo(plan);
  const RoutingChoice choice = ChoiceOf(config, before == nullptr, wish);
  RoutingRequest request{plan.topology, LidsOf(plan, map), config.data_vls,
                         RootOf(choice.root, plan, connected)};
  request.root_choice = config.root_choice;
  request.tree = config.tree;
  request.balance = config.balance;
  request.lmc = config.lmc;
  request.paths = config.paths;
  request.fewer_paths = config.paths > 1;
  if (config.ReplacesKeptTables()) request.sls = kSlsOfHalf;
  plan.engine = choice.engine;
  const auto compute = [&] { return config.find_engine(choice.engine).Compute(request); };
  MakeTables(config, before, compute, &plan);
  const bool keeps_tables =
      before != nullptr && config.ChangesPaths() && plan.recovery != Recovery::kEbr;
  if (keeps_tables) plan.engine = before->engine;
  const bool packets_meet = before != nullptr && config.UsesNumbers() && !config.ChangesPaths();
  const DependencyGraph graph(plan.topology, plan.tables,
                              packets_meet ? EarlierSls(*before, plan) : plan.tables.sl);
  CheckPaths(choice.engine, plan, connected, graph);
  CheckCycles(config, choice.engine, plan, graph);
  if (keeps_tables) {
    CheckCycles(config, choice.engine, plan,
                DependencyGraph(plan.topology, WithEarlierPaths(*before, plan)));
  }
  if (config.ReplacesKeptTables()) CheckStragglers(config, choice.engine, plan, graph);
  if (config.DrainsVls()) CheckLinks(config, choice.engine, plan);
  const std::size_t paths = CollectUsedPairs(&plan);
  if (config.ReplacesKeptTables()) UseAllPairs(&plan);
  plan.compute_time = ComputeTime(config, plan, connected, paths);
  if (config.UsesTokens()) plan.feeders = ComputeFeederRows(plan.topology, graph, config.data_vls);
  return plan;
}

std::vector<RankedSwitch> RankSwitches(const RoutePlan& before, const RoutePlan& after,
                                       DistributionOrder order) {
  const Topology& old = before.topology;
  std::set<int> sources;
  if (order == DistributionOrder::kNearestFault)
    sources = SwitchesThatLostLinks(old, after.topology);
  const auto manager = std::find(before.map_nodes.begin(), before.map_nodes.end(), 0);
  if (sources.empty()) sources.insert(static_cast<int>(manager - before.map_nodes.begin()));

  std::map<int, int> distance;
  for (const int source : sources) {
    const std::vector<int> hops = old.HopsFrom(source);
    for (std::size_t node = 0; node < hops.size(); ++node) {
      if (hops[node] < 0) continue;
      const auto [known, is_new] = distance.emplace(static_cast<int>(node), hops[node]);
      if (!is_new) known->second = std::min(known->second, hops[node]);
    }
  }
  const int sign = order == DistributionOrder::kNearestFault ? 1 : -1;
  std::vector<RankedSwitch> ranked;
  for (const int place : after.topology.switches()) {
    const std::optional<int> node = old.FindGuid(after.topology.node(place).guid);
    const auto known = node ? distance.find(*node) : distance.end();
    const bool was_there = known != distance.end();
    ranked.push_back({place, was_there ? sign * known->second : std::numeric_limits<int>::min()});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const RankedSwitch& a, const RankedSwitch& b) { return a.turn < b.turn; });
  return ranked;
}

std::string DescribeTables(const RoutePlan& plan) {
  if (plan.tables.alternatives.empty()) return plan.engine;
  int least = std::numeric_limits<int>::max();
  int most = 0;
  for (const int source : plan.topology.hcas()) {
    for (const int destination : plan.topology.hcas()) {
      if (source == destination) continue;
      least = std::min(least, plan.tables.NumPaths(source, destination));
      most = std::max(most, plan.tables.NumPaths(source, destination));
    }
  }
  if (most == 1) return plan.engine;
  if (least >= most) return fmt::format("{}, {} paths", plan.engine, most);
  return fmt::format("{}, {} to {} paths", plan.engine, least, most);
}

EntryCount CountEntries(const RoutePlan& before, const RoutePlan& after) {
  EntryCount count;
  for (const int place : after.topology.switches()) {
    const std::optional<int> old = before.topology.FindGuid(after.topology.node(place).guid);
    for (const int hca : after.topology.hcas()) {
      const int lowest = after.tables.lids[static_cast<std::size_t>(hca)];
      for (int lid = lowest; lid < lowest + (1 << after.tables.lmc); ++lid) {
        const auto port = [at = static_cast<std::size_t>(lid)](const RoutePlan& plan, int node) {
          const std::vector<std::uint8_t>& lft = plan.tables.lft[static_cast<std::size_t>(node)];
          return at < lft.size() ? lft[at] : kUnreachablePort;
        };
        ++count.all;
        if (!old || port(before, *old) != port(after, place)) ++count.changed;
      }
    }
  }
  return count;
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
