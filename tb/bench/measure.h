// SPDX-License-Identifier: Apache-2.0
//
// What the bench and the curves measure: uniform traffic on a torus with 2 end nodes per switch
// that has just been brought up.
#pragma once

#include <string>
#include <vector>

#include "sw/scenario/scenario.h"
#include "tb/run/simulation.h"

namespace lanecut {

struct TorusOptions {
  std::vector<int> size = {8, 8};
  std::string engine = "dor";
  bool schemes = false;  // switches with the hardware of all schemes of reconfiguration, idle
  bool checks = false;
  bool skip_idle = true;
};

Scenario MakeTorus(const TorusOptions& options);

// Throws std::runtime_error if the fabric does not come up.
void BringUp(Simulation* simulation);

// Words per cycle and end node at which uniform traffic would fill the bisection of a torus whose
// largest dimension has k switches: 8 b / k per switch, b being 1 word per cycle.
double Capacity(const TorusOptions& options);

struct Measurement {
  double accepted = 0;  // delivered words per cycle and end node
  std::uint64_t delivered = 0;
  double latency = 0;          // mean of those delivered, cycles from generation to last word
  double network_latency = 0;  // of that, cycles from first word on the source's pins
  std::uint64_t cycles = 0;
  std::uint64_t packet_hops = 0;  // data packets begun on a link, end nodes' links included
  std::uint64_t switch_evaluations = 0;
  double wall_seconds = 0;
  double cpu_seconds = 0;  // of the process
};

struct Window {
  Cycle warmup = 0;  // not measured
  Cycle cycles = 0;
};

// Offers `load` words per cycle and end node from now on. Throws std::runtime_error if the
// simulation fails.
Measurement Measure(Simulation* simulation, const Scenario& scenario, double load,
                    const Window& window);

}  // namespace lanecut
