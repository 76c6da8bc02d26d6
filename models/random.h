// SPDX-License-Identifier: Apache-2.0
//
// Random numbers that are the same on every platform: xoshiro256**, seeded by splitmix64 from
// (seed, stream). Streams of one seed are independent; every node and every lane owns one, so that
// no draw depends on another's.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace lanecut {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t state = Mix(seed) ^ Mix(~stream);
    for (std::uint64_t& word : state_) word = Mix(state += kGolden);
  }

  std::uint64_t Next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in 0..bound-1, without bias. `bound` > 0.
  std::uint32_t Below(std::uint32_t bound) {
    const std::uint32_t unfair = -bound % bound;  // 2^32 mod bound
    std::uint64_t product;
    do {
      product = (Next() >> 32) * bound;
    } while (static_cast<std::uint32_t>(product) < unfair);
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

  // The output function of splitmix64.
  static constexpr std::uint64_t Mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }

  std::array<std::uint64_t, 4> state_;
};

}  // namespace lanecut
