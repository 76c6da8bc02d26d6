// SPDX-License-Identifier: Apache-2.0
//
// What GTKWave opens a wave file with (.gtkw): signals by switch and port, each port in the order
// in which a packet meets them, from the receiver to the sender.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sw/topology/topology.h"
#include "sw/wire/word.h"
#include "tb/wave/wave_place.h"

namespace lanecut {

struct SaveFileOptions {
  std::filesystem::path waves;  // as GTKWave is to open them
  std::vector<int> switches;    // nodes
  int vls = 2;
  std::uint64_t ns_per_cycle = 16;
  Cycle first = 0;   // cycle of the file
  Cycle marked = 0;  // the cycle to look at
  // What is in sight when it opens, the rest folded away; none: everything but management.
  std::vector<WavePlace> places;
};

std::string SaveFile(const Topology& topology, const SaveFileOptions& options);

}  // namespace lanecut
