// SPDX-License-Identifier: Apache-2.0
#include "tb/run/checker.h"

namespace lanecut {

Checker::Checker(const Scenario& scenario, const Topology& topology, const SwitchKind& kind)
    : hca_nodes_(topology.hcas()) {
  SwitchShape shape;
  shape.ports = kind.ports;
  shape.vls = kind.vls;
  shape.buf_blocks = kind.buf_blocks;
  shape.lft_depth = kind.lids;
  shape.route_cycles = kind.route_cycles;
  shape.lifetime = kind.lifetime;
  shape.life_unit = 4096 / NsPerCycle(scenario.link.rate);
  shape.ebr_literal = kind.ebr_literal;
  EndNodeShape end_node;
  end_node.vls = kind.vls;
  end_node.buf_blocks = static_cast<int>(BufferBlocks(scenario.node.buffer_bytes));
  for (const Node& node : topology.nodes()) {
    if (node.kind == NodeKind::kSwitch) {
      model_.AddSwitch(node.name, shape);
    } else {
      model_.AddEndNode(node.name, end_node);
    }
  }
  const Cycle fly = FlyCycles(scenario.link);
  for (const Cable& cable : topology.cables()) {
    model_.AddLane(cable.a.node, cable.a.port, cable.b.node, cable.b.port, fly);
    model_.AddLane(cable.b.node, cable.b.port, cable.a.node, cable.a.port, fly);
  }
}

void Checker::OnRxDrop(int node, int port, DropReason reason, Cycle t) {
  model_.OnRxDrop(node, port, reason, t);
}

void Checker::OnInputDrop(int node, int port, int lane, DropReason reason, Cycle t,
                          const std::optional<EpochNumbers>& numbers) {
  model_.OnInputDrop(node, port, lane, reason, t, numbers);
}

void Checker::OnOutputDrop(int node, int port, int lane, DropReason reason, Cycle t) {
  model_.OnOutputDrop(node, port, lane, reason, t);
}

void Checker::OnGenerated(int hca, const HcaPacket& packet) {
  model_.OnGenerated(hca_nodes_[hca], packet.id, packet.generated);
}

void Checker::OnSourceDrop(int hca, const HcaPacket& packet, DropReason, Cycle t) {
  model_.OnSourceDrop(hca_nodes_[hca], packet.id, t);
}

void Checker::OnCutShort(int hca, const HcaPacket& packet, Cycle t) {
  model_.OnCutShort(hca_nodes_[hca], packet.id, t);
}

void Checker::OnDelivered(int hca, const HcaPacket& packet) {
  model_.OnDelivered(hca_nodes_[hca], packet.id, packet.tail);
}

void Checker::OnReceiveDrop(int hca, std::uint64_t, DropReason reason, Cycle t) {
  model_.OnSinkDrop(hca_nodes_[hca], reason, t);
}

void Checker::OnDrain(int hca, const HcaDrain& drain, Cycle t) {
  model_.OnEndNodeState(hca_nodes_[hca],
                        {drain.number, drain.draining, drain.idle, drain.restricted}, t);
}

}  // namespace lanecut
