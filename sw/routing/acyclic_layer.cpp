// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/acyclic_layer.h"

namespace lanecut {

AcyclicLayer::AcyclicLayer(const SwitchGraph& graph)
    : graph_(&graph), order_(graph.num_links()), present_(graph.num_turns(), 0) {}

bool AcyclicLayer::Add(int link, int next) {
  const auto next_links = [this](int here, const auto& visit) {
    const int at = graph_->link(here).to;
    const int first = graph_->FirstLink(at);
    for (int other = first; other < first + graph_->Degree(at); ++other) {
      if (Has(here, other)) visit(other);
    }
  };
  const auto links_before = [this](int here, const auto& visit) {
    for (const DirectedLink& back : graph_->LinksFrom(graph_->link(here).from)) {
      if (Has(back.reverse, here)) visit(back.reverse);
    }
  };
  if (!order_.Put(link, next, next_links, links_before)) return false;
  present_[graph_->Turn(link, next)] = 1;
  return true;
}

}  // namespace lanecut
