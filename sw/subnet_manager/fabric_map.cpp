// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/fabric_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <set>

namespace lanecut {

int FabricMap::AddNode(const ib::NodeInfo& info) {
  const int index = static_cast<int>(nodes_.size());
  MapNode node;
  node.info = info;
  node.name = fmt::format("{:#x}", info.node_guid);
  node.ports.resize(info.num_ports + 1u);
  if (index == 0) node.route.emplace();
  nodes_.push_back(std::move(node));
  by_guid_[info.node_guid] = index;
  return index;
}

std::optional<int> FabricMap::FindByGuid(std::uint64_t guid) const {
  const auto it = by_guid_.find(guid);
  if (it == by_guid_.end()) return std::nullopt;
  return it->second;
}

std::optional<int> FabricMap::FindByLid(Lid lid) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const int lowest = nodes_[i].lid;
    const int node = static_cast<int>(i);
    if (lowest != 0 && lid >= lowest && lid < lowest + NumLids(node)) return node;
  }
  return std::nullopt;
}

void FabricMap::Connect(const PortRef& a, const PortRef& b) {
  if (port(a).peer == b) return;
  Disconnect(a);
  Disconnect(b);
  port(a).peer = b;
  port(b).peer = a;
  MapNode& far = node(b.node);
  if (node(a.node).route && !far.route) {
    far.route = node(a.node).route;
    far.route->push_back(static_cast<std::uint8_t>(a.port));
  }
}

void FabricMap::Disconnect(const PortRef& a) {
  if (!port(a).peer) return;
  port(*port(a).peer).peer.reset();
  port(a).peer.reset();
}

void FabricMap::DisconnectAll() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].is_explored = false;
    if (i != 0) nodes_[i].route.reset();
    for (MapPort& each : nodes_[i].ports) each = MapPort{};
  }
}

void FabricMap::UpdateRoutes() {
  std::vector<std::optional<DirectedRoute>> routes(nodes_.size());
  std::queue<int> frontier;
  routes[0].emplace();
  frontier.push(0);
  while (!frontier.empty()) {
    const int from = frontier.front();
    frontier.pop();
    if (from != 0 && !nodes_[from].IsSwitch()) continue;  // end nodes do not relay
    for (int number = 1; number <= nodes_[from].NumPorts(); ++number) {
      const std::optional<PortRef>& peer = nodes_[from].ports[number].peer;
      if (!peer || routes[peer->node]) continue;
      routes[peer->node] = routes[from];
      routes[peer->node]->push_back(static_cast<std::uint8_t>(number));
      frontier.push(peer->node);
    }
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].route = std::move(routes[i]);
    if (nodes_[i].route) continue;
    nodes_[i].is_explored = false;
    nodes_[i].is_configured = false;
    nodes_[i].is_numbered = false;
    nodes_[i].is_planned_for = false;
    nodes_[i].end_node_ports.reset();
    for (std::size_t number = 0; number < nodes_[i].ports.size(); ++number) {
      nodes_[i].ports[number].is_read = false;
      Disconnect({static_cast<int>(i), static_cast<int>(number)});
    }
  }
}

void FabricMap::PlanForReachable() {
  for (MapNode& node : nodes_) node.is_planned_for = node.IsReachable();
}

bool FabricMap::HasUnplanned() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const MapNode& node) {
    return node.IsReachable() && !node.is_planned_for;
  });
}

void FabricMap::SetService(const PortKey& port, PortService service) {
  if (service == PortService::kInService) {
    service_.erase(port);
  } else {
    service_[port] = service;
  }
}

PortService FabricMap::ServiceOf(const PortRef& ref) const {
  const auto it = service_.find({node(ref.node).info.node_guid, ref.port});
  return it == service_.end() ? PortService::kInService : it->second;
}

bool FabricMap::IsOutOfService(std::uint64_t guid) const {
  const auto it = service_.lower_bound({guid, 0});
  return it != service_.end() && it->first.first == guid;
}

