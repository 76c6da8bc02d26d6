// SPDX-License-Identifier: Apache-2.0
//
// How to see in waves what made a run fail.
#pragma once

#include <filesystem>
#include <string>

#include "tb/run/failure.h"

namespace lanecut {

// One line with the command, for the terminal, as this program was called; "" if the failure cannot
// be shown. `results`: the run's folder.
std::string WaveHint(const Failure& failure, const std::filesystem::path& results);

}  // namespace lanecut
