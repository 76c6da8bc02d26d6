// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/rftr.h"
#include "sw/routing/sl_halves.h"
#include "sw/subnet_manager/kept_tables.h"

namespace lanecut {

namespace {

// Of pairs whose path is cut, to the first of their paths that is whole.
void FindMoves(const RoutePlan& before, RoutePlan* plan) {
  if (plan->topology.nodes() != before.topology.nodes()) return;  // known by other numbers there
  const auto is_whole = [&](int source, int destination, int path) {
    return TracePath(plan->topology, before.tables, source, destination,
                     before.tables.PathOf(source, destination, path))
               .end == PathEnd::kDelivered;
  };
  for (const int source : plan->topology.hcas()) {
    for (const int destination : plan->topology.hcas()) {
      const int paths = source == destination ? 0 : before.tables.NumPaths(source, destination);
      if (paths == 0 || is_whole(source, destination, 0)) continue;
      ++plan->cut_pairs;
      for (int path = 1; path < paths; ++path) {
        if (!is_whole(source, destination, path)) continue;
        plan->moves.push_back(
            {source, destination, before.tables.PathOf(source, destination, path)});
        break;
      }
    }
  }
}

std::string NameNewNode(const RoutePlan& before, const Topology& now) {
  const std::vector<Node>& known = before.base->topology.nodes();
  for (const Node& node : now.nodes()) {
    if (std::ranges::find(known, node) == known.end()) return node.name;
  }
  return "";
}

// Why RFTR has nothing to build on; empty if it has.
std::string WhyNoBase(const RoutePlan& before, const RoutePlan& plan) {
  if (before.is_leaving) return "a change by EBR that has begun is not complete";
  if (before.choice != plan.choice) return "other tables are asked for";
  const std::string name = NameNewNode(before, plan.topology);
  return name.empty() ? "" : name + " is not in the tables in force";
}

RftrLimits Limits(const SmConfig& config) { return {config.data_vls, kSlsOfHalf, kPathsReady}; }

// Stragglers of the function before may still be about.
bool MayDeadlock(const RoutePlan& before, const RoutePlan& plan) {
  DependencyGraph graph(plan.topology, WithEarlierPaths(before, plan));
  graph.AddStragglers(plan.topology, plan.tables, FirstSlOf(1 - plan.half), kSlsOfHalf);
  return !graph.FindCycle().empty();
}

struct RftrVerdict {
  std::string why_not;    // empty: the plan is complete
  bool would_do = false;  // all pairs have a path, if not two
};

RftrVerdict TryRftr(const SmConfig& config, const RoutePlan& before, RoutePlan* plan) {
  plan->base = before.base;
  plan->half = before.half;
  plan->tables = before.tables;
  plan->faults = before.faults;
  plan->recovery = Recovery::kDisjointPaths;
  std::vector<int> failed = NewFaults(before, plan->topology);
  if (failed.empty()) {
    plan->reason = "no link between switches in use has failed";
    return {};
  }
  plan->faults.push_back(std::move(failed));
  Rftr rftr(plan->base->topology, plan->base->tables, Limits(config));
  Rftr::Change change;
  try {
    for (const std::vector<int>& fault : plan->faults) change = rftr.Fail(fault);
  } catch (const RoutingError& error) {
    return {error.what(), false};
  }
  plan->tables = InHalf(plan->half, plan->base->topology, rftr.tables(), rftr.paths());
  if (MayDeadlock(before, *plan))
    return {"rftr: the new paths may deadlock with packets on their way", false};
  if (!change.short_of.empty()) {
    const auto& [source, destination] = change.short_of.front();
    return {fmt::format("rftr: VLs, SLs or LIDs do not suffice for two disjoint paths of {} pairs, "
                        "the first: {} to {}",
                        change.short_of.size(), plan->topology.node(source).name,
                        plan->topology.node(destination).name),
            true};
  }
  const std::string lone =
      change.no_way.empty()
          ? "all others have two"
          : fmt::format("{} have one, as the topology has no second one disjoint from it",
                        change.no_way.size());
  if (change.rerouted.empty() && change.added.empty()) {
    plan->reason = fmt::format("no pair needs a new path; {}", lone);
    return {};
  }
  plan->recovery = Recovery::kRftr;
  plan->reason = fmt::format("{} pairs had no path left, {} get further ones; {}",
                             change.rerouted.size(), change.added.size(), lone);
  return {};
}

}  // namespace

void BeginFunction(const SmConfig& config, RoutingTables tables, int half, RoutePlan* plan) {
  auto base = std::make_shared<const BaseTables>(BaseTables{plan->topology, std::move(tables)});
  const Rftr rftr(base->topology, base->tables, Limits(config));
  plan->base = std::move(base);
  plan->half = half;
  plan->faults.clear();
  plan->tables = InHalf(half, plan->base->topology, rftr.tables(), rftr.paths());
}

void PlanRecovery(const SmConfig& config, const RoutePlan& before,
                  const std::function<RoutingTables()>& compute, RoutePlan* plan) {
  FindMoves(before, plan);
  RftrVerdict verdict{WhyNoBase(before, *plan), false};
  if (verdict.why_not.empty()) verdict = TryRftr(config, before, plan);
  if (verdict.why_not.empty()) return;
  try {
    BeginFunction(config, compute(), 1 - before.half, plan);
    plan->recovery = Recovery::kEbr;
    plan->reason = verdict.why_not;
  } catch (const RoutingError& error) {
    if (!verdict.would_do)
      throw RoutingError(fmt::format("{}; and ebr: {}", verdict.why_not, error.what()));
    plan->recovery = Recovery::kRftr;
    plan->reason = fmt::format("{}; not ebr: {}", verdict.why_not, error.what());
  }
}

std::string DescribeRecovery(const RoutePlan& plan) {
  constexpr std::string_view kNames[] = {"disjoint paths", "rftr", "ebr"};
  return fmt::format("{}: {}", kNames[static_cast<std::size_t>(plan.recovery)], plan.reason);
}

}  // namespace lanecut
