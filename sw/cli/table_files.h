// SPDX-License-Identifier: Apache-2.0
//
// The routing functions that a scenario brings in files: those of routing.file and change.N.file.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "sw/routing/routing.h"
#include "sw/routing/table_dumps.h"
#include "sw/scenario/scenario.h"
#include "sw/topology/topology.h"

namespace lanecut {

// What the manager knows the engine of a change by; the one of [routing] is "file". Not by the
// file's name, which is another one in the results.
std::string EngineName(const ChangeScenario& change, std::size_t index);

// The files of [routing].
TableDumps DumpsOf(const Scenario& scenario);

class TableFiles {
 public:
  // Reads the scenario's files, whatever was read before under their names. Throws ScenarioError
  // "file:line: what is wrong; expected ..".
  void Read(const Scenario& scenario, const Topology& topology);

  // As FindRoutingEngine(), files included.
  const RoutingEngine& Find(std::string_view name) const;

 private:
  std::map<std::string, std::unique_ptr<RoutingEngine>, std::less<>> engines_;
};

}  // namespace lanecut
