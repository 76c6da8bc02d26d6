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
#include <vector>

#include "sw/routing/switch_fabric.h"
#include "sw/routing/turn_rules.h"

namespace lanecut {

class ReachabilityTable {
 public:
  enum class Kind { kDirect, kIndirect };  // from a switch; to a switch

  struct Row {
    std::int32_t nearer = -1;   // the row that is one link nearer to the table's switch
    std::int32_t farther = -1;  // the first of those one link farther away ...
    std::int32_t sibling = -1;  // ... and the next of them
    std::int32_t next = -1;     // indirect: another one of the same two switches
    // By which a path arrives (direct) or leaves (indirect); -1 where the two switches are one.
    std::int32_t link = -1;
    std::int32_t place = -1;  // the other switch
    std::uint32_t users = 0;  // rows one link farther, and paths with their far end here
    std::uint16_t hops = 0;
    std::uint8_t transitions = 0;  // forbidden turns on the way
    bool failed = false;           // a link of it has failed
  };

  ReachabilityTable(Kind kind, int switches);

  // The row one link farther, which nobody uses yet if it is new. In a row of `place`'s table.
  int Extend(const SwitchFabric& fabric, const TurnRules& rules, int place, int row, int link);
  void Use(int row) { ++rows_[row].users; }
  // Undoes a Use(). Rows that nobody uses any more are gone.
  void Drop(int place, int row);
  // Marks this row and those nearer as failed, as far as one of the failed links (by link) is in
  // them. Rows between two that are marked already must be, too.
  void MarkFailed(int row, const std::vector<std::uint8_t>& failed);

  // Of a switch and itself; all others of the switch are farther away.
  int Root(int place) const { return place; }
  // Indirect: the first row from a switch to the table's one, then row(..).next; -1 = none.
  int First(int place, int other) const { return first_[place * switches_ + other]; }
  const Row& row(int id) const { return rows_[id]; }
  std::size_t num_rows() const { return rows_.size() - unused_.size(); }
  std::size_t bytes() const { return rows_.size() * sizeof(Row) + first_.size() * sizeof(int); }

 private:
  int NewRow();

  Kind kind_;
  int switches_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> first_;   // indirect: by switch of the table, then the other one
  std::vector<std::int32_t> unused_;  // rows
};

}  // namespace lanecut
