// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sw/routing/table_builder.h"

namespace lanecut {

const std::vector<std::unique_ptr<RoutingEngine>>& RoutingEngines() {
  static const auto engines = [] {
    std::vector<std::unique_ptr<RoutingEngine>> all;
    all.push_back(MakeUpDownEngine());
    all.push_back(MakeDimensionOrderEngine());
    all.push_back(MakeMinHopEngine());
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

std::vector<Lid> SequentialLids(const Topology& topology) {
  std::vector<Lid> lids;
  for (std::size_t i = 0; i < topology.nodes().size(); ++i) lids.push_back(static_cast<Lid>(i + 1));
  return lids;
}

RoutingTables EmptyTables(const Topology& topology, const std::vector<Lid>& lids) {
  const std::size_t nodes = topology.nodes().size();
  RoutingTables tables;
  tables.lids = lids;
  tables.lft.resize(nodes);
  const Lid max_lid = lids.empty() ? 0 : *std::max_element(lids.begin(), lids.end());
  for (int node : topology.switches()) tables.lft[node].assign(max_lid + 1, kUnreachablePort);
  for (const Node& node : topology.nodes()) tables.sl2vl.emplace_back(node.num_ports);
  tables.sl.assign(nodes, std::vector<std::uint8_t>(nodes, 0));
  return tables;
}

void SpreadOverVls(const RoutingRequest& request, RoutingTables& tables) {
  const auto& hcas = request.topology.hcas();
  for (std::size_t i = 0; i < hcas.size(); ++i) {
    for (std::size_t j = 0; j < hcas.size(); ++j) {
      tables.sl[hcas[i]][hcas[j]] = static_cast<std::uint8_t>((i + j) % request.vls);
    }
  }
  for (std::size_t node = 0; node < tables.sl2vl.size(); ++node) {
    const int ports = request.topology.node(static_cast<int>(node)).num_ports;
    for (int in = 0; in <= ports; ++in) {
      for (int out = 0; out <= ports; ++out) {
        for (int sl = 0; sl < kServiceLevels; ++sl) {
          tables.sl2vl[node].At(in, out, sl) = static_cast<std::uint8_t>(sl % request.vls);
        }
      }
    }
  }
}

TableBuilder::TableBuilder(const RoutingRequest& request) : request_(request) {
  const Topology& topology = request.topology;
  const std::size_t nodes = topology.nodes().size();
  if (request.lids.size() != nodes) {
    throw RoutingError(fmt::format("{} LIDs for {} nodes; expected one each (0 = none)",
                                   request.lids.size(), nodes));
  }
  if (request.vls < 1 || request.vls > kDropVl) {
    throw RoutingError(fmt::format("{} data VLs; expected 1 to {}", request.vls, kDropVl));
  }
  std::map<Lid, int> owners;
  for (std::size_t i = 0; i < nodes; ++i) {
    if (request.lids[i] == 0) continue;
    const auto [owner, is_new] = owners.try_emplace(request.lids[i], static_cast<int>(i));
    if (is_new) continue;
    throw RoutingError(
        fmt::format("LID {} belongs to \"{}\" and to \"{}\"; expected every LID once",
                    request.lids[i], topology.node(owner->second).name, topology.nodes()[i].name));
  }
  tables = EmptyTables(topology, request.lids);
  links_.resize(nodes);
  sources_.resize(nodes);
  for (const Node& node : topology.nodes()) load_.emplace_back(node.num_ports + 1);
  for (int node : topology.switches()) {
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      const auto peer = topology.PeerOf(node, port);
      if (!peer) continue;
      if (topology.IsSwitch(peer->node)) {
        links_[node].push_back({port, peer->node});
      } else {
        ++sources_[node];
      }
    }
  }
}

int TableBuilder::SwitchOf(int node) const {
  if (request_.topology.IsSwitch(node)) return node;
  const auto peer = request_.topology.PeerOf(node, 1);
  return peer ? peer->node : -1;
}

int TableBuilder::LeastLoaded(int node, const std::vector<int>& cost,
                              const Allowed& allowed) const {
  int best = -1;
  for (int i = 0; i < static_cast<int>(links_[node].size()); ++i) {
    const SwitchLink& link = links_[node][i];
    if (cost[link.peer] != cost[node] - 1 || !allowed(node, link.peer)) continue;
    if (best < 0 || load_[node][link.port] < load_[node][links_[node][best].port]) best = i;
  }
  return best;
}

void TableBuilder::Route(int destination, const std::vector<int>& cost, const Allowed& allowed) {
  const Topology& topology = request_.topology;
  const Lid lid = request_.lids[destination];
  const int target = SwitchOf(destination);
  if (lid == 0 || target < 0) return;
  const bool to_hca = target != destination;
  tables.lft[target][lid] =
      static_cast<std::uint8_t>(to_hca ? topology.PeerOf(destination, 1)->port : 0);

  // Farthest first, so that all pairs that cross a switch are known when its port is chosen.
  std::vector<int> order;
  for (int node : topology.switches()) {
    if (cost[node] > 0) order.push_back(node);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cost[a] > cost[b]; });
  std::vector<std::int64_t> pairs(sources_.begin(), sources_.end());
  for (int node : order) {
    const int best = LeastLoaded(node, cost, allowed);
    if (best < 0) continue;
    const SwitchLink& link = links_[node][best];
    tables.lft[node][lid] = static_cast<std::uint8_t>(link.port);
    if (!to_hca) continue;
    load_[node][link.port] += pairs[node];
    pairs[link.peer] += pairs[node];
  }
}

}  // namespace lanecut
