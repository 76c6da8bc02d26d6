// SPDX-License-Identifier: Apache-2.0
//
// Where a scenario's values came from, for error messages. Private to sw/scenario.
#pragma once

#include <string>
#include <string_view>

#include "sw/scenario/scenario.h"

namespace lanecut {

// "file:line" or "--set ..." of a key; of a neighbour in its table if the key was not given; else
// the file's first line.
std::string OriginOf(const Scenario& scenario, std::string_view key);

}  // namespace lanecut
