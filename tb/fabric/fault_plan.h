// SPDX-License-Identifier: Apache-2.0
//
// From the faults of a scenario to single actions on single cables, with every random choice
// already made.
//
// A random link is one between two switches, drawn from (seed, place of the fault in the scenario).
// For a cut or a flap it is one whose loss leaves every node reachable, earlier cuts included:
// faults are taken in the order of the scenario.
#pragma once

#include <vector>

#include "sw/scenario/scenario.h"
#include "sw/topology/topology.h"

namespace lanecut {

inline constexpr int kAllCables = -1;

struct FaultAction {
  enum class Kind { kCut, kRestore, kBitErrors, kFcLoss };
  Kind kind = Kind::kCut;
  int cable = kAllCables;
  double rate = 0;  // kBitErrors: per word; kFcLoss: per flow-control packet
  Cycle at = 0;
  bool after_warmup =
      false;  // `at` counts from the end of the warm-up, else from the start of the simulation
};

// A flap becomes a cut and a restore, a passing error rate two changes of rate. In the order of the
// scenario. Throws ScenarioError when a link does not exist or no random link is left.
std::vector<FaultAction> PlanFaults(const Scenario& scenario, const Topology& topology);

// "cut", "restore", "bit-errors 1e-06", ...
std::string FaultText(const FaultAction& action);

// "S0_0:1 - S1_0:2", or "all links".
std::string CableName(const Topology& topology, int cable);

}  // namespace lanecut
