// SPDX-License-Identifier: Apache-2.0
//
// The tree under an up*/down* order, one for each part of the fabric. Private to sw/routing.
#pragma once

#include <vector>

#include "sw/routing/routing.h"
#include "sw/routing/switch_graph.h"

namespace lanecut {

class SpanningForest {
 public:
  // From the root of the request; without one, and in parts that faults have cut off, as in
  // UpDownOrder. `kind` and not the request says which tree: the engine needs that one.
  SpanningForest(const RoutingRequest& request, const SwitchGraph& graph, SpanningTree kind);

  const std::vector<int>& top_down() const { return top_down_; }  // all places, roots first
  // The link from a switch to its parent; -1 at a root.
  int ParentLink(int place) const { return parent_link_[place]; }
  // Places by the order in which a walk of the trees comes to them first, children by place.
  std::vector<int> Preorder(const SwitchGraph& graph) const;
  std::vector<int> Levels(const SwitchGraph& graph) const;  // by place, 0 at roots

 private:
  std::vector<int> top_down_;
  std::vector<int> parent_link_;  // by place
};

}  // namespace lanecut
