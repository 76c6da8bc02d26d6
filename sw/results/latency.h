// SPDX-License-Identifier: Apache-2.0
//
// Counts how often each latency occurred, so that mean and percentiles are exact. Private to
// sw/results.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sw/results/summary.h"
#include "sw/wire/word.h"

namespace lanecut {

class LatencyHistogram {
 public:
  void Add(Cycle latency);
  LatencyStatistics Statistics() const;

 private:
  static constexpr Cycle kDense =
      65'536;  // latencies below this have a counter of their own in an array

  std::vector<std::uint64_t> dense_;
  std::map<Cycle, std::uint64_t> sparse_;
};

}  // namespace lanecut
