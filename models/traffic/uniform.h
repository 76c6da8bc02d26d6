// SPDX-License-Identifier: Apache-2.0
//
// Uniform random traffic: every source sends to any destination but itself, all with the same
// probability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/random.h"
#include "models/traffic/injection.h"
#include "models/traffic/pattern.h"

namespace lanecut {

class UniformPattern : public Pattern {
 public:
  explicit UniformPattern(std::vector<int> destinations);
  bool Sends(int source) const override;
  int Draw(int source, Random* random) const override;

 private:
  // Index among the destinations, or their number if it is none of them.
  std::size_t IndexOf(int node) const;

  std::vector<int> destinations_;
  std::vector<std::size_t> index_;  // by node
};

struct UniformTrafficConfig {
  std::vector<int> sources;
  std::vector<int> destinations;
  double load = 0;
  int payload_bytes = 32;
  std::uint8_t sl = 0;
  std::uint64_t seed = 1;
  Cycle start = 0;
};

class UniformTraffic : public Injection {
 public:
  // std::invalid_argument if some source has no destination but itself, or as Injection.
  explicit UniformTraffic(const UniformTrafficConfig& config);
};

}  // namespace lanecut
