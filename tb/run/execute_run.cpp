// SPDX-License-Identifier: Apache-2.0
#include "tb/run/execute_run.h"

#include <iostream>

#include "sw/cli/network.h"
#include "sw/results/summary.h"
#include "tb/run/simulation.h"
#include "tb/run/wave_hint.h"

namespace lanecut {

int ExecuteRun(const RunOptions& options) {
  const Topology topology = BuildTopology(options.scenario);
  Simulation simulation(options.scenario, topology, {options.out, options.progress});
  simulation.OpenResults(options.scenario);
  if (options.capture) simulation.StartCapture(*options.capture);
  simulation.BringUp();
  const Summary summary = simulation.Run(options.scenario);
  std::cout << (options.json ? SummaryJson(summary) : SummaryText(summary)) << std::flush;
  if (summary.ok()) return kExitOk;
  std::cerr << "lanecut: " << summary.outcome << ": " << summary.message << '\n'
            << WaveHint(simulation.failure(), options.out);
  return kExitFailed;
}

}  // namespace lanecut
