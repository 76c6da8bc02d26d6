// SPDX-License-Identifier: Apache-2.0
#include "sw/patterns/class_pattern.h"

#include <algorithm>

#include "sw/patterns/disjoint_choice.h"
#include "sw/patterns/movement_search.h"
#include "sw/routing/pattern_turns.h"

namespace lanecut {
namespace {

constexpr int kFewSteps = 6;  // of a movement; more only where a class has no pattern with them
constexpr int kMostSteps = 8;
constexpr int kLeastDetour = 4;  // hops beyond the distance
constexpr int kMostDetour = 24;

// The first and the last pair of every size.
std::vector<PairInstance> FirstPairs(const std::vector<PairInstance>& equal) {
  std::vector<PairInstance> pairs;
  for (std::size_t i = 0; i < equal.size(); ++i) {
    const int size = equal[i].axis(0).size;
    if (i == 0 || equal[i - 1].axis(0).size != size || i + 1 == equal.size() ||
        equal[i + 1].axis(0).size != size)
      pairs.push_back(equal[i]);
  }
  return pairs;
}

// How far a search goes. Where one found nothing for some pairs, it finds nothing for more.
struct Effort {
  int steps = kFewSteps;
  int detour = kLeastDetour;
};

// With the least effort that finds one; begins with the one given and leaves there what it took.
Pattern BestPattern(const std::vector<PairInstance>& pairs, Effort& effort) {
  for (; effort.steps <= kMostSteps; ++effort.steps) {
    for (; effort.detour <= kMostDetour; effort.detour += 2) {
      const std::vector<Candidate> candidates = SearchMovements(pairs, effort.detour, effort.steps);
      Pattern pattern;
      for (const int chosen : ChooseDisjoint(candidates, 2 * pairs.front().axes()))
        pattern.push_back(candidates[chosen].movement);
      if (!pattern.empty()) return pattern;
    }
    effort.detour = kLeastDetour;
  }
  return {};
}

// Adds a path to the switches passed; its hops, or nothing.
std::optional<int> Follow(const Movement& movement, const PairInstance& pair,
                          std::vector<bool>& passed) {
  PairInstance::Place place = pair.SourcePlace();
  int at = pair.source();
  int heading = -1;
  int hops = 0;
  LaneWalk lanes;
  for (const TorusStep& step : movement) {
    const int axis = AxisOf(step.direction);
    int left = HopsOf(step, place[axis], pair.axis(axis).to, pair.axis(axis).size);
    for (; left > 0; --left, ++hops) {
      if (heading >= 0) {
        if (step.direction == Opposite(heading)) return std::nullopt;
        if (passed[at]) return std::nullopt;
        passed[at] = true;
        lanes.Turn(SpftrTurn(heading, step.direction, pair.LastBits(place)));
      }
      pair.Step(place, step.direction);
      at = pair.NumberOf(place);
      heading = step.direction;
    }
  }
  if (at != pair.destination() || lanes.LowestSl(kSpftrSls) == kSpftrSls) return std::nullopt;
  return hops;
}

// The first pair where the pattern does not hold.
const PairInstance* FirstMiss(const Pattern& pattern, const std::vector<PairInstance>& pairs) {
  const auto miss = std::ranges::find_if(
      pairs, [&](const PairInstance& pair) { return !HopsOf(pattern, pair).has_value(); });
  return miss == pairs.end() ? nullptr : &*miss;
}

}  // namespace

std::optional<int> HopsOf(const Pattern& pattern, const PairInstance& pair) {
  std::vector<bool> passed(pair.num_switches(), false);
  passed[pair.source()] = passed[pair.destination()] = true;
  int total = 0;
  int direct = 0;
  for (const Movement& movement : pattern) {
    const std::optional<int> hops = Follow(movement, pair, passed);
    if (!hops) return std::nullopt;
    total += *hops;
    direct += *hops == 1 ? 1 : 0;
  }
  // Without a switch between there is one link only.
  return direct <= 1 ? std::optional(total) : std::nullopt;
}

ClassPattern FindClassPattern(int pair_class, const PatternRange& range) {
  ClassPattern found;
  found.pairs =
      FirstPairs(InstancesOf(pair_class, range.axes, range.least, range.most, Sides::kEqual));
  const std::vector<PairInstance> all =
      InstancesOf(pair_class, range.axes, range.least, range.most_mixed, Sides::kAny);
  if (found.pairs.empty() && !all.empty()) found.pairs.push_back(all.front());
  if (found.pairs.empty()) return found;
  Effort effort;
  for (;;) {
    found.pattern = BestPattern(found.pairs, effort);
    if (found.pattern.empty()) return found;
    const PairInstance* miss = FirstMiss(found.pattern, all);
    if (miss == nullptr) break;
    found.pairs.push_back(*miss);
  }
  for (const PairInstance& pair : found.pairs) found.hops += HopsOf(found.pattern, pair).value();
  return found;
}

bool IsAsGood(const Pattern& pattern, int pair_class, const ClassPattern& found,
              const PatternRange& range) {
  int hops = 0;
  for (const PairInstance& pair : found.pairs) {
    const std::optional<int> more = HopsOf(pattern, pair);
    if (!more || (hops += *more) > found.hops) return false;
  }
  return FirstMiss(pattern, InstancesOf(pair_class, range.axes, range.least, range.most_mixed,
                                        Sides::kAny)) == nullptr;
}

}  // namespace lanecut
