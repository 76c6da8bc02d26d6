// SPDX-License-Identifier: Apache-2.0
#include "models/reference/accounting.h"

#include <algorithm>

namespace lanecut {

std::uint64_t CopyCounts::Dropped() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : dropped) sum += n;
  return sum;
}

namespace reference {

void Accounting::Settled(bool management, DropReason fate) {
  CopyCounts& counts = management ? accounts_.management : accounts_.data;
  if (fate == DropReason::kNone) {
    ++counts.delivered;
  } else {
    ++counts.dropped[static_cast<std::size_t>(fate)];
  }
}

void Accounting::Generated(int node, std::uint64_t id) {
  ++accounts_.generated;
  nodes_[At(node)].waiting.push_back(id);
}

bool Accounting::Take(int node, std::uint64_t id) {
  std::deque<std::uint64_t>& waiting = nodes_[At(node)].waiting;
  if (!waiting.empty() && waiting.back() == id) {
    waiting.pop_back();
    return true;
  }
  const auto at = std::find(waiting.begin(), waiting.end(), id);
  if (at == waiting.end()) return false;
  waiting.erase(at);
  return true;
}

std::optional<std::string> Accounting::SourceDropped(int node, std::uint64_t id) {
  if (!Take(node, id)) return "a packet that was generated and not yet sent";
  ++accounts_.source_dropped;
  return std::nullopt;
}

std::optional<std::string> Accounting::Injected(int node, std::uint64_t id) {
  if (Take(node, id)) return std::nullopt;
  return "a packet that was generated here and not yet sent";
}

Accounting::Flow Accounting::NextOfFlow(int node, std::uint16_t dlid, int sl) {
  const std::uint64_t key = static_cast<std::uint64_t>(node) << 32 |
                            static_cast<std::uint64_t>(dlid) << 8 | static_cast<unsigned>(sl);
  const auto [at, fresh] = flow_index_.try_emplace(key, static_cast<std::uint32_t>(flows_.size()));
  if (fresh) flows_.emplace_back();
  return {at->second, ++flows_[at->second].injected};
}

bool Accounting::InOrder(std::uint32_t flow, std::uint64_t sequence) {
  FlowState& state = flows_[flow];
  if (sequence <= state.delivered) return false;
  state.delivered = sequence;
  return true;
}

}  // namespace reference
}  // namespace lanecut