std::vector<PortRef> FabricMap::Leaving() const {
  std::vector<PortRef> far;
  std::vector<PortRef> near;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const int index = static_cast<int>(i);
    std::vector<PortRef> leaving;
    bool keeps_some = false;
    for (int number = 1; number <= nodes_[i].NumPorts(); ++number) {
      const PortRef ref{index, number};
      if (ServiceOf(ref) == PortService::kLeaving) leaving.push_back(ref);
      keeps_some |= port(ref).peer && IsInService(ref);
    }
    std::vector<PortRef>& side = keeps_some ? near : far;
    side.insert(side.end(), leaving.begin(), leaving.end());
  }
  far.insert(far.end(), near.begin(), near.end());
  return far;
}

std::optional<DirectedRoute> FabricMap::RouteTo(const SmpTarget& target) const {
  if (target.node < 0) return DirectedRoute{};  // the manager's own node, not found yet
  std::optional<DirectedRoute> route = nodes_[target.node].route;
  if (route && target.via_port != 0) route->push_back(static_cast<std::uint8_t>(target.via_port));
  if (route && route->size() > static_cast<std::size_t>(ib::kMaxHops)) return std::nullopt;
  return route;
}

std::vector<int> FabricMap::NodesByGuid(bool switches) const {
  std::vector<int> found;
  for (const auto& [guid, index] : by_guid_) {
    if (nodes_[index].IsSwitch() == switches) found.push_back(index);
  }
  return found;
}

void FabricMap::AdoptLid(int node, Lid lid) {
  const std::optional<int> owner = FindByLid(lid);
  const bool can_be = lid % NumLids(node) == 0 && (!owner || *owner == node);
  nodes_[node].lid = can_be ? lid : Lid{0};
  if (lid != 0) top_lid_ = std::max(top_lid_, static_cast<Lid>(lid + NumLids(node) - 1));
}

void FabricMap::AssignLids() {
  for (const bool switches : {false, true}) {
    for (const int index : NodesByGuid(switches)) {
      if (nodes_[index].lid != 0) continue;
      const int lids = NumLids(index);
      nodes_[index].lid = static_cast<Lid>((top_lid_ + lids) / lids * lids);
      top_lid_ = static_cast<Lid>(nodes_[index].lid + lids - 1);
    }
  }
}

Topology FabricMap::BuildTopology(std::vector<int>* map_nodes) const {
  Topology topology;
  std::vector<int> place(nodes_.size(), -1);
  std::set<std::string> names;
  map_nodes->clear();
  for (const bool switches : {true, false}) {
    for (const int index : NodesByGuid(switches)) {
      const MapNode& each = nodes_[index];
      const std::string name =
          names.insert(each.name).second
              ? each.name
              : fmt::format("{} ({:#x})", each.name, each.info.node_guid);  // two nodes of one name
      place[index] = topology.AddNode(switches ? NodeKind::kSwitch : NodeKind::kHca, name,
                                      each.NumPorts(), each.info.node_guid);
      map_nodes->push_back(index);
    }
  }
  for (std::size_t i = 0; i < map_nodes->size(); ++i) {
    const MapNode& each = nodes_[(*map_nodes)[i]];
    for (int number = 1; number <= each.NumPorts(); ++number) {
      const std::optional<PortRef>& peer = each.ports[number].peer;
      if (!peer || place[peer->node] < static_cast<int>(i)) continue;
      if (!IsInService({(*map_nodes)[i], number})) continue;
      topology.AddCable({static_cast<int>(i), number}, {place[peer->node], peer->port});
    }
  }
  topology.DeriveGrid();
  return topology;
}

std::string FabricMap::Describe(const PortRef& ref) const {
  return fmt::format("{} port {}", node(ref.node).name, ref.port);
}

std::string FabricMap::NameNodes(const std::vector<int>& nodes) const {
  constexpr std::size_t kNamed = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(nodes.size(), kNamed); ++i) {
    text += (i == 0 ? "" : ", ") + node(nodes[i]).name;
  }
  if (nodes.size() > kNamed) text += fmt::format(" and {} more", nodes.size() - kNamed);
  return text;
}

}  // namespace lanecut
