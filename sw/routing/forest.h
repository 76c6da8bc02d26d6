// SPDX-License-Identifier: Apache-2.0
//
// Forwarding tables as a forest: the ways of all packets to one LID are a tree that ends at the
// destination's switch. An engine says which links a switch may use towards another switch; the
// forest chooses among them so that, when every end node sends to every other one, pairs spread
// evenly over links. Private to sw/routing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/routing/switch_graph.h"

namespace lanecut {

// Links by which packets to one switch may go.
class NextHops {
 public:
  void Clear(int target) {
    target_ = target;
    places_.clear();
    first_ = {0};
    links_.clear();
  }
  // Links of one more place; those of the places they lead to have been added before.
  void Add(int link) { links_.push_back(link); }
  void Close(int place) {
    places_.push_back(place);
    first_.push_back(static_cast<int>(links_.size()));
  }

  int target() const { return target_; }
  // Places that have a way, in the order in which they were added.
  std::size_t size() const { return places_.size(); }
  int place(std::size_t i) const { return places_[i]; }
  std::span<const int> LinksOf(std::size_t i) const {
    return {links_.data() + first_[i], static_cast<std::size_t>(first_[i + 1] - first_[i])};
  }

 private:
  int target_ = -1;
  std::vector<int> places_;
  std::vector<int> first_;
  std::vector<int> links_;
};

// Towards every switch the links on shortest ways, and nothing else.
void ShortestWays(const SwitchGraph& graph, int target, NextHops& hops);

class Forest {
 public:
  // Throws RoutingError if the request makes no sense or wants several paths for a pair.
  explicit Forest(const RoutingRequest& request);

  const SwitchGraph& graph() const { return graph_; }

  // Fills in the links towards a switch.
  using WaysTo = std::function<void(int target, NextHops& hops)>;
  // Chooses a tree for every LID, knowing those chosen before. Of links that are equally good the
  // one with the lowest port is taken. Balanced: on every tree the ways with the least sum of
  // squared loads, and four times over, from the second time on knowing all other trees. Otherwise
  // every switch takes the link that the fewest pairs use so far.
  void Route(const WaysTo& ways) { Route(ways, request_.balance); }
  void Route(const WaysTo& ways, bool balance);

  // Pairs of end nodes that cross the busiest link, and hops summed over all pairs.
  std::int64_t BusiestLink() const;
  std::int64_t TotalHops() const;

  // The link on which packets to a node leave a switch; -1 if on none.
  int LinkTo(int place, int node) const {
    const int port = tables.lft[graph_.NodeOf(place)][tables.lids[node]];
    return port == kUnreachablePort ? -1 : graph_.LinkAt(place, port);
  }

  RoutingTables tables;

 private:
  void RouteTo(int node, const NextHops& hops, bool balance);
  void AddLoad(int node, const NextHops& hops, int sign);
  // Of the way that begins with this link; that from its end is known.
  std::int64_t CostBy(int link) const {
    return load_[link] * load_[link] + cost_[graph_.link(link).to];
  }
  int LeastBusy(std::span<const int> links) const;
  int CheapestWay(std::span<const int> links) const;
  void SetPort(int place, int node, int port);

  const RoutingRequest& request_;
  SwitchGraph graph_;
  std::vector<std::vector<int>> lids_at_;  // by place: nodes with LIDs there, the switch first
  std::vector<std::int64_t> load_;         // by link: pairs
  std::vector<std::int64_t> pairs_;        // scratch, by place: pairs whose way crosses it
  std::vector<std::int64_t> cost_;         // scratch, by place: of the way from there
};

}  // namespace lanecut
