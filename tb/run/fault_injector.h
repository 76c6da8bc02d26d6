// SPDX-License-Identifier: Apache-2.0
//
// Carries out the planned faults at their cycles.
#pragma once

#include <functional>
#include <vector>

#include "tb/fabric/fabric.h"
#include "tb/fabric/fault_plan.h"
#include "tb/run/schedule.h"

namespace lanecut {

class FaultInjector {
 public:
  // Told after an action has been carried out.
  using Handler = std::function<void(const FaultAction& action, Cycle now)>;

  FaultInjector(Fabric* fabric, Handler handler);

  // As in Schedule.
  void Plan(std::vector<FaultAction> actions) { schedule_.Plan(std::move(actions)); }
  void WarmupEnded(Cycle now) { schedule_.WarmupEnded(now); }
  bool Done() const { return schedule_.Done(); }

 private:
  void CarryOut(const FaultAction& action);
  void CarryOut(const FaultAction& action, int cable);

  Fabric* fabric_;
  std::vector<LinkFaults> rates_;  // by cable
  Schedule<FaultAction> schedule_;
};

}  // namespace lanecut
