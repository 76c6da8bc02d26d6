// SPDX-License-Identifier: Apache-2.0
//
// Random injection: each source starts a packet in a cycle with a fixed probability, or in bursts
// with the same mean; a pattern says where it goes. Every source draws from a stream of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/geometric.h"
#include "models/random.h"
#include "models/traffic/on_off.h"
#include "models/traffic/pattern.h"
#include "models/traffic/traffic.h"

namespace lanecut {

struct InjectionConfig {
  std::vector<int> sources;
  double load = 0;  // words per cycle and source, as a fraction of the link rate (may exceed 1)
  int payload_bytes = 32;
  std::uint8_t sl = 0;
  std::uint64_t seed = 1;
  Cycle start = 0;  // no packet before this cycle
  OnOffConfig on_off = {};
};

class Injection : public TrafficSource {
 public:
  // std::invalid_argument if the load is negative, or above the link rate while a source is on.
  Injection(const InjectionConfig& config, std::unique_ptr<const Pattern> pattern);

  Cycle NextCycle() const override { return heap_.empty() ? kNever : heap_.front().cycle; }
  TrafficEvent Pop() override;

 private:
  struct Due {
    Cycle cycle;
    std::size_t source;  // index into sources_
  };
  struct Source {
    int node;
    Random random;
    std::optional<OnOff> on_off;
  };

  static bool Earlier(const Due& a, const Due& b);
  void SiftDown();
  Cycle Gap(Source* source) const;

  std::unique_ptr<const Pattern> pattern_;
  std::vector<Source> sources_;
  int payload_bytes_;
  std::uint8_t sl_;
  GeometricGap gap_;
  std::vector<Due> heap_;  // earliest first; of one cycle, lowest source first
};

}  // namespace lanecut
