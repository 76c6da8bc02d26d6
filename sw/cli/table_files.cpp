// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/table_files.h"

#include <fmt/format.h>

#include "sw/routing/file_engine.h"

namespace lanecut {

std::string EngineName(const ChangeScenario& change, std::size_t index) {
  return change.engine == "file" ? fmt::format("file of change {}", index) : change.engine;
}

TableDumps DumpsOf(const Scenario& scenario) {
  return {.lfts = scenario.routing.path,
          .sl2vl = scenario.routing.sl2vl_path,
          .path_records = scenario.routing.path_records_path,
          .vls = static_cast<int>(scenario.switches.vls)};
}

void TableFiles::Read(const Scenario& scenario, const Topology& topology) {
  const auto read = [&](const std::string& name, const TableDumps& dumps) {
    engines_[name] = std::make_unique<FileEngine>(topology, dumps, name);
  };
  const int vls = static_cast<int>(scenario.switches.vls);
  try {
    if (scenario.routing.engine == "file") read("file", DumpsOf(scenario));
    for (std::size_t i = 0; i < scenario.changes.size(); ++i) {
      const ChangeScenario& change = scenario.changes[i];
      if (change.engine == "file")
        read(EngineName(change, i),
             {.lfts = change.path, .sl2vl = {}, .path_records = {}, .vls = vls});
    }
  } catch (const RoutingError& error) {
    throw ScenarioError(error.what());
  }
}

const RoutingEngine& TableFiles::Find(std::string_view name) const {
  const auto found = engines_.find(name);
  return found != engines_.end() ? *found->second : FindRoutingEngine(name);
}

}  // namespace lanecut
