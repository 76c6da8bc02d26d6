// SPDX-License-Identifier: Apache-2.0
//
// Feeds the reference model with what the fabric does: words on links, trace ports of switches,
// reports of end nodes.
#pragma once

#include <optional>
#include <vector>

#include "models/hca/hca_observer.h"
#include "models/link/link.h"
#include "models/reference/reference_model.h"
#include "sw/scenario/scenario.h"
#include "sw/topology/topology.h"
#include "tb/switch/switch_model.h"

namespace lanecut {

class Checker : public LinkObserver, public HcaObserver {
 public:
  Checker(const Scenario& scenario, const Topology& topology, const SwitchKind& kind);

  ReferenceModel& model() { return model_; }

  void OnPut(const Lane& lane, Cycle t, Word word) override { model_.OnPut(lane.id(), t, word); }
  void OnGet(const Lane& lane, Cycle t, Word word) override { model_.OnGet(lane.id(), t, word); }
  void OnCut(const Lane& lane, Cycle t) override { model_.OnCut(lane.id(), t); }
  void OnRestore(const Lane& lane, Cycle t) override { model_.OnRestore(lane.id(), t); }

  // As in SwitchObserver.
  void OnRxDrop(int node, int port, DropReason reason, Cycle t);
  void OnInputDrop(int node, int port, int lane, DropReason reason, Cycle t,
                   const std::optional<EpochNumbers>& numbers);
  void OnOutputDrop(int node, int port, int lane, DropReason reason, Cycle t);
  void OnSwitchState(int node, const SwitchState& state, Cycle t) {
    model_.OnSwitchState(node, state, t);
  }

  void OnGenerated(int hca, const HcaPacket& packet) override;
  void OnSourceDrop(int hca, const HcaPacket& packet, DropReason reason, Cycle t) override;
  void OnInjected(int, const HcaPacket&) override {}
  void OnCutShort(int hca, const HcaPacket& packet, Cycle t) override;
  void OnDelivered(int hca, const HcaPacket& packet) override;
  void OnReceiveDrop(int hca, std::uint64_t id, DropReason reason, Cycle t) override;
  void OnOrderError(int, const HcaPacket&) override {}
  void OnGeneralPacket(int hca, Cycle t) override { model_.OnGeneralPacket(hca_nodes_[hca], t); }
  void OnDrain(int hca, const HcaDrain& drain, Cycle t) override;

 private:
  ReferenceModel model_;
  std::vector<int> hca_nodes_;  // node of each end node
};

}  // namespace lanecut
