// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/disjoint_search.h"

#include <algorithm>
#include <limits>

namespace lanecut {
namespace {

// A turn that the routing underneath forbids settles the VLs of the whole path, a raised bound that
// of one turn: of equally long paths those that settle least are best.
constexpr int kForbiddenPenalty = 4;
constexpr int kRaisePenalty = 1;
// Hops that a set of paths may have beyond the fewest before sets of any length are looked for.
constexpr int kFirstSlack = 8;
constexpr int kUnlimited = 1 << 20;

// Shortest augmenting ways in the graph of switches split in two, an edge of capacity 1 between the
// halves, by Bellman and Ford: the graphs are small, and the ways short.
class DisjointFlow {
 public:
  DisjointFlow(const SwitchFabric& fabric, int from, int to)
      : fabric_(fabric),
        from_(from),
        to_(to),
        used_(fabric.num_links(), false),
        through_(fabric.num_switches(), -1) {}

  // Length of the best way that adds one more path; -1 if there is none.
  int Augment() {
    const std::size_t halves = 2 * static_cast<std::size_t>(fabric_.num_switches());
    std::vector<int> cost(halves, kFar);
    std::vector<int> by(halves, kNone);  // link, or kInside
    cost[OutHalf(from_)] = 0;
    std::vector<int> queue = {OutHalf(from_)};
    std::vector<bool> queued(halves, false);
    const auto reach = [&](int half, int value, int way) {
      if (value >= cost[half]) return;
      cost[half] = value;
      by[half] = way;
      if (!queued[half]) queue.push_back(half);
      queued[half] = true;
    };
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const int half = queue[head];
      queued[half] = false;
      Expand(half, cost[half], reach);
    }
    const int length = cost[InHalf(to_)];
    if (length == kFar) return -1;
    Take(by);
    return length;
  }

 private:
  static constexpr int kFar = std::numeric_limits<int>::max();
  static constexpr int kNone = -1;
  static constexpr int kInside = -2;
  static constexpr int kBack = -3;  // less a link: against it

  // Where packets come into a switch, and where they go out.
  static int InHalf(int place) { return 2 * place; }
  static int OutHalf(int place) { return 2 * place + 1; }

  template <typename Reach>
  void Expand(int half, int cost, const Reach& reach) {
    const int place = half / 2;
    if (place == to_) return;
    const bool out = half % 2 == 1;
    if (out) {
      for (const int link : fabric_.LinksFrom(place)) {
        const int peer = fabric_.link(link).to;
        if (peer != from_ && !used_[link] && !used_[fabric_.link(link).reverse])
          reach(2 * peer, cost + 1, link);
      }
      if (place != from_ && through_[place] >= 0) reach(2 * place, cost, kInside);
      return;
    }
    if (through_[place] < 0) reach(2 * place + 1, cost, kInside);
    // Back along the path that comes through here.
    if (through_[place] >= 0) {
      const int link = through_[place];
      if (fabric_.link(link).from != from_)
        reach(2 * fabric_.link(link).from + 1, cost - 1, kBack - link);
    }
  }

  void Take(const std::vector<int>& by) {
    std::vector<int> added;
    std::vector<int> removed;
    int half = 2 * to_;
    while (half != 2 * from_ + 1) {
      const int way = by[half];
      if (way == kInside) {
        half ^= 1;
      } else if (way >= 0) {
        added.push_back(way);
        half = 2 * fabric_.link(way).from + 1;
      } else {
        const int link = kBack - way;
        removed.push_back(link);
        half = 2 * fabric_.link(link).to;
      }
    }
    for (const int link : removed) {
      used_[link] = false;
      through_[fabric_.link(link).to] = -1;
    }
    for (const int link : added) {
      used_[link] = true;
      if (fabric_.link(link).to != to_) through_[fabric_.link(link).to] = link;
    }
  }

  const SwitchFabric& fabric_;
  int from_;
  int to_;
  std::vector<bool> used_;    // by link
  std::vector<int> through_;  // by switch: the link by which a path comes in
};

}  // namespace

DisjointBound MostDisjointPaths(const SwitchFabric& fabric, int from, int to, int wanted) {
  DisjointFlow flow(fabric, from, to);
  DisjointBound bound;
  while (bound.paths < wanted) {
    const int length = flow.Augment();
    if (length < 0) break;
    ++bound.paths;
    bound.total_length += length;
  }
  return bound;
}

DisjointSearch::DisjointSearch(const SwitchFabric& fabric, const std::vector<bool>& forbidden,
                               int vls)
    : fabric_(fabric), forbidden_(forbidden), vls_(vls), blocked_(fabric.num_switches(), false) {
  for (int place = 0; place < fabric.num_switches(); ++place) hops_.push_back(fabric.HopsTo(place));
}

