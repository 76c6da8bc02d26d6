// SPDX-License-Identifier: Apache-2.0
//
// One line on a terminal that is rewritten in place: phase, cycle, simulated time, cycles per
// second, time to go.
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "sw/wire/word.h"

namespace lanecut {

class Progress {
 public:
  // Writes nothing if `enabled` is false. `err` must outlive the object.
  Progress(std::ostream& err, bool enabled, std::uint64_t ns_per_cycle);
  ~Progress();  // ends the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Cheap: looks at the host's clock and writes at most five times a second. `expected_end` 0: not
  // known, no time to go.
  void Update(std::string_view phase, Cycle cycle, Cycle expected_end);

  // Erases the line, so that other output can be written.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  void Write(std::string_view phase, Cycle cycle, Cycle expected_end, Clock::time_point now);

  std::ostream& err_;
  bool enabled_;
  std::uint64_t ns_per_cycle_;
  bool line_open_ = false;
  Clock::time_point last_write_;
  Cycle last_cycle_ = 0;
  double cycles_per_second_ = 0;  // smoothed
};

// The line without its carriage return; `seconds_to_go` < 0: not known.
std::string ProgressLine(std::string_view phase, Cycle cycle, std::uint64_t ns_per_cycle,
                         double cycles_per_second, double seconds_to_go);

}  // namespace lanecut
