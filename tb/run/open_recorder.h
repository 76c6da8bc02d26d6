// SPDX-License-Identifier: Apache-2.0
//
// The recorder of a run on a fabric.
#pragma once

#include <filesystem>
#include <memory>

#include "sw/results/recorder.h"
#include "sw/scenario/scenario.h"
#include "sw/topology/topology.h"

namespace lanecut {

// Its folder holds the scenario and the files that the scenario names. Keeps nothing on disk if
// `folder` is empty. Throws ResultsError.
std::unique_ptr<Recorder> OpenRecorder(const Scenario& scenario, const Topology& topology,
                                       const std::filesystem::path& folder);

}  // namespace lanecut
