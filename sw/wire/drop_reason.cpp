// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/drop_reason.h"

#include <array>
#include <cstddef>

namespace lanecut {

std::string_view DropReasonName(DropReason reason) {
  static constexpr std::array<std::string_view, kDropReasons> kNames = {
      "none",        "port_inactive", "bad",          "no_room",  "length",       "bad_vl",
      "unreachable", "vl_discard",    "source_queue", "link_cut", "misdelivered", "management",
      "epoch",       "stale",         "no_feeder",    "no_path",  "hoq_life",     "life_time"};
  const auto index = static_cast<std::size_t>(reason);
  return index < kNames.size() ? kNames[index] : "unknown";
}

}  // namespace lanecut
