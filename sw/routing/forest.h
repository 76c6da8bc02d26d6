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

// How a switch chooses among links that will do.
enum class Spread {
  kFirstPort,  // the lowest port
  kOwnLinks,   // the link that the fewest pairs use so far
  // The way with the least sum of squared loads; every tree is chosen four times, from the second
  // time on against all others.
  kWholeWays,
};

class Forest {
 public:
  // Every node with a LID has a tree of its own, or all nodes of a switch have one. Throws
  // RoutingError if the request makes no sense or wants several paths for a pair. The request must
  // outlive the forest.
  explicit Forest(const RoutingRequest& request, bool by_switch = false);

  const SwitchGraph& graph() const { return graph_; }

  // Fills in the links towards a switch.
  using WaysTo = std::function<void(int target, NextHops& hops)>;
  // Chooses all trees. Of links that are equally good the one with the lowest port is taken.
  void Route(const WaysTo& ways, Spread spread);

  // The same by a rule: it is given the tree, the place and the links that will do.
  using Rule = std::function<int(int tree, int place, std::span<const int> links)>;
  void Route(const WaysTo& ways, const Rule& rule);

  // Every tree, in several rounds, by the one link that its ways leave it at each place.
  using WaysOf = std::function<void(int tree, NextHops& hops)>;
  void RouteEach(const WaysOf& ways);

  // Writes what has been chosen into the LFTs of empty tables.
  RoutingTables Tables() const;

  int num_trees() const { return static_cast<int>(trees_.size()); }
  int TreeOf(int node) const { return tree_of_[node]; }  // -1: the node has none
  int TargetOf(int tree) const { return trees_[tree].target; }
  int EndNodesOf(int tree) const { return trees_[tree].end_nodes; }
  // The link on which packets of a tree leave a switch; -1 at its target and where there is no way.
  int LinkTo(int tree, int place) const {
    const std::uint8_t choice = ChoicesOf(tree)[place];
    return choice == kNoLink ? -1 : graph_.FirstLink(place) + choice;
  }

  // Pairs of end nodes that cross the busiest link, and hops summed over all pairs.
  std::int64_t BusiestLink() const;
  std::int64_t TotalHops() const;

 private:
  static constexpr std::uint8_t kNoLink = 255;

  struct Tree {
    int target = -1;    // place
    int end_nodes = 0;  // whose packets take it
    std::vector<int> nodes;
  };

  std::uint8_t* ChoicesOf(int tree) {
    return choices_.data() + static_cast<std::size_t>(tree) * graph_.num_switches();
  }
  const std::uint8_t* ChoicesOf(int tree) const {
    return choices_.data() + static_cast<std::size_t>(tree) * graph_.num_switches();
  }
  void Choose(int tree, const NextHops& hops, Spread spread);
  void SetLink(int tree, int place, int link) {
    ChoicesOf(tree)[place] = static_cast<std::uint8_t>(link - graph_.FirstLink(place));
  }
  void AddLoad(int tree, const NextHops& hops, int sign);
  // Of the way that begins with this link; that from its end is known.
  std::int64_t CostBy(int link) const {
    return load_[link] * load_[link] + cost_[graph_.link(link).to];
  }
  int PortTo(int tree, int place, int node) const;
  int BestLink(std::span<const int> links, Spread spread) const;

  const RoutingRequest& request_;
  SwitchGraph graph_;
  std::vector<Tree> trees_;   // in the order of their targets
  std::vector<int> first_;    // by place: where its trees begin, and one more
  std::vector<int> tree_of_;  // by node
  // By tree, then place: the chosen link, counted from the switch's first. LFTs lie the other way
  // round in memory, which would cost a cache miss for every entry.
  std::vector<std::uint8_t> choices_;
  std::vector<std::int64_t> load_;   // by link: pairs
  std::vector<std::int64_t> pairs_;  // scratch, by place: pairs whose way crosses it
  std::vector<std::int64_t> cost_;   // scratch, by place: of the way from there
};

}  // namespace lanecut
