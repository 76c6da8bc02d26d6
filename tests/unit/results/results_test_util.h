// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of sw/results.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "sw/results/recorder.h"
#include "tests/query.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {

inline std::string ReadText(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline RecorderOptions SmallOptions(const std::filesystem::path& folder) {
  RecorderOptions options;
  options.folder = folder;
  options.name = "small";
  options.seed = 3;
  options.links = 5;
  options.interval_cycles = 100;
  options.switches = {"S0", "S1"};
  options.end_nodes = {"H0", "H1", "H2"};
  options.config = {{"seed", "3"}, {"traffic.load", "0.1"}};
  return options;
}

inline PacketInfo SmallPacket(std::uint64_t id) { return {id, 0, 1, 0, 58, 15}; }

}  // namespace lanecut
