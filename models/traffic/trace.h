// SPDX-License-Identifier: Apache-2.0
//
// Traffic from a trace: one line `cycle source destination bytes` for each packet, sorted by cycle.
// Cycles count from the start of the traffic, bytes are those of the payload.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "models/traffic/text_file.h"
#include "models/traffic/traffic.h"

namespace lanecut {

class TraceTraffic : public TrafficSource {
 public:
  // Cycle 0 of the trace is `start`. Payloads are multiples of 4 from kMinPayloadBytes to
  // `max_payload`. Reads the whole file; throws TrafficFileError.
  TraceTraffic(const std::filesystem::path& file, const NodeNames& nodes, int max_payload,
               Cycle start);

  Cycle NextCycle() const override {
    return next_ == events_.size() ? kNever : events_[next_].cycle;
  }
  TrafficEvent Pop() override { return events_[next_++]; }

 private:
  std::vector<TrafficEvent> events_;
  std::size_t next_ = 0;
};

}  // namespace lanecut
