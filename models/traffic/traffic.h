// SPDX-License-Identifier: Apache-2.0
//
// Who sends what to whom, and when. Nodes are numbered as the caller likes; payloads in bytes; time
// in cycles.
#pragma once

#include <cstdint>
#include <limits>

#include "sw/wire/word.h"

namespace lanecut {

inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();

struct TrafficEvent {
  Cycle cycle = 0;
  int source = 0;
  int destination = 0;
  int payload_bytes = 0;
  std::uint8_t sl = 0;
  friend bool operator==(const TrafficEvent&, const TrafficEvent&) = default;
};

// A stream of packets in order of time; several of one cycle in order of source.
class TrafficSource {
 public:
  virtual ~TrafficSource() = default;
  // The cycle of the next event, kNever if there is none.
  virtual Cycle NextCycle() const = 0;
  // The next event; not after the last one.
  virtual TrafficEvent Pop() = 0;
};

}  // namespace lanecut
