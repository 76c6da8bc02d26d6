// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sw/cli/commands.h"
#include "sw/cli/network.h"
#include "sw/cli/output_file.h"
#include "sw/cli/topology_argument.h"
#include "sw/routing/dependency_graph.h"
#include "sw/routing/lft_dump.h"
#include "sw/routing/path_report.h"
#include "sw/routing/routing.h"

namespace lanecut {
namespace {

constexpr const char* kRouteExamples = R"(Examples:
  lanecut route torus:8x8:2 --engine dor --vls 2
  lanecut route torus:4x4 --engine updown --root S1_1 --cut S0_0:1
  lanecut route scenarios/torus8x8-static.toml
  lanecut route torus:8x8:2 --engine dor --dump --out dor.lfts
  lanecut route fabric.net --tables opensm-lfts.dump

Exit status: 0 every end node reaches every other one and the channel dependency graph has no cycle;
1 otherwise, the cycle or the first pair is printed; 2 bad input.)";

struct RouteArguments {
  std::string topology;
  std::string engine;
  std::optional<int> vls;
  int sls = kServiceLevels;
  int paths = 1;
  std::optional<int> lmc;
  bool fewer = false;
  std::string root;
  SpanningTree tree = SpanningTree::kBreadthFirst;
  RootChoice root_choice = RootChoice::kLowestMeanDistance;
  bool balance = false;
  std::vector<std::string> cuts;
  std::string tables;
  bool report = false;
  bool time = false;
  bool dump = false;
  std::string out;
};

// What the command line says goes before what a scenario says.
void TakeFromScenario(const Scenario& scenario, RouteArguments& arguments) {
  if (arguments.engine.empty() && arguments.tables.empty() && scenario.routing.engine == "file") {
    arguments.tables = scenario.routing.path.string();
  } else if (arguments.engine.empty()) {
    arguments.engine = scenario.routing.engine;
    if (arguments.root.empty()) arguments.root = scenario.routing.root;
    if (scenario.routing.root_choice == "least-load") {
      arguments.root_choice = RootChoice::kLeastLoad;
    }
    if (scenario.routing.tree == "dfs") arguments.tree = SpanningTree::kDepthFirst;
    arguments.balance |= scenario.routing.balance;
  }
  if (!arguments.vls) arguments.vls = static_cast<int>(scenario.switches.vls);
}

Topology WithoutCuts(const Topology& topology, const std::vector<std::string>& cuts) {
  std::vector<int> cables;
  for (const std::string& cut : cuts) {
    const std::optional<PortRef> port = FindPort(topology, cut);
    if (!port) {
      throw UsageError(
          fmt::format("--cut {}: there is no such link; expected a node and one of its "
                      "cabled ports, like S0_0:1",
                      cut));
    }
    cables.push_back(topology.PeerOf(port->node, port->port)->cable);
  }
  return topology.Without(cables);
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

RoutingTables ReadTables(const Topology& topology, const std::string& file) {
  std::ifstream stream(file);
  if (!stream) {
    throw UsageError(fmt::format("--tables {}: cannot be read; expected a dump of LFTs", file));
  }
  return ReadLftDump(topology, stream, file);
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

RoutingTables ComputeTables(const Topology& topology, const RouteArguments& arguments) {
  const int lmc = arguments.lmc.value_or(arguments.paths > 1 ? LargestLmc(topology) : 0);
  RoutingRequest request{topology, SequentialLids(topology, lmc), arguments.vls.value_or(1),
                         FindRoot(topology, arguments.root)};
  request.sls = arguments.sls;
  request.lmc = lmc;
  request.paths = arguments.paths;
  request.fewer_paths = arguments.fewer;
  request.tree = arguments.tree;
  request.root_choice = arguments.root_choice;
  request.balance = arguments.balance;
  return FindRoutingEngine(arguments.engine.empty() ? "updown" : arguments.engine).Compute(request);
}

// Appends the verdict; true if packets of all pairs arrive and cannot deadlock.
bool Check(const Topology& topology, const RoutingTables& tables, std::string& text) {
  const DependencyGraph graph(topology, tables);
  const std::vector<Channel> cycle = graph.FindCycle();
  fmt::format_to(std::back_inserter(text), "{} channels, {} dependencies, {}\n",
                 graph.num_channels(), graph.num_dependencies(),
                 cycle.empty() ? "no cycle" : "CYCLIC: packets can deadlock");
  if (!cycle.empty()) text += DescribeCycle(topology, cycle) + "\n";
  if (!graph.faults().empty()) {
    const PathFault& fault = graph.faults().front();
    fmt::format_to(std::back_inserter(text), "{} pairs do not arrive, the first: {} to {}, {}\n",
                   graph.faults().size(), topology.node(fault.source).name,
                   topology.node(fault.destination).name, PathEndName(fault.end));
  }
  return cycle.empty() && graph.faults().empty();
}

int Route(RouteArguments arguments, std::ostream& out) {
  const NamedTopology named = ReadTopologyArgument(arguments.topology);
  if (named.scenario) TakeFromScenario(*named.scenario, arguments);
  const Topology topology = WithoutCuts(named.topology, arguments.cuts);
  const std::clock_t start = std::clock();
  const RoutingTables tables = arguments.tables.empty() ? ComputeTables(topology, arguments)
                                                        : ReadTables(topology, arguments.tables);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::string verdict;
  const bool good = Check(topology, tables, verdict);
  if (arguments.report) verdict += Describe(ReportPaths(topology, tables));
  if (arguments.time) verdict += fmt::format("computed   in {:.4f} s of CPU time\n", seconds);
  std::string text = verdict;
  if (arguments.dump) {
    std::ostringstream dump;
    WriteLftDump(topology, tables, dump);
    text = dump.str();
    if (!good || !arguments.out.empty()) out << verdict;
  }
  WriteOutput(arguments.out, text, out);
  return good ? kExitOk : kExitFailed;
}

std::string EngineHelp() {
  std::string text = "Routing engine, default updown:";
  for (const auto& engine : RoutingEngines()) {
    fmt::format_to(std::back_inserter(text), "\n{} - {}", engine->name(), engine->summary());
  }
  return text;
}

}  // namespace

void AddRouteCommand(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RouteArguments>();
  CLI::App* command =
      app.add_subcommand("route", "Compute, check and dump forwarding tables without simulating");
  command->footer(kRouteExamples);
  command->add_option("TOPOLOGY", arguments->topology, std::string(kTopologyArgumentHelp))
      ->required();
  command->add_option("--engine", arguments->engine, EngineHelp());
  command->add_option("--vls", arguments->vls, "Data VLs the tables may use, default 1")
      ->check(CLI::Range(1, 15));
  command->add_option("--sls", arguments->sls, "SLs the tables may use, default 16")
      ->check(CLI::Range(1, kServiceLevels));
  command->add_option("--paths", arguments->paths, "Disjoint paths for each pair, default 1")
      ->check(CLI::Range(1, 1 << kMaxLmc));
  command
      ->add_option("--lmc", arguments->lmc,
                   "Give every end node 2^LMC LIDs, default 0; with --paths as many as there are")
      ->check(CLI::Range(0, kMaxLmc));
  command->add_flag("--fewer", arguments->fewer,
                    "Give pairs fewer paths where VLs or SLs do not suffice");
  command->add_option("--root", arguments->root, "Root switch of the engine's tree, by name");
  const std::map<std::string, SpanningTree> trees = {{"bfs", SpanningTree::kBreadthFirst},
                                                     {"dfs", SpanningTree::kDepthFirst}};
  command
      ->add_option("--tree", arguments->tree,
                   "Breadth-first (default) or depth-first tree of updown, mroots, tor")
      ->transform(CLI::CheckedTransformer(trees))
      ->type_name("bfs|dfs");
  const std::map<std::string, RootChoice> choices = {
      {"mean-distance", RootChoice::kLowestMeanDistance}, {"least-load", RootChoice::kLeastLoad}};
  command
      ->add_option("--root-choice", arguments->root_choice,
                   "Without --root: the switch nearest to all others (default), or the one with "
                   "the least load on the busiest link, of all roots")
      ->transform(CLI::CheckedTransformer(choices))
      ->type_name("mean-distance|least-load")
      ->excludes("--root");
  command->add_flag(
      "--balance", arguments->balance,
      "updown, minhop, mroots: weigh whole ways and all pairs when spreading the load");
  command->add_option("--cut", arguments->cuts, "NODE:PORT: leave this link out; repeatable")
      ->allow_extra_args(false);
  command
      ->add_option("--tables", arguments->tables,
                   "Check this dump of LFTs (opensm-lfts.dump) instead of computing tables")
      ->excludes("--engine");
  command->add_flag("--report", arguments->report,
                    "Print how many paths are disjoint, how long they are and what they use");
  command->add_flag("--time", arguments->time, "Print how long the tables took");
  command->add_flag("--dump", arguments->dump, "Print the LFTs, in the format of opensm-lfts.dump");
  command->add_option("--out", arguments->out, "Write to this file instead of the terminal");
  command->callback([arguments, &action] {
    action = [arguments](std::ostream& out) { return Route(*arguments, out); };
  });
}

}  // namespace lanecut
