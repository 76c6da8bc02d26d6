// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/cli/commands.h"
#include "sw/cli/compare_engines.h"
#include "sw/cli/dump_files.h"
#include "sw/cli/engine_options.h"
#include "sw/cli/network.h"
#include "sw/cli/output_file.h"
#include "sw/cli/topology_argument.h"
#include "sw/routing/dependency_graph.h"
#include "sw/routing/lft_dump.h"
#include "sw/routing/path_report.h"
#include "sw/routing/rftr.h"
#include "sw/routing/routing.h"
#include "sw/routing/table_dumps.h"

namespace lanecut {
namespace {

constexpr const char* kRouteExamples = R"(Examples:
  lanecut route torus:8x8:2 --engine dor --vls 2
  lanecut route torus:4x4 --engine updown --root S1_1 --cut S0_0:1
  lanecut route scenarios/torus8x8-static.toml
  lanecut route torus:8x8:2 --engine dor --dump --out dor.lfts
  lanecut route torus:8x8:2 --engine dor --vls 2 --dumps out
  lanecut route fabric.net --tables opensm-lfts.dump
  lanecut route opensm-subnet.lst --tables opensm.fdbs --sl2vl opensm-sl2vl.dump --path-records path-records.txt
  lanecut route torus:8x8:2 --vls 4 --balance --compare updown,dor,lash,fx
  lanecut route torus:4x4 --vls 2 --faults S0_0:1,S1_1:3 --spare-vls 1
  lanecut route torus:4x4 --engine tftr --vls 2 --paths 2 --faults S0_0:1,S1_1:3 --ready 2

Exit status: 0 every end node reaches every other one and the channel dependency graph has no cycle;
1 otherwise, the cycle or the first pair is printed; 2 bad input. With --compare 0, whatever the rows
say, or 2.)";

struct RouteArguments {
  std::string topology;
  EngineOptions engine;
  std::vector<std::string> cuts;
  std::vector<std::string> faults;
  int spare_vls = 0;
  int ready = 1;
  std::string tables;
  std::string sl2vl;
  std::string path_records;
  std::string dumps;
  std::vector<std::string> compare;
  bool report = false;
  bool time = false;
  bool dump = false;
  std::string out;
};

// Only what the engine takes: the rest is for the one after a fault.
void TakeEngineOptions(const RoutingScenario& routing, EngineOptions& options) {
  const RoutingEngine& engine = FindRoutingEngine(routing.engine);
  if (options.root.empty()) options.root = routing.root;
  if (routing.root_choice == "least-load" && engine.takes(EngineOption::kRootChoice))
    options.root_choice = RootChoice::kLeastLoad;
  if (routing.tree == "dfs" && engine.takes(EngineOption::kTree))
    options.tree = SpanningTree::kDepthFirst;
  if (routing.balance && engine.takes(EngineOption::kBalance)) options.balance = true;
}

// What the command line says goes before what a scenario says.
void TakeFromScenario(const Scenario& scenario, RouteArguments& arguments) {
  EngineOptions& options = arguments.engine;
  if (options.engine.empty() && arguments.tables.empty() && scenario.routing.engine == "file") {
    arguments.tables = scenario.routing.path.string();
    arguments.sl2vl = scenario.routing.sl2vl_path.string();
    arguments.path_records = scenario.routing.path_records_path.string();
  } else if (options.engine.empty() && arguments.tables.empty()) {
    options.engine = scenario.routing.engine;
    TakeEngineOptions(scenario.routing, options);
    if (options.paths == 1) options.paths = static_cast<int>(scenario.routing.paths);
    if (!options.lmc) options.lmc = static_cast<int>(scenario.routing.lmc);
    options.fewer |= scenario.routing.paths > 1;
  }
  if (!options.vls) options.vls = static_cast<int>(scenario.switches.vls);
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

RoutingTables ReadTables(const Topology& topology, const RouteArguments& arguments) {
  return ReadTableDumps(topology, {.lfts = arguments.tables,
                                   .sl2vl = arguments.sl2vl,
                                   .path_records = arguments.path_records,
                                   .vls = arguments.engine.vls.value_or(kDropVl)});
}

// Those that have fewer paths ready than they shall have.
void DescribePairs(const Topology& topology, const std::vector<std::pair<int, int>>& pairs,
                   std::string_view why, std::string& text) {
  constexpr std::size_t kNamed = 3;
  if (pairs.empty()) return;
  fmt::format_to(std::back_inserter(text), "  fewer    {} pairs, as {}:", pairs.size(), why);
  for (std::size_t i = 0; i < std::min(pairs.size(), kNamed); ++i) {
    fmt::format_to(std::back_inserter(text), "{} {} to {}", i > 0 ? "," : "",
                   topology.node(pairs[i].first).name, topology.node(pairs[i].second).name);
  }
  text += pairs.size() > kNamed ? ", ...\n" : "\n";
}

void DescribeChange(const Topology& topology, const NamedFault& fault, const Rftr& rftr,
                    const Rftr::Change& change, std::string& text) {
  std::size_t pairs = 0;
  for (const auto& row : rftr.tables().alternatives) {
    pairs += std::ranges::count_if(row, [](const auto& records) { return !records.empty(); });
  }
  // Of the tables that have one LID for every end node, as without spare ones.
  const double lft_size = static_cast<double>(topology.switches().size() * topology.hcas().size());
  fmt::format_to(std::back_inserter(text),
                 "fault      {}: {} of {} pairs have new paths, {} are cut off; {} LFT entries "
                 "({:.2f} %), {} SLtoVL entries; uses {} VLs, {} SLs\n",
                 fault.name, change.rerouted.size(), pairs + change.cut_off.size(),
                 change.cut_off.size(), change.lft.size(),
                 100.0 * static_cast<double>(change.lft.size()) / lft_size, change.sl2vl.size(),
                 rftr.state().vls, rftr.state().sls);
  if (rftr.paths().limits().paths == 1) return;
  fmt::format_to(std::back_inserter(text), "  ready    {} pairs have got further paths\n",
                 change.added.size());
  DescribePairs(topology, change.no_way, "the topology has no disjoint one", text);
  DescribePairs(topology, change.short_of, "VLs, SLs or LIDs do not suffice", text);
}

// Lets the faults happen one after the other; returns what is left of the topology.
Topology MeetFaults(const Topology& topology, const RouteArguments& arguments,
                    RoutingTables& tables, std::string& text) {
  std::vector<NamedFault> faults;
  for (const std::string& name : arguments.faults)
    faults.push_back(FindFault(topology, "--faults", name));
  Rftr rftr(topology, std::move(tables),
            {arguments.engine.vls.value_or(1) + arguments.spare_vls, arguments.engine.sls,
             arguments.ready});
  const RftrState& state = rftr.state();
  fmt::format_to(std::back_inserter(text), "rftr       DRT {} rows, IRT {} rows, {} bytes\n",
                 state.direct.num_rows(), state.indirect.num_rows(),
                 state.direct.bytes() + state.indirect.bytes());
  for (const NamedFault& fault : faults) {
    try {
      const Rftr::Change change =
          fault.cable ? rftr.Fail({&*fault.cable, 1}) : rftr.Fail({}, {&*fault.node, 1});
      DescribeChange(topology, fault, rftr, change, text);
    } catch (const RoutingError& error) {
      throw RoutingError(fmt::format("fault {}: {}", fault.name, error.what()));
    }
  }
  tables = rftr.tables();
  return rftr.Remaining();
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
  Topology topology = WithoutCuts(named.topology, arguments.cuts);
  if (!arguments.compare.empty()) {
    WriteOutput(arguments.out, CompareEngines(topology, arguments.engine, arguments.compare), out);
    return kExitOk;
  }
  const std::clock_t start = std::clock();
  RoutingTables tables = arguments.tables.empty()
                             ? ComputeTables(topology, arguments.engine, !arguments.faults.empty())
                             : ReadTables(topology, arguments);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::string verdict;
  if (!arguments.faults.empty()) topology = MeetFaults(topology, arguments, tables, verdict);
  const bool good = Check(topology, tables, verdict);
  if (arguments.report) verdict += Describe(ReportPaths(topology, tables));
  if (arguments.time) verdict += fmt::format("computed   in {:.4f} s of CPU time\n", seconds);
  if (!arguments.dumps.empty()) WriteDumpFiles(topology, tables, arguments.dumps);
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

}  // namespace

void AddRouteCommand(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RouteArguments>();
  CLI::App* command =
      app.add_subcommand("route", "Compute, check and dump forwarding tables without simulating");
  command->footer(kRouteExamples);
  command->add_option("TOPOLOGY", arguments->topology, std::string(kTopologyArgumentHelp))
      ->required();
  AddEngineOptions(*command, arguments->engine);
  command->add_option("--cut", arguments->cuts, "NODE:PORT: leave this link out; repeatable")
      ->allow_extra_args(false);
  command
      ->add_option("--faults", arguments->faults,
                   "NODE:PORT or SWITCH, separated by commas: links and switches that fail in this "
                   "order, one after the other, while RFTR gives pairs new paths")
      ->delimiter(',');
  command
      ->add_option("--spare-vls", arguments->spare_vls,
                   "VLs beyond --vls that these new paths may use, default 0")
      ->check(CLI::Range(0, 14));
  command
      ->add_option("--ready", arguments->ready,
                   "With --faults: disjoint paths that every pair shall have after each fault, "
                   "where the topology has them, default 1")
      ->check(CLI::Range(1, 1 << kMaxLmc))
      ->needs("--faults");
  CLI::Option* tables = command->add_option(
      "--tables", arguments->tables,
      "Check this dump of LFTs (opensm-lfts.dump, opensm.fdbs) instead of computing tables");
  for (const char* other : {"--engine", "--root", "--root-choice", "--tree", "--balance"})
    tables->excludes(other);
  command
      ->add_option("--sl2vl", arguments->sl2vl,
                   "With these SLtoVL tables (opensm-sl2vl.dump); without, all on VL 0")
      ->needs("--tables");
  command
      ->add_option("--path-records", arguments->path_records,
                   "With the SLs of these path records (as saquery prints them); without, SL 0")
      ->needs("--sl2vl");
  command->add_flag("--report", arguments->report,
                    "Print how many paths are disjoint, how long they are and what they use");
  command->add_flag("--time", arguments->time, "Print how long the tables took");
  command->add_flag("--dump", arguments->dump, "Print the LFTs, in the format of opensm-lfts.dump");
  command->add_option("--dumps", arguments->dumps,
                      "Write opensm-lfts.dump, opensm.fdbs, opensm-sl2vl.dump, path-records.txt, "
                      "opensm-subnet.lst and ibnetdiscover.net into this folder");
  CLI::Option* compare =
      command
          ->add_option(
              "--compare", arguments->compare,
              "ENGINE,...: a table with a row for each instead: VLs and SLs in use, hops "
              "(mean of first paths, most of any), pairs on the busiest link when all send "
              "to all and how many times the mean that is, dependencies; or why it "
              "refuses. Engines use those of the options that they take")
          ->delimiter(',')
          ->allow_extra_args(false);
  for (const char* other : {"--engine", "--tables", "--faults", "--spare-vls", "--ready",
                            "--report", "--time", "--dump", "--dumps"})
    compare->excludes(other);
  command->add_option("--out", arguments->out, "Write to this file instead of the terminal");
  command->callback([arguments, &action] {
    action = [arguments](std::ostream& out) { return Route(*arguments, out); };
  });
}

}  // namespace lanecut
