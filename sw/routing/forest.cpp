// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/forest.h"

#include <algorithm>
#include <numeric>

#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

constexpr int kBalancingRounds = 4;

}  // namespace

void ShortestWays(const SwitchGraph& graph, int target, NextHops& hops) {
  hops.Clear(target);
  std::vector<int> distance(graph.num_switches(), -1);
  std::vector<int> queue = {target};
  distance[target] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int here = queue[head];
    const int first = graph.FirstLink(here);
    for (int id = first; id < first + graph.Degree(here); ++id) {
      const int next = graph.link(id).to;
      if (distance[next] < 0) {
        distance[next] = distance[here] + 1;
        queue.push_back(next);
      } else if (distance[next] < distance[here]) {
        hops.Add(id);
      }
    }
    hops.Close(here);
  }
}

Forest::Forest(const RoutingRequest& request, bool by_switch)
    : request_(request), graph_(request.topology), tree_of_(request.lids.size(), -1) {
  CheckRequest(request);
  CheckOnePath(request);
  std::vector<std::vector<int>> nodes_at(graph_.num_switches());
  const auto add = [&](int node) {
    const int place = graph_.PlaceOf(node);
    if (place >= 0 && request.lids[node] != 0) nodes_at[place].push_back(node);
  };
  std::ranges::for_each(request.topology.switches(), add);
  std::ranges::for_each(request.topology.hcas(), add);
  for (int place = 0; place < graph_.num_switches(); ++place) {
    first_.push_back(num_trees());
    for (const int node : nodes_at[place]) {
      if (!by_switch || num_trees() == first_.back()) trees_.push_back({place, 0, {}});
      trees_.back().nodes.push_back(node);
      if (!request.topology.IsSwitch(node)) ++trees_.back().end_nodes;
      tree_of_[node] = num_trees() - 1;
    }
  }
  first_.push_back(num_trees());
  choices_.assign(trees_.size() * graph_.num_switches(), kNoLink);
  load_.assign(graph_.num_links(), 0);
  pairs_.assign(graph_.num_switches(), 0);
  cost_.assign(graph_.num_switches(), 0);
}

void Forest::Route(const WaysTo& ways, Spread spread) {
  const int rounds = spread == Spread::kWholeWays ? kBalancingRounds : 1;
  NextHops hops;
  for (int round = 0; round < rounds; ++round) {
    for (int target = 0; target < graph_.num_switches(); ++target) {
      if (first_[target] == first_[target + 1]) continue;
      ways(target, hops);
      for (int tree = first_[target]; tree < first_[target + 1]; ++tree) {
        if (round > 0) AddLoad(tree, hops, -1);
        Choose(tree, hops, spread);
        AddLoad(tree, hops, 1);
      }
    }
  }
}

void Forest::RouteEach(const WaysOf& ways) {
  NextHops hops;
  for (int round = 1; round <= kBalancingRounds; ++round) {
    for (int tree = 0; tree < num_trees(); ++tree) {
      // Those that carry nothing are chosen once, when all others are known.
      if (round < kBalancingRounds && trees_[tree].end_nodes == 0) continue;
      ways(tree, hops);
      for (std::size_t i = 1; i < hops.size(); ++i)
        SetLink(tree, hops.place(i), hops.LinksOf(i).front());
      if (round == kBalancingRounds) AddLoad(tree, hops, 1);
    }
  }
}

void Forest::Route(const WaysTo& ways, const Rule& rule) {
  NextHops hops;
  for (int tree = 0; tree < num_trees(); ++tree) {
    if (tree == 0 || TargetOf(tree) != TargetOf(tree - 1)) ways(TargetOf(tree), hops);
    for (std::size_t i = 1; i < hops.size(); ++i) {
      SetLink(tree, hops.place(i), rule(tree, hops.place(i), hops.LinksOf(i)));
    }
    AddLoad(tree, hops, 1);
  }
}

void Forest::AddLoad(int tree, const NextHops& hops, int sign) {
  const int end_nodes = sign * trees_[tree].end_nodes;
  if (end_nodes == 0) return;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    pairs_[hops.place(i)] = graph_.EndNodesAt(hops.place(i));
  }
  for (std::size_t i = hops.size(); i-- > 1;) {
    const int place = hops.place(i);
    const int link = LinkTo(tree, place);
    load_[link] += end_nodes * pairs_[place];
    pairs_[graph_.link(link).to] += pairs_[place];
  }
}

void Forest::Choose(int tree, const NextHops& hops, Spread spread) {
  cost_[hops.target()] = 0;
  for (std::size_t i = 1; i < hops.size(); ++i) {
    const int place = hops.place(i);
    const int link = BestLink(hops.LinksOf(i), spread);
    cost_[place] = CostBy(link);
    SetLink(tree, place, link);
  }
}

int Forest::BestLink(std::span<const int> links, Spread spread) const {
  if (spread == Spread::kFirstPort) return links.front();
  int best = links.front();
  std::int64_t least = spread == Spread::kOwnLinks ? load_[best] : CostBy(best);
  for (const int link : links.subspan(1)) {
    const std::int64_t cost = spread == Spread::kOwnLinks ? load_[link] : CostBy(link);
    if (cost >= least) continue;
    best = link;
    least = cost;
  }
  return best;
}

RoutingTables Forest::Tables() const {
  const Topology& topology = request_.topology;
  RoutingTables tables = EmptyTables(topology, request_.lids, request_.lmc);
  // A few trees at a time, so that what is read and what is written both stay in the cache.
  constexpr int kBlock = 64;
  for (int first = 0; first < num_trees(); first += kBlock) {
    const int last = std::min(first + kBlock, num_trees());
    for (int place = 0; place < graph_.num_switches(); ++place) {
      auto& lft = tables.lft[graph_.NodeOf(place)];
      for (int tree = first; tree < last; ++tree) {
        for (const int node : trees_[tree].nodes) {
          const int port = PortTo(tree, place, node);
          const int lid = request_.lids[node];
          const int end = lid + NumLids(topology, request_.lmc, node);
          for (int each = lid; each < end; ++each) lft[each] = static_cast<std::uint8_t>(port);
        }
      }
    }
  }
  return tables;
}

int Forest::PortTo(int tree, int place, int node) const {
  if (place == trees_[tree].target) {
    return request_.topology.IsSwitch(node) ? 0 : request_.topology.PeerOf(node, 1)->port;
  }
  const int link = LinkTo(tree, place);
  return link < 0 ? kUnreachablePort : graph_.link(link).out_port;
}

std::int64_t Forest::BusiestLink() const {
  return load_.empty() ? 0 : *std::ranges::max_element(load_);
}

std::int64_t Forest::TotalHops() const {
  return std::accumulate(load_.begin(), load_.end(), std::int64_t{0});
}

}  // namespace lanecut
