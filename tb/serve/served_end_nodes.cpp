// SPDX-License-Identifier: Apache-2.0
#include "tb/serve/served_end_nodes.h"

namespace lanecut {

ServedEndNodes::ServedEndNodes(Fabric* fabric) : fabric_(fabric) {
  for (int i = 0; i < fabric->num_hcas(); ++i) ports_.emplace_back(&fabric->hca(i));
}

void ServedEndNodes::SetServer(umad::Server* server, const Filter& filter) {
  for (int i = 0; i < fabric_->num_hcas(); ++i) {
    fabric_->hca(i).SetMadHandler(
        [i, server, filter](const MadBytes& bytes, std::uint16_t slid, Cycle now) {
          const Mad mad{bytes};
          if (!filter(i, mad)) server->OnMad(i, mad, slid, now);
        },
        Hca::Manager::kNone);
  }
}

std::optional<int> ServedEndNodes::Find(std::string_view name) const {
  if (name.empty()) return 0;
  for (int i = 0; i < fabric_->num_hcas(); ++i) {
    if (Name(i) == name) return i;
  }
  return std::nullopt;
}

std::string ServedEndNodes::Name(int end_node) const {
  return fabric_->hca(end_node).hca().config().name;
}

MadTransport& ServedEndNodes::Transport(int end_node) {
  return ports_[static_cast<std::size_t>(end_node)];
}

Mad ServedEndNodes::Ask(int end_node, ib::MadAttribute attribute) const {
  return fabric_->hca(end_node).hca().Ask(attribute);
}

void ServedEndNodes::SetManager(int end_node, bool is_manager) {
  fabric_->hca(end_node).SetManager(is_manager ? Hca::Manager::kFull : Hca::Manager::kNone);
}

}  // namespace lanecut
