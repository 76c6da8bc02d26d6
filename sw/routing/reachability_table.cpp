// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/reachability_table.h"

namespace lanecut {

ReachabilityTable::ReachabilityTable(Kind kind, int switches)
    : kind_(kind),
      switches_(switches),
      rows_(switches),
      first_(static_cast<std::size_t>(switches) * switches, -1) {
  // A switch reaches itself, for ever.
  for (int place = 0; place < switches; ++place) first_[place * switches + place] = place;
}

template <typename Visit>
void ReachabilityTable::Outwards(std::span<const std::int32_t> links, Visit visit) const {
  if (kind_ == Kind::kDirect) {
    for (const std::int32_t link : links) visit(link);
  } else {
    for (std::size_t i = links.size(); i > 0; --i) visit(links[i - 1]);
  }
}

int ReachabilityTable::Find(const SwitchFabric& fabric, int place, int nearer, int link) const {
  int id = First(place, OtherEnd(fabric, link));
  while (id >= 0 && (rows_[id].nearer != nearer || rows_[id].link != link)) id = rows_[id].next;
  return id;
}

void ReachabilityTable::Add(const SwitchFabric& fabric, const TurnRules& rules, int place,
                            std::span<const std::int32_t> links) {
  int nearer = place;
  Outwards(links, [&](int link) {
    int id = Find(fabric, place, nearer, link);
    if (id < 0) {
      if (unused_.empty()) {
        id = static_cast<int>(rows_.size());
        rows_.emplace_back();
      } else {
        id = unused_.back();
        unused_.pop_back();
      }
      const Row& before = rows_[nearer];
      int transitions = before.transitions;
      if (before.link >= 0) {
        const int turn = kind_ == Kind::kDirect ? fabric.Turn(before.link, link)
                                                : fabric.Turn(link, before.link);
        transitions += rules.IsForbidden(turn) ? 1 : 0;
      }
      std::int32_t& first = first_[place * switches_ + OtherEnd(fabric, link)];
      rows_[id] = {nearer,
                   first,
                   link,
                   0,
                   static_cast<std::uint16_t>(before.hops + 1),
                   static_cast<std::uint16_t>(transitions),
                   false};
      first = id;
    }
    ++rows_[id].paths;
    nearer = id;
  });
}

void ReachabilityTable::Remove(const SwitchFabric& fabric, int place,
                               std::span<const std::int32_t> links) {
  int nearer = place;
  Outwards(links, [&](int link) {
    const int id = Find(fabric, place, nearer, link);
    nearer = id;
    if (--rows_[id].paths > 0) return;
    std::int32_t* here = &first_[place * switches_ + OtherEnd(fabric, link)];
    while (*here != id) here = &rows_[*here].next;
    *here = rows_[id].next;
    unused_.push_back(id);
  });
}

void ReachabilityTable::MarkFailed(const SwitchFabric& fabric, int place,
                                   std::span<const std::int32_t> links,
                                   const std::vector<std::uint8_t>& failed) {
  int nearer = place;
  Outwards(links, [&](int link) {
    const int id = Find(fabric, place, nearer, link);
    rows_[id].failed = rows_[nearer].failed || failed[link] != 0;
    nearer = id;
  });
}

}  // namespace lanecut
