// SPDX-License-Identifier: Apache-2.0
#include "models/hca/reliable_receiver.h"

namespace lanecut {

bool ReliableReceiver::Receive(const Arrival& arrival, Cycle t, std::vector<Message>* in_order) {
  const std::uint32_t key = std::uint32_t{arrival.source} << 16 | arrival.dlid;
  const auto [at, fresh] = flow_of_.try_emplace(key, flows_.size());
  if (fresh) {
    flows_.emplace_back();
    flows_.back().expected = config_.first_psn & kPsnMask;
  }
  Flow& flow = flows_[at->second];
  flow.last = arrival;
  const std::uint32_t distance = (arrival.psn - flow.expected) & kPsnMask;
  const bool old = distance > kPsnMask / 2;
  const bool beyond = !old && distance > static_cast<std::uint32_t>(config_.reorder);
  const bool taken = !old && !beyond && Take(&flow, arrival, in_order);
  if (!beyond && (!taken || distance == 0)) Owe(at->second, t);
  return taken;
}

bool ReliableReceiver::Take(Flow* flow, const Arrival& arrival,
                            std::vector<Message>* in_order) const {
  const std::size_t distance = (arrival.psn - flow->expected) & kPsnMask;
  if (flow->ahead.size() <= distance) flow->ahead.resize(distance + 1);
  if (flow->ahead[distance]) return false;
  flow->ahead[distance] = arrival.generated;
  while (!flow->ahead.empty() && flow->ahead.front()) {
    in_order->push_back({flow->delivered++, *flow->ahead.front()});
    flow->ahead.pop_front();
    flow->expected = (flow->expected + 1) & kPsnMask;
  }
  return true;
}

void ReliableReceiver::Owe(std::size_t index, Cycle t) {
  Flow& flow = flows_[index];
  if (flow.owes) return;
  flow.owes = true;
  flow.ack_at = t + kAckDelay;
  owed_.push_back(index);
}

bool ReliableReceiver::Mature(Cycle t) {
  const std::size_t before = due_;
  while (due_ < owed_.size() && flows_[owed_[due_]].ack_at <= t) ++due_;
  return due_ != before;
}

ReliableReceiver::Ack ReliableReceiver::Due(std::size_t index) const {
  const Flow& flow = flows_[owed_[index]];
  return {.slid = flow.last.dlid,
          .dlid = flow.last.slid,
          .sl = flow.last.sl,
          .psn = (flow.expected - 1) & kPsnMask};
}

void ReliableReceiver::Acknowledged(std::size_t index) {
  flows_[owed_[index]].owes = false;
  owed_.erase(owed_.begin() + static_cast<std::ptrdiff_t>(index));
  --due_;
}

}  // namespace lanecut
