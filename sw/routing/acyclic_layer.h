// SPDX-License-Identifier: Apache-2.0
//
// The dependencies of one layer of packets, kept acyclic: which turns its packets make, and an
// order of all links in which every such turn goes forward. A turn that fits no order any more is
// refused. Private to sw/routing.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/routing/switch_graph.h"
#include "sw/routing/vertex_order.h"

namespace lanecut {

class AcyclicLayer {
 public:
  // The graph must outlive the layer.
  explicit AcyclicLayer(const SwitchGraph& graph);

  bool Has(int link, int next) const { return present_[graph_->Turn(link, next)] != 0; }
  // Adds the turn from a link to a next one; false, and nothing changes, if it would close a cycle.
  bool Add(int link, int next);
  void Remove(int link, int next) { present_[graph_->Turn(link, next)] = 0; }

 private:
  const SwitchGraph* graph_;
  VertexOrder order_;                  // of links
  std::vector<std::uint8_t> present_;  // by turn
};

}  // namespace lanecut
