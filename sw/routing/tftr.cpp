// SPDX-License-Identifier: Apache-2.0
//
// TFTR, transition-based fault-tolerant routing (Montanana, Flich, Duato; thesis UPV 2008, section
// 4.2): for every pair several disjoint paths, on which a packet may break the rules of a routing
// function underneath (up*/down* on a depth-first tree) if it changes to a higher VL as it does.
//
// The stages of the thesis, and where they are here:
//   1 candidate paths from the topology        DisjointSearch, shortest first; first links in turn
//     ... with both enhancements               the one way round, last links the other; one pair
//                                              after the other
//   2 forbidden transitions                    ForbiddenTurns
//   3 no more of them than VLs allow           LaneOrder: bounds of the VLs of every turn
//   4 mapping conflicts: (i) another VL on the way, as no VL is settled before the end; (ii)
//   another
//     path, the shortest that fits; (iii) one more SL; (iv) one path less, if the request allows it
//   5 the most disjoint set, VLs balanced      the order of Find(); LaneOrder::Settle
//   6 IBA tables                               MakeMultipathTables
//
// The two directions of a pair use the same cables where they can. Then one combination of failed
// cables cuts both off, where paths of their own would make it two.
//
// Where the thesis says "length at most distance + 4" the search looks at longer paths only where
// shorter ones do not do: without them neighbours in a torus of 7 x 7 or more have no four paths.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "sw/routing/disjoint_search.h"
#include "sw/routing/lane_order.h"
#include "sw/routing/multipath_tables.h"
#include "sw/routing/switch_fabric.h"
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

constexpr int kMostVls = 4;  // more have not been of use to the thesis either
// In states of the search, nearly 10^7 in a second: as long as less than this has been spent, pairs
// are taken in other orders to see whether an SL less will do ...
constexpr std::int64_t kMostWork = 60'000'000;
// ... unless more than one pair in so many found no room: another order will not help them all.
constexpr std::size_t kHopeless = 20;
// Attempts with no fewer such pairs than ever before, after which it gives up.
constexpr int kMostVain = 3;

// Down a link of the tree order and up the next.
std::vector<bool> ForbiddenTurns(const SwitchFabric& fabric, const std::vector<int>& order) {
  std::vector<bool> forbidden(fabric.num_turns(), false);
  for (int link = 0; link < fabric.num_links(); ++link) {
    const int at = fabric.link(link).to;
    for (const int next : fabric.LinksFrom(at)) {
      forbidden[fabric.Turn(link, next)] =
          order[fabric.link(link).from] < order[at] && order[fabric.link(next).to] < order[at];
    }
  }
  return forbidden;
}

// The one with the lowest mean distance to the others, the first of equals.
int Centre(const SwitchFabric& fabric) {
  int best = 0;
  int best_sum = -1;
  for (int place = 0; place < fabric.num_switches(); ++place) {
    const std::vector<int> hops = fabric.HopsTo(place);
    const int sum = std::accumulate(hops.begin(), hops.end(), 0);
    if (best_sum < 0 || sum < best_sum) {
      best = place;
      best_sum = sum;
    }
  }
  return best;
}

struct Pair {
  int from = -1;
  int to = -1;
  int hops = 0;
  DisjointBound bound;
};

struct Attempt {
  PathSets paths;
  std::vector<LaneOrder> levels;
  int sls = 0;                 // opened
  std::vector<Pair> short_of;  // pairs that have too few paths
};

class Tftr {
 public:
  explicit Tftr(const RoutingRequest& request)
      : request_(request),
        fabric_(request.topology),
        forbidden_(ForbiddenTurns(
            fabric_, DepthFirstOrder(fabric_, request.root ? fabric_.PlaceOf(*request.root)
                                                           : Centre(fabric_)))) {
    CollectPairs();
  }

  RoutingTables Compute() {
    const int vls = std::min(request_.vls, kMostVls);
    Attempt best = Serve(vls, request_.sls);
    if (!best.short_of.empty()) {
      // Without a bound other pairs get their paths first, which may come out within it.
      Attempt free = request_.sls < kServiceLevels ? Serve(vls, kServiceLevels) : best;
      if (free.short_of.empty() && free.sls <= request_.sls) {
        best = std::move(free);
      } else if (!request_.fewer_paths || LeavesPairsWithout(best)) {
        Refuse(vls, best, free);
      }
    }
    const TurnLanes lanes = Settle(vls, best);
    return MakeMultipathTables(request_, fabric_, best.paths, lanes, "tftr");
  }

