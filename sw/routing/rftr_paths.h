// SPDX-License-Identifier: Apache-2.0
//
// The paths of RFTR, reachability-based fault-tolerant routing (Montanana, Flich, Duato; thesis
// UPV 2008, chapter 5), without tables.
//
// When links fail, each pair whose path crossed one gets a new path, joined at some switch from a
// part of a known path that begins at the source and a part of one that ends at the destination;
// all other paths stay as they are. Where the join is a turn that the routing underneath forbids,
// the packet changes to a higher VL. In InfiniBand the VL follows from (in port, out port, SL), so
// on every SL a turn has one VL, and a path needs an SL on which its turns have suitable VLs or
// none as yet.
//
// Of all candidates a pair takes the one with the fewest forbidden turns, then the shortest, that
// fits an SL in use, its own first. Pairs that find none try again when others have new paths,
// whose parts they may use. Only if that does not help an SL more is opened; if not even that does,
// the rules are made anew, with turns that close no cycle any more as links have failed; and last
// a VL more is opened; all within the limits. Every cable also counts as a path from its one end to
// the other: so a pair that the topology joins lacks nothing but VLs or SLs.
//
// What a failed path held (entries of SLtoVL tables, rows) is free from the next call of Fail() on:
// packets may still be on their way by it.
//
// With RftrLimits::paths every pair has so many disjoint paths ready, so that it can change to
// another one at once while new ones are computed in the background (thesis, 9.4). A pair with
// fewer gets more in the same way, when all pairs have got one, from parts that share no link and
// no switch in between with those that it has; its path in use stays the same.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sw/routing/path_joiner.h"
#include "sw/routing/rftr_state.h"
#include "sw/routing/routing.h"
#include "sw/routing/switch_fabric.h"
#include "sw/routing/traced_paths.h"
#include "sw/routing/turn_rules.h"
#include "sw/topology/topology.h"

namespace lanecut {

struct RftrLimits {
  int vls = 2;
  int sls = kServiceLevels;
  int paths = 1;  // disjoint ones that every pair shall have, where the topology has them
};

class RftrPaths {
 public:
  enum class Missing { kVls, kSls };

  // Flows, ascending.
  struct Outcome {
    std::vector<int> failed;    // whose paths have failed: all of these
    std::vector<int> rerouted;  // of them, with a new path
    std::vector<int> cut_off;   // no way is left from source to destination
    // None has been found for these within the limits, for want of this.
    std::vector<int> unmet;
    Missing missing = Missing::kVls;
    std::vector<int> added;  // that had no path: further ones of pairs that have some
    // Pairs with fewer than RftrLimits::paths, each by one of its flows.
    std::vector<int> no_way;    // the topology has no path that is disjoint from those of the pair
    std::vector<int> short_of;  // it has one, but none is found within VLs, SLs and LIDs
  };
  // An entry of an SLtoVL table: packets of an SL that go on from one link to the next.
  struct Entry {
    int link = -1;  // -1 = they enter the fabric
    int next = -1;
    int sl = 0;
    std::uint8_t vl = 0;
  };
  // What a path needs besides, which is not the business of this class: a LID.
  struct Lids {
    std::function<bool(int flow, std::span<const std::int32_t> links)> fit;
    std::function<void(int flow, std::span<const std::int32_t> links)> take;
  };

  // The tables of any engine that serve the topology without deadlock. Where a pair has several
  // paths, it gets a new one when the last of them has failed. Keeps no reference to its arguments.
  // Throws RoutingError if a path of the tables does not arrive, if they can deadlock, or if they
  // exceed the limits.
  RftrPaths(const Topology& topology, const RoutingTables& tables, RftrLimits limits);
  // The same to begin with, within other limits.
  RftrPaths(const RftrPaths& other, RftrLimits limits);
  RftrPaths(const RftrPaths&) = delete;
  RftrPaths& operator=(const RftrPaths&) = delete;

