// SPDX-License-Identifier: Apache-2.0
//
// The switches of a topology as a graph of directed links, for engines that search paths: switches,
// links and turns are numbered densely. Keeps no reference to the topology. Private to sw/routing.
#pragma once

#include <vector>

#include "sw/topology/topology.h"

namespace lanecut {

class SwitchFabric {
 public:
  // One direction of a cable between switches; `from` and `to` are places of switches.
  struct Link {
    int from = -1;
    int to = -1;
    int out_port = 0;  // of the sender
    int in_port = 0;   // of the receiver
    int reverse = -1;  // the other direction
  };

  explicit SwitchFabric(const Topology& topology);

  int num_switches() const { return static_cast<int>(nodes_.size()); }
  int num_links() const { return static_cast<int>(links_.size()); }
  // Turns from links, then those with which a packet enters the fabric at a switch.
  int num_turns() const { return num_turns_; }

  int NodeOf(int place) const { return nodes_[place]; }  // node index in the topology
  int PlaceOf(int node) const { return places_[node]; }  // -1 for an end node
  const Link& link(int id) const { return links_[id]; }
  // In the order of ports; on a grid first one direction of every dimension, then the other.
  const std::vector<int>& LinksFrom(int place) const { return links_from_[place]; }

  // From one link to the next at the switch between them, and from an end node to a link.
  int Turn(int link, int next) const { return first_turn_[link] + position_[next]; }
  int Injection(int link) const { return first_injection_[links_[link].from] + position_[link]; }

  // All turns of a packet that enters at the first of these links and takes them all.
  std::vector<int> TurnsOf(const std::vector<int>& links) const;

  // Hops from every switch to this one; -1 where there is no way.
  std::vector<int> HopsTo(int place) const;

 private:
  std::vector<int> nodes_;
  std::vector<int> places_;
  std::vector<Link> links_;
  std::vector<std::vector<int>> links_from_;
  std::vector<int> position_;         // by link: in links_from_ of its sender
  std::vector<int> first_turn_;       // by link
  std::vector<int> first_injection_;  // by switch
  int num_turns_ = 0;
};

// Preorder numbers of a depth-first tree, by place: of several neighbours the one with the most
// links into the tree comes next (Sancho, Robles, Duato 2000), the first of equals. Every link
// joins a switch and one of its ancestors. A fabric that faults have split has a tree for each
// part, numbered on.
std::vector<int> DepthFirstOrder(const SwitchFabric& fabric, int root);

}  // namespace lanecut
