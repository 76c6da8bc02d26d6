// SPDX-License-Identifier: Apache-2.0
//
// The options that choose a routing engine and what it may use, and the tables that it makes.
// Private to sw/cli.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace CLI {
class App;
}

namespace lanecut {

struct EngineOptions {
  std::string engine;  // empty = updown
  std::optional<int> vls;
  int sls = kServiceLevels;
  int paths = 1;
  std::optional<int> lmc;
  bool fewer = false;
  std::string root;
  std::optional<SpanningTree> tree;       // none = breadth-first
  std::optional<RootChoice> root_choice;  // none = lowest mean distance
  bool balance = false;
};

void AddEngineOptions(CLI::App& command, EngineOptions& options);

// With `many_lids`, or with several paths, and without --lmc every end node has as many LIDs as
// there are. Throws UsageError or RoutingError.
RoutingTables ComputeTables(const Topology& topology, const EngineOptions& options, bool many_lids);

// A cable, by one of its ports, or a switch.
struct NamedFault {
  std::string name;
  std::optional<int> cable;  // index in the topology
  std::optional<int> node;
};
// "S0_0:1" or "S0_0". Throws UsageError, which begins with the option's name.
NamedFault FindFault(const Topology& topology, const std::string& option, const std::string& name);

}  // namespace lanecut
