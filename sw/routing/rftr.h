// SPDX-License-Identifier: Apache-2.0
//
// RFTR, reachability-based fault-tolerant routing (Montanana, Flich, Duato; thesis UPV 2008,
// chapter 5): takes the tables of any engine, then one fault after the other, and changes only what
// the pairs whose path has failed need. How paths are chosen: rftr_paths.h.
//
// A new path gets a LID of its destination whose entries, at all its switches, lead along it or are
// in no path; so with LMC 0 few paths can be replaced. Entries of LFTs and SLtoVL tables that a
// path in use needs never change, and those of a failed path only from the next fault on, when its
// packets have gone. LIDs of switches, and what switches send, keep their old ways, also over what
// has failed: a manager has directed routes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sw/routing/rftr_paths.h"
#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

class Rftr {
 public:
  struct LftChange {
    int node = -1;
    Lid lid = 0;
    std::uint8_t port = 0;
  };
  struct SlToVlChange {
    int node = -1;
    int in_port = 0;
    int out_port = 0;
    int sl = 0;
    std::uint8_t vl = 0;
  };
  // What differs from the tables before, in the order of nodes. Pairs are (source, destination).
  struct Change {
    std::vector<std::pair<int, int>> rerouted;  // have a new path
    std::vector<std::pair<int, int>> fewer;     // have lost some of their paths, but not all
    std::vector<std::pair<int, int>> cut_off;   // no cables lead from one to the other any more
    // With RftrLimits::paths of two or more, of the pairs that have a path, whether named above or
    // not:
    std::vector<std::pair<int, int>> added;  // have got further ones, beside what they have
    std::vector<std::pair<int, int>>
        no_way;  // fewer, as the topology has none disjoint from theirs
    std::vector<std::pair<int, int>> short_of;  // fewer, for want of VLs, SLs or LIDs
    std::vector<LftChange> lft;
    std::vector<SlToVlChange> sl2vl;
  };

  // The tables of an engine that serve this topology; they must not deadlock. Keeps a reference to
  // the topology. Throws RoutingError as RftrPaths does.
  Rftr(const Topology& topology, RoutingTables tables, RftrLimits limits);

  // Records keep their order, and new ones come behind them: a pair's first path stays the first
  // as long as it is whole.
  //
  // Cables between switches (by index in the topology) and switches (by node) fail, all at the same
  // time. What has failed before may be named again. Throws RoutingError, which says what is
  // missing and what would suffice, if some pair finds no path; then tables() are those of before,
  // and no further fault is taken.
  Change Fail(std::span<const int> cables, std::span<const int> switches = {});

  const RoutingTables& tables() const { return tables_; }
  const RftrState& state() const { return state_; }
  const RftrPaths& paths() const { return paths_; }
  // The topology without the cables that have failed.
  Topology Remaining() const { return topology_.Without(failed_cables_); }

 private:
  // The way to one destination by one of its LIDs.
  struct Way {
    std::vector<std::int32_t> next;    // by switch: the link that packets take
    std::vector<std::uint32_t> paths;  // by switch: paths that need this; the link is free at 0
  };
  struct NewHop {
    int lid = 0;
    std::int32_t link = -1;
  };
  struct Fault {
    std::vector<int> links;
    std::vector<int> places;
  };

  void MakeRecords();
  void TakeWay(int flow, std::span<const std::int32_t> links);
  int ChooseWay(int flow, std::span<const std::int32_t> links) const;
  void TakeLid(int flow, std::span<const std::int32_t> links);
  Fault FaultOf(std::span<const int> cables, std::span<const int> switches) const;
  [[noreturn]] void Refuse(const RftrPaths::Outcome& outcome);
  void ChooseWays(const std::vector<int>& flows);
  void WriteLfts(Change& change);
  void WriteSlToVl(const std::vector<int>& flows, Change& change);
  void SetVl(SlToVlChange entry, Change& change);
  void WriteRecords(const RftrPaths::Outcome& outcome, Change& change);
  void WritePair(int pair, const RftrPaths::Outcome& outcome, Change& change);
  std::vector<std::pair<int, int>> PairsOf(const std::vector<int>& flows) const;

  const Topology& topology_;
  RoutingTables tables_;
  RftrPaths paths_;
  RftrState state_;
  std::vector<std::vector<Way>> ways_;     // by node, then number of the LID
  std::vector<NewHop> new_hops_;           // of ways, since the last fault
  std::vector<int> number_;                // by flow: of the LID that it uses
  std::vector<std::vector<int>> order_;    // by pair: flows, in the order of its records
  std::vector<std::vector<int>> entries_;  // by switch: ports from end nodes, and 0
  std::vector<int> failed_cables_;
  std::vector<Fault> faults_;
  bool refused_ = false;
};

}  // namespace lanecut
