// SPDX-License-Identifier: Apache-2.0
//
// Patterns for all classes of pairs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/patterns/class_pattern.h"

namespace lanecut {

struct Derivation {
  std::vector<Pattern> patterns;
  std::vector<int> cells;    // pattern by class, -1 if source and destination are one
  std::vector<int> without;  // classes for which none was found
};

// Finds the pattern of every class and then as few different ones as a greedy cover gives that are
// as short. The same whatever the number of jobs. Tells after each class how many are done.
using Progress = std::function<void(int done, int classes)>;
Derivation Derive(const PatternRange& range, int jobs, const Progress& progress);

// As a C++ source that defines `function` of pattern_table.h; `command` is what made it.
std::string FormatSource(const Derivation& derivation, std::string_view function,
                         std::string_view command);

}  // namespace lanecut
