// SPDX-License-Identifier: Apache-2.0
//
// Fat trees: up to a common ancestor, then down. On the way up the destination's number says which
// parent: on level l it is number / (parents on all levels below) modulo the parents there
// (d-mod-k, Zahavi 2010; the numbers count end nodes from leaf switch to leaf switch). So all
// parents of a switch carry as many destinations, and every cable down belongs to destinations of
// its own.
//
// A fat tree is known by its cables, not by names: end nodes hang on leaf switches only, a switch's
// level is its distance from them, and cables join neighbouring levels only. Parents may be
// missing; then their share goes to the others. Packets between switches that need to go down and
// up again have no way.
#include <fmt/format.h>

#include <algorithm>

#include "sw/routing/forest.h"
#include "sw/routing/table_builder.h"
#include "sw/routing/updown_order.h"

namespace lanecut {
namespace {

class FatTree {
 public:
  explicit FatTree(const RoutingRequest& request)
      : request_(request), forest_(request), graph_(forest_.graph()) {
    FindLevels();
    FindDivisors();
    NumberTrees();
  }

  RoutingTables Compute() {
    std::vector<int> from_top;
    for (const int level : level_) from_top.push_back(-level);
    UpDownWays ways(graph_, UpDownOrder(RanksByLevel(from_top)), false);
    forest_.Route(
        [&](int target, NextHops& hops) {
          ways.To(target, hops);
          CheckLeaves(target, hops);
        },
        [&](int tree, int place, std::span<const int> links) { return Pick(tree, place, links); });
    RoutingTables tables = forest_.Tables();
    SpreadOverVls(request_, tables);
    return tables;
  }

 private:
  [[noreturn]] static void Refuse(const std::string& what) {
    throw RoutingError(fmt::format(
        "ftree: {}; expected a fat tree: end nodes at the lowest switches only, cables between "
        "neighbouring levels only, a common ancestor of any two leaf switches; or engine updown, "
        "which takes any topology",
        what));
  }

  const std::string& NameOf(int place) const {
    return request_.topology.node(graph_.NodeOf(place)).name;
  }

  void FindLevels() {
    level_.assign(graph_.num_switches(), -1);
    std::vector<int> queue;
    for (int place = 0; place < graph_.num_switches(); ++place) {
      if (graph_.EndNodesAt(place) == 0) continue;
      level_[place] = 0;
      queue.push_back(place);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const DirectedLink& link : graph_.LinksFrom(queue[head])) {
        if (level_[link.to] >= 0) continue;
        level_[link.to] = level_[queue[head]] + 1;
        queue.push_back(link.to);
      }
    }
    for (int id = 0; id < graph_.num_links(); ++id) {
      const DirectedLink& link = graph_.link(id);
      if (level_[link.from] < 0) {
        Refuse(fmt::format("\"{}\" is cabled to switches but to no end node, even over others",
                           NameOf(link.from)));
      }
      if (level_[link.from] == level_[link.to]) {
        Refuse(fmt::format("\"{}\" and \"{}\" are cabled to each other on level {}",
                           NameOf(link.from), NameOf(link.to), level_[link.from]));
      }
    }
  }

  // By level: what a destination's number is divided by, the product of parents on lower levels.
  void FindDivisors() {
    if (level_.empty()) return;
    std::vector<int> parents(1 + *std::ranges::max_element(level_), 0);
    for (int place = 0; place < graph_.num_switches(); ++place) {
      if (level_[place] < 0) continue;
      parents[level_[place]] = std::max(parents[level_[place]], ParentsOf(place));
    }
    int divisor = 1;
    for (const int each : parents) {
      divisors_.push_back(divisor);
      divisor = std::min(divisor * std::max(each, 1), 1 << 16);
    }
  }

  int ParentsOf(int place) const {
    return static_cast<int>(std::ranges::count_if(graph_.LinksFrom(place), [&](const auto& link) {
      return level_[link.to] > level_[place];
    }));
  }

  void NumberTrees() {
    int end_nodes = 0;
    for (int tree = 0; tree < forest_.num_trees(); ++tree) {
      numbers_.push_back(end_nodes);
      end_nodes += forest_.EndNodesOf(tree);
    }
  }

  void CheckLeaves(int target, const NextHops& hops) const {
    if (level_[target] != 0) return;
    std::vector<bool> has_way(graph_.num_switches(), false);
    for (std::size_t i = 0; i < hops.size(); ++i) has_way[hops.place(i)] = true;
    const std::vector<int> reach = graph_.Hops(target);
    for (int place = 0; place < graph_.num_switches(); ++place) {
      if (level_[place] != 0 || has_way[place] || reach[place] < 0) continue;
      Refuse(
          fmt::format("\"{}\" and \"{}\" have no common ancestor", NameOf(place), NameOf(target)));
    }
  }

  // The link in the turn of this destination, counting all parents, or else those that will do.
  int Pick(int tree, int place, std::span<const int> links) const {
    const int turn = numbers_[tree] / divisors_[level_[place]];
    const bool up = level_[graph_.link(links.front()).to] > level_[place];
    const int parents = ParentsOf(place);
    if (up && static_cast<int>(links.size()) < parents) {
      int left = turn % parents;
      const int first = graph_.FirstLink(place);
      for (int id = first; id < first + graph_.Degree(place); ++id) {
        if (level_[graph_.link(id).to] < level_[place] || left-- > 0) continue;
        if (std::ranges::find(links, id) != links.end()) return id;
        break;
      }
    }
    return links[turn % links.size()];
  }

  const RoutingRequest& request_;
  Forest forest_;
  const SwitchGraph& graph_;
  std::vector<int> level_;     // by place
  std::vector<int> divisors_;  // by level
  std::vector<int> numbers_;   // by tree: its end node's number
};

class FatTreeEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "ftree"; }
  std::string_view summary() const override {
    return "up and down a fat tree, destinations in turn over the parents; one VL is enough";
  }
  RoutingTables Compute(const RoutingRequest& request) const override {
    return FatTree(request).Compute();
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeFatTreeEngine() { return std::make_unique<FatTreeEngine>(); }

}  // namespace lanecut
