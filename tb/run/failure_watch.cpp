// SPDX-License-Identifier: Apache-2.0
#include "tb/run/failure_watch.h"

#include <fmt/format.h>

#include "tb/switch/registry.h"

namespace lanecut {

FailureWatch::FailureWatch(const Fabric* fabric, PacketLedger* ledger, Checker* checker,
                           Cycle stall_cycles, Failure* failure)
    : checker_(checker),
      failure_(failure),
      stalls_(fabric, ledger, checker != nullptr ? &checker->model() : nullptr, stall_cycles,
              failure) {}

void FailureWatch::Look(Cycle now) {
  if (SwitchAssertionFailed()) {
    failure_->Set("assertion",
                  fmt::format("cycle {} or up to {} before: an assertion of the RTL has "
                              "failed, see the message above",
                              now, kInterval),
                  "--around assertion");
  }
  LookForMismatch();
  stalls_.Look(now);
}

void FailureWatch::LookForMismatch() {
  if (checker_ != nullptr && checker_->model().failed()) {
    failure_->Set("mismatch", checker_->model().mismatch()->Text());
  }
}

}  // namespace lanecut