 private:
  // Nearest first: neighbours have the longest way round.
  void CollectPairs() {
    const std::vector<bool> wanted = WantedPairs(request_, fabric_);
    for (int to = 0; to < fabric_.num_switches(); ++to) {
      const std::vector<int> hops = fabric_.HopsTo(to);
      for (int from = 0; from < fabric_.num_switches(); ++from) {
        if (!wanted[Index(from, to)] || hops[from] < 0) continue;
        pairs_.push_back(
            {from, to, hops[from], MostDisjointPaths(fabric_, from, to, request_.paths)});
      }
    }
    std::ranges::stable_sort(pairs_, {}, &Pair::hops);
  }

  std::size_t Index(int from, int to) const {
    return static_cast<std::size_t>(from) * fabric_.num_switches() + to;
  }

  // All pairs in their order, on as few SLs as possible but at most `most`; with the paths of the
  // other direction where they fit, if `reversed`.
  Attempt Run(int vls, int most, bool reversed = true) {
    Attempt attempt;
    attempt.paths.resize(Index(fabric_.num_switches(), 0));
    DisjointSearch search(fabric_, forbidden_, vls);
    for (const Pair& pair : pairs_) {
      auto& paths = attempt.paths[Index(pair.from, pair.to)];
      if (reversed && TakeReversed(attempt, pair)) continue;
      for (;;) {
        const std::vector<LaneOrder::Mark> marks = MarksOf(attempt);
        const int open = static_cast<int>(attempt.levels.size());
        paths = search.Find(attempt.levels, open, pair.from, pair.to, pair.bound);
        if (static_cast<int>(paths.size()) == pair.bound.paths || open == most) break;
        UndoTo(marks, attempt);
        attempt.levels.emplace_back(forbidden_, vls);
      }
      if (static_cast<int>(paths.size()) < pair.bound.paths) attempt.short_of.push_back(pair);
      std::ranges::stable_sort(paths, {}, [](const SwitchPath& p) { return p.links.size(); });
    }
    attempt.sls = static_cast<int>(attempt.levels.size());
    work_ += search.work();
    return attempt;
  }

  // By SL: how far its order has got.
  static std::vector<LaneOrder::Mark> MarksOf(const Attempt& attempt) {
    std::vector<LaneOrder::Mark> marks;
    marks.reserve(attempt.levels.size());
    for (const LaneOrder& level : attempt.levels) marks.push_back(level.mark());
    return marks;
  }
  static void UndoTo(const std::vector<LaneOrder::Mark>& marks, Attempt& attempt) {
    for (std::size_t sl = 0; sl < marks.size(); ++sl) attempt.levels[sl].UndoTo(marks[sl]);
  }

  // The paths of the other direction, backwards, on whichever open SLs they fit. False, and nothing
  // changed, if not all of them fit.
  bool TakeReversed(Attempt& attempt, const Pair& pair) const {
    const auto& others = attempt.paths[Index(pair.to, pair.from)];
    if (static_cast<int>(others.size()) < pair.bound.paths) return false;
    const std::vector<LaneOrder::Mark> marks = MarksOf(attempt);
    auto& paths = attempt.paths[Index(pair.from, pair.to)];
    for (const SwitchPath& other : others) {
      SwitchPath path = {{}, other.sl};
      for (auto link = other.links.rbegin(); link != other.links.rend(); ++link)
        path.links.push_back(fabric_.link(*link).reverse);
      const std::vector<int> turns = fabric_.TurnsOf(path.links);
      const int sls = static_cast<int>(attempt.levels.size());
      int tried = 0;
      while (tried < sls && !attempt.levels[path.sl].Add(turns)) {
        path.sl = (path.sl + 1) % sls;
        ++tried;
      }
      if (tried == sls) break;
      paths.push_back(std::move(path));
    }
    if (paths.size() == others.size()) return true;
    UndoTo(marks, attempt);
    paths.clear();
    return false;
  }

  // All pairs, on as few SLs as it finds but at most `most`.
  Attempt Serve(int vls, int most) {
    const std::vector<Pair> order = pairs_;
    work_ = 0;
    Attempt best = Improve(vls, Run(vls, most));
    pairs_ = order;
    return best;
  }