  const RftrLimits& limits() const { return limits_; }
  const SwitchFabric& fabric() const { return fabric_; }
  // The paths to begin with; each is the beginning of a flow, which may get other ones later. Pairs
  // with fewer than RftrLimits::paths have flows without a path besides: IsSpare().
  const std::vector<TracedPath>& flows() const { return flows_; }
  const RftrState& initial() const { return initial_; }
  bool IsSpare(int flow) const { return flows_[flow].record.dlid == 0; }
  int FirstFlow(int pair) const { return first_flow_[pair]; }  // the pair's others follow

  // Cables, each named by one of its links (a number of fabric()), and switches (places) fail, all
  // at the same time. Only if no flow is unmet the state may be used further.
  Outcome Fail(RftrState& state, std::span<const int> links, std::span<const int> switches = {});
  // The same in parts, each once: new paths for pairs that have lost all of theirs; then, if no
  // flow is unmet, further ones for pairs with fewer than RftrLimits::paths; then the end.
  Outcome Replace(RftrState& state, std::span<const int> links, std::span<const int> switches);
  void AddPaths(RftrState& state, const Lids& lids, Outcome& outcome);
  void Release(RftrState& state) const;
  // Of the last fault: the path that Outcome::failed[i] had, whose hops are still in the state; and
  // what paths need since, and none needed before.
  const RftrState::Route& FailedRoute(std::size_t i) const { return old_[i].route; }
  const std::vector<Entry>& new_entries() const { return new_entries_; }

  // The turn with which a path takes its i-th link; the first one enters the fabric.
  int TurnAt(std::span<const std::int32_t> links, std::size_t i) const {
    return i == 0 ? fabric_.Injection(links[0]) : fabric_.Turn(links[i - 1], links[i]);
  }

 private:
  struct OldRoute {
    int flow = -1;
    RftrState::Route route;
  };
  // A link that has failed, and the rows of the path that it is.
  struct NewLink {
    int link = -1;
    int direct_row = -1;
    int indirect_row = -1;
  };
  // Flows get new paths in the order of these.
  struct Ends {
    int to, hops, from, flow;
  };

  RftrState FirstState();
  int DirectRow(RftrState& state, int link) const;
  int IndirectRow(RftrState& state, int link) const;
  // Parts of the path begin at these rows, which are roots at least.
  void TakePath(RftrState& state, int flow, std::span<const std::int32_t> links,
                std::span<const std::uint8_t> vls, int sl, int direct_row, int indirect_row);
  void MarkLinks(RftrState& state, std::span<const int> links, std::span<const int> switches);
  std::vector<int> CollectFlows(const RftrState& state, std::span<const int> switches) const;
  std::vector<int> EndRoutes(RftrState& state);
  static std::vector<int> FirstFlows(const std::vector<TracedPath>& flows);
  std::vector<int> FlowsToAdd(const RftrState& state) const;
  void KeepClear(const RftrState& state, int flow);
  bool HasWay(const RftrState& state, int flow);
  void SortByEnds(std::vector<int>& flows);
  // Adds flows that get a path to `done`; returns the others, without those that are cut off.
  std::vector<int> Reroute(RftrState& state, std::vector<int> pending, std::vector<int>& done,
                           std::vector<int>& cut_off);
  bool RerouteGroup(RftrState& state, std::span<const int> flows, PathJoiner::Allowed allowed);
  bool AddPath(RftrState& state, int flow, PathJoiner::Allowed allowed);
  void RenewRules(RftrState& state);
  void DropCutOff(const RftrState& state, std::vector<int>& pending,
                  std::vector<int>& cut_off) const;

  SwitchFabric fabric_;
  RftrLimits limits_;
  std::vector<TracedPath> flows_;
  std::vector<int> first_flow_;  // by pair, and one more
  std::vector<Entry> new_entries_;
  RftrState initial_;

  // Of the fault at hand.
  PathJoiner joiner_;
  std::vector<NewLink> new_links_;
  std::vector<OldRoute> old_;  // of the flows that have failed
  std::vector<Ends> sorted_;
  const Lids* lids_ = nullptr;  // while paths are added
  PathJoiner::Demands clear_;   // of the other paths of a pair
};

}  // namespace lanecut
