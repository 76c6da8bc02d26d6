// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/reachability_table.h"

namespace lanecut {

ReachabilityTable::ReachabilityTable(Kind kind, int switches)
    : kind_(kind), switches_(switches), rows_(switches) {
  for (int place = 0; place < switches; ++place) rows_[place].place = place;
  if (kind == Kind::kDirect) return;
  first_.assign(static_cast<std::size_t>(switches) * switches, -1);
  for (int place = 0; place < switches; ++place) first_[place * switches + place] = place;
}

int ReachabilityTable::NewRow() {
  if (unused_.empty()) {
    rows_.emplace_back();
    return static_cast<int>(rows_.size()) - 1;
  }
  const int id = unused_.back();
  unused_.pop_back();
  rows_[id] = {};
  return id;
}

int ReachabilityTable::Extend(const SwitchFabric& fabric, const TurnRules& rules, int place,
                              int row, int link) {
  int id = rows_[row].farther;
  while (id >= 0 && rows_[id].link != link) id = rows_[id].sibling;
  if (id >= 0) return id;
  id = NewRow();
  Row& added = rows_[id];
  Row& before = rows_[row];
  added.nearer = row;
  added.link = link;
  added.place = kind_ == Kind::kDirect ? fabric.link(link).to : fabric.link(link).from;
  added.hops = static_cast<std::uint16_t>(before.hops + 1);
  added.transitions = before.transitions;
  if (before.link >= 0) {
    const int turn =
        kind_ == Kind::kDirect ? fabric.Turn(before.link, link) : fabric.Turn(link, before.link);
    added.transitions += rules.IsForbidden(turn) ? 1 : 0;
  }
  added.sibling = before.farther;
  before.farther = id;
  ++before.users;
  if (kind_ == Kind::kIndirect) {
    std::int32_t& first = first_[place * switches_ + added.place];
    added.next = first;
    first = id;
  }
  return id;
}

void ReachabilityTable::Drop(int place, int row) {
  // A root has no link and stays.
  while (--rows_[row].users == 0 && rows_[row].link >= 0) {
    const int nearer = rows_[row].nearer;
    std::int32_t* here = &rows_[nearer].farther;
    while (*here != row) here = &rows_[*here].sibling;
    *here = rows_[row].sibling;
    if (kind_ == Kind::kIndirect) {
      here = &first_[place * switches_ + rows_[row].place];
      while (*here != row) here = &rows_[*here].next;
      *here = rows_[row].next;
    }
    unused_.push_back(row);
    row = nearer;
  }
}

void ReachabilityTable::MarkFailed(int row, const std::vector<std::uint8_t>& failed) {
  int last = -1;
  for (int id = row; rows_[id].link >= 0; id = rows_[id].nearer) {
    if (rows_[id].failed || failed[rows_[id].link] != 0) last = id;
    if (rows_[id].failed) break;
  }
  if (last < 0) return;
  for (int id = row; id != last; id = rows_[id].nearer) rows_[id].failed = true;
  rows_[last].failed = true;
}

}  // namespace lanecut
