// SPDX-License-Identifier: Apache-2.0
//
// Streams of random numbers that traffic takes from a run's seed. A source's own stream is its
// number.
#pragma once

#include <cstdint>

namespace lanecut {

inline constexpr std::uint64_t kOnOffStreams = std::uint64_t{1} << 32;  // plus the source
inline constexpr std::uint64_t kHotSpotStream = std::uint64_t{2} << 32;
inline constexpr std::uint64_t kPermutationStream = std::uint64_t{3} << 32;

}  // namespace lanecut
