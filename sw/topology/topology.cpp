// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "sw/topology/bisection.h"

namespace lanecut {
namespace {

// InfiniBand numbers external ports 1..254; 255 means unreachable in forwarding tables.
constexpr int kMaxPorts = 254;

}  // namespace

int Topology::AddNode(NodeKind kind, std::string name, int num_ports,
                      std::optional<std::uint64_t> guid) {
  const int limit = kind == NodeKind::kSwitch ? kMaxPorts : 1;
  if (num_ports < 1 || num_ports > limit) {
    throw std::invalid_argument(
        fmt::format("\"{}\" has {} ports; expected 1 to {}", name, num_ports, limit));
  }
  std::vector<int>& kin = kind == NodeKind::kSwitch ? switches_ : hcas_;
  const std::uint64_t base = kind == NodeKind::kSwitch ? kSwitchGuidBase : kHcaGuidBase;
  const std::uint64_t node_guid = guid.value_or(base + kin.size());
  const int index = static_cast<int>(nodes_.size());
  if (!by_name_.try_emplace(name, index).second) {
    throw std::invalid_argument(fmt::format("two nodes are named \"{}\"", name));
  }
  if (!by_guid_.try_emplace(node_guid, index).second) {
    by_name_.erase(name);
    throw std::invalid_argument(fmt::format("\"{}\" has GUID {:#018x}, as \"{}\" has", name,
                                            node_guid, nodes_[by_guid_.at(node_guid)].name));
  }
  kin.push_back(index);
  nodes_.push_back({kind, std::move(name), node_guid, num_ports});
  peers_.emplace_back(num_ports + 1);
  return index;
}

int Topology::AddCable(PortRef a, PortRef b) {
  for (const PortRef& end : {a, b}) {
    const Node& node = nodes_.at(end.node);
    if (end.port < 1 || end.port > node.num_ports) {
      throw std::invalid_argument(fmt::format("\"{}\" has no port {}; expected 1 to {}", node.name,
                                              end.port, node.num_ports));
    }
    if (peers_[end.node][end.port]) {
      throw std::invalid_argument(
          fmt::format("port {} of \"{}\" has a cable already", end.port, node.name));
    }
  }
  if (a.node == b.node) {
    throw std::invalid_argument(fmt::format("\"{}\" is cabled to itself", nodes_[a.node].name));
  }
  if (!IsSwitch(a.node) && !IsSwitch(b.node)) {
    throw std::invalid_argument(fmt::format("end nodes \"{}\" and \"{}\" are cabled to each other",
                                            nodes_[a.node].name, nodes_[b.node].name));
  }
  const int index = static_cast<int>(cables_.size());
  cables_.push_back({a, b});
  peers_[a.node][a.port] = Peer{b.node, b.port, index};
  peers_[b.node][b.port] = Peer{a.node, a.port, index};
  return index;
}

std::optional<Peer> Topology::PeerOf(int node, int port) const {
  if (port < 1 || port > nodes_[node].num_ports) return std::nullopt;
  return peers_[node][port];
}

std::optional<int> Topology::FindNode(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int> Topology::FindGuid(std::uint64_t guid) const {
  const auto found = by_guid_.find(guid);
  return found == by_guid_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int> Topology::FindPortGuid(std::uint64_t guid) const {
  for (const std::uint64_t node_guid : {guid, guid - 1}) {
    const auto node = FindGuid(node_guid);
    if (node && nodes_[*node].PortGuid() == guid) return node;
  }
  return std::nullopt;
}

Topology Topology::Without(std::span<const int> cable_indices) const {
  const std::set<int> failed(cable_indices.begin(), cable_indices.end());
  Topology left = *this;
  left.cables_.clear();
  for (auto& ports : left.peers_) std::fill(ports.begin(), ports.end(), std::nullopt);
  for (int i = 0; i < static_cast<int>(cables_.size()); ++i) {
    if (!failed.contains(i)) left.AddCable(cables_[i].a, cables_[i].b);
  }
  return left;
}

std::vector<int> Topology::HopsFrom(int node) const {
  std::vector<int> hops(nodes_.size(), -1);
  std::vector<int> queue = {node};
  hops[node] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int here = queue[head];
    if (here != node && !IsSwitch(here)) continue;
    for (const auto& peer : peers_[here]) {
      if (!peer || hops[peer->node] >= 0) continue;
      hops[peer->node] = hops[here] + 1;
      queue.push_back(peer->node);
    }
  }
  return hops;
}

bool Topology::IsConnected() const {
  if (nodes_.empty()) return true;
  const std::vector<int> hops = HopsFrom(0);
  return std::all_of(hops.begin(), hops.end(), [](int h) { return h >= 0; });
}

TopologySummary Topology::Summarize() const {
  TopologySummary summary;
  summary.switches = static_cast<int>(switches_.size());
  summary.hcas = static_cast<int>(hcas_.size());
  summary.cables = static_cast<int>(cables_.size());
  summary.connected = IsConnected();
  std::vector<int> degree(nodes_.size(), 0);
  std::set<std::pair<int, int>> pairs;
  for (const Cable& cable : cables_) {
    if (!pairs.insert(std::minmax(cable.a.node, cable.b.node)).second) ++summary.parallel_cables;
    if (!IsSwitch(cable.a.node) || !IsSwitch(cable.b.node)) continue;
    ++degree[cable.a.node];
    ++degree[cable.b.node];
  }
  if (switches_.empty()) return summary;
  summary.min_degree = degree[switches_.front()];
  for (int from : switches_) {
    summary.min_degree = std::min(summary.min_degree, degree[from]);
    summary.max_degree = std::max(summary.max_degree, degree[from]);
    const std::vector<int> hops = HopsFrom(from);
    for (int to : switches_) summary.diameter = std::max(summary.diameter, hops[to]);
  }
  return summary;
}

std::string Describe(const Topology& topology) {
  const TopologySummary s = topology.Summarize();
  std::string text;
  if (const auto& grid = topology.grid()) {
    std::string sizes;
    for (std::size_t d = 0; d < grid->sizes.size(); ++d) {
      sizes +=
          fmt::format("{}{}{}", d ? " x " : "", grid->sizes[d], grid->wraps[d] ? " (ring)" : "");
    }
    text += fmt::format("grid       {}\n", sizes);
  }
  text += fmt::format("switches   {}, {} to {} cables to other switches at each\n", s.switches,
                      s.min_degree, s.max_degree);
  text += fmt::format("end nodes  {}\n", s.hcas);
  text +=
      fmt::format("cables     {}, {} of them parallel to another\n", s.cables, s.parallel_cables);
  text += fmt::format("diameter   {} hops between switches\n", s.diameter);
  text += fmt::format("connected  {}\n", s.connected ? "yes" : "no");
  if (!s.connected) return text;
  const Bisection bisection = FindBisection(topology);
  text +=
      fmt::format("bisection  {}{} cables\n", bisection.exact ? "" : "at most ", bisection.cables);
  return text;
}

}  // namespace lanecut
