// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/compare_engines.h"

#include <fmt/format.h>

#include <string_view>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/path_report.h"
#include "sw/routing/routing.h"

namespace lanecut {
namespace {

EngineOptions OptionsFor(const RoutingEngine& engine, EngineOptions options) {
  options.engine = engine.name();
  if (!engine.takes(EngineOption::kRoot)) options.root.clear();
  if (!engine.takes(EngineOption::kRootChoice)) options.root_choice.reset();
  if (!engine.takes(EngineOption::kTree)) options.tree.reset();
  if (!engine.takes(EngineOption::kBalance)) options.balance = false;
  return options;
}

std::string Measures(const Topology& topology, const RoutingTables& tables) {
  const PathReport report = ReportPaths(topology, tables);
  const DependencyGraph graph(topology, tables);
  const double mean = report.MeanLink();
  std::string text = fmt::format(
      "{:>3}  {:>3}  {:>8.4f}  {:>3}  {:>8}  {:>8.2f}  {:>12}", report.vls, report.sls,
      report.pairs > 0
          ? static_cast<double>(report.first_length) / static_cast<double>(report.pairs)
          : 0.0,
      report.longest, report.busiest_link,
      mean > 0 ? static_cast<double>(report.busiest_link) / mean : 0.0, graph.num_dependencies());
  if (!graph.FindCycle().empty()) text += "  can deadlock";
  if (!graph.faults().empty())
    text += fmt::format("  {} pairs do not arrive", graph.faults().size());
  return text;
}

// Messages of engines begin with their names, which the row has already.
std::string Reason(std::string_view engine, std::string_view text) {
  const std::string prefix = fmt::format("{}: ", engine);
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  return fmt::format("refuses: {}", text);
}

std::string Row(const Topology& topology, const RoutingEngine& engine,
                const EngineOptions& options) {
  try {
    return Measures(
        topology, ComputeTables(topology, OptionsFor(engine, options), engine.needs_lid_ranges()));
  } catch (const RoutingError& error) {
    return Reason(engine.name(), error.what());
  }
}

}  // namespace

std::string CompareEngines(const Topology& topology, const EngineOptions& options,
                           const std::vector<std::string>& engines) {
  std::vector<const RoutingEngine*> all;
  all.reserve(engines.size());
  for (const std::string& name : engines) all.push_back(&FindRoutingEngine(name));
  std::string text =
      fmt::format("{:<8}  {:>3}  {:>3}  {:>8}  {:>3}  {:>8}  {:>8}  {:>12}\n", "engine", "VLs",
                  "SLs", "hops", "max", "busiest", "to mean", "dependencies");
  for (const RoutingEngine* engine : all)
    text += fmt::format("{:<8}  {}\n", engine->name(), Row(topology, *engine, options));
  return text;
}

}  // namespace lanecut
