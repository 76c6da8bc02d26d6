// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/make_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/traffic/bit_reversal.h"
#include "models/traffic/hot_spot.h"
#include "models/traffic/injection.h"
#include "models/traffic/permutation.h"
#include "models/traffic/trace.h"
#include "models/traffic/uniform.h"
#include "sw/wire/packet.h"

namespace lanecut {
namespace {

NodeNames EndNodes(const Topology& topology) {
  std::vector<std::string> names;
  for (const int node : topology.hcas()) names.push_back(topology.node(node).name);
  return NodeNames(std::move(names));
}

std::vector<int> AllOf(int nodes) {
  std::vector<int> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// What fits a packet of 282 bytes and the smallest buffer on its way.
int MaxPayload(const Scenario& s) {
  constexpr int kLongest = 256;
  const auto words = static_cast<int>(std::min(s.switches.buffer_bytes, s.node.buffer_bytes) / 4);
  return std::min(kLongest, 4 * (words - kDataOverheadWords));
}

std::unique_ptr<const Pattern> MakePattern(const Scenario& s, const Topology& topology) {
  const auto nodes = static_cast<int>(topology.hcas().size());
  const std::string& pattern = s.traffic.pattern;
  if (pattern == "bit-reversal") {
    try {
      return std::make_unique<BitReversal>(nodes);
    } catch (const std::invalid_argument&) {
      throw ErrorAt(s, "traffic.pattern",
                    fmt::format("traffic.pattern = \"bit-reversal\" with {} end nodes", nodes),
                    "a power of 2");
    }
  }
  if (pattern == "hot-spot") {
    return std::make_unique<HotSpot>(nodes, s.traffic.hot_fraction, s.seed);
  }
  if (pattern == "permutation") {
    return std::make_unique<Permutation>(
        s.traffic.file.empty() ? Permutation::Drawn(nodes, s.seed)
                               : Permutation::Read(s.traffic.path, EndNodes(topology)));
  }
  return std::make_unique<UniformPattern>(AllOf(nodes));
}

}  // namespace

std::unique_ptr<TrafficSource> MakeTraffic(const Scenario& s, const Topology& topology,
                                           Cycle start) try {
  if (s.traffic.pattern == "trace") {
    return std::make_unique<TraceTraffic>(s.traffic.path, EndNodes(topology), MaxPayload(s), start);
  }
  InjectionConfig config;
  config.sources = AllOf(static_cast<int>(topology.hcas().size()));
  config.load = s.traffic.load;
  config.payload_bytes = static_cast<int>(PayloadBytes(s.traffic));
  config.seed = s.seed;
  config.start = start;
  config.on_off = {s.traffic.on_cycles, s.traffic.off_cycles};
  return std::make_unique<Injection>(config, MakePattern(s, topology));
} catch (const TrafficFileError& error) {
  throw ScenarioError(error.what());
}

}  // namespace lanecut
