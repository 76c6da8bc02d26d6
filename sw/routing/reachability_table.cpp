// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/reachability_table.h"

#include <algorithm>

namespace lanecut {

ReachabilityTable::ReachabilityTable(Kind kind, const SwitchFabric& fabric)
    : kind_(kind),
      fabric_(&fabric),
      switches_(fabric.num_switches()),
      stride_(static_cast<std::size_t>(switches_ + kBlock - 1) / kBlock * kBlock),
      rows_(switches_),
      first_(switches_ * stride_, -1),
      least_(first_.size(), kFar),
      least_free_(first_.size(), kFar) {
  for (int place = 0; place < switches_; ++place) {
    first_[place * stride_ + place] = place;
    least_[place * stride_ + place] = least_free_[place * stride_ + place] = 0;
  }
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

int ReachabilityTable::Extend(const TurnRules& rules, int place, int row, int link) {
  const std::size_t at = place * stride_ + FarEnd(link);
  int id = first_[at];
  while (id >= 0 && (rows_[id].nearer != row || rows_[id].link != link)) id = rows_[id].next;
  if (id >= 0) return id;
  id = NewRow();
  Row& added = rows_[id];
  Row& before = rows_[row];
  added.nearer = row;
  added.link = link;
  added.hops = static_cast<std::uint16_t>(before.hops + 1);
  added.transitions = before.transitions;
  added.is_free =
      !(kind_ == Kind::kDirect ? rules.IsForbiddenAfter(link) : rules.IsForbiddenBefore(link));
  if (before.link >= 0) {
    const int turn = kind_ == Kind::kDirect ? fabric_->Turn(before.link, link)
                                            : fabric_->Turn(link, before.link);
    added.transitions += rules.IsForbidden(turn) ? 1 : 0;
  }
  ++before.users;
  added.next = first_[at];
  first_[at] = id;
  LowerLeast(at, added);
  return id;
}

void ReachabilityTable::Drop(int place, int row) {
  // A root has no link and stays.
  while (--rows_[row].users == 0 && rows_[row].link >= 0) {
    if (!rows_[row].failed) Unlist(place, row);
    unused_.push_back(row);
    row = rows_[row].nearer;
  }
}

void ReachabilityTable::MarkFailed(int place, int row, const std::vector<std::uint8_t>& failed) {
  int last = -1;
  for (int id = row; rows_[id].link >= 0; id = rows_[id].nearer) {
    if (rows_[id].failed || failed[rows_[id].link] != 0) last = id;
    if (rows_[id].failed) break;
  }
  if (last < 0) return;
  const int end = rows_[last].nearer;
  for (int id = row; id != end; id = rows_[id].nearer) {
    if (rows_[id].failed) break;
    rows_[id].failed = true;
    Unlist(place, id);
  }
}

void ReachabilityTable::LowerLeast(std::size_t at, const Row& row) {
  const auto rank = static_cast<std::int16_t>(std::min<int>(kFar, RankOf(row)));
  least_[at] = std::min(least_[at], rank);
  if (row.is_free) least_free_[at] = std::min(least_free_[at], rank);
}

void ReachabilityTable::Unlist(int place, int row) {
  const std::size_t at = place * stride_ + FarEnd(rows_[row].link);
  const int rank = RankOf(rows_[row]);
  const bool was_least = rank <= least_[at] || (rows_[row].is_free && rank <= least_free_[at]);
  if (was_least) least_[at] = least_free_[at] = kFar;
  std::int32_t* here = &first_[at];
  for (; *here != row; here = &rows_[*here].next) {
    if (was_least) LowerLeast(at, rows_[*here]);
  }
  *here = rows_[row].next;
  if (!was_least) return;
  for (int id = *here; id >= 0; id = rows_[id].next) LowerLeast(at, rows_[id]);
}

}  // namespace lanecut
