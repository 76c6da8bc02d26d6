// SPDX-License-Identifier: Apache-2.0
//
// Smart routing (Cherkasova, Kotov, Rokicki 1996): begins with shortest balanced paths of all pairs
// and the graph of their channel dependencies, and as long as that has a cycle cuts it at one turn,
// finds other paths for the pairs that made it, and goes on. Which turn: the one of the cycle that
// the fewest pairs make, so that the load moves as little as can be; the paper weighs the loads
// that would result. Never one of the spanning tree's, so that every switch keeps a way to every
// other one. At last turns that have been cut and close no cycle any more are given back, and all
// paths are balanced once more.
#include <algorithm>
#include <memory>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/table_builder.h"
#include "sw/routing/turn_ways.h"

namespace lanecut {
namespace {

class SmartTurns {
 public:
  SmartTurns(const SwitchGraph& graph, const SpanningForest& trees)
      : graph_(graph),
        kept_(TreeTurns(graph, trees)),
        permitted_(AllTurns(graph)),
        ways_(graph, trees, permitted_, 0),
        ways_to_(graph.num_switches()),
        pairs_(graph.num_turns(), 0) {}

  TurnSet Compute() {
    for (int target = 0; target < graph_.num_switches(); ++target) Reroute(target);
    while (CutCycles()) {
      for (int target = 0; target < graph_.num_switches(); ++target) {
        if (HasCutTurn(ways_to_[target])) Reroute(target);
      }
    }
    TurnSet used = kept_;
    for (int turn = 0; turn < graph_.num_turns(); ++turn) used[turn] |= pairs_[turn] > 0 ? 1 : 0;
    return Completed(graph_, used, TurnOrder(graph_));
  }

 private:
  struct Ways {
    std::vector<int> places;  // nearest first
    std::vector<int> link;    // by place
  };

  // Whether a packet makes it, or may have to.
  bool Holds(int turn) const {
    return kept_[turn] != 0 || (pairs_[turn] > 0 && permitted_[turn] != 0);
  }

  // Pairs of switches by the turns that they make on these ways.
  void Count(const Ways& ways, int sign) {
    std::vector<std::int64_t> behind(graph_.num_switches(), 1);  // pairs that come through a place
    for (std::size_t i = ways.places.size(); i-- > 1;) {
      const int place = ways.places[i];
      const int link = ways.link[place];
      const int at = graph_.link(link).to;
      behind[at] += behind[place];
      if (at != ways.places.front()) {
        pairs_[graph_.Turn(link, ways.link[at])] += sign * behind[place];
      }
    }
  }

  void Reroute(int target) {
    Ways& ways = ways_to_[target];
    if (!ways.places.empty()) Count(ways, -1);
    NextHops hops;
    ways_.To(target, hops);
    ways.places.clear();
    ways.link.assign(graph_.num_switches(), -1);
    for (std::size_t i = 0; i < hops.size(); ++i) {
      ways.places.push_back(hops.place(i));
      if (i > 0) ways.link[hops.place(i)] = hops.LinksOf(i).front();
    }
    Count(ways, 1);
  }

  // The cycle's links, each turning to the next and the last to the first; empty if there is none.
  std::vector<int> FindCycle() const {
    enum class Mark : std::uint8_t { kNew, kOnWay, kDone };
    std::vector<Mark> mark(graph_.num_links(), Mark::kNew);
    std::vector<int> tried(graph_.num_links(), 0);  // of the links after it
    std::vector<int> way;
    for (int start = 0; start < graph_.num_links(); ++start) {
      if (mark[start] != Mark::kNew) continue;
      way.assign(1, start);
      mark[start] = Mark::kOnWay;
      while (!way.empty()) {
        const int link = way.back();
        const int at = graph_.link(link).to;
        if (tried[link] == graph_.Degree(at)) {
          mark[link] = Mark::kDone;
          way.pop_back();
          continue;
        }
        const int next = graph_.FirstLink(at) + tried[link]++;
        if (!Holds(graph_.Turn(link, next)) || mark[next] == Mark::kDone) continue;
        if (mark[next] == Mark::kOnWay) {
          return ShortestCycle(next);
        }
        mark[next] = Mark::kOnWay;
        way.push_back(next);
      }
    }
    return {};
  }

  // The shortest way of turns from a link back to it, which there is.
  std::vector<int> ShortestCycle(int start) const {
    std::vector<int> before(graph_.num_links(), -1);
    std::vector<int> queue = {start};
    for (std::size_t head = 0; before[start] < 0; ++head) {
      const int at = graph_.link(queue[head]).to;
      for (int next = graph_.FirstLink(at); next < graph_.FirstLink(at + 1); ++next) {
        if (before[next] >= 0 || !Holds(graph_.Turn(queue[head], next))) continue;
        before[next] = queue[head];
        queue.push_back(next);
      }
    }
    std::vector<int> cycle;
    for (int link = before[start]; link != start; link = before[link]) cycle.push_back(link);
    cycle.push_back(start);
    return {cycle.rbegin(), cycle.rend()};
  }

  void Cut(const std::vector<int>& cycle) {
    int first = -1;
    int second = -1;
    std::int64_t fewest = 0;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const int next = cycle[(i + 1) % cycle.size()];
      const int turn = graph_.Turn(cycle[i], next);
      if (kept_[turn] != 0 || (first >= 0 && pairs_[turn] >= fewest)) continue;
      first = cycle[i];
      second = next;
      fewest = pairs_[turn];
    }
    permitted_[graph_.Turn(first, second)] = 0;
  }

  // False if there is no cycle.
  bool CutCycles() {
    bool is_any = false;
    for (std::vector<int> cycle = FindCycle(); !cycle.empty(); cycle = FindCycle()) {
      Cut(cycle);
      is_any = true;
    }
    return is_any;
  }

  bool HasCutTurn(const Ways& ways) const {
    return std::ranges::any_of(ways.places, [&](int place) {
      const int link = ways.link[place];
      const int next = link < 0 ? -1 : ways.link[graph_.link(link).to];
      return next >= 0 && permitted_[graph_.Turn(link, next)] == 0;
    });
  }

  const SwitchGraph& graph_;
  TurnSet kept_;
  TurnSet permitted_;
  TurnWays ways_;
  std::vector<Ways> ways_to_;        // by target
  std::vector<std::int64_t> pairs_;  // by turn
};

class SmartEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "smart"; }
  std::string_view summary() const override {
    return "smart routing: cycles of balanced shortest paths cut one by one, any topology, one VL "
           "is enough";
  }
  bool takes(EngineOption option) const override { return option == EngineOption::kRoot; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRoot(request, name());
    return RouteByTurns(request, SpanningTree::kBreadthFirst, Spread::kWholeWays,
                        [](const SwitchGraph& graph, const SpanningForest& trees) {
                          return SmartTurns(graph, trees).Compute();
                        });
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeSmartEngine() { return std::make_unique<SmartEngine>(); }

}  // namespace lanecut
