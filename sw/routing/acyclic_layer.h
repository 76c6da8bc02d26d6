// SPDX-License-Identifier: Apache-2.0
//
// The dependencies of one layer of packets, kept acyclic: which turns its packets make, and an
// order of all links in which every such turn goes forward. A turn that fits no order any more is
// refused. (Incremental topological order after Pearce, Kelly, 2006.) Private to sw/routing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/routing/switch_graph.h"

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
  bool Reaches(int from, int to);
  void CollectBefore(int link, int lowest);
  void Reorder();

  const SwitchGraph* graph_;
  std::vector<int> rank_;               // by link
  std::vector<std::uint8_t> present_;   // by turn
  std::vector<std::uint32_t> visited_;  // by link: stamp of the last search that came there
  std::uint32_t stamp_ = 0;
  std::vector<int> after_;   // links reached forwards
  std::vector<int> before_;  // ... and backwards
  std::vector<int> ranks_;   // scratch
};

}  // namespace lanecut
