// SPDX-License-Identifier: Apache-2.0
#include "sw/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sw/scenario/origin.h"

namespace lanecut {

std::string OriginOf(const Scenario& scenario, std::string_view key) {
  const auto exact = scenario.origins.find(std::string(key));
  if (exact != scenario.origins.end()) return exact->second;
  // With its dot: the reader files the header's line under that, and it sorts before the table's
  // keys.
  const std::string_view table = key.substr(0, key.rfind('.') + 1);
  const auto sibling = std::ranges::find_if(scenario.origins, [table](const auto& origin) {
    return !table.empty() && origin.first.starts_with(table);
  });
  if (sibling != scenario.origins.end()) return sibling->second;
  return fmt::format("{}:1", scenario.source.string());
}

ScenarioError ErrorAt(const Scenario& scenario, std::string_view key, std::string_view what,
                      std::string_view expected) {
  return ScenarioError(fmt::format("{}: {}; expected {}", OriginOf(scenario, key), what, expected));
}

std::uint64_t NsPerCycle(LinkRate rate) { return rate == LinkRate::k1xSdr ? 16 : 4; }

Cycle FlyCycles(const LinkScenario& link) {
  if (link.fly_cycles) return *link.fly_cycles;
  const double cycles =
      link.cable_m * link.fly_ns_per_m / static_cast<double>(NsPerCycle(link.rate));
  return std::max<Cycle>(1, static_cast<Cycle>(std::llround(cycles)));
}

std::uint64_t PayloadBytes(const TrafficScenario& traffic) {
  constexpr std::uint64_t kHeadersAndCrcs = 8 + 12 + 4 + 2;
  return traffic.packet_bytes - kHeadersAndCrcs;
}

std::uint64_t PacketWords(const TrafficScenario& traffic) {
  constexpr std::uint64_t kDelimiterBytes = 2;
  return (traffic.packet_bytes + kDelimiterBytes) / 4;
}

}  // namespace lanecut
