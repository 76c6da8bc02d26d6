// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/topology_argument.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "sw/cli/commands.h"
#include "sw/cli/network.h"
#include "sw/scenario/reader.h"
#include "sw/topology/netlist.h"

namespace lanecut {
namespace {

// torus:8x8:2 is read as the scenario it abbreviates, so that both have the same limits.
std::vector<std::string> ShapeOverrides(const std::string& argument) {
  const std::size_t first = argument.find(':');
  const std::size_t second = argument.find(':', first + 1);
  std::string sizes = argument.substr(first + 1, second - first - 1);
  for (std::size_t at = 0; (at = sizes.find('x', at)) != std::string::npos;) sizes[at] = ',';
  std::vector<std::string> overrides = {"topology.kind=" + argument.substr(0, first),
                                        "topology.size=[" + sizes + "]"};
  if (second != std::string::npos) {
    overrides.push_back("topology.nodes_per_switch=" + argument.substr(second + 1));
  }
  return overrides;
}

NamedTopology ReadShape(const std::string& argument) {
  const std::string sizes = argument.substr(0, argument.find(':', argument.find(':') + 1));
  if (sizes.ends_with('x') || sizes.ends_with(':')) {
    throw UsageError(fmt::format("topology \"{}\": a size is missing; expected {}", argument,
                                 kTopologyArgumentHelp));
  }
  try {
    return {BuildTopology(ParseScenario("name = \"shape\"", argument, ShapeOverrides(argument))),
            {}};
  } catch (const ScenarioError& error) {
    throw UsageError(fmt::format("{}: {}", argument, error.what()));
  }
}

}  // namespace

NamedTopology ReadTopologyArgument(const std::string& argument) {
  if (std::filesystem::is_regular_file(argument)) {
    if (!argument.ends_with(".toml")) return {ReadNetlistFile(argument), {}};
    Scenario scenario = ReadScenario(argument);
    Topology topology = BuildTopology(scenario);
    CheckAgainstTopology(scenario, topology);
    return {std::move(topology), std::move(scenario)};
  }
  if (argument.starts_with("torus:") || argument.starts_with("mesh:")) return ReadShape(argument);
  throw UsageError(fmt::format("topology \"{}\": neither a file nor a shape; expected {}", argument,
                               kTopologyArgumentHelp));
}

}  // namespace lanecut
