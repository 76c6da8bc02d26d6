// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/trace.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "sw/wire/packet.h"

namespace lanecut {
namespace {

constexpr Cycle kLastCycle = 1'000'000'000'000;

int PayloadOf(const TextFile& text, int max_payload) {
  const std::uint64_t bytes = text.Number(3, "bytes");
  if (bytes % 4 != 0 || bytes < kMinPayloadBytes ||
      bytes > static_cast<std::uint64_t>(max_payload)) {
    throw text.Error("a payload of " + std::to_string(bytes) + " bytes",
                     "a multiple of 4 from " + std::to_string(kMinPayloadBytes) + " to " +
                         std::to_string(max_payload));
  }
  return static_cast<int>(bytes);
}

}  // namespace

TraceTraffic::TraceTraffic(const std::filesystem::path& file, const NodeNames& nodes,
                           int max_payload, Cycle start) {
  TextFile text(file);
  Cycle last = 0;
  while (text.Next("cycle, source, destination, bytes", 4)) {
    const Cycle cycle = text.Number(0, "cycle");
    if (cycle > kLastCycle) {
      throw text.Error("cycle " + std::to_string(cycle), "at most " + std::to_string(kLastCycle));
    }
    if (cycle < last) {
      throw text.Error("cycle " + std::to_string(cycle) + " after cycle " + std::to_string(last),
                       "lines sorted by cycle");
    }
    last = cycle;
    const int source = text.Node(1, nodes);
    const int destination = text.Node(2, nodes);
    if (destination == source) {
      throw text.Error(std::string(text.field(1)) + " sends to itself", "another destination");
    }
    events_.push_back({.cycle = start + cycle,
                       .source = source,
                       .destination = destination,
                       .payload_bytes = PayloadOf(text, max_payload)});
  }
  std::stable_sort(events_.begin(), events_.end(), [](const auto& a, const auto& b) {
    return std::tie(a.cycle, a.source) < std::tie(b.cycle, b.source);
  });
}

}  // namespace lanecut
