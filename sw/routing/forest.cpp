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

Forest::Forest(const RoutingRequest& request) : request_(request), graph_(request.topology) {
  CheckRequest(request);
  CheckOnePath(request);
  tables = EmptyTables(request.topology, request.lids, request.lmc);
  lids_at_.resize(graph_.num_switches());
  const auto add = [&](int node) {
    const int place = graph_.PlaceOf(node);
    if (place >= 0 && request.lids[node] != 0) lids_at_[place].push_back(node);
  };
  std::ranges::for_each(request.topology.switches(), add);
  std::ranges::for_each(request.topology.hcas(), add);
  load_.assign(graph_.num_links(), 0);
  pairs_.assign(graph_.num_switches(), 0);
  cost_.assign(graph_.num_switches(), 0);
}

void Forest::SetPort(int place, int node, int port) {
  std::fill_n(tables.lft[graph_.NodeOf(place)].begin() + request_.lids[node],
              NumLids(request_.topology, request_.lmc, node), static_cast<std::uint8_t>(port));
}

void Forest::Route(const WaysTo& ways, bool balance) {
  const int rounds = balance ? kBalancingRounds : 1;
  NextHops hops;
  for (int round = 0; round < rounds; ++round) {
    for (int target = 0; target < graph_.num_switches(); ++target) {
      if (lids_at_[target].empty()) continue;
      ways(target, hops);
      for (const int node : lids_at_[target]) {
        if (round > 0) AddLoad(node, hops, -1);
        RouteTo(node, hops, balance);
        AddLoad(node, hops, 1);
      }
    }
  }
}

void Forest::AddLoad(int node, const NextHops& hops, int sign) {
  if (request_.topology.IsSwitch(node)) return;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    pairs_[hops.place(i)] = graph_.EndNodesAt(hops.place(i));
  }
  for (std::size_t i = hops.size(); i-- > 1;) {
    const int place = hops.place(i);
    const int link = LinkTo(place, node);
    load_[link] += sign * pairs_[place];
    pairs_[graph_.link(link).to] += pairs_[place];
  }
}

void Forest::RouteTo(int node, const NextHops& hops, bool balance) {
  const int target = hops.target();
  const bool is_switch = request_.topology.IsSwitch(node);
  SetPort(target, node, is_switch ? 0 : request_.topology.PeerOf(node, 1)->port);
  cost_[target] = 0;
  for (std::size_t i = 1; i < hops.size(); ++i) {
    const int link = balance ? CheapestWay(hops.LinksOf(i)) : LeastBusy(hops.LinksOf(i));
    cost_[hops.place(i)] = CostBy(link);
    SetPort(hops.place(i), node, graph_.link(link).out_port);
  }
}

int Forest::LeastBusy(std::span<const int> links) const {
  return *std::ranges::min_element(links, {}, [&](int id) { return load_[id]; });
}

int Forest::CheapestWay(std::span<const int> links) const {
  return *std::ranges::min_element(links, {}, [&](int id) { return CostBy(id); });
}

std::int64_t Forest::BusiestLink() const {
  return load_.empty() ? 0 : *std::ranges::max_element(load_);
}

std::int64_t Forest::TotalHops() const {
  return std::accumulate(load_.begin(), load_.end(), std::int64_t{0});
}

}  // namespace lanecut
