// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/sweep.h"

#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

Sweep::Sweep(const SmConfig& config, const FabricMap& map, SmpEngine& engine)
    : config_(config), map_(map), batch_(engine), next_(kNoDeadline) {}

void Sweep::Schedule(Cycle now) {
  next_ = config_.sweep_period == 0 ? kNoDeadline : now + config_.sweep_period;
}

void Sweep::Run(OnChange on_change, Done done) {
  result_ = {};
  on_change_ = std::move(on_change);
  done_ = std::move(done);
  const auto submit = [this] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      if (map_.node(node).IsSwitch() && map_.node(node).IsReachable()) Ask(node);
    }
  };
  batch_.Run(submit, [this] { done_(StageResult(result_)); });
}

void Sweep::Ask(int node) {
  batch_.Add(GetRequest({node}, ib::MadAttribute::kSwitchInfo),
             [this, node](const SmpReply& reply) { OnAnswer(node, reply); });
}

void Sweep::OnAnswer(int node, const SmpReply& reply) {
  if (reply.outcome == SmpOutcome::kNoRoute) return;  // cut off meanwhile, and known to be
  if (CheckReply(reply, ib::MadAttribute::kSwitchInfo, map_.node(node).name, &result_)) {
    if (ib::SwitchInfo::Decode(reply.mad).port_state_change) on_change_(node);
    return;
  }
  batch_.Abandon();
  done_(StageResult(result_));
}

}  // namespace lanecut
