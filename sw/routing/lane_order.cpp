// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/lane_order.h"

#include <algorithm>

namespace lanecut {

LaneOrder::LaneOrder(const std::vector<bool>& forbidden, int vls)
    : forbidden_(forbidden),
      lowest_(forbidden.size(), 0),
      highest_(forbidden.size(), static_cast<std::uint8_t>(vls - 1)),
      next_(forbidden.size()),
      before_(forbidden.size()) {
  for (std::size_t turn = 0; turn < forbidden.size(); ++turn) lowest_[turn] = forbidden[turn];
}

bool LaneOrder::Add(std::span<const int> turns) {
  const Mark start = mark();
  for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
    if (AddEdge(turns[i], turns[i + 1])) continue;
    UndoTo(start);
    return false;
  }
  return true;
}

void LaneOrder::UndoTo(Mark mark) {
  while (changes_.size() > mark) {
    const Change change = changes_.back();
    changes_.pop_back();
    if (change.kind == Change::Kind::kLowest) {
      lowest_[change.turn] = change.before;
    } else if (change.kind == Change::Kind::kHighest) {
      highest_[change.turn] = change.before;
    } else {
      before_[next_[change.turn].back()].pop_back();
      next_[change.turn].pop_back();
    }
  }
}

bool LaneOrder::AddEdge(int from, int to) {
  std::vector<int>& after = next_[from];
  if (std::find(after.begin(), after.end(), to) != after.end()) return true;
  after.push_back(to);
  before_[to].push_back(from);
  changes_.push_back({Change::Kind::kEdge, from, 0});
  const int step = forbidden_[to] ? 1 : 0;
  return Raise(to, lowest_[from] + step) && Lower(from, highest_[to] - step);
}

// A chain of constraints ends after at most as many steps as there are VLs: so does the recursion
// round a cycle, at a bound that is out of range.
bool LaneOrder::Raise(int turn, int bound) {
  if (bound <= lowest_[turn]) return true;
  if (bound > highest_[turn]) return false;
  changes_.push_back({Change::Kind::kLowest, turn, lowest_[turn]});
  lowest_[turn] = static_cast<std::uint8_t>(bound);
  return std::ranges::all_of(
      next_[turn], [&](int next) { return Raise(next, bound + (forbidden_[next] ? 1 : 0)); });
}

bool LaneOrder::Lower(int turn, int bound) {
  if (bound >= highest_[turn]) return true;
  if (bound < lowest_[turn]) return false;
  changes_.push_back({Change::Kind::kHighest, turn, highest_[turn]});
  highest_[turn] = static_cast<std::uint8_t>(bound);
  const int step = forbidden_[turn] ? 1 : 0;
  return std::ranges::all_of(before_[turn],
                             [&](int before) { return Lower(before, bound - step); });
}

namespace {

// What moving `weight` from one VL of a link to another changes in the sum of squared loads.
std::int64_t CostOfMove(const std::vector<std::int64_t>& load, int from, int to,
                        std::int64_t weight) {
  return 2 * weight * (load[to] - load[from] + weight);
}

}  // namespace

std::vector<std::uint8_t> LaneOrder::Settle(const std::vector<int>& weight,
                                            const std::vector<int>& link,
                                            std::vector<std::vector<std::int64_t>>& load) const {
  std::vector<std::uint8_t> vl = lowest_;
  const int turns = static_cast<int>(vl.size());
  // On a single VL no path makes a forbidden turn, which is too high for it.
  for (int turn = 0; turn < turns; ++turn) vl[turn] = std::min(vl[turn], highest_[turn]);
  for (int turn = 0; turn < turns; ++turn) load[link[turn]][vl[turn]] += weight[turn];
  // Turns rise, with all that must rise with them, as long as that spreads the load.
  std::vector<int> rising;
  std::vector<int> todo;
  std::vector<std::uint8_t> wanted = vl;
  for (bool better = true; better;) {
    better = false;
    for (int turn = 0; turn < turns; ++turn) {
      if (vl[turn] >= highest_[turn] || weight[turn] == 0) continue;
      rising = {turn};
      wanted[turn] = static_cast<std::uint8_t>(vl[turn] + 1);
      todo = {turn};
      while (!todo.empty()) {
        const int here = todo.back();
        todo.pop_back();
        for (const int next : next_[here]) {
          const int least = wanted[here] + (forbidden_[next] ? 1 : 0);
          if (wanted[next] >= least) continue;
          if (wanted[next] == vl[next]) rising.push_back(next);
          wanted[next] = static_cast<std::uint8_t>(least);
          todo.push_back(next);
        }
      }
      std::int64_t cost = 0;
      for (const int each : rising)
        cost += CostOfMove(load[link[each]], vl[each], wanted[each], weight[each]);
      if (cost < 0) {
        better = true;
        for (const int each : rising) {
          load[link[each]][vl[each]] -= weight[each];
          load[link[each]][wanted[each]] += weight[each];
          vl[each] = wanted[each];
        }
      }
      for (const int each : rising) wanted[each] = vl[each];
    }
  }
  return vl;
}

}  // namespace lanecut
