// SPDX-License-Identifier: Apache-2.0
#include "tb/serve/execute_serve.h"

#include <csignal>
#include <iostream>
#include <optional>

#include "sw/cli/network.h"
#include "sw/results/summary.h"
#include "tb/serve/served_run.h"

namespace lanecut {
namespace {

volatile std::sig_atomic_t stop_wanted = 0;

void WantStop(int) { stop_wanted = 1; }

void CatchSignals() {
  struct sigaction action {};
  action.sa_handler = WantStop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

int ExecuteServe(const ServeOptions& options) {
  const Topology topology = BuildTopology(options.scenario);
  std::optional<ServedRun> served;
  try {
    served.emplace(options, topology);
  } catch (const umad::SocketError& error) {
    std::cerr << "lanecut serve: " << error.what() << '\n';
    return kExitBadInput;
  }
  ServedRun& run = *served;
  CatchSignals();
  std::cout << "lanecut serve: " << topology.switches().size() << " switches, "
            << topology.hcas().size() << " end nodes, at " << run.SocketName() << std::endl;
  const Summary summary = run.Serve([] { return stop_wanted != 0; });
  if (options.traffic || !options.out.empty()) std::cout << SummaryText(summary) << std::flush;
  if (summary.ok()) return kExitOk;
  std::cerr << "lanecut: " << summary.outcome << ": " << summary.message << '\n';
  return kExitFailed;
}

}  // namespace lanecut
