// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/fabric_parts.h"

namespace lanecut {

void FabricParts::Find(const SwitchFabric& fabric, std::span<const std::uint8_t> failed_links,
                       std::span<const std::uint8_t> failed_switches) {
  part_.assign(fabric.num_switches(), -1);
  for (int start = 0; start < fabric.num_switches(); ++start) {
    if (part_[start] >= 0 || failed_switches[start] != 0) continue;
    part_[start] = start;
    queue_.assign(1, start);
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      for (const int link : fabric.LinksFrom(queue_[head])) {
        const int next = fabric.link(link).to;
        if (failed_links[link] != 0 || part_[next] >= 0) continue;
        part_[next] = start;
        queue_.push_back(next);
      }
    }
  }
}

}  // namespace lanecut
