// SPDX-License-Identifier: Apache-2.0
//
// Replaces the tables of a running fabric behind tokens: on every channel all packets of the old
// function go before a token, all of the new one behind it, so that both can be in the network at a
// time and no channel ever depends on both.
//
//   osr-la:   load the inactive banks -> start everybody -> wait for the tokens
//   osr-pda:  start everybody, and load meanwhile -> wait for the tokens
//
// A switch is told `ready` as soon as it holds the new tables and feeder rows completely. The
// switches do the rest: each changes its bank when all its channels have made the change. A change
// of which anybody may have been told to start cannot be taken back. If it is abandoned, the next
// run finishes it first, from where it stood. Source: Lysne et al., "An Efficient and Deadlock-Free
// Network Reconfiguration Protocol", IEEE Transactions on Computers 57(6), 2008.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "sw/subnet_manager/numbered_reconfiguration.h"

namespace lanecut {

// A change from one function to the next, and how far it has got.
struct TokenChange {
  struct Node {
    int place = -1;            // node of the plan's topology
    bool is_complete = false;  // its inactive bank is; it may change its bank at any time from here
    bool is_ready = false;     // it has acknowledged that
    bool is_started = false;   // it has acknowledged the start
    bool is_done = false;
  };

  RoutePlan plan;
  std::uint8_t number = 0;
  bool is_started = false;  // somebody may have been told
  bool are_all_started = false;
  bool are_all_ready = false;
  std::map<int, Node> nodes;  // that take part; by node of the map
};

class TokenReconfiguration : public NumberedReconfiguration {
 public:
  explicit TokenReconfiguration(const ReconfigurationTools& tools);

  void Run(const RoutePlan& before, const RoutePlan& after, Report report, Done done) override;
  void Inherit(const InheritedChange& inherited) override;
  void Abandon() override;
  bool IsCommitted() const override { return change_ && change_->is_started; }

 private:
  void OnComputed() override;
  void BeginChange();
  void MakeChange(const RoutePlan& plan, std::uint8_t number);
  void OnPrepared();
  void Resume();
  void StartAll();
  void OnStarted();
  void LoadAll();
  void LoadAfterStart();
  void Update(int node, int place);
  void Announce(int node);
  void OnLoaded();
  void OnAllToldAndLoaded();
  void WaitForTokens();
  bool MustActivateLinks() const;
  void Poll();
  bool IsOwnNodeEnough() const;
  void ConfirmStart();
  void Nudge(int node);
  void Ask(SmpBatch& batch, int node, TokenChange::Node& progress);
  void Remind(SmpBatch& batch, int node);
  void LoadRest();
  void OnPolled();
  void Complete();
  bool IsMember(int node) const override;

  bool StartsFirst() const { return config_.scheme == ReconfigurationScheme::kOsrPda; }

  SmpBatch start_batch_;  // beside batch_
  std::optional<TokenChange> change_;
  bool is_prepared_ = false;
  Cycle deadline_ = 0;
  Cycle own_deadline_ = 0;  // see IsOwnNodeEnough
};

}  // namespace lanecut
