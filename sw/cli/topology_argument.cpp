// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/topology_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "sw/cli/commands.h"
#include "sw/cli/network.h"
#include "sw/scenario/reader.h"
#include "sw/scenario/schema.h"
#include "sw/topology/netlist.h"

namespace lanecut {
namespace {

std::vector<std::string> Fields(const std::string& argument) {
  std::vector<std::string> fields = {""};
  for (const char c : argument) {
    if (c == ':') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::string ListOf(std::string sizes) {
  std::ranges::replace(sizes, 'x', ',');
  return "[" + sizes + "]";
}

bool IsKind(const std::string& name) {
  for (const auto& spec : ScenarioKeys()) {
    if (spec.table != "topology" || spec.key != "kind") continue;
    return name != "netlist" && std::ranges::find(spec.choices, name) != spec.choices.end();
  }
  return false;
}

// torus:8x8:2 is read as the scenario it abbreviates, so that both have the same limits.
std::vector<std::string> ShapeOverrides(const std::vector<std::string>& fields) {
  const std::string& kind = fields[0];
  std::vector<std::string> overrides = {"topology.kind=" + kind,
                                        "topology.size=" + ListOf(fields[1])};
  if (fields.size() > 2) {
    overrides.push_back(kind == "xgft" ? "topology.parents=" + ListOf(fields[2])
                                       : "topology.nodes_per_switch=" + fields[2]);
  }
  if (fields.size() > 3) overrides.push_back("topology.seed=" + fields[3]);
  return overrides;
}

NamedTopology ReadShape(const std::string& argument) {
  const std::vector<std::string> fields = Fields(argument);
  const std::size_t most = fields[0] == "random-regular" ? 4 : 3;
  const bool whole = std::all_of(fields.begin() + 1, fields.end(), [](const std::string& field) {
    return !field.empty() && !field.ends_with('x') && !field.starts_with('x');
  });
  if (!whole || fields.size() < 2 || fields.size() > most) {
    throw UsageError(fmt::format("topology \"{}\": {}; expected {}", argument,
                                 fields.size() > most ? "too many numbers" : "a size is missing",
                                 kTopologyArgumentHelp));
  }
  try {
    return {BuildTopology(ParseScenario("name = \"shape\"", argument, ShapeOverrides(fields))), {}};
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
  if (IsKind(argument.substr(0, argument.find(':')))) return ReadShape(argument);
  throw UsageError(fmt::format("topology \"{}\": neither a file nor a shape; expected {}", argument,
                               kTopologyArgumentHelp));
}

}  // namespace lanecut
