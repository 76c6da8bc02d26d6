// SPDX-License-Identifier: Apache-2.0
//
// The parts into which faults have split the switches of a fabric. Private to sw/routing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/routing/switch_fabric.h"

namespace lanecut {

class FabricParts {
 public:
  // By link of the fabric and by place of a switch: not zero if it has failed. Keeps its buffers
  // from one call to the next.
  void Find(const SwitchFabric& fabric, std::span<const std::uint8_t> failed_links,
            std::span<const std::uint8_t> failed_switches);

  // Whether both switches, known by place, work and are in one part.
  bool Joined(int a, int b) const { return part_[a] >= 0 && part_[a] == part_[b]; }

 private:
  std::vector<int> part_;  // by place: the first switch of its part; -1 if it has failed
  std::vector<int> queue_;
};

}  // namespace lanecut
