// SPDX-License-Identifier: Apache-2.0
//
// Multiple Roots (Lysne, Skeie 2001): several up*/down* trees, each with a VL of its own, so that
// not all traffic meets at one root.
//
// The first root is that of up*/down*; every further one is as far as can be from those before, the
// lowest of equals. An InfiniBand LFT has one entry for a LID, so all packets to a destination use
// one tree, that in which their ways are the shortest, and of equals the one with the least to do.
// Packets stay on the VL of their tree, which their SL says.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/table_builder.h"
#include "sw/routing/updown_order.h"

namespace lanecut {
namespace {

class MultipleRoots {
 public:
  explicit MultipleRoots(const RoutingRequest& request)
      : request_(request), forest_(request), graph_(forest_.graph()) {}

  RoutingTables Compute() {
    if (graph_.num_switches() > 0) PlantTrees();
    forest_.Route([&](int target, NextHops& hops) { BestWays(target, hops); },
                  request_.balance ? Spread::kWholeWays : Spread::kOwnLinks);
    RoutingTables tables = forest_.Tables();
    SpreadOverVls(request_, tables);
    const auto& hcas = request_.topology.hcas();
    for (const int source : hcas) {
      for (const int destination : hcas) {
        const int place = graph_.PlaceOf(destination);
        if (place < 0 || place == graph_.PlaceOf(source)) continue;
        tables.sl[source][destination] = static_cast<std::uint8_t>(root_of_[place]);
      }
    }
    return tables;
  }

 private:
  void PlantTrees() {
    const int lanes = std::min({request_.vls, request_.sls, graph_.num_switches()});
    UpDownOrder first(request_.topology, graph_, request_.tree, RootPlace(request_, graph_));
    std::vector<int> nearest = graph_.Hops(first.top_down().front());
    ways_.push_back(std::make_unique<UpDownWays>(graph_, std::move(first), true));
    while (static_cast<int>(ways_.size()) < lanes) {
      const auto next = static_cast<int>(std::ranges::max_element(nearest) - nearest.begin());
      const std::vector<int> hops = graph_.Hops(next);
      for (std::size_t i = 0; i < hops.size(); ++i) nearest[i] = std::min(nearest[i], hops[i]);
      ways_.push_back(std::make_unique<UpDownWays>(
          graph_, UpDownOrder(request_.topology, graph_, request_.tree, next), true));
    }
    root_of_.assign(graph_.num_switches(), -1);
    served_by_.assign(ways_.size(), 0);
  }

  void BestWays(int target, NextHops& hops) {
    int& chosen = root_of_[target];
    if (chosen < 0) {
      chosen = ShortestTree(target, hops);
      served_by_[chosen] += graph_.EndNodesAt(target);
    }
    ways_[chosen]->To(target, hops);
  }

  int ShortestTree(int target, NextHops& hops) {
    int best = -1;
    std::pair<std::int64_t, std::int64_t> least;
    for (int tree = 0; tree < static_cast<int>(ways_.size()); ++tree) {
      ways_[tree]->To(target, hops);
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < hops.size(); ++i) {
        const int place = hops.place(i);
        sum += static_cast<std::int64_t>(ways_[tree]->HopsFrom(place)) * graph_.EndNodesAt(place);
      }
      const std::pair measure(sum, served_by_[tree]);
      if (best >= 0 && measure >= least) continue;
      best = tree;
      least = measure;
    }
    return best;
  }

  const RoutingRequest& request_;
  Forest forest_;
  const SwitchGraph& graph_;
  std::vector<std::unique_ptr<UpDownWays>> ways_;  // by root
  std::vector<int> root_of_;                       // by target; -1 = not chosen yet
  std::vector<std::int64_t> served_by_;            // by root: end nodes
};

class MultipleRootsEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "mroots"; }
  std::string_view summary() const override {
    return "Multiple Roots: an up*/down* tree for every VL, each destination in the best of them";
  }
  bool takes(EngineOption option) const override {
    return option == EngineOption::kRoot || option == EngineOption::kTree ||
           option == EngineOption::kBalance;
  }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRoot(request, name());
    return MultipleRoots(request).Compute();
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeMultipleRootsEngine() {
  return std::make_unique<MultipleRootsEngine>();
}

}  // namespace lanecut
