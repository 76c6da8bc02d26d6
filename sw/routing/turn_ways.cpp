// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/turn_ways.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sw/routing/acyclic_layer.h"
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

constexpr std::uint8_t kNoWay = 255;

template <typename Visit>
void ForEachTurn(const SwitchGraph& graph, const Visit& visit) {
  for (int link = 0; link < graph.num_links(); ++link) {
    const int at = graph.link(link).to;
    for (int next = graph.FirstLink(at); next < graph.FirstLink(at + 1); ++next) {
      if (graph.link(next).to != graph.link(link).from) visit(link, next);
    }
  }
}

}  // namespace

TurnSet AllTurns(const SwitchGraph& graph) {
  TurnSet turns(graph.num_turns(), 0);
  ForEachTurn(graph, [&](int link, int next) { turns[graph.Turn(link, next)] = 1; });
  return turns;
}

TurnSet TreeTurns(const SwitchGraph& graph, const SpanningForest& trees) {
  const auto is_of_tree = [&](int link) {
    return trees.ParentLink(graph.link(link).from) == link ||
           trees.ParentLink(graph.link(link).to) == graph.link(link).reverse;
  };
  TurnSet turns(graph.num_turns(), 0);
  ForEachTurn(graph, [&](int link, int next) {
    if (is_of_tree(link) && is_of_tree(next)) turns[graph.Turn(link, next)] = 1;
  });
  return turns;
}

std::vector<int> TurnOrder(const SwitchGraph& graph) {
  std::vector<int> order;
  ForEachTurn(graph, [&](int link, int next) { order.push_back(graph.Turn(link, next)); });
  return order;
}

TurnSet Completed(const SwitchGraph& graph, const TurnSet& set, const std::vector<int>& order) {
  std::vector<std::pair<int, int>> links(graph.num_turns());  // of every turn
  AcyclicLayer layer(graph);
  ForEachTurn(graph, [&](int link, int next) {
    const int turn = graph.Turn(link, next);
    links[turn] = {link, next};
    if (set[turn] != 0 && !layer.Add(link, next)) {
      throw std::logic_error("the turns that a routing engine begins with close a cycle");
    }
  });
  TurnSet result = set;
  for (const int turn : order) {
    if (result[turn] == 0 && layer.Add(links[turn].first, links[turn].second)) result[turn] = 1;
  }
  return result;
}

TurnWays::TurnWays(const SwitchGraph& graph, const SpanningForest& trees, const TurnSet& permitted,
                   int breaks)
    : graph_(graph),
      trees_(trees),
      permitted_(permitted),
      most_breaks_(breaks),
      load_(graph.num_links(), 0),
      of_(graph.num_switches()),
      link_(graph.num_switches()),
      breaks_(graph.num_switches()),
      cost_(graph.num_switches()),
      pinned_(graph.num_switches()),
      candidates_(graph.num_switches()),
      part_(graph.num_switches()) {
  for (const int place : trees.top_down()) {
    const int up = trees.ParentLink(place);
    if (up < 0) part_sizes_.push_back(0);
    part_[place] = up < 0 ? static_cast<int>(part_sizes_.size()) - 1 : part_[graph.link(up).to];
    ++part_sizes_[part_[place]];
  }
}

void TurnWays::To(int target, int end_nodes, Tree& tree, NextHops& hops) {
  if (!tree.empty()) AddLoad(target, -end_nodes, tree);
  std::ranges::fill(pinned_, -1);
  do {
    Grow(target);
  } while (PinStranded(target));
  tree.assign(graph_.num_switches(), kNoWay);
  hops.Clear(target);
  for (const int place : joined_) {
    if (place != target) {
      tree[place] = static_cast<std::uint8_t>(link_[place] - graph_.FirstLink(place));
      hops.Add(link_[place]);
    }
    hops.Close(place);
  }
  AddLoad(target, end_nodes, tree);
}

void TurnWays::Grow(int target) {
  std::ranges::fill(link_, -1);
  breaks_[target] = 0;
  cost_[target] = 0;
  joined_.assign(1, target);
  for (std::size_t first = 0; first < joined_.size();) {
    next_level_.clear();
    for (; first < joined_.size(); ++first) CollectCandidates(joined_[first]);
    for (const int place : next_level_) Join(place);
  }
}

