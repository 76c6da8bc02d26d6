// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/engine_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "sw/cli/commands.h"
#include "sw/cli/network.h"

namespace lanecut {
namespace {

std::string EngineHelp() {
  std::string text = "Routing engine, default updown:";
  for (const auto& engine : RoutingEngines()) {
    fmt::format_to(std::back_inserter(text), "\n{} - {}", engine->name(), engine->summary());
  }
  return text;
}

std::optional<int> FindRoot(const Topology& topology, const std::string& name) {
  if (name.empty()) return std::nullopt;
  const std::optional<int> node = topology.FindNode(name);
  if (!node || !topology.IsSwitch(*node)) {
    throw UsageError(fmt::format("--root {}: no switch has this name; expected a switch, like {}",
                                 name, topology.node(topology.switches().front()).name));
  }
  return node;
}

// The largest LMC for which there are LIDs enough.
int LargestLmc(const Topology& topology) {
  int lmc = kMaxLmc;
  while (lmc > 0 &&
         ((topology.hcas().size() + 1) << lmc) + topology.switches().size() > kLastUnicastLid) {
    --lmc;
  }
  return lmc;
}

// What was said on the command line must be of use to the engine.
void CheckTaken(const RoutingEngine& engine, const EngineOptions& options) {
  const auto check = [&](bool is_given, const char* name, EngineOption option) {
    if (!is_given || engine.takes(option)) return;
    throw UsageError(
        fmt::format("--{} is given for engine {}, which has no use for it; expected "
                    "--engine {}",
                    name, engine.name(), EnginesThatTake(option, true)));
  };
  check(!options.root.empty(), "root", EngineOption::kRoot);
  check(options.root_choice.has_value(), "root-choice", EngineOption::kRootChoice);
  check(options.tree.has_value(), "tree", EngineOption::kTree);
  check(options.balance, "balance", EngineOption::kBalance);
}

}  // namespace

void AddEngineOptions(CLI::App& command, EngineOptions& options) {
  command.add_option("--engine", options.engine, EngineHelp());
  command.add_option("--vls", options.vls, "Data VLs the tables may use, default 1")
      ->check(CLI::Range(1, 15));
  command.add_option("--sls", options.sls, "SLs the tables may use, default 16")
      ->check(CLI::Range(1, kServiceLevels));
  command.add_option("--paths", options.paths, "Disjoint paths for each pair, default 1")
      ->check(CLI::Range(1, 1 << kMaxLmc));
  command
      .add_option("--lmc", options.lmc,
                  "Give every end node 2^LMC LIDs, default 0; with --paths and --faults as many as "
                  "there are")
      ->check(CLI::Range(0, kMaxLmc));
  command.add_flag("--fewer", options.fewer,
                   "Give pairs fewer paths where VLs or SLs do not suffice");
  command.add_option("--root", options.root,
                     fmt::format("Root switch, by name, of the tree of {}",
                                 EnginesThatTake(EngineOption::kRoot, true)));
  const std::map<std::string, SpanningTree> trees = {{"bfs", SpanningTree::kBreadthFirst},
                                                     {"dfs", SpanningTree::kDepthFirst}};
  command
      .add_option("--tree", options.tree,
                  fmt::format("Breadth-first (default) or depth-first tree of {}",
                              EnginesThatTake(EngineOption::kTree, true)))
      ->transform(CLI::CheckedTransformer(trees))
      ->type_name("bfs|dfs");
  const std::map<std::string, RootChoice> choices = {
      {"mean-distance", RootChoice::kLowestMeanDistance}, {"least-load", RootChoice::kLeastLoad}};
  command
      .add_option("--root-choice", options.root_choice,
                  "Without --root: the switch nearest to all others (default), or the one with the "
                  "least load on the busiest link, of all roots")
      ->transform(CLI::CheckedTransformer(choices))
      ->type_name("mean-distance|least-load")
      ->excludes("--root");
  command.add_flag("--balance", options.balance,
                   fmt::format("{}: weigh whole ways and all pairs when spreading the load",
                               EnginesThatTake(EngineOption::kBalance, true)));
}

RoutingTables ComputeTables(const Topology& topology, const EngineOptions& options,
                            bool many_lids) {
  const RoutingEngine& engine =
      FindRoutingEngine(options.engine.empty() ? "updown" : options.engine);
  CheckTaken(engine, options);
  const int lmc = options.lmc.value_or(options.paths > 1 || many_lids ? LargestLmc(topology) : 0);
  RoutingRequest request{topology, SequentialLids(topology, lmc), options.vls.value_or(1),
                         FindRoot(topology, options.root)};
  request.sls = options.sls;
  request.lmc = lmc;
  request.paths = options.paths;
  request.fewer_paths = options.fewer;
  request.tree = options.tree.value_or(request.tree);
  request.root_choice = options.root_choice.value_or(request.root_choice);
  request.balance = options.balance;
  return engine.Compute(request);
}

NamedFault FindFault(const Topology& topology, const std::string& option, const std::string& name) {
  if (const auto node = topology.FindNode(name); node && topology.IsSwitch(*node))
    return {name, std::nullopt, node};
  if (const auto port = FindPort(topology, name))
    return {name, topology.PeerOf(port->node, port->port)->cable, std::nullopt};
  throw UsageError(
      fmt::format("{} {}: there is no such link or switch; expected a switch, like S0_0, or a node "
                  "and one of its cabled ports, like S0_0:1",
                  option, name));
}

}  // namespace lanecut