std::vector<SwitchPath> DisjointSearch::Find(std::vector<LaneOrder>& levels, int sls, int from,
                                             int to, DisjointBound bound) {
  from_ = from;
  to_ = to;
  states_.resize(static_cast<std::size_t>(levels.size()) * vls_ * fabric_.num_links());
  const int outs = static_cast<int>(fabric_.LinksFrom(from).size());
  const int ins = static_cast<int>(fabric_.LinksFrom(to).size());
  Try best;
  const auto is_complete = [&] { return static_cast<int>(best.paths.size()) == bound.paths; };
  // A search that finds nothing has looked everywhere: so first not too far.
  for (const int most : {bound.total_length + kFirstSlack, kUnlimited}) {
    // First links in turn the one way, last links the other way round; then any last link.
    for (int i = 0; i < outs * (ins + 1); ++i) {
      if (is_complete() && best.total_length == bound.total_length) break;
      const int first_in = i / outs < ins ? i / outs : -1;
      Try found =
          FindInAnyOrder(levels, sls, EndsFrom(i % outs, first_in, bound.paths), bound.paths,
                         is_complete() ? best.total_length - 1 : most, is_complete());
      const bool more = found.paths.size() > best.paths.size();
      const bool shorter =
          found.paths.size() == best.paths.size() && found.total_length < best.total_length;
      if (more || shorter) best = std::move(found);
    }
    if (is_complete()) break;
  }
  for (const SwitchPath& path : best.paths) levels[path.sl].Add(fabric_.TurnsOf(path.links));
  return best.paths;
}

std::vector<DisjointSearch::Ends> DisjointSearch::EndsFrom(int first_out, int first_in,
                                                           int wanted) const {
  const std::vector<int>& outs = fabric_.LinksFrom(from_);
  const std::vector<int>& ins = fabric_.LinksFrom(to_);
  std::vector<Ends> ends;
  for (std::size_t i = 0; i < outs.size(); ++i) {
    Ends next{outs[(first_out + i) % outs.size()], -1};
    if (first_in >= 0) {
      if (i == ins.size()) break;
      next.last = fabric_.link(ins[(first_in + ins.size() - i) % ins.size()]).reverse;
    }
    ends.push_back(next);
  }
  // With ports to spare, those that begin do.
  if (first_in >= 0 && static_cast<int>(ends.size()) > wanted) ends.resize(wanted);
  return ends;
}

DisjointSearch::Try DisjointSearch::FindInAnyOrder(std::vector<LaneOrder>& levels, int sls,
                                                   std::vector<Ends> ends, int wanted, int most,
                                                   bool all_or_none) {
  Try best;
  for (std::size_t round = 0; round < ends.size(); ++round) {
    int failed = -1;
    Try found = FindAll(levels, sls, ends, wanted, most, all_or_none, failed);
    if (found.paths.size() > best.paths.size() || best.paths.empty()) best = std::move(found);
    if (failed <= 0 || all_or_none) break;
    std::rotate(ends.begin(), ends.begin() + failed, ends.begin() + failed + 1);
  }
  return best;
}

DisjointSearch::Try DisjointSearch::FindAll(std::vector<LaneOrder>& levels, int sls,
                                            const std::vector<Ends>& ends, int wanted, int most,
                                            bool all_or_none, int& failed) {
  std::vector<LaneOrder::Mark> marks;
  marks.reserve(levels.size());
  for (const LaneOrder& level : levels) marks.push_back(level.mark());
  const auto least = [&](const Ends& each) {
    const int start = fabric_.link(each.first).to;
    if (each.last < 0 || start == to_) return 1 + hops_[to_][start];
    return 2 + hops_[fabric_.link(each.last).from][start];
  };
  int rest = 0;  // hops that the paths still to come have at least
  for (const Ends& each : ends) rest += least(each);
  Try result;
  failed = -1;
  const bool spare = static_cast<int>(ends.size()) > wanted;  // then any may fail
  if (spare) rest = 0;
  if (all_or_none && rest > most) return result;
  for (std::size_t i = 0; i < ends.size() && static_cast<int>(result.paths.size()) < wanted; ++i) {
    if (!spare) rest -= least(ends[i]);
    SwitchPath path;
    const int longest = most - result.total_length - rest;
    if (!FindOne(levels, sls, ends[i].first, ends[i].last, longest, path)) {
      if (failed < 0) failed = static_cast<int>(i);
      if (all_or_none && !spare) break;
      continue;
    }
    result.total_length += static_cast<int>(path.links.size());
    for (const int link : path.links) {
      if (fabric_.link(link).to != to_) blocked_[fabric_.link(link).to] = true;
    }
    result.paths.push_back(std::move(path));
  }
  for (const SwitchPath& path : result.paths) {
    for (const int link : path.links) blocked_[fabric_.link(link).to] = false;
  }
  for (std::size_t level = 0; level < levels.size(); ++level) levels[level].UndoTo(marks[level]);
  return result;
}

