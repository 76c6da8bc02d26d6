// SPDX-License-Identifier: Apache-2.0
#include "tb/run/fault_injector.h"

namespace lanecut {

FaultInjector::FaultInjector(Fabric* fabric, Handler handler)
    : fabric_(fabric),
      rates_(fabric->topology().cables().size()),
      schedule_(&fabric->clock().agenda(),
                [this, handler = std::move(handler)](const FaultAction& action, Cycle now) {
                  CarryOut(action);
                  handler(action, now);
                }) {}

void FaultInjector::CarryOut(const FaultAction& action) {
  if (action.cable != kAllCables) return CarryOut(action, action.cable);
  for (std::size_t cable = 0; cable < rates_.size(); ++cable) {
    CarryOut(action, static_cast<int>(cable));
  }
}

void FaultInjector::CarryOut(const FaultAction& action, int cable) {
  switch (action.kind) {
    case FaultAction::Kind::kCut:
      fabric_->Cut(cable);
      break;
    case FaultAction::Kind::kRestore:
      fabric_->Restore(cable);
      break;
    case FaultAction::Kind::kBitErrors:
      rates_[cable].word_error_rate = action.rate;
      fabric_->SetLinkFaults(cable, rates_[cable]);
      break;
    case FaultAction::Kind::kFcLoss:
      rates_[cable].flow_control_loss = action.rate;
      fabric_->SetLinkFaults(cable, rates_[cable]);
      break;
  }
}

}  // namespace lanecut
