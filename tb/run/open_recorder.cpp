// SPDX-License-Identifier: Apache-2.0
#include "tb/run/open_recorder.h"

#include <utility>

#include "sw/scenario/reader.h"

namespace lanecut {

std::unique_ptr<Recorder> OpenRecorder(const Scenario& scenario, const Topology& topology,
                                       const std::filesystem::path& folder) {
  RecorderOptions options;
  options.folder = folder;
  options.name = scenario.name;
  options.seed = scenario.seed;
  options.ns_per_cycle = NsPerCycle(scenario.link.rate);
  options.links = topology.cables().size();
  options.interval_cycles = scenario.results.interval_cycles;
  options.packets = scenario.results.packets;
  options.end_to_end = scenario.node.reliable;
  options.config = ScenarioEntries(AsInResults(scenario));
  for (const Node& node : topology.nodes()) {
    (node.kind == NodeKind::kSwitch ? options.switches : options.end_nodes).push_back(node.name);
  }
  auto recorder = std::make_unique<Recorder>(std::move(options));
  for (const auto& [name, text] : ScenarioFiles(scenario)) recorder->Attach(name, text);
  return recorder;
}

}  // namespace lanecut
