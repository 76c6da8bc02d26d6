// SPDX-License-Identifier: Apache-2.0
//
// The VLs that the turns of one service level may have.
//
// A packet keeps its SL, and a switch gives it a VL by (in port, out port, SL): by its turn. So all
// paths on an SL that make the same turn have the same VL after it. On every path VLs must not
// fall, and must rise at a turn that the routing underneath forbids. Those are difference
// constraints,
//
//   VL(next turn) >= VL(turn) + (next turn is forbidden ? 1 : 0),   0 <= VL < number of VLs,
//
// so a forbidden turn is on VL 1 or above, as no path begins with one. A set of paths fits one SL
// if and only if they can be satisfied: exactly then every turn has a lower bound that is not above
// its upper one. A mapping conflict is a path that would push them past each other. No VL is
// settled before all paths are known, so none is in the way of a later path that could have lived
// with another one. Private to sw/routing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lanecut {

class LaneOrder {
 public:
  // `forbidden` by turn.
  LaneOrder(const std::vector<bool>& forbidden, int vls);

  int lowest(int turn) const { return lowest_[turn]; }
  int highest(int turn) const { return highest_[turn]; }

  // Adds the turns of a path, in their order. False, and nothing changed, if they do not fit.
  bool Add(std::span<const int> turns);
  // Takes back what was added since the mark was taken.
  using Mark = std::size_t;
  Mark mark() const { return changes_.size(); }
  void UndoTo(Mark mark);

  // A VL for every turn that satisfies all constraints and puts about as much weight on each VL of
  // a link as on the others. `weight` by turn; `link` by turn: the one that it leads to; `load` by
  // link, then VL: what is there already, and what is added.
  std::vector<std::uint8_t> Settle(const std::vector<int>& weight, const std::vector<int>& link,
                                   std::vector<std::vector<std::int64_t>>& load) const;

 private:
  struct Change {
    enum class Kind : std::uint8_t { kLowest, kHighest, kEdge };
    Kind kind;
    int turn;
    std::uint8_t before;  // the bound
  };

  bool AddEdge(int from, int to);
  bool Raise(int turn, int bound);
  bool Lower(int turn, int bound);

  const std::vector<bool>& forbidden_;
  std::vector<std::uint8_t> lowest_;
  std::vector<std::uint8_t> highest_;
  std::vector<std::vector<int>> next_;    // by turn: the turns after it
  std::vector<std::vector<int>> before_;  // by turn: the turns before it
  std::vector<Change> changes_;
};

}  // namespace lanecut
