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
#include "models/traffic/fixed_patterns.h"
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

// End nodes at every switch of a grid; 0 if there is no grid, or they differ or are not in the
// order of the switches.
int NodesPerSwitch(const Topology& topology) {
  if (!topology.grid() || topology.switches().empty()) return 0;
  const auto& hcas = topology.hcas();
  const std::size_t each = hcas.size() / topology.switches().size();
  if (each * topology.switches().size() != hcas.size()) return 0;
  const auto& sizes = topology.grid()->sizes;
  for (std::size_t i = 0; i < hcas.size(); ++i) {
    const auto peer = topology.PeerOf(hcas[i], 1);
    if (!peer) return 0;
    const auto& at = topology.grid()->coordinates[peer->node];
    std::size_t place = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      place = place * static_cast<std::size_t>(sizes[d]) + static_cast<std::size_t>(at[d]);
    }
    if (place != i / each) return 0;
  }
  return static_cast<int>(each);
}

// The pattern of this name, if it follows from the numbers of nodes; else nothing. Throws
// std::invalid_argument where it is not defined, which says what it needs.
std::unique_ptr<const Pattern> MakeFixedPattern(const std::string& name, const Topology& topology) {
  const auto nodes = static_cast<int>(topology.hcas().size());
  const int per_switch = NodesPerSwitch(topology);
  const std::vector<int> sizes = per_switch > 0 ? topology.grid()->sizes : std::vector<int>();
  const auto made = [](Permutation pattern) {
    return std::make_unique<Permutation>(std::move(pattern));
  };
  if (name == "bit-complement") return made(BitComplement(nodes));
  if (name == "transpose") return made(Transpose(nodes));
  if (name == "shuffle") return made(Shuffle(nodes));
  if (name == "tornado") return made(Tornado(sizes, per_switch));
  if (name == "nearest-neighbour") return made(NearestNeighbour(sizes, per_switch));
  if (name == "bit-reversal") return std::make_unique<BitReversal>(nodes);
  return nullptr;
}

bool SendsAnything(const Pattern& pattern, int nodes) {
  for (int node = 0; node < nodes; ++node) {
    if (pattern.Sends(node)) return true;
  }
  return false;
}

std::unique_ptr<const Pattern> MakePattern(const Scenario& s, const Topology& topology) {
  const auto nodes = static_cast<int>(topology.hcas().size());
  const std::string& pattern = s.traffic.pattern;
  const auto refuse = [&](const char* expected) {
    return ErrorAt(s, "traffic.pattern",
                   fmt::format("traffic.pattern = \"{}\" with {} end nodes", pattern, nodes),
                   expected);
  };
  try {
    if (auto fixed = MakeFixedPattern(pattern, topology)) {
      if (SendsAnything(*fixed, nodes)) return fixed;
      throw refuse("more of them: all would send to themselves");
    }
  } catch (const std::invalid_argument& error) {
    throw refuse(error.what());
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
