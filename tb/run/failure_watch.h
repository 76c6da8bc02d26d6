// SPDX-License-Identifier: Apache-2.0
//
// Looks every few hundred cycles whether a run has failed: an assertion of the RTL, a difference to
// the reference model, a stall.
#pragma once

#include "tb/run/checker.h"
#include "tb/run/failure.h"
#include "tb/run/stall_detector.h"

namespace lanecut {

class FailureWatch {
 public:
  static constexpr Cycle kInterval = 512;

  // `checker` may be null. Pointers are kept. For `stall_cycles` see StallDetector.
  FailureWatch(const Fabric* fabric, PacketLedger* ledger, Checker* checker, Cycle stall_cycles,
               Failure* failure);

  // To be called every kInterval cycles.
  void Look(Cycle now);
  // What the reference model says now.
  void LookForMismatch();

 private:
  Checker* checker_;
  Failure* failure_;
  StallDetector stalls_;
};

}  // namespace lanecut
