// SPDX-License-Identifier: Apache-2.0
//
// What the schemes that replace tables under traffic have in common: that new nodes and links are
// ready before the change begins, and commands with numbers.
//
// Nodes that get lost on the way are left out: the manager hears of the fault and makes another
// change. Nodes that come back on the way have to wait for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sw/subnet_manager/computed_reconfiguration.h"

namespace lanecut {

class NumberedReconfiguration : public ComputedReconfiguration {
 public:
  explicit NumberedReconfiguration(const ReconfigurationTools& tools);

  void Abandon() override;

 protected:
  // New nodes to scheme and number, held; then their links to Active.
  void Prepare(std::function<void()> next);
  void ActivateLinks(std::function<void()> next);
  // Takes part in changes, and did so since the last Prepare().
  virtual bool IsMember(int node) const;
  // New end nodes that are held may send, as far as they take part; `next` whatever comes of it.
  void ReleaseEndNodes(std::function<void()> next);

  // Sends to a node as part of `batch`; `next` is called with the answer.
  void Send(SmpBatch& batch, int node, SmpRequest request, std::function<void(const Mad&)> next);
  static ib::VendorFunction StartOf(std::uint8_t number);
  // Compact: a command to all nodes at once. Who has missed it must be found out and told again.
  void Flood(const SmpRequest& command);
  void SendStart(SmpBatch& batch, int node, std::uint8_t number, std::function<void()> next);

  Numbering& numbering_;
};

}  // namespace lanecut
