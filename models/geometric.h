// SPDX-License-Identifier: Apache-2.0
//
// Gaps between the successes of a Bernoulli process, drawn in one go instead of trial by trial.
// Integer arithmetic only, so that a seed means the same gaps on every platform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "models/random.h"

namespace lanecut {

class GeometricGap {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  // `probability` of a success per trial; <= 0: never, >= 1: every trial.
  explicit GeometricGap(double probability);

  // Trials up to and including the next success: 1, 2, ... or kNever.
  std::uint64_t Draw(Random* random) const;

 private:
  static constexpr std::size_t kSteps = 256;

  bool never_ = false;
  bool always_ = false;
  std::array<std::uint64_t, kSteps>
      survival_{};  // [k]: P(no success in k + 1 trials), in units of 2^-64
};

}  // namespace lanecut
