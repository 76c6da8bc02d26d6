// SPDX-License-Identifier: Apache-2.0
//
// Replaces the tables of a running fabric while its old packets are on one VL and its new ones on
// another (Double Scheme).
//
//   drain:        everybody sends on VL0 only, until nothing is left on the others; meanwhile the
//                 new tables go into the inactive banks
//   switch over:  everybody sends by the new tables, on VL1; old packets escape there
//   reopen:       VL0 may be used again wherever no old packet is left on it
//
// Nobody is told to switch over before every switch has said that on its links VL0 alone has
// packets, and that it holds the new tables. (End nodes wait by themselves until the other VLs of
// their links have run empty: nothing waits for a link that leaves an end node.) From there on the
// change cannot be taken back: if it is abandoned, the next run finishes it first, from where it
// stood; before that, another plan may take its place. Links that come up while it runs are not
// used before it is over, or packets of both functions could meet on them.
//
// With compact packets both commands are flooded. The answers to the tables, and the polls, which
// repeat the command, tell who has missed one. Source: T. M. Pinkston, R. Pang, J. Duato,
// "Deadlock-Free Dynamic Reconfiguration Schemes for Increased Network Dependability", IEEE
// Transactions on Parallel and Distributed Systems 14(8), 2003.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sw/subnet_manager/numbered_reconfiguration.h"

namespace lanecut {

// A change from one function to the next, and how far it has got.
struct DoubleChange {
  struct Node {
    int place = -1;            // node of the plan's topology
    bool is_draining = false;  // it has acknowledged the drain
    bool is_ready = false;     // ... that its inactive bank is complete; an end node has none
    bool is_idle = false;      // it has reported that only VL0 has packets, or need not
    bool is_switched = false;  // it has acknowledged the switch-over
    bool is_over = false;      // it uses all VLs
  };

  RoutePlan plan;
  std::uint8_t number = 0;
  bool are_all_draining = false;  // they have acknowledged it, or it has been flooded
  bool are_all_ready = false;
  bool is_switching = false;      // somebody may have been told to
  bool are_all_switched = false;  // as are_all_draining
  std::map<int, Node> nodes;      // that take part; by node of the map
};

class DoubleReconfiguration : public NumberedReconfiguration {
 public:
  explicit DoubleReconfiguration(const ReconfigurationTools& tools);

  void Run(const RoutePlan& before, const RoutePlan& after, Report report, Done done) override;
  void Inherit(const InheritedChange& inherited) override;
  void Abandon() override;
  bool IsCommitted() const override { return change_ && change_->is_switching; }

 private:
  using Node = DoubleChange::Node;

  void OnComputed() override;
  void BeginChange();
  void OnPrepared();
  void MakeChange(const RoutePlan& plan, std::uint8_t number);
  // End nodes first, so that the last packets of the old kind are on their way early.
  void CommandAll(SmpBatch& batch, ib::VendorVlDrain command, bool Node::*acknowledged,
                  std::function<void()> next);
  void DrainAll();
  void LoadAll();
  void Load(int node, int place);
  void Update(int node, int place);
  void OnLoaded();
  void AwaitIdle();
  void OnIdle();
  void SwitchOverAll();
  void OnSwitchedOver();
  void AwaitOver();
  void OnOver();
  void LoadRest();
  void Complete();

  bool IsMember(int node) const override;
  SmpRequest MakeCommand(SmpTarget target, ib::VendorVlDrain command) const;
  void Command(SmpBatch& batch, int node, ib::VendorVlDrain command, bool Node::*acknowledged);
  void NoteState(int node, const ib::VendorVlDrain& state);
  void AskEndNodesOf(const std::vector<int>& waiting);
  // Gives the command to all members for which `is_done` does not hold, again and again, until it
  // holds for all; the answers say. `what` is wrong if that takes too long.
  struct Goal {
    ib::VendorVlDrain command;
    bool Node::*acknowledged;
    bool Node::*is_done;
    const char* what;
  };
  void Reach(const Goal& goal, std::function<void()> next);

  SmpBatch drain_batch_;  // beside batch_
  std::optional<DoubleChange> change_;
  Cycle deadline_ = 0;
};

}  // namespace lanecut
