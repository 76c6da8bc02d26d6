// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/sweep.h"

#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

Sweep::Sweep(const SmConfig& config, const FabricMap& map, SmpEngine& engine)
    : config_(config), map_(map), batch_(engine), next_(kNoDeadline) {}

void Sweep::Schedule(Cycle now) {
  next_ = config_.sweep_period == 0 ? kNoDeadline : now + config_.sweep_period;
}

void Sweep::Run(const std::set<int>& switches, OnAnswer on_answer, Done done) {
  result_ = {};
  on_answer_ = std::move(on_answer);
  done_ = std::move(done);
  const auto submit = [this, &switches] {
    for (const int node : switches) Ask(node);
  };
  batch_.Run(submit, [this] { done_(StageResult(result_)); });
}

void Sweep::Ask(int node) {
  batch_.Add(GetRequest({node}, ib::MadAttribute::kSwitchInfo),
             [this, node](const SmpReply& reply) { Take(node, reply); });
}

void Sweep::Take(int node, const SmpReply& reply) {
  if (reply.outcome == SmpOutcome::kNoRoute) return on_answer_(node, false);  // that is known
  if (CheckReply(reply, ib::MadAttribute::kSwitchInfo, map_.node(node).name, &result_)) {
    return on_answer_(node, ib::SwitchInfo::Decode(reply.mad).port_state_change);
  }
  batch_.Abandon();
  done_(StageResult(result_));
}

}  // namespace lanecut
