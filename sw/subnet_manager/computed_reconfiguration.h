// SPDX-License-Identifier: Apache-2.0
//
// What all schemes have in common: a run that computes its tables in the background, tells when
// they are there, and ends at the first stage that fails.
#pragma once

#include "sw/subnet_manager/reconfiguration.h"

namespace lanecut {

class ComputedReconfiguration : public Reconfiguration {
 public:
  void Abandon() override;
  bool IsRunning() const override { return is_running_; }
  SmPhase phase() const override { return phase_; }
  void OnTimer() override;
  Cycle NextDeadline() const override;

 protected:
  // `phase` is that of a scheme that has not run yet.
  ComputedReconfiguration(const ReconfigurationTools& tools, SmPhase phase);

  // Begins a run. Computing takes the time of the plan; OnTimer() sees when it is over.
  void Begin(const RoutePlan& before, const RoutePlan& after, Report report, Done done);
  bool is_computed() const { return is_computed_; }
  virtual void OnComputed() = 0;

  // True if the stage succeeded; ends the run otherwise.
  bool Continue(const StageResult& result);
  void End(const StageResult& result);

  const SmConfig& config_;
  FabricMap& map_;
  SmpEngine& engine_;
  SmpBatch batch_;
  LinkActivation& activation_;
  TableLoader& loader_;
  const Cycle& now_;

  const RoutePlan* before_ = nullptr;
  const RoutePlan* after_ = nullptr;
  Report report_;
  SmPhase phase_;
  StageResult result_;

 private:
  Done done_;
  bool is_running_ = false;
  bool is_computed_ = false;
  Cycle computed_at_ = 0;
};

}  // namespace lanecut
