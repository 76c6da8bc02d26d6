// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/sweep.h"

#include "sw/subnet_manager/subnet_manager.h"

namespace lanecut {

Sweep::Sweep(const SmConfig& config, const FabricMap& map, SmpEngine& engine)
    : config_(config), map_(map), batch_(engine), next_(kNoDeadline) {}

void Sweep::Schedule(Cycle now) {
  next_ = config_.sweep_period == 0 ? kNoDeadline : now + config_.sweep_period;
}

void Sweep::Run(Done done) {
  findings_ = {};
  const auto submit = [this] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      if (!map_.node(node).IsSwitch() || !map_.node(node).IsReachable()) continue;
      batch_.Add(GetRequest({node}, ib::MadAttribute::kSwitchInfo),
                 [this, node](const SmpReply& reply) {
                   if (!CheckReply(reply, ib::MadAttribute::kSwitchInfo, map_.node(node).name,
                                   &findings_.answers)) {
                     return;
                   }
                   if (ib::SwitchInfo::Decode(reply.mad).port_state_change)
                     findings_.changed.insert(node);
                 });
    }
  };
  batch_.Run(submit, [this, done = std::move(done)] { done(Findings(findings_)); });
}

}  // namespace lanecut
