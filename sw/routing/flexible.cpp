// SPDX-License-Identifier: Apache-2.0
//
// Flexible routing, FX (Sancho, Robles, Duato 2000): unidirectional restrictions. On a depth-first
// tree up*/down* breaks a ring of switches, in both directions, at the one that is the lowest in
// it. FX breaks each direction at a switch of its own, so that the turns that packets may not make
// are spread over the network.
//
// How they are spread is this project's: beginning with up*/down*, a forbidden turn is permitted
// and one other turn forbidden in its place, at a switch that still has fewer of them then, if that
// one turn is on all cycles that would close. The sum of the squared numbers by switch falls each
// time, so that comes to an end. A turn that closes no cycle any more is permitted at once. Turns
// of the spanning tree are never forbidden.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/table_builder.h"
#include "sw/routing/turn_ways.h"

namespace lanecut {
namespace {

// Turns looked at, some 10^8 in a second: on fabrics of some thousand switches restrictions stay
// where they are after that.
constexpr std::int64_t kMostFlexibleWork = 1'000'000'000;

class FlexibleTurns {
 public:
  FlexibleTurns(const SwitchGraph& graph, const SpanningForest& trees)
      : graph_(graph),
        kept_(TreeTurns(graph, trees)),
        permitted_(AllTurns(graph)),
        forbidden_at_(graph.num_switches(), 0),
        before_(graph.num_links()) {
    std::vector<int> rank(graph.num_switches());
    for (std::size_t i = 0; i < trees.top_down().size(); ++i)
      rank[trees.top_down()[i]] = static_cast<int>(i);
    for (int link = 0; link < graph.num_links(); ++link) {
      const int at = graph.link(link).to;
      for (int next = graph.FirstLink(at); next < graph.FirstLink(at + 1); ++next) {
        const bool is_lowest =
            rank[graph.link(link).from] < rank[at] && rank[graph.link(next).to] < rank[at];
        if (!is_lowest || permitted_[graph.Turn(link, next)] == 0) continue;
        Set({link, next}, false);
        forbidden_.push_back({link, next});
      }
    }
  }

  TurnSet Compute() {
    for (bool has_moved = true; has_moved;) {
      has_moved = false;
      for (std::size_t i = 0; i < forbidden_.size() && work_ < kMostFlexibleWork; ++i)
        has_moved = Move(forbidden_[i]) || has_moved;
      std::erase_if(forbidden_, [&](const Turn& turn) { return IsPermitted(turn); });
    }
    return permitted_;
  }

 private:
  using Turn = std::pair<int, int>;  // from a link to the next

  bool IsPermitted(const Turn& turn) const {
    return permitted_[graph_.Turn(turn.first, turn.second)] != 0;
  }
  void Set(const Turn& turn, bool permitted) {
    permitted_[graph_.Turn(turn.first, turn.second)] = permitted ? 1 : 0;
    ForbiddenAt(turn) += permitted ? -1 : 1;
  }
  int& ForbiddenAt(const Turn& turn) { return forbidden_at_[graph_.link(turn.first).to]; }

  // The turns on the shortest way from a turn's second link back to its first one; false if there
  // is no way.
  bool FindWayBack(const Turn& turn, std::vector<Turn>& way) {
    std::ranges::fill(before_, -1);
    queue_.assign(1, turn.second);
    for (std::size_t head = 0; head < queue_.size() && before_[turn.first] < 0; ++head) {
      const int link = queue_[head];
      const int at = graph_.link(link).to;
      for (int next = graph_.FirstLink(at); next < graph_.FirstLink(at + 1); ++next) {
        ++work_;
        if (before_[next] >= 0 || next == turn.second || !IsPermitted({link, next})) continue;
        before_[next] = link;
        queue_.push_back(next);
      }
    }
    if (before_[turn.first] < 0) return false;
    way.clear();
    for (int link = turn.first; link != turn.second; link = before_[link])
      way.push_back({before_[link], link});
    return true;
  }

  // Permits a turn that is forbidden, at the cost of another one if there must be one.
  bool Move(const Turn turn) {
    std::vector<Turn> way;
    if (!FindWayBack(turn, way)) {
      Set(turn, true);
      return true;
    }
    std::erase_if(way, [&](const Turn& other) {
      return kept_[graph_.Turn(other.first, other.second)] != 0 ||
             ForbiddenAt(other) + 1 >= ForbiddenAt(turn);
    });
    std::ranges::stable_sort(way, {}, [&](const Turn& other) { return ForbiddenAt(other); });
    std::vector<Turn> ignored;
    for (const Turn& other : way) {
      Set(other, false);
      if (!FindWayBack(turn, ignored)) {
        Set(turn, true);
        forbidden_.push_back(other);
        return true;
      }
      Set(other, true);
    }
    return false;
  }

  const SwitchGraph& graph_;
  TurnSet kept_;
  TurnSet permitted_;
  std::vector<int> forbidden_at_;  // by place
  std::vector<Turn> forbidden_;    // and some that are permitted again
  std::int64_t work_ = 0;
  std::vector<int> before_;  // scratch, by link
  std::vector<int> queue_;
};

class FlexibleEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "fx"; }
  std::string_view summary() const override {
    return "FX: up*/down* on a depth-first tree, its forbidden turns spread over the switches, any "
           "topology, one VL is enough";
  }
  bool takes(EngineOption option) const override {
    return option == EngineOption::kRoot || option == EngineOption::kBalance;
  }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRoot(request, name());
    return RouteByTurns(request, SpanningTree::kDepthFirst,
                        request.balance ? Spread::kWholeWays : Spread::kOwnLinks,
                        [](const SwitchGraph& graph, const SpanningForest& trees) {
                          return FlexibleTurns(graph, trees).Compute();
                        });
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeFlexibleEngine() { return std::make_unique<FlexibleEngine>(); }

}  // namespace lanecut
