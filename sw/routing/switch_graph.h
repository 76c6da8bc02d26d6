// SPDX-License-Identifier: Apache-2.0
//
// The switches of a topology as a graph in flat arrays, for engines that must be fast on thousands
// of them. Switches are known by place (their order in Topology::switches()), directed links by id;
// the ids of a switch's links are consecutive, in the order of its ports. Keeps no reference to the
// topology. Private to sw/routing.
#pragma once

#include <span>
#include <vector>

#include "sw/topology/topology.h"

namespace lanecut {

// One direction of a cable between switches.
struct DirectedLink {
  int from = -1;  // places
  int to = -1;
  int out_port = 0;  // of the sender
  int in_port = 0;   // of the receiver
  int reverse = -1;  // the other direction
};

class SwitchGraph {
 public:
  explicit SwitchGraph(const Topology& topology);

  int num_switches() const { return static_cast<int>(nodes_.size()); }
  int num_links() const { return static_cast<int>(links_.size()); }
  int NodeOf(int place) const { return nodes_[place]; }  // node index in the topology
  // The switch itself, or the one that an end node hangs on; -1 if its cable is missing.
  int PlaceOf(int node) const { return places_[node]; }
  int EndNodesAt(int place) const { return end_nodes_[place]; }

  const DirectedLink& link(int id) const { return links_[id]; }
  int FirstLink(int place) const { return first_link_[place]; }
  int Degree(int place) const { return first_link_[place + 1] - first_link_[place]; }
  std::span<const DirectedLink> LinksFrom(int place) const {
    return {links_.data() + first_link_[place], static_cast<std::size_t>(Degree(place))};
  }
  // The link that leaves a switch by this port; -1 if none does.
  int LinkAt(int place, int port) const { return link_at_[first_port_[place] + port]; }

  // Turns, from one link to a next one at the switch between them, numbered densely.
  int num_turns() const { return num_turns_; }
  int Turn(int link, int next) const {
    return first_turn_[link] + next - first_link_[links_[link].to];
  }
  int FirstTurn(int link) const { return first_turn_[link]; }

  // Hops to or from this switch by place; -1 where there is no way.
  std::vector<int> Hops(int place) const;

 private:
  std::vector<int> nodes_;
  std::vector<int> places_;      // by node
  std::vector<int> end_nodes_;   // by place
  std::vector<int> first_link_;  // by place, and one more
  std::vector<DirectedLink> links_;
  std::vector<int> first_port_;  // by place: where its ports begin in link_at_
  std::vector<int> link_at_;
  std::vector<int> first_turn_;  // by link
  int num_turns_ = 0;
};

}  // namespace lanecut
