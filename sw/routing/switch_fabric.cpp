// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/switch_fabric.h"

#include <algorithm>

namespace lanecut {
namespace {

// On a grid: +x, +y, .. -x, -y, .. In two dimensions that is the way round a switch, in any number
// it is one port of each dimension before the opposite ones.
int RankOnGrid(const Topology& topology, int node, int peer) {
  const Grid& grid = *topology.grid();
  const int dimensions = static_cast<int>(grid.sizes.size());
  for (int d = 0; d < dimensions; ++d) {
    const int step = grid.coordinates[peer][d] - grid.coordinates[node][d];
    if (step == 0) continue;
    const bool up = step == 1 || step < -1;
    return up ? d : dimensions + d;
  }
  return 0;
}

}  // namespace

SwitchFabric::SwitchFabric(const Topology& topology) : places_(topology.nodes().size(), -1) {
  for (const int node : topology.switches()) {
    places_[node] = num_switches();
    nodes_.push_back(node);
  }
  links_from_.resize(nodes_.size());
  std::vector<int> of_cable(topology.cables().size(), -1);
  for (const int node : nodes_) {
    const int place = places_[node];
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      const auto peer = topology.PeerOf(node, port);
      if (!peer || places_[peer->node] < 0) continue;
      const int id = num_links();
      int& other = of_cable[peer->cable];
      if (other >= 0) links_[other].reverse = id;
      links_.push_back({place, places_[peer->node], port, peer->port, other});
      other = id;
      links_from_[place].push_back(id);
    }
    if (!topology.grid()) continue;
    std::ranges::stable_sort(links_from_[place], {}, [&](int id) {
      return RankOnGrid(topology, node,
                        nodes_[places_[topology.PeerOf(node, links_[id].out_port)->node]]);
    });
  }
  position_.resize(links_.size());
  for (const auto& links : links_from_) {
    for (std::size_t i = 0; i < links.size(); ++i) position_[links[i]] = static_cast<int>(i);
  }
  for (const Link& link : links_) {
    first_turn_.push_back(num_turns_);
    num_turns_ += static_cast<int>(links_from_[link.to].size());
  }
  for (const auto& links : links_from_) {
    first_injection_.push_back(num_turns_);
    num_turns_ += static_cast<int>(links.size());
  }
}

std::vector<int> SwitchFabric::TurnsOf(const std::vector<int>& links) const {
  std::vector<int> turns = {Injection(links.front())};
  for (std::size_t i = 0; i + 1 < links.size(); ++i) turns.push_back(Turn(links[i], links[i + 1]));
  return turns;
}

std::vector<int> SwitchFabric::HopsTo(int place) const {
  std::vector<int> hops(nodes_.size(), -1);
  std::vector<int> queue = {place};
  hops[place] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const int id : links_from_[queue[head]]) {
      const int next = links_[id].to;
      if (hops[next] >= 0) continue;
      hops[next] = hops[queue[head]] + 1;
      queue.push_back(next);
    }
  }
  return hops;
}

std::vector<int> DepthFirstOrder(const SwitchFabric& fabric, int root) {
  const int count = fabric.num_switches();
  std::vector<int> order(count, -1);
  std::vector<int> links_into_tree(count, 0);
  int next_number = 0;
  std::vector<int> way;
  const auto visit = [&](int place) {
    order[place] = next_number++;
    way.push_back(place);
    for (const int id : fabric.LinksFrom(place)) ++links_into_tree[fabric.link(id).to];
  };
  for (int i = 0; i < count; ++i) {
    const int start = (root + i) % count;
    if (order[start] >= 0) continue;
    visit(start);
    while (!way.empty()) {
      int best = -1;
      for (const int id : fabric.LinksFrom(way.back())) {
        const int peer = fabric.link(id).to;
        if (order[peer] >= 0) continue;
        if (best < 0 || links_into_tree[peer] > links_into_tree[best]) best = peer;
      }
      if (best < 0) {
        way.pop_back();
      } else {
        visit(best);
      }
    }
  }
  return order;
}

}  // namespace lanecut
