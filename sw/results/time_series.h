// SPDX-License-Identifier: Apache-2.0
//
// What happened in each interval of a run. Private to sw/results.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sw/wire/word.h"

namespace lanecut {

// Sums, so that readers can join intervals; a mean is a sum over its number of packets.
struct Interval {
  std::uint64_t generated = 0;
  std::uint64_t refused = 0;
  std::uint64_t injected = 0;
  std::uint64_t delivered = 0;
  std::uint64_t dropped = 0;
  std::uint64_t delivered_words = 0;
  Cycle queue_latency = 0;           // of the packets delivered in the interval
  Cycle network_latency = 0;         // likewise
  Cycle token_latency = 0;           // likewise
  std::uint64_t born_delivered = 0;  // packets generated in the interval and delivered at any time
  Cycle born_total_latency = 0;      // of those
};

// Bytes, LRH to VCRC.
struct VlInterval {
  std::uint64_t injected = 0;
  std::uint64_t delivered = 0;
};

class TimeSeries {
 public:
  explicit TimeSeries(Cycle interval_cycles) : interval_cycles_(interval_cycles) {}

  Interval& At(Cycle cycle) {
    const Cycle index = cycle / interval_cycles_;
    if (index >= intervals_.size()) intervals_.resize(index + 1);
    return intervals_[index];
  }

  VlInterval& OnVl(Cycle cycle, int vl) { return by_vl_[{cycle / interval_cycles_, vl}]; }

  Cycle interval_cycles() const { return interval_cycles_; }
  const std::vector<Interval>& intervals() const { return intervals_; }
  // By number of the interval and VL; those without bytes are left out.
  const std::map<std::pair<Cycle, int>, VlInterval>& by_vl() const { return by_vl_; }

 private:
  Cycle interval_cycles_;
  std::vector<Interval> intervals_;
  std::map<std::pair<Cycle, int>, VlInterval> by_vl_;
};

}  // namespace lanecut
