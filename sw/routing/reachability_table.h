// SPDX-License-Identifier: Apache-2.0
//
// The direct and the indirect reachability table of RFTR (DRT, IRT): for every switch the parts of
// known paths that lead from it to others, or from others to it.
//
// The thesis has one row for every switch on every path. Here rows that are equal are one: those of
// a switch make a tree, in which paths that begin (direct) or end (indirect) alike share their
// rows. A path knows the row in which it has its far end. Private to sw/routing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/routing/switch_fabric.h"
#include "sw/routing/turn_rules.h"

namespace lanecut {

class ReachabilityTable {
 public:
  enum class Kind { kDirect, kIndirect };  // from a switch; to a switch

  struct Row {
    std::int32_t nearer = -1;  // the row that is one link nearer to the table's switch
    std::int32_t next = -1;    // another one of the same two switches
    // By which a path arrives (direct) or leaves (indirect); -1 where the two switches are one.
    std::int32_t link = -1;
    std::uint32_t users = 0;  // rows one link farther, and paths with their far end here
    std::uint16_t hops = 0;
    std::uint8_t transitions = 0;  // forbidden turns on the way
    bool failed : 1 = false;       // a link of it has failed
    bool is_free : 1 = true;  // no turn between its link and any at the other switch is forbidden
  };

  // Keeps a reference to the fabric, as copies do.
  ReachabilityTable(Kind kind, const SwitchFabric& fabric);

  // Fewer forbidden turns before fewer hops.
  static int Rank(int switches, int transitions, int hops) {
    return transitions * (switches + 1) + hops;
  }
  int RankOf(const Row& row) const { return Rank(switches_, row.transitions, row.hops); }

  // The row one link farther, which nobody uses yet if it is new. In a row of `place`'s table.
  int Extend(const TurnRules& rules, int place, int row, int link);
  // Begins to load what Extend() will look at, from memory.
  void Prefetch(int place, int link) const {
    const int first = first_[place * stride_ + FarEnd(link)];
    if (first >= 0) __builtin_prefetch(&rows_[first]);
  }
  void Use(int row) { ++rows_[row].users; }
  // Undoes a Use(). Rows that nobody uses any more are gone.
  void Drop(int place, int row);
  // Marks this row of `place`'s table and those nearer as failed, as far as one of the failed links
  // (by link) is in them. Rows between two that are marked already must be, too.
  void MarkFailed(int place, int row, const std::vector<std::uint8_t>& failed);

  // Of a switch and itself; all others of the switch are farther away.
  int Root(int place) const { return place; }
  // The first row between a table's switch and another one that has not failed, then
  // row(..).next; -1 = none.
  int First(int place, int other) const { return first_[place * stride_ + other]; }
  // By the other switch, as many as make whole blocks: the lowest rank of these rows, or kFar if
  // that is less; and of those of them with no forbidden turn between their link and any other one
  // at the other switch.
  static constexpr int kBlock = 16;
  static constexpr std::int16_t kFar = 10000;
  std::span<const std::int16_t> Least(int place) const { return LeastOf(least_, place); }
  std::span<const std::int16_t> LeastFree(int place) const { return LeastOf(least_free_, place); }
  const Row& row(int id) const { return rows_[id]; }
  std::size_t end_row() const { return rows_.size(); }  // beyond the highest id
  std::size_t num_rows() const { return rows_.size() - unused_.size(); }
  std::size_t bytes() const {
    return rows_.size() * sizeof(Row) +
           first_.size() * (sizeof(first_[0]) + sizeof(least_[0]) + sizeof(least_free_[0]));
  }
  void Reserve(std::size_t rows) { rows_.reserve(rows); }

 private:
  int NewRow();
  // Where a row's link has its end far from the table's switch.
  int FarEnd(int link) const {
    const SwitchFabric::Link& ends = fabric_->link(link);
    return kind_ == Kind::kDirect ? ends.to : ends.from;
  }
  std::span<const std::int16_t> LeastOf(const std::vector<std::int16_t>& least, int place) const {
    return {least.data() + place * stride_, stride_};
  }
  void LowerLeast(std::size_t at, const Row& row);
  // Takes a row out of the list of those between its two switches.
  void Unlist(int place, int row);

  Kind kind_;
  const SwitchFabric* fabric_;
  int switches_;
  std::size_t stride_;  // places, in whole blocks
  std::vector<Row> rows_;
  std::vector<std::int32_t> first_;  // by switch of the table, then the other one
  std::vector<std::int16_t> least_;  // the same
  std::vector<std::int16_t> least_free_;
  std::vector<std::int32_t> unused_;  // rows
};

}  // namespace lanecut
