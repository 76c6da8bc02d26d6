// SPDX-License-Identifier: Apache-2.0
//
// `lanecut wave`: finds the event, if one is asked for, in a process of its own, then runs the
// scenario up to the end of the window.
#pragma once

#include "sw/cli/cli.h"

namespace lanecut {

// Cycles before and after an event that are in its window.
inline constexpr Cycle kWaveMargin = 300;

// Throws ScenarioError and ResultsError. kExitFailed: the event or the window is not in the run.
int ExecuteWave(const WaveOptions& options);

}  // namespace lanecut
