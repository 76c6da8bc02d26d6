// SPDX-License-Identifier: Apache-2.0
#include "sw/patterns/movement_search.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "sw/routing/pattern_turns.h"

namespace lanecut {
namespace {

using End = TorusStep::End;

// Where a step may end. Of those that are the same for all pairs the first is taken.
constexpr std::array<std::pair<End, int>, 10> kEnds = {{{End::kDestination, 0},
                                                        {End::kHops, 1},
                                                        {End::kDestination, -1},
                                                        {End::kDestination, 1},
                                                        {End::kCoordinate, 0},
                                                        {End::kHighest, 0},
                                                        {End::kCoordinate, 1},
                                                        {End::kHops, 2},
                                                        {End::kDestination, -2},
                                                        {End::kDestination, 2}}};

// The turns of all switches, by heading, next direction and the axes along which one is the last.
PatternTurn TurnAt(int heading, int next, LastBits last) {
  static const auto turns = [] {
    std::array<std::array<std::array<PatternTurn, 1 << kMaxTorusAxes>, kMaxDirections>,
               kMaxDirections>
        all = {};
    for (int from = 0; from < kMaxDirections; ++from) {
      for (int to = 0; to < kMaxDirections; ++to) {
        if (to == Opposite(from)) continue;
        for (LastBits bits = 0; bits < 1U << kMaxTorusAxes; ++bits)
          all[from][to][bits] = SpftrTurn(from, to, bits);
      }
    }
    return all;
  }();
  return turns[heading][next][last];
}

// What is known of each switch of a pair's torus.
struct SwitchFacts {
  PairInstance::Place place = {};
  std::array<int, kMaxDirections> next = {};
  LastBits last = 0;
  int distance = 0;   // to the destination
  int axes_left = 0;  // along which the destination is elsewhere
};

std::vector<SwitchFacts> FactsOf(const PairInstance& pair) {
  std::vector<SwitchFacts> facts(pair.num_switches());
  std::vector<bool> is_known(pair.num_switches(), false);
  std::vector<PairInstance::Place> open = {pair.SourcePlace()};
  is_known[pair.source()] = true;
  for (std::size_t head = 0; head < open.size(); ++head) {
    const PairInstance::Place place = open[head];
    SwitchFacts& fact = facts[pair.NumberOf(place)];
    fact.place = place;
    fact.last = pair.LastBits(place);
    fact.distance = pair.Distance(place);
    for (int axis = 0; axis < pair.axes(); ++axis)
      fact.axes_left += place[axis] != pair.axis(axis).to ? 1 : 0;
    for (int direction = 0; direction < 2 * pair.axes(); ++direction) {
      PairInstance::Place next = place;
      pair.Step(next, direction);
      const int number = pair.NumberOf(next);
      fact.next[direction] = number;
      if (!is_known[number]) open.push_back(next);
      is_known[number] = true;
    }
  }
  return facts;
}

// A path in one pair, as far as it has come.
class Walker {
 public:
  Walker(const PairInstance& pair, int detour)
      : pair_(&pair),
        facts_(FactsOf(pair)),
        most_hops_(pair.Distance() + detour),
        passed_(pair.num_switches(), 0),
        state_{.at = pair.source()} {}

  struct State {
    int at = 0;
    int heading = -1;
    int hops = 0;
    LaneWalk lanes = {};
    bool near_destination = false;
    bool has_arrived = false;
    int num_between = 0;
  };

  const State& state() const { return state_; }
  const std::vector<int>& between() const { return between_; }
  int AxesLeft() const { return facts_[state_.at].axes_left; }
  int HopsOfStep(const TorusStep& step) const {
    const int axis = AxisOf(step.direction);
    const AxisPair& ends = pair_->axis(axis);
    return HopsOf(step, facts_[state_.at].place[axis], ends.to, ends.size);
  }
  // False if the path is no longer of use; Return in any case.
  bool Go(int direction, int hops) {
    for (int hop = 0; hop < hops; ++hop) {
      if (!GoOne(direction)) return false;
    }
    return true;
  }
  void Return(const State& state) {
    state_ = state;
    for (; std::ssize(between_) > state.num_between; between_.pop_back())
      passed_[between_.back()] = 0;
  }

 private:
  bool GoOne(int direction) {
    const SwitchFacts& here = facts_[state_.at];
    if (state_.has_arrived || direction == Opposite(state_.heading)) return false;
    if (state_.heading >= 0) {
      state_.lanes.Turn(TurnAt(state_.heading, direction, here.last));
      if (state_.lanes.LowestSl(kSpftrSls) == kSpftrSls) return false;
    }
    const int at = here.next[direction];
    state_.at = at;
    state_.heading = direction;
    ++state_.hops;
    if (at == pair_->destination()) {
      state_.has_arrived = true;
      return true;
    }
    if (at == pair_->source() || passed_[at] != 0 || state_.near_destination) return false;
    if (state_.hops > 1 && pair_->IsNearSource(at)) return false;
    if (state_.hops + facts_[at].distance > most_hops_) return false;
    state_.near_destination = pair_->IsNearDestination(at);
    passed_[at] = 1;
    between_.push_back(at);
    ++state_.num_between;
    return true;
  }

