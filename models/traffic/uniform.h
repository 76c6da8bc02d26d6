// SPDX-License-Identifier: Apache-2.0
//
// Uniform random traffic: each source starts a packet in a cycle with a fixed probability, to any
// destination but itself. Every source draws from a stream of its own, so that leaving one out does
// not change the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/geometric.h"
#include "models/random.h"
#include "models/traffic/traffic.h"

namespace lanecut {

struct UniformTrafficConfig {
  std::vector<int> sources;
  std::vector<int> destinations;
  double load = 0;  // words per cycle and source, as a fraction of the link rate (may exceed 1)
  int payload_bytes = 32;
  std::uint8_t sl = 0;
  std::uint64_t seed = 1;
  Cycle start = 0;  // no packet before this cycle
};

class UniformTraffic : public TrafficSource {
 public:
  // std::invalid_argument if some source has no destination but itself, or the load is negative.
  explicit UniformTraffic(const UniformTrafficConfig& config);

  Cycle NextCycle() const override { return heap_.empty() ? kNever : heap_.front().cycle; }
  TrafficEvent Pop() override;

 private:
  struct Due {
    Cycle cycle;
    std::size_t source;  // index into sources_
  };
  struct Source {
    int node;
    std::size_t self;  // index among the destinations, or their number if it is none of them
    Random random;
  };

  static bool Earlier(const Due& a, const Due& b);
  void SiftDown();
  int Destination(Source* source) const;

  std::vector<Source> sources_;
  std::vector<int> destinations_;
  int payload_bytes_;
  std::uint8_t sl_;
  GeometricGap gap_;
  std::vector<Due> heap_;  // earliest first; of one cycle, lowest source first
};

}  // namespace lanecut