bool DisjointSearch::FindOne(std::vector<LaneOrder>& levels, int sls, int first_link, int last_link,
                             int longest, SwitchPath& path) {
  // A path may fit by every single bound and yet not as a whole: then on another level.
  for (unsigned closed = 0; closed + 1 < 1u << sls;) {
    const int goal = Search(levels, sls, closed, first_link, last_link, longest);
    if (goal < 0) return false;
    path.links = LinksTo(goal);
    path.sl = goal / fabric_.num_links() / vls_;
    if (levels[path.sl].Add(fabric_.TurnsOf(path.links))) return true;
    closed |= 1u << path.sl;
  }
  return false;
}

int DisjointSearch::Search(const std::vector<LaneOrder>& levels, int sls, unsigned closed_levels,
                           int first_link, int last_link, int longest) {
  ++stamp_;
  queue_.clear();
  const int start = fabric_.link(first_link).to;
  if (start == to_ ? last_link >= 0 && last_link != first_link : blocked_[start]) return -1;
  // Beyond the last link's sender, if that is given, there is nothing to choose.
  hops_beyond_ = last_link < 0 || start == to_ ? 0 : 1;
  hops_to_end_ = &hops_[hops_beyond_ == 0 ? to_ : fabric_.link(last_link).from];
  fewest_ = 1 + HopsAfter(first_link);
  // No path visits a switch twice.
  longest_ = std::min(longest, fabric_.num_switches() - 1);
  for (int sl = 0; sl < sls; ++sl) {
    if ((closed_levels >> sl & 1) != 0) continue;
    Reach(sl, levels[sl].lowest(fabric_.Injection(first_link)), first_link, 1, 0, -1);
  }
  for (std::size_t more = 0; more < queue_.size(); ++more) {
    for (std::size_t hops = 0; hops < queue_[more].size(); ++hops) {
      // Expanding adds to the lists behind this one only, but may move them.
      const std::vector<int> states = std::move(queue_[more][hops]);
      const int goal = BestGoal(states);
      if (goal >= 0) return goal;
      for (const int state : states)
        Expand(state, levels[state / fabric_.num_links() / vls_], last_link);
    }
  }
  return -1;
}

int DisjointSearch::BestGoal(const std::vector<int>& states) const {
  int goal = -1;
  for (const int state : states) {
    if (fabric_.link(state % fabric_.num_links()).to != to_) continue;
    const bool better = goal < 0 || states_[state].penalty < states_[goal].penalty ||
                        (states_[state].penalty == states_[goal].penalty && state < goal);
    if (better) goal = state;
  }
  return goal;
}

void DisjointSearch::Expand(int state, const LaneOrder& level, int last_link) {
  ++work_;
  const int link = state % fabric_.num_links();
  const int vl = state / fabric_.num_links() % vls_;
  const int sl = state / fabric_.num_links() / vls_;
  for (const int next : fabric_.LinksFrom(fabric_.link(link).to)) {
    const int place = fabric_.link(next).to;
    if (next == fabric_.link(link).reverse || place == from_ || blocked_[place]) continue;
    if (place == to_ && last_link >= 0 && next != last_link) continue;
    const int turn = fabric_.Turn(link, next);
    const int least = vl + (forbidden_[turn] ? 1 : 0);
    const int next_vl = std::max(least, level.lowest(turn));
    if (next_vl > level.highest(turn) || Revisits(state, place)) continue;
    const int penalty = (forbidden_[turn] ? kForbiddenPenalty : 0) +
                        (least > level.lowest(turn) ? kRaisePenalty : 0);
    Reach(sl, next_vl, next, states_[state].hops + 1, states_[state].penalty + penalty, state);
  }
}

int DisjointSearch::HopsAfter(int link) const {
  const int place = fabric_.link(link).to;
  return place == to_ ? 0 : (*hops_to_end_)[place] + hops_beyond_;
}

void DisjointSearch::Reach(int sl, int vl, int link, int hops, int penalty, int parent) {
  const int most = hops + HopsAfter(link);  // of a path through here, at least
  if (most > longest_) return;
  for (int lower = 0; lower < vl; ++lower) {
    const State& other = states_[IdOf(sl, lower, link)];
    if (other.stamp == stamp_ && other.hops < hops) return;
  }
  State& state = states_[IdOf(sl, vl, link)];
  const bool known = state.stamp == stamp_;
  if (known && (state.hops < hops || (state.hops == hops && state.penalty <= penalty))) return;
  if (!known || state.hops != hops) {
    const std::size_t more = most - fewest_;
    if (queue_.size() <= more) queue_.resize(more + 1);
    if (queue_[more].size() <= static_cast<std::size_t>(hops)) queue_[more].resize(hops + 1);
    queue_[more][hops].push_back(IdOf(sl, vl, link));
  }
  state = {hops, penalty, parent, stamp_};
}

bool DisjointSearch::Revisits(int state, int place) const {
  for (; state >= 0; state = states_[state].parent) {
    if (fabric_.link(state % fabric_.num_links()).to == place) return true;
  }
  return false;
}

std::vector<int> DisjointSearch::LinksTo(int state) const {
  std::vector<int> links;
  for (; state >= 0; state = states_[state].parent) links.push_back(state % fabric_.num_links());
  std::ranges::reverse(links);
  return links;
}

}  // namespace lanecut
