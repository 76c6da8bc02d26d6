// SPDX-License-Identifier: Apache-2.0
#include "sw/results/latency.h"

namespace lanecut {
namespace {

// Walks the latencies in ascending order and picks those that stand at a percentile.
class Scan {
 public:
  explicit Scan(std::uint64_t packets) { statistics_.packets = packets; }

  void Add(Cycle latency, std::uint64_t count) {
    if (count == 0) return;
    const std::uint64_t before = seen_;
    seen_ += count;
    sum_ += latency * count;
    Pick(50, before, latency, statistics_.p50);
    Pick(99, before, latency, statistics_.p99);
    statistics_.max = latency;
  }

  LatencyStatistics Finish() {
    if (statistics_.packets > 0) {
      statistics_.mean = static_cast<double>(sum_) / static_cast<double>(statistics_.packets);
    }
    return statistics_;
  }

 private:
  // The nearest rank: the ceil(percent / 100 x packets)-th smallest.
  void Pick(std::uint64_t percent, std::uint64_t before, Cycle latency, Cycle& result) const {
    const std::uint64_t rank = (percent * statistics_.packets + 99) / 100;
    if (before < rank && rank <= seen_) result = latency;
  }

  LatencyStatistics statistics_;
  std::uint64_t seen_ = 0;
  std::uint64_t sum_ = 0;  // 10^12 cycles, the longest run, times 10^7 packets fit
};

}  // namespace

void LatencyHistogram::Add(Cycle latency) {
  if (latency >= kDense) {
    ++sparse_[latency];
    return;
  }
  if (latency >= dense_.size()) dense_.resize(latency + 1);
  ++dense_[latency];
}

LatencyStatistics LatencyHistogram::Statistics() const {
  std::uint64_t packets = 0;
  for (std::uint64_t count : dense_) packets += count;
  for (const auto& [latency, count] : sparse_) packets += count;

  Scan scan(packets);
  for (Cycle latency = 0; latency < dense_.size(); ++latency) scan.Add(latency, dense_[latency]);
  for (const auto& [latency, count] : sparse_) scan.Add(latency, count);
  return scan.Finish();
}

}  // namespace lanecut
