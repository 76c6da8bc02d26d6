// SPDX-License-Identifier: Apache-2.0
#include "tb/run/fault_injector.h"

#include <algorithm>

namespace lanecut {

FaultInjector::FaultInjector(Fabric* fabric, Handler handler)
    : fabric_(fabric),
      handler_(std::move(handler)),
      rates_(fabric->topology().cables().size()),
      task_(fabric->clock().agenda().Add([this](Cycle now) { CarryOutDue(now); })) {}

void FaultInjector::Plan(std::vector<FaultAction> actions) {
  actions_ = std::move(actions);
  ArmNext();
}

void FaultInjector::WarmupEnded(Cycle now) {
  for (FaultAction& action : actions_) {
    if (!action.after_warmup) continue;
    action.at += now;
    action.after_warmup = false;
  }
  ArmNext();
}

void FaultInjector::CarryOutDue(Cycle now) {
  const auto due = [now](const FaultAction& action) {
    return !action.after_warmup && action.at <= now;
  };
  for (const FaultAction& action : actions_) {
    if (!due(action)) continue;
    if (action.cable != kAllCables) {
      CarryOut(action, action.cable);
    } else {
      for (std::size_t cable = 0; cable < rates_.size(); ++cable)
        CarryOut(action, static_cast<int>(cable));
    }
    handler_(action, now);
  }
  std::erase_if(actions_, due);
  ArmNext();
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

void FaultInjector::ArmNext() {
  Cycle next = Agenda::kNever;
  for (const FaultAction& action : actions_) {
    if (!action.after_warmup) next = std::min(next, action.at);
  }
  fabric_->clock().agenda().Arm(task_, next);
}

}  // namespace lanecut
