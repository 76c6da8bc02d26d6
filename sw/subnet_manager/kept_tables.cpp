// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/kept_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/rftr.h"

namespace lanecut {

namespace {

using PathList = RoutingTables::PathList;
using PathRecord = RoutingTables::PathRecord;

void CheckNodes(const SmConfig& config, const RoutePlan& before, const Topology& now) {
  const std::vector<Node>& known = before.base->topology.nodes();
  for (const Node& node : now.nodes()) {
    if (std::ranges::find(known, node) != known.end()) continue;
    throw RoutingError(fmt::format(
        "{} was not there when the tables were computed, which scheme {} keeps; expected a scheme "
        "that computes new ones, like static",
        node.name, SchemeName(config.scheme)));
  }
}

bool IsThere(const Topology& topology, const Cable& cable) {
  const std::optional<Peer> peer = topology.PeerOf(cable.a.node, cable.a.port);
  return peer && peer->node == cable.b.node && peer->port == cable.b.port;
}

// What a source uses; nothing: it has no path.
std::optional<PathRecord> FirstPath(const RoutingTables& tables, int source, int destination) {
  if (tables.NumPaths(source, destination) == 0) return std::nullopt;
  return tables.PathOf(source, destination, 0);
}

// Those that are whole, in their order, which begins with the one in use.
PathList LivePaths(const RoutePlan& before, const Topology& now, int source, int destination) {
  const RoutingTables& tables = before.base->tables;
  PathList all = tables.alternatives[source][destination];
  if (const auto used = FirstPath(before.tables, source, destination))
    std::rotate(all.begin(), std::ranges::find(all, *used), all.end());
  PathList live;
  std::ranges::copy_if(all, std::back_inserter(live), [&](const PathRecord& record) {
    return TracePath(now, tables, source, destination, record).end == PathEnd::kDelivered;
  });
  return live;
}

void KeepPaths(const RoutePlan& before, RoutePlan* plan) {
  plan->tables = before.base->tables;
  for (const int source : plan->topology.hcas()) {
    for (const int destination : plan->topology.hcas()) {
      if (source == destination) continue;
      PathList live = LivePaths(before, plan->topology, source, destination);
      if (!live.empty()) plan->tables.sl[source][destination] = live.front().sl;
      plan->tables.alternatives[source][destination] = std::move(live);
    }
  }
}

void AddPaths(const SmConfig& config, const RoutePlan& before, RoutePlan* plan) {
  plan->tables = before.tables;
  plan->faults = before.faults;
  std::vector<int> failed = NewFaults(before, plan->topology);
  if (failed.empty()) return;
  plan->faults.push_back(std::move(failed));
  Rftr rftr(before.base->topology, before.base->tables, {config.data_vls, kServiceLevels});
  for (const std::vector<int>& fault : plan->faults) rftr.Fail(fault);
  plan->tables = rftr.tables();
}

}  // namespace

void KeepTables(const SmConfig& config, const RoutePlan& before, RoutePlan* plan) {
  CheckNodes(config, before, plan->topology);
  plan->base = before.base;
  if (config.scheme == ReconfigurationScheme::kApm) {
    KeepPaths(before, plan);
  } else {
    AddPaths(config, before, plan);
  }
}

std::vector<int> NewFaults(const RoutePlan& before, const Topology& now) {
  const Topology& base = before.base->topology;
  std::vector<int> failed;
  for (int cable = 0; cable < static_cast<int>(base.cables().size()); ++cable) {
    const Cable& ends = base.cables()[cable];
    if (!base.IsSwitch(ends.a.node) || !base.IsSwitch(ends.b.node) || IsThere(now, ends)) continue;
    const bool is_known = std::ranges::any_of(before.faults, [cable](const auto& fault) {
      return std::ranges::find(fault, cable) != fault.end();
    });
    if (!is_known) failed.push_back(cable);
  }
  return failed;
}

RoutingTables WithEarlierPaths(const RoutePlan& before, const RoutePlan& plan) {
  RoutingTables both = plan.tables;
  if (both.alternatives.empty()) return both;
  for (const int source : plan.topology.hcas()) {
    for (const int destination : plan.topology.hcas()) {
      PathList& list = both.alternatives[source][destination];
      for (int i = 0; i < before.tables.NumPaths(source, destination); ++i) {
        const PathRecord record = before.tables.PathOf(source, destination, i);
        if (std::ranges::find(list, record) == list.end()) list.push_back(record);
      }
    }
  }
  return both;
}

std::vector<std::pair<int, int>> ChangedPairs(const RoutePlan& before, const RoutePlan& after) {
  std::vector<std::pair<int, int>> pairs;
  for (const int source : after.topology.hcas()) {
    for (const int destination : after.topology.hcas()) {
      if (source == destination) continue;
      if (FirstPath(before.tables, source, destination) !=
          FirstPath(after.tables, source, destination)) {
        pairs.emplace_back(source, destination);
      }
    }
  }
  return pairs;
}

}  // namespace lanecut
