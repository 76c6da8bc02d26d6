// SPDX-License-Identifier: Apache-2.0
#include "models/geometric.h"

#include <algorithm>

namespace lanecut {

namespace {

__extension__ using Uint128 = unsigned __int128;

// a * b / 2^64 for fractions in units of 2^-64.
std::uint64_t MultiplyFractions(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((Uint128{a} * b) >> 64);
}

}  // namespace

GeometricGap::GeometricGap(double probability) {
  constexpr double kTwoTo64 = 18446744073709551616.0;
  const double scaled = probability * kTwoTo64;  // exact: a power of two
  never_ = !(scaled >= 1.0);
  always_ = probability >= 1.0;
  if (never_ || always_) return;
  const std::uint64_t failure = ~static_cast<std::uint64_t>(scaled) + 1;
  std::uint64_t survival = failure;
  for (std::uint64_t& entry : survival_) {
    entry = survival;
    survival = MultiplyFractions(survival, failure);
  }
}

std::uint64_t GeometricGap::Draw(Random* random) const {
  if (never_) return kNever;
  if (always_) return 1;
  // A gap longer than the table starts over behind it: the process has no memory.
  for (std::uint64_t skipped = 0;; skipped += kSteps) {
    const std::uint64_t draw = random->Next();
    if (draw < survival_.back()) continue;
    const auto first = std::partition_point(survival_.begin(), survival_.end(),
                                            [draw](std::uint64_t s) { return draw < s; });
    return skipped + static_cast<std::uint64_t>(first - survival_.begin()) + 1;
  }
}

}  // namespace lanecut
