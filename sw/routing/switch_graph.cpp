// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/switch_graph.h"

namespace lanecut {

SwitchGraph::SwitchGraph(const Topology& topology) : places_(topology.nodes().size(), -1) {
  for (const int node : topology.switches()) {
    places_[node] = num_switches();
    nodes_.push_back(node);
  }
  end_nodes_.assign(nodes_.size(), 0);
  for (const int node : topology.hcas()) {
    const auto peer = topology.PeerOf(node, 1);
    if (!peer) continue;
    places_[node] = places_[peer->node];
    ++end_nodes_[places_[node]];
  }
  std::vector<int> of_cable(topology.cables().size(), -1);
  for (const int node : nodes_) {
    const int ports = topology.node(node).num_ports;
    first_link_.push_back(num_links());
    first_port_.push_back(static_cast<int>(link_at_.size()));
    link_at_.resize(link_at_.size() + ports + 1, -1);
    for (int port = 1; port <= ports; ++port) {
      const auto peer = topology.PeerOf(node, port);
      if (!peer || !topology.IsSwitch(peer->node)) continue;
      const int id = num_links();
      int& other = of_cable[peer->cable];
      if (other >= 0) links_[other].reverse = id;
      links_.push_back({places_[node], places_[peer->node], port, peer->port, other});
      other = id;
      link_at_[first_port_.back() + port] = id;
    }
  }
  first_link_.push_back(num_links());
  for (const DirectedLink& link : links_) {
    first_turn_.push_back(num_turns_);
    num_turns_ += Degree(link.to);
  }
}

std::vector<int> SwitchGraph::Hops(int place) const {
  std::vector<int> hops(nodes_.size(), -1);
  std::vector<int> queue = {place};
  queue.reserve(nodes_.size());
  hops[place] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const DirectedLink& link : LinksFrom(queue[head])) {
      if (hops[link.to] >= 0) continue;
      hops[link.to] = hops[queue[head]] + 1;
      queue.push_back(link.to);
    }
  }
  return hops;
}

}  // namespace lanecut
