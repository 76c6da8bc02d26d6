// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sw/routing/table_builder.h"

namespace lanecut {

const std::vector<std::unique_ptr<RoutingEngine>>& RoutingEngines() {
  static const auto engines = [] {
    std::vector<std::unique_ptr<RoutingEngine>> all;
    all.push_back(MakeUpDownEngine());
    all.push_back(MakeDimensionOrderEngine());
    all.push_back(MakeMinHopEngine());
    all.push_back(MakeLashEngine());
    all.push_back(MakeDfssspEngine());
    all.push_back(MakeFatTreeEngine());
    all.push_back(MakeMultipleRootsEngine());
    all.push_back(MakeTransitionOrientedEngine());
    all.push_back(MakeLTurnEngine());
    all.push_back(MakeFlexibleEngine());
    all.push_back(MakeSmartEngine());
    all.push_back(MakeDescendingLayersEngine());
    all.push_back(MakeTftrEngine());
    all.push_back(MakeSpftrEngine());
    all.push_back(MakeDerivedSpftrEngine());
    all.push_back(MakeASpftrEngine());
    return all;
  }();
  return engines;
}

const RoutingEngine& FindRoutingEngine(std::string_view name) {
  std::string names;
  for (const auto& engine : RoutingEngines()) {
    if (engine->name() == name) return *engine;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", engine->name());
  }
  throw RoutingError(fmt::format("no routing engine \"{}\"; expected one of {}", name, names));
}

std::string EnginesThatTake(EngineOption option, bool with_lid_ranges) {
  std::vector<std::string> names;
  for (const auto& engine : RoutingEngines()) {
    if (engine->needs_lid_ranges() && !with_lid_ranges) continue;
    if (engine->takes(option)) names.push_back(fmt::format("\"{}\"", engine->name()));
  }
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    text += (i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return text;
}

std::vector<Lid> SequentialLids(const Topology& topology, int lmc) {
  std::vector<Lid> lids;
  int next = 1;
  for (const Node& node : topology.nodes()) {
    const int count = node.kind == NodeKind::kHca ? 1 << lmc : 1;
    const int lid = (next + count - 1) / count * count;
    next = lid + count;
    if (next - 1 > kLastUnicastLid) {
      throw RoutingError(
          fmt::format("{} switches and {} end nodes with LMC {} need more than {} "
                      "LIDs; expected fewer nodes or a smaller LMC",
                      topology.switches().size(), topology.hcas().size(), lmc, kLastUnicastLid));
    }
    lids.push_back(static_cast<Lid>(lid));
  }
  return lids;
}

std::vector<int> OwnersOfLids(const Topology& topology, const RoutingTables& tables) {
  std::size_t places = 0;
  for (const auto& lft : tables.lft) places = std::max(places, lft.size());
  std::vector<int> owners(places, -1);
  for (std::size_t node = 0; node < tables.lids.size(); ++node) {
    const std::size_t first = tables.lids[node];
    if (first == 0) continue;
    const std::size_t end = std::min(first + NumLids(topology, tables.lmc, node), places);
    for (std::size_t lid = first; lid < end; ++lid) owners[lid] = static_cast<int>(node);
  }
  return owners;
}

RoutingTables EmptyTables(const Topology& topology, const std::vector<Lid>& lids, int lmc) {
  const std::size_t nodes = topology.nodes().size();
  RoutingTables tables;
  tables.lids = lids;
  tables.lmc = lmc;
  tables.lft.resize(nodes);
  int top = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    if (lids[node] != 0) top = std::max(top, lids[node] + NumLids(topology, lmc, node) - 1);
  }
  for (int node : topology.switches()) tables.lft[node].assign(top + 1, kUnreachablePort);
  for (const Node& node : topology.nodes()) tables.sl2vl.emplace_back(node.num_ports);
  tables.sl.assign(nodes, std::vector<std::uint8_t>(nodes, 0));
  return tables;
}

void SpreadOverVls(const RoutingRequest& request, RoutingTables& tables) {
  const int lanes = std::min(request.vls, request.sls);
  const auto& hcas = request.topology.hcas();
  for (std::size_t i = 0; i < hcas.size(); ++i) {
    for (std::size_t j = 0; j < hcas.size(); ++j) {
      tables.sl[hcas[i]][hcas[j]] = static_cast<std::uint8_t>((i + j) % lanes);
    }
  }
  for (std::size_t node = 0; node < tables.sl2vl.size(); ++node) {
    const int ports = request.topology.node(static_cast<int>(node)).num_ports;
    for (int in = 0; in <= ports; ++in) {
      for (int out = 0; out <= ports; ++out) {
        for (int sl = 0; sl < kServiceLevels; ++sl) {
          tables.sl2vl[node].At(in, out, sl) = static_cast<std::uint8_t>(sl % lanes);
        }
      }
    }
  }
}

namespace {

void CheckCounts(const RoutingRequest& request) {
  if (request.vls < 1 || request.vls > kDropVl) {
    throw RoutingError(fmt::format("{} data VLs; expected 1 to {}", request.vls, kDropVl));
  }
  if (request.sls < 1 || request.sls > kServiceLevels) {
    throw RoutingError(fmt::format("{} SLs; expected 1 to {}", request.sls, kServiceLevels));
  }
  if (request.lmc < 0 || request.lmc > kMaxLmc) {
    throw RoutingError(fmt::format("LMC {}; expected 0 to {}", request.lmc, kMaxLmc));
  }
  if (request.paths < 1 || request.paths > 1 << kMaxLmc) {
    throw RoutingError(
        fmt::format("{} paths for a pair; expected 1 to {}", request.paths, 1 << kMaxLmc));
  }
}

void CheckLids(const RoutingRequest& request) {
  const Topology& topology = request.topology;
  constexpr std::size_t kMostLids = 1U << kMaxLmc;  // of a node
  std::vector<int> owners(kMostLids, -1);           // by LID
  for (const Lid lid : request.lids) owners.resize(std::max(owners.size(), lid + kMostLids), -1);
  for (std::size_t node = 0; node < request.lids.size(); ++node) {
    const int lid = request.lids[node];
    const int count = NumLids(topology, request.lmc, node);
    if (lid % count != 0) {
      throw RoutingError(fmt::format("LID {} of \"{}\" with LMC {}; expected a multiple of {}", lid,
                                     topology.nodes()[node].name, request.lmc, count));
    }
    for (int each = lid; lid != 0 && each < lid + count; ++each) {
      const int owner = std::exchange(owners[each], static_cast<int>(node));
      if (owner < 0) continue;
      throw RoutingError(
          fmt::format("LID {} belongs to \"{}\" and to \"{}\"; expected every LID once", each,
                      topology.node(owner).name, topology.nodes()[node].name));
    }
  }
}

}  // namespace

int NumLids(const Topology& topology, int lmc, std::size_t node) {
  return topology.nodes()[node].kind == NodeKind::kHca ? 1 << lmc : 1;
}

void CheckRequest(const RoutingRequest& request) {
  const Topology& topology = request.topology;
  if (request.lids.size() != topology.nodes().size()) {
    throw RoutingError(fmt::format("{} LIDs for {} nodes; expected one each (0 = none)",
                                   request.lids.size(), topology.nodes().size()));
  }
  CheckCounts(request);
  CheckLids(request);
  const int nodes = static_cast<int>(topology.nodes().size());
  const auto is_end_node = [&](int node) {
    return node >= 0 && node < nodes && !topology.IsSwitch(node);
  };
  for (const auto& [source, destination] : request.pairs) {
    if (is_end_node(source) && is_end_node(destination) && source != destination) continue;
    throw RoutingError(fmt::format("nodes {} and {} are no pair to serve; expected two end nodes",
                                   source, destination));
  }
}

void CheckRoot(const RoutingRequest& request, std::string_view engine) {
  const Topology& topology = request.topology;
  const int nodes = static_cast<int>(topology.nodes().size());
  if (!request.root) return;
  if (*request.root >= 0 && *request.root < nodes && topology.IsSwitch(*request.root)) return;
  throw RoutingError(
      fmt::format("{}: node {} cannot be the root; expected a switch", engine, *request.root));
}

void CheckOnePath(const RoutingRequest& request) {
  if (request.paths == 1) return;
  throw RoutingError(
      fmt::format("{} paths for each pair, and this engine has one; expected 1, "
                  "or an engine for more, like tftr",
                  request.paths));
}

TableBuilder::TableBuilder(const RoutingRequest& request) : request_(request) {
  CheckRequest(request);
  CheckOnePath(request);
  const Topology& topology = request.topology;
  const std::size_t nodes = topology.nodes().size();
  tables = EmptyTables(topology, request.lids, request.lmc);
  links_.resize(nodes);
  for (int node : topology.switches()) {
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      const auto peer = topology.PeerOf(node, port);
      if (peer && topology.IsSwitch(peer->node)) links_[node].push_back({port, peer->node});
    }
  }
}

int TableBuilder::SwitchOf(int node) const {
  if (request_.topology.IsSwitch(node)) return node;
  const auto peer = request_.topology.PeerOf(node, 1);
  return peer ? peer->node : -1;
}

void TableBuilder::SetPort(int node, int destination, int port) {
  std::fill_n(tables.lft[node].begin() + request_.lids[destination],
              NumLids(request_.topology, request_.lmc, destination),
              static_cast<std::uint8_t>(port));
}

}  // namespace lanecut
