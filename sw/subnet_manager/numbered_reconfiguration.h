// SPDX-License-Identifier: Apache-2.0
//
// What the schemes that replace tables under traffic have in common: the time that computing takes,
// and that new nodes and links are ready before the change begins.
//
// Nodes that get lost on the way are left out: the manager hears of the fault and makes another
// change. Nodes that come back on the way have to wait for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sw/subnet_manager/reconfiguration.h"

namespace lanecut {

class NumberedReconfiguration : public Reconfiguration {
 public:
  explicit NumberedReconfiguration(const ReconfigurationTools& tools);

  void Abandon() override;
  bool IsRunning() const override { return is_running_; }
  SmPhase phase() const override { return phase_; }
  void OnTimer() override;
  Cycle NextDeadline() const override;

 protected:
  // Begins a run: computing, in the background.
  void Begin(const RoutePlan& before, const RoutePlan& after, Report report, Done done);
  bool is_computed() const { return is_computed_; }
  virtual void OnComputed() = 0;

  // New nodes to scheme and number, held; then their links to Active.
  void Prepare(std::function<void()> next);
  void ActivateLinks(std::function<void()> next);
  // Takes part in changes, and did so since the last Prepare().
  virtual bool IsMember(int node) const;
  // New end nodes that are held may send, as far as they take part; `next` whatever comes of it.
  void ReleaseEndNodes(std::function<void()> next);

  // Sends to a node as part of `batch`; `next` is called with the answer.
  void Send(SmpBatch& batch, int node, SmpRequest request, std::function<void(const Mad&)> next);
  static ib::VendorFunction StartOf(std::uint8_t number);
  // Compact: a command to all nodes at once. Who has missed it must be found out and told again.
  void Flood(const SmpRequest& command);
  void SendStart(SmpBatch& batch, int node, std::uint8_t number, std::function<void()> next);

  // True if the stage succeeded; ends the run otherwise.
  bool Continue(const StageResult& result);
  void End(const StageResult& result);

  const SmConfig& config_;
  FabricMap& map_;
  SmpEngine& engine_;
  SmpBatch batch_;
  LinkActivation& activation_;
  TableLoader& loader_;
  Numbering& numbering_;
  const Cycle& now_;

  const RoutePlan* before_ = nullptr;
  const RoutePlan* after_ = nullptr;
  Report report_;
  SmPhase phase_ = SmPhase::kNumbering;
  StageResult result_;

 private:
  Done done_;
  bool is_running_ = false;
  bool is_computed_ = false;
  Cycle computed_at_ = 0;
};

}  // namespace lanecut