int TurnWays::BreaksBy(int link) const {
  const int at = graph_.link(link).to;
  if (at == joined_.front()) return 0;
  return breaks_[at] + (IsPermitted(link, link_[at]) ? 0 : 1);
}

void TurnWays::CollectCandidates(int place) {
  for (const DirectedLink& back : graph_.LinksFrom(place)) {
    const int from = back.to;
    if (from == joined_.front() || link_[from] >= 0) continue;
    if (pinned_[from] >= 0 && pinned_[from] != back.reverse) continue;
    if (BreaksBy(back.reverse) > most_breaks_) continue;
    if (candidates_[from].empty()) next_level_.push_back(from);
    candidates_[from].push_back(back.reverse);
  }
}

int TurnWays::CanJoin(int link) const {
  const int place = graph_.link(link).from;
  const int left = most_breaks_ - BreaksBy(link);
  int count = 0;
  for (const DirectedLink& back : graph_.LinksFrom(place)) {
    count += link_[back.to] < 0 && (left > 0 || IsPermitted(back.reverse, link)) ? 1 : 0;
  }
  return count;
}

void TurnWays::Join(int place) {
  const auto cost_by = [&](int link) {
    return load_[link] * load_[link] + cost_[graph_.link(link).to];
  };
  int best = -1;
  int most = 0;
  for (const int link : candidates_[place]) {
    const int joiners = CanJoin(link);
    if (best >= 0 && joiners < most) continue;
    if (best >= 0 && joiners == most && cost_by(link) >= cost_by(best)) continue;
    best = link;
    most = joiners;
  }
  candidates_[place].clear();
  breaks_[place] = BreaksBy(best);
  cost_[place] = cost_by(best);
  link_[place] = best;
  joined_.push_back(place);
}

bool TurnWays::PinStranded(int target) {
  if (static_cast<int>(joined_.size()) == part_sizes_[part_[target]]) return false;
  // The link towards the target on the trees.
  std::vector<int> down(graph_.num_switches(), -1);
  for (int place = target; trees_.ParentLink(place) >= 0;) {
    const int up = trees_.ParentLink(place);
    place = graph_.link(up).to;
    down[place] = graph_.link(up).reverse;
  }
  for (int place = 0; place < graph_.num_switches(); ++place) {
    if (place == target || link_[place] >= 0 || part_[place] != part_[target]) continue;
    for (int here = place; here != target;) {
      pinned_[here] = down[here] >= 0 ? down[here] : trees_.ParentLink(here);
      here = graph_.link(pinned_[here]).to;
    }
  }
  return true;
}

void TurnWays::AddLoad(int target, int end_nodes, const Tree& tree) {
  if (end_nodes == 0) return;
  for (int from = 0; from < graph_.num_switches(); ++from) {
    const std::int64_t pairs = static_cast<std::int64_t>(end_nodes) * graph_.EndNodesAt(from);
    if (pairs == 0 || tree[from] == kNoWay) continue;
    for (int place = from; place != target;) {
      const int link = graph_.FirstLink(place) + tree[place];
      load_[link] += pairs;
      place = graph_.link(link).to;
    }
  }
}

RoutingTables RouteByTurns(const RoutingRequest& request, SpanningTree kind, Spread spread,
                           const TurnRule& rule) {
  Forest forest(request);
  const SpanningForest trees(request, forest.graph(), kind);
  const TurnSet turns = rule(forest.graph(), trees);
  TurnWays ways(forest.graph(), trees, turns, 0);
  if (spread == Spread::kWholeWays) {
    std::vector<TurnWays::Tree> known(forest.num_trees());
    forest.RouteEach([&](int tree, NextHops& hops) {
      ways.To(forest.TargetOf(tree), forest.EndNodesOf(tree), known[tree], hops);
    });
  } else {
    forest.Route([&](int target, NextHops& hops) { ways.To(target, hops); }, spread);
  }
  RoutingTables tables = forest.Tables();
  SpreadOverVls(request, tables);
  return tables;
}

}  // namespace lanecut
