// SPDX-License-Identifier: Apache-2.0
//
// The direct and the indirect reachability table of RFTR (DRT, IRT): for every switch the parts of
// known paths that lead from it to others, or from others to it.
//
// The thesis has one row for every switch on every path. Here rows that are equal are one: those of
// a switch make a tree, in which paths that begin (direct) or end (indirect) alike share their
// rows, and each counts the paths that it is for. A path is found in as many steps as it has
// links. Private to sw/routing.
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
    std::uint32_t paths = 0;
    std::uint16_t hops = 0;
    std::uint16_t transitions = 0;  // forbidden turns on the way
    bool failed = false;            // a link of it has failed
  };

  ReachabilityTable(Kind kind, int switches);

  // The links of a path in the order in which packets take them. It begins (direct) or ends
  // (indirect) at `place`.
  void Add(const SwitchFabric& fabric, const TurnRules& rules, int place,
           std::span<const std::int32_t> links);
  // What was added before.
  void Remove(const SwitchFabric& fabric, int place, std::span<const std::int32_t> links);
  // Marks the rows of such a path that have a failed link, by link.
  void MarkFailed(const SwitchFabric& fabric, int place, std::span<const std::int32_t> links,
                  const std::vector<std::uint8_t>& failed);

  // The first row for a switch and another one, then row(..).next and so on; -1 = none.
  int First(int place, int other) const { return first_[place * switches_ + other]; }
  const Row& row(int id) const { return rows_[id]; }
  std::size_t num_rows() const { return rows_.size() - unused_.size(); }
  std::size_t bytes() const { return rows_.size() * sizeof(Row) + first_.size() * sizeof(int); }

 private:
  int OtherEnd(const SwitchFabric& fabric, int link) const {
    return kind_ == Kind::kDirect ? fabric.link(link).to : fabric.link(link).from;
  }
  int Find(const SwitchFabric& fabric, int place, int nearer, int link) const;
  // Calls visit(link) from the table's switch outwards.
  template <typename Visit>
  void Outwards(std::span<const std::int32_t> links, Visit visit) const;

  Kind kind_;
  int switches_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> first_;   // by switch of the table, then the other one
  std::vector<std::int32_t> unused_;  // rows
};

}  // namespace lanecut
