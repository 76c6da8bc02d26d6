// SPDX-License-Identifier: Apache-2.0
//
// Layers of packets, each with a VL of its own for the whole way and without a cycle of
// dependencies. Pairs are taken one after the other, each into the first layer in which its turns
// close no cycle. Private to sw/routing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw/routing/acyclic_layer.h"
#include "sw/routing/forest.h"
#include "sw/routing/switch_graph.h"

namespace lanecut {

class Layers {
 public:
  // Of the packets from every switch with end nodes to every end node. Gives up at the first pair
  // that fits none of `most` layers. The forest must outlive the layers.
  Layers(const Forest& forest, int most);

  // Layers in use; more than `most` if that does not suffice.
  int count() const { return static_cast<int>(pairs_in_.size()); }
  // Pairs of a switch and a destination in every layer; of no meaning after giving up.
  const std::vector<std::int64_t>& pairs_in() const { return pairs_in_; }
  // Of packets from a switch, by place, by tree; of no meaning after giving up.
  int Of(int tree, int place) const {
    return layer_[static_cast<std::size_t>(tree) * graph_.num_switches() + place];
  }

 private:
  // The way of packets to a destination, as far as it matters to one layer.
  enum class Fit : std::uint8_t { kUnknown, kPresent, kMissing, kRefused };
  class Filler;

  const SwitchGraph& graph_;
  std::vector<std::uint8_t> layer_;  // by tree, then place
  std::vector<std::int64_t> pairs_in_;
};

}  // namespace lanecut