  // Tries again to serve more pairs, or all of them with an SL less. Pairs that find no room come
  // first the next time. After an attempt in vain both directions of a pair choose for themselves.
  Attempt Improve(int vls, Attempt best) {
    std::int64_t last = work_;  // of one attempt
    std::size_t fewest = best.short_of.empty() ? pairs_.size() : best.short_of.size();
    int vain = 0;
    bool reversed = true;
    const std::vector<Pair> first_order = pairs_;
    TakeFirst(best.short_of);
    while (vain < kMostVain && work_ + last <= kMostWork) {
      const bool is_short = !best.short_of.empty();
      if (!is_short && best.sls <= 1) break;
      const std::int64_t before = work_;
      Attempt attempt = Run(vls, is_short ? best.sls : best.sls - 1, reversed);
      last = work_ - before;
      const std::size_t left = attempt.short_of.size();
      const bool is_hopeless = left > pairs_.size() / kHopeless;
      if (is_hopeless && !reversed) break;
      TakeFirst(attempt.short_of);
      vain = left < fewest ? 0 : vain + 1;
      fewest = left == 0 ? pairs_.size() : std::min(fewest, left);
      if (left == 0 || (is_short && left < best.short_of.size())) best = std::move(attempt);
      if (!reversed || (vain == 0 && !is_hopeless)) continue;
      reversed = false;
      pairs_ = first_order;
      TakeFirst(best.short_of);
      fewest = best.short_of.empty() ? pairs_.size() : best.short_of.size();
      vain = 0;
    }
    return best;
  }

  void TakeFirst(const std::vector<Pair>& first) {
    std::vector<bool> is_first(Index(fabric_.num_switches(), 0), false);
    for (const Pair& pair : first) is_first[Index(pair.from, pair.to)] = true;
    std::stable_partition(pairs_.begin(), pairs_.end(),
                          [&](const Pair& pair) { return is_first[Index(pair.from, pair.to)]; });
  }

  bool LeavesPairsWithout(const Attempt& attempt) const {
    return std::ranges::any_of(attempt.short_of, [&](const Pair& pair) {
      return attempt.paths[Index(pair.from, pair.to)].empty();
    });
  }

  // Says what would suffice: `free` is with all SLs; with more VLs it finds out.
  [[noreturn]] void Refuse(int vls, const Attempt& attempt, const Attempt& free) {
    const Pair& pair = attempt.short_of.front();
    std::string expected = "fewer paths";
    if (free.short_of.empty()) {
      expected = fmt::format("{} SLs", free.sls);
    } else {
      for (int more = vls + 1; more <= kMostVls; ++more) {
        const Attempt other = Serve(more, kServiceLevels);
        if (!other.short_of.empty()) continue;
        expected = fmt::format("{} VLs and {} SLs", more, other.sls);
        break;
      }
    }
    const auto name = [&](int place) { return request_.topology.node(fabric_.NodeOf(place)).name; };
    throw RoutingError(fmt::format(
        "tftr: {} of {} pairs of switches find fewer disjoint paths than the topology has with {} "
        "VL{} and {} SL{}, the first: {} of {} from {} to {}; expected {}",
        attempt.short_of.size(), pairs_.size(), vls, vls == 1 ? "" : "s", request_.sls,
        request_.sls == 1 ? "" : "s", attempt.paths[Index(pair.from, pair.to)].size(),
        pair.bound.paths, name(pair.from), name(pair.to), expected));
  }

  // Stage 5. First paths carry the packets as long as nothing fails, so they weigh more.
  TurnLanes Settle(int vls, const Attempt& attempt) const {
    std::vector<int> link_of(fabric_.num_turns());
    for (int link = 0; link < fabric_.num_links(); ++link) {
      link_of[fabric_.Injection(link)] = link;
      for (const int next : fabric_.LinksFrom(fabric_.link(link).to))
        link_of[fabric_.Turn(link, next)] = next;
    }
    std::vector<std::vector<int>> weight(attempt.sls, std::vector<int>(fabric_.num_turns(), 0));
    for (const auto& paths : attempt.paths) {
      for (std::size_t i = 0; i < paths.size(); ++i) {
        for (const int turn : fabric_.TurnsOf(paths[i].links))
          weight[paths[i].sl][turn] += i == 0 ? request_.paths : 1;
      }
    }
    std::vector<std::vector<std::int64_t>> load(fabric_.num_links(),
                                                std::vector<std::int64_t>(vls, 0));
    TurnLanes lanes;
    for (int sl = 0; sl < attempt.sls; ++sl)
      lanes.push_back(attempt.levels[sl].Settle(weight[sl], link_of, load));
    return lanes;
  }

  const RoutingRequest& request_;
  SwitchFabric fabric_;
  std::vector<bool> forbidden_;  // by turn
  std::vector<Pair> pairs_;
  std::int64_t work_ = 0;
};

class TftrEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "tftr"; }
  std::string_view summary() const override {
    return "several disjoint paths for each pair, any topology, 2 VLs or more, some SLs and LMC";
  }
  bool needs_lid_ranges() const override { return true; }
  bool takes(EngineOption option) const override { return option == EngineOption::kRoot; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRequest(request);
    CheckRoot(request, name());
    return Tftr(request).Compute();
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeTftrEngine() { return std::make_unique<TftrEngine>(); }

}  // namespace lanecut
