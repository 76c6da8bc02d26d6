// SPDX-License-Identifier: Apache-2.0
#include "models/hca/reliable_sender.h"

#include <algorithm>

namespace lanecut {

ReliableSender::ReliableSender(const ReliableConfig& config) : config_(config) {}

bool ReliableSender::MaySend(std::uint16_t dlid) const {
  const auto flow = flow_of_dlid_.find(dlid);
  return flow == flow_of_dlid_.end() ||
         flows_[flow->second].sent.size() < static_cast<std::size_t>(config_.window);
}

std::uint32_t ReliableSender::Send(const Copy& copy, Cycle t) {
  const auto [at, fresh] = flow_of_dlid_.try_emplace(copy.dlid, flows_.size());
  if (fresh) {
    flows_.emplace_back();
    flows_.back().next_psn = config_.first_psn & kPsnMask;
  }
  Flow& flow = flows_[at->second];
  flow.sent.push_back({copy, t});
  flow.sent.back().copy.psn = flow.next_psn;
  flow.next_psn = (flow.next_psn + 1) & kPsnMask;
  ++unacknowledged_;
  Watch(flow);
  return flow.sent.back().copy.psn;
}

bool ReliableSender::Acknowledge(std::uint16_t dlid, std::uint32_t psn) {
  const auto at = flow_of_dlid_.find(dlid);
  if (at == flow_of_dlid_.end()) return false;
  Flow& flow = flows_[at->second];
  if (flow.sent.empty()) return false;
  const std::size_t count = ((psn - flow.sent.front().copy.psn) & kPsnMask) + std::size_t{1};
  if (count > flow.sent.size()) return false;  // old, or of nothing that was sent
  flow.sent.erase(flow.sent.begin(), flow.sent.begin() + static_cast<std::ptrdiff_t>(count));
  unacknowledged_ -= count;
  if (flow.due) std::erase(due_, at->second);
  flow.due = false;
  flow.timeouts = 0;
  Watch(flow);
  return true;
}

void ReliableSender::Resend(std::size_t index, Cycle t) {
  Flow& flow = flows_[due_[index]];
  due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(index));
  flow.due = false;
  flow.sent.front().cycle = t;
  Watch(flow);
}

bool ReliableSender::Scan(Cycle t) {
  const std::size_t before = due_.size();
  next_deadline_ = kNever;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    Flow& flow = flows_[i];
    if (flow.sent.empty() || flow.due) continue;
    flow.due = flow.sent.front().cycle + config_.retransmit <= t;
    if (flow.due) {
      due_.push_back(i);
      if (++flow.timeouts == kSilentTimeouts) {
        silent_.push_back(flow.sent.front().copy.dlid);
        flow.timeouts = 0;
      }
    } else {
      Watch(flow);
    }
  }
  return due_.size() != before;
}

void ReliableSender::Watch(const Flow& flow) {
  if (flow.sent.empty() || flow.due) return;
  next_deadline_ = std::min(next_deadline_, flow.sent.front().cycle + config_.retransmit);
}

}  // namespace lanecut
