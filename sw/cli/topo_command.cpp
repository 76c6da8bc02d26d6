// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>
#include <string>

#include "sw/cli/commands.h"
#include "sw/cli/output_file.h"
#include "sw/cli/topology_argument.h"
#include "sw/topology/dot.h"
#include "sw/topology/netlist.h"

namespace lanecut {
namespace {

constexpr const char* kTopoExamples = R"(Examples:
  lanecut topo torus:8x8:2
  lanecut topo scenarios/netlists/irregular16.net
  lanecut topo mesh:4x4 --netlist
  lanecut topo torus:3x3x3 --netlist --out torus333.net
  lanecut topo dragonfly:4x2 --dot | fdp -Tsvg > dragonfly.svg

Exit status: 0 it worked, 2 bad input.)";

struct TopoArguments {
  std::string topology;
  bool netlist = false;
  bool dot = false;
  std::string out;
};

int DescribeTopology(const TopoArguments& arguments, std::ostream& out) {
  const Topology topology = ReadTopologyArgument(arguments.topology).topology;
  std::ostringstream text;
  if (arguments.netlist) {
    WriteNetlist(topology, text);
  } else if (arguments.dot) {
    WriteDot(topology, text);
  } else {
    text << Describe(topology);
  }
  WriteOutput(arguments.out, text.str(), out);
  return kExitOk;
}

}  // namespace

void AddTopoCommand(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<TopoArguments>();
  CLI::App* command =
      app.add_subcommand("topo", "Describe a topology, draw it or write it as a netlist");
  command->footer(kTopoExamples);
  command->add_option("TOPOLOGY", arguments->topology, std::string(kTopologyArgumentHelp))
      ->required();
  CLI::Option* netlist =
      command->add_flag("--netlist", arguments->netlist, "Write the netlist that ibsim reads");
  command->add_flag("--dot", arguments->dot, "Write a graph for Graphviz (dot, neato, fdp)")
      ->excludes(netlist);
  command->add_option("--out", arguments->out, "Write to this file instead of the terminal");
  command->callback([arguments, &action] {
    action = [arguments](std::ostream& out) { return DescribeTopology(*arguments, out); };
  });
}

}  // namespace lanecut
