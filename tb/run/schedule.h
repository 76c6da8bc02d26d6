// SPDX-License-Identifier: Apache-2.0
//
// Actions at cycles that count from the start of the simulation or from the end of the warm-up.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "tb/fabric/agenda.h"

namespace lanecut {

// An Action has members `at` and `after_warmup`.
template <typename Action>
class Schedule {
 public:
  using Handler = std::function<void(const Action& action, Cycle now)>;

  // The agenda is kept.
  Schedule(Agenda* agenda, Handler handler)
      : agenda_(agenda),
        handler_(std::move(handler)),
        task_(agenda->Add([this](Cycle now) { CarryOutDue(now); })) {}
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  // Replaces what was planned. Actions that count from the end of the warm-up wait for
  // WarmupEnded(). Those of the same cycle keep their order.
  void Plan(std::vector<Action> actions) {
    actions_ = std::move(actions);
    ArmNext();
  }

  void WarmupEnded(Cycle now) {
    for (Action& action : actions_) {
      if (!action.after_warmup) continue;
      action.at += now;
      action.after_warmup = false;
    }
    ArmNext();
  }

  // Everything has been carried out.
  bool Done() const { return actions_.empty(); }

 private:
  void CarryOutDue(Cycle now) {
    const auto is_later = [now](const Action& action) {
      return action.after_warmup || action.at > now;
    };
    const auto later = std::stable_partition(actions_.begin(), actions_.end(), is_later);
    const std::vector<Action> due(later, actions_.end());
    actions_.erase(later, actions_.end());
    for (const Action& action : due) handler_(action, now);
    ArmNext();
  }

  void ArmNext() {
    Cycle next = Agenda::kNever;
    for (const Action& action : actions_) {
      if (!action.after_warmup) next = std::min(next, action.at);
    }
    agenda_->Arm(task_, next);
  }

  Agenda* agenda_;
  Handler handler_;
  std::vector<Action> actions_;  // still to come
  int task_;
};

}  // namespace lanecut
