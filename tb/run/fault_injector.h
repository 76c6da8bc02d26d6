// SPDX-License-Identifier: Apache-2.0
//
// Carries out the planned faults at their cycles.
#pragma once

#include <functional>
#include <vector>

#include "tb/fabric/fabric.h"
#include "tb/fabric/fault_plan.h"

namespace lanecut {

class FaultInjector {
 public:
  // Told after an action has been carried out.
  using Handler = std::function<void(const FaultAction& action, Cycle now)>;

  FaultInjector(Fabric* fabric, Handler handler);

  // Replaces what was planned. Actions that count from the end of the warm-up wait for
  // WarmupEnded().
  void Plan(std::vector<FaultAction> actions);
  void WarmupEnded(Cycle now);
  // Everything has been carried out.
  bool Done() const { return actions_.empty(); }

 private:
  void CarryOutDue(Cycle now);
  void CarryOut(const FaultAction& action, int cable);
  void ArmNext();

  Fabric* fabric_;
  Handler handler_;
  std::vector<FaultAction> actions_;  // still to come
  std::vector<LinkFaults> rates_;     // by cable
  int task_;
};

}  // namespace lanecut