  const PairInstance* pair_;
  std::vector<SwitchFacts> facts_;  // by switch
  int most_hops_;
  std::vector<char> passed_;  // by switch
  std::vector<int> between_;  // switches between the ends
  State state_;
};

class MovementSearch {
 public:
  MovementSearch(const std::vector<PairInstance>& pairs, int detour, int most_steps)
      : most_steps_(most_steps), directions_(2 * pairs.front().axes()) {
    for (const PairInstance& pair : pairs) {
      walkers_.emplace_back(pair, detour);
      first_word_.push_back(words_);
      words_ += (pair.num_switches() + 63) / 64;
    }
  }

  std::vector<Candidate> Run() {
    Extend();
    std::ranges::stable_sort(found_, {}, [](const Candidate& each) {
      return std::pair(each.hops, each.movement.size());
    });
    return std::move(found_);
  }

 private:
  // Kept from step to step for its memory.
  struct Scratch {
    std::vector<int> hops;  // of the steps tried in one direction, by pair
    std::vector<Walker::State> before;
  };

  void Extend() {
    const auto depth = movement_.size();
    if (std::ranges::all_of(walkers_, [](const Walker& w) { return w.state().has_arrived; })) {
      Add();
      return;
    }
    int left = 0;
    for (const Walker& walker : walkers_) left = std::max(left, walker.AxesLeft());
    if (static_cast<int>(depth) + left > most_steps_) return;
    if (scratch_.size() == depth) scratch_.emplace_back();
    for (int direction = 0; direction < directions_; ++direction) {
      if (depth > 0 && AxisOf(movement_.back().direction) == AxisOf(direction)) continue;
      ExtendTo(direction);
    }
  }

  void ExtendTo(int direction) {
    const auto depth = movement_.size();
    const std::size_t pairs = walkers_.size();
    std::size_t tried = 0;
    for (const auto& [end, value] : kEnds) {
      const TorusStep step{end, value, direction};
      std::vector<int>& all = scratch_[depth].hops;
      all.resize((tried + 1) * pairs);
      std::size_t zeros = 0;
      for (std::size_t i = 0; i < pairs; ++i) {
        const int hops = walkers_[i].HopsOfStep(step);
        all[tried * pairs + i] = hops;
        zeros += hops == 0 ? 1 : 0;
      }
      // The first step must have the same direction in all pairs.
      if (zeros > (depth == 0 ? 0 : pairs - 1)) continue;
      if (IsRepeated(all, tried)) continue;
      ++tried;
      Try(step, tried - 1);
    }
  }

  // Whether the hops at this index are the same as some before.
  bool IsRepeated(const std::vector<int>& all, std::size_t index) const {
    const auto pairs = static_cast<std::ptrdiff_t>(walkers_.size());
    const auto hops = all.begin() + static_cast<std::ptrdiff_t>(index) * pairs;
    for (auto other = all.begin(); other != hops; other += pairs) {
      if (std::equal(other, other + pairs, hops)) return true;
    }
    return false;
  }

  void Try(const TorusStep& step, std::size_t index) {
    const std::size_t depth = movement_.size();
    const std::size_t pairs = walkers_.size();
    std::vector<Walker::State>& before = scratch_[depth].before;
    before.clear();
    bool fits = true;
    for (std::size_t i = 0; i < pairs && fits; ++i) {
      before.push_back(walkers_[i].state());
      fits = walkers_[i].Go(step.direction, scratch_[depth].hops[index * pairs + i]);
    }
    if (fits) {
      movement_.push_back(step);
      Extend();
      movement_.pop_back();
    }
    // Steps further on may have moved the scratch, so not by the reference above.
    const std::vector<Walker::State>& saved = scratch_[depth].before;
    for (std::size_t i = 0; i < saved.size(); ++i) walkers_[i].Return(saved[i]);
  }

  void Add() {
    Candidate candidate{movement_, 0, std::vector<std::uint64_t>(words_, 0)};
    for (std::size_t i = 0; i < walkers_.size(); ++i) {
      candidate.hops += walkers_[i].state().hops;
      for (const int at : walkers_[i].between())
        candidate.between[first_word_[i] + at / 64] |= std::uint64_t{1} << at % 64;
    }
    found_.push_back(std::move(candidate));
  }

  int most_steps_;
  int directions_;
  std::vector<Walker> walkers_;
  std::vector<int> first_word_;  // of a pair's bits
  int words_ = 0;
  Movement movement_;
  std::vector<Scratch> scratch_;  // by steps taken
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<Candidate> SearchMovements(const std::vector<PairInstance>& pairs, int detour,
                                       int most_steps) {
  return MovementSearch(pairs, detour, most_steps).Run();
}

}  // namespace lanecut
