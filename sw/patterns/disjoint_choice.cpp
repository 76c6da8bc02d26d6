// SPDX-License-Identifier: Apache-2.0
#include "sw/patterns/disjoint_choice.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace lanecut {
namespace {

constexpr int kMostTries = 20'000;  // candidates taken

bool Meet(const Candidate& a, const Candidate& b) {
  for (std::size_t i = 0; i < a.between.size(); ++i) {
    if ((a.between[i] & b.between[i]) != 0) return true;
  }
  return false;
}

class Chooser {
 public:
  Chooser(const std::vector<Candidate>& candidates, int directions)
      : candidates_(candidates), chosen_(directions, -1) {}

  std::vector<int> Run() {
    Open open;
    for (int direction = 0; direction < static_cast<int>(chosen_.size()); ++direction)
      open.push_back({direction, {}});
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      open[candidates_[i].movement.front().direction].candidates.push_back(static_cast<int>(i));
    if (std::ranges::any_of(open, [](const Group& group) { return group.candidates.empty(); }))
      return {};
    Extend(open, 0);
    return best_;
  }

 private:
  struct Group {
    int direction = 0;
    std::vector<int> candidates;  // shortest first
  };
  using Open = std::vector<Group>;  // directions that have no path yet

  int HopsOf(int candidate) const { return candidates_[candidate].hops; }

  void Extend(const Open& open, int hops) {
    if (open.empty()) {
      best_ = chosen_;
      fewest_ = hops;
      return;
    }
    int bound = hops;
    for (const Group& group : open) bound += HopsOf(group.candidates.front());
    const auto least = std::ranges::min_element(
        open, {}, [](const Group& group) { return group.candidates.size(); });
    const int others = bound - HopsOf(least->candidates.front());
    for (const int candidate : least->candidates) {
      if (others + HopsOf(candidate) >= fewest_ || ++tries_ > kMostTries) return;
      chosen_[least->direction] = candidate;
      const int spare = fewest_ - others - HopsOf(candidate);
      if (const auto left = Without(open, *least, candidate, spare))
        Extend(*left, hops + HopsOf(candidate));
    }
  }

  // What is left of the others, and would not use up the hops to spare; nothing if one has no
  // candidate left.
  std::optional<Open> Without(const Open& open, const Group& taken, int candidate,
                              int spare) const {
    Open left;
    for (const Group& group : open) {
      if (group.direction == taken.direction) continue;
      Group& rest = left.emplace_back(Group{group.direction, {}});
      const int fewest = HopsOf(group.candidates.front());
      for (const int other : group.candidates) {
        if (HopsOf(other) - fewest >= spare) break;
        if (!Meet(candidates_[candidate], candidates_[other])) rest.candidates.push_back(other);
      }
      if (rest.candidates.empty()) return std::nullopt;
    }
    return left;
  }

  const std::vector<Candidate>& candidates_;
  std::vector<int> chosen_;  // by direction
  std::vector<int> best_;
  int fewest_ = std::numeric_limits<int>::max();
  int tries_ = 0;
};

}  // namespace

std::vector<int> ChooseDisjoint(const std::vector<Candidate>& candidates, int directions) {
  return Chooser(candidates, directions).Run();
}

}  // namespace lanecut
