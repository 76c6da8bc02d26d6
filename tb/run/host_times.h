// SPDX-License-Identifier: Apache-2.0
//
// What a run has cost on the machine it was made on.
#pragma once

#include <chrono>

#include "sw/results/recorder.h"
#include "sw/scenario/scenario.h"
#include "tb/fabric/fabric.h"

namespace lanecut {

// Since `start`, without the computations of tables.
HostTimes MeasureHost(const Scenario& scenario, Fabric* fabric,
                      std::chrono::steady_clock::time_point start);

}  // namespace lanecut
