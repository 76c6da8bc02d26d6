// SPDX-License-Identifier: Apache-2.0
//
// Signals of a wave file that no RTL has: numbers computed in every cycle, perhaps with names for
// their values.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lanecut {

// Names of values. A table belongs to signals of one width.
using ValueNames = std::map<std::uint64_t, std::string>;

struct ReadableSignal {
  std::vector<std::string> scope;  // from the top
  std::string name;
  int bits = 1;                       // 1 to 64
  const ValueNames* names = nullptr;  // kept; null: none
  std::function<std::uint64_t()> value;
};

}  // namespace lanecut
