// SPDX-License-Identifier: Apache-2.0
//
// End to end: counts copies by fate, knows what each source has generated and not yet sent, and the
// order of each flow.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/reference/reference_model.h"

namespace lanecut::reference {

class Accounting {
 public:
  void AddNode() { nodes_.emplace_back(); }

  // --- Copies.
  void Sent(bool management) { ++(management ? accounts_.management : accounts_.data).sent; }
  void Settled(bool management, DropReason fate);  // kNone: delivered
  const Accounts& accounts() const { return accounts_; }

  // --- Sources. The functions return nothing, or what was expected.
  void Generated(int node, std::uint64_t id);
  std::optional<std::string> SourceDropped(int node, std::uint64_t id);
  std::optional<std::string> Injected(int node, std::uint64_t id);
  void CutShort(int node, std::uint64_t id) {
    Take(node, id);
  }  // perhaps before its id was on the wire
  int Waiting(int node) const { return static_cast<int>(nodes_[At(node)].waiting.size()); }
  std::uint64_t FirstWaiting(int node) const { return nodes_[At(node)].waiting.front(); }

  // --- Flows: packets of one source node, DLID and SL must be delivered in the order in which they
  // were injected.
  struct Flow {
    std::uint32_t index;
    std::uint64_t sequence;
  };
  Flow NextOfFlow(int node, std::uint16_t dlid, int sl);
  bool InOrder(std::uint32_t flow, std::uint64_t sequence);

 private:
  struct Node {
    std::deque<std::uint64_t> waiting;  // generated, neither injected nor dropped
  };
  struct FlowState {
    std::uint64_t injected = 0;
    std::uint64_t delivered = 0;
  };

  static std::size_t At(int node) { return static_cast<std::size_t>(node); }
  bool Take(int node, std::uint64_t id);

  Accounts accounts_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> flow_index_;
  std::vector<FlowState> flows_;
};

}  // namespace lanecut::reference
