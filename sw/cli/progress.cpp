// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/progress.h"

#include <fmt/format.h>

namespace lanecut {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(200);
constexpr double kSmoothing = 0.2;  // weight of the newest speed
constexpr std::string_view kEraseLine = "\r\033[K";

}  // namespace

Progress::Progress(std::ostream& err, bool enabled, std::uint64_t ns_per_cycle)
    : err_(err), enabled_(enabled), ns_per_cycle_(ns_per_cycle), last_write_(Clock::now()) {}

Progress::~Progress() { Clear(); }

void Progress::Update(std::string_view phase, Cycle cycle, Cycle expected_end) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_write_ >= kPeriod) Write(phase, cycle, expected_end, now);
}

void Progress::Clear() {
  if (line_open_) err_ << kEraseLine << std::flush;
  line_open_ = false;
}

void Progress::Write(std::string_view phase, Cycle cycle, Cycle expected_end,
                     Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - last_write_).count();
  const double speed = static_cast<double>(cycle - last_cycle_) / seconds;
  cycles_per_second_ =
      cycles_per_second_ == 0 ? speed : kSmoothing * speed + (1 - kSmoothing) * cycles_per_second_;
  last_write_ = now;
  last_cycle_ = cycle;
  const bool known = expected_end > cycle && cycles_per_second_ > 0;
  const double to_go =
      known ? static_cast<double>(expected_end - cycle) / cycles_per_second_ : -1.0;
  err_ << kEraseLine << ProgressLine(phase, cycle, ns_per_cycle_, cycles_per_second_, to_go)
       << std::flush;
  line_open_ = true;
}

std::string ProgressLine(std::string_view phase, Cycle cycle, std::uint64_t ns_per_cycle,
                         double cycles_per_second, double seconds_to_go) {
  std::string line =
      fmt::format("{}: cycle {}, {:.1f} us, {:.0f} cycles/s", phase, cycle,
                  static_cast<double>(cycle * ns_per_cycle) / 1000, cycles_per_second);
  if (seconds_to_go >= 0) {
    const auto seconds = static_cast<std::uint64_t>(seconds_to_go);
    line += fmt::format(", {}:{:02} to go", seconds / 60, seconds % 60);
  }
  return line;
}

}  // namespace lanecut
