// SPDX-License-Identifier: Apache-2.0
#include "tb/run/path_records.h"

namespace lanecut {

PathRecords::PathRecords(const Topology& fabric)
    : num_(fabric.hcas().size()), closed_(num_, Closed::kNo), records_(num_ * num_) {
  for (const int node : fabric.hcas()) guids_.push_back(fabric.node(node).guid);
}

void PathRecords::Update(const Topology& known, const RoutingTables& tables) {
  std::vector<int> node_of(num_, -1);
  for (std::size_t i = 0; i < num_; ++i) {
    const auto node = known.FindGuid(guids_[i]);
    if (!node) continue;
    node_of[i] = *node;
    const bool has_cable = known.PeerOf(*node, 1).has_value();
    if (closed_[i] == Closed::kUntilUpdate && has_cable) closed_[i] = Closed::kNo;
    if (tables.lids[*node] != 0) end_node_of_lid_[tables.lids[*node]] = static_cast<int>(i);
  }
  for (std::size_t from = 0; from < num_; ++from) {
    for (std::size_t to = 0; to < num_; ++to) {
      if (node_of[from] < 0 || node_of[to] < 0) continue;  // keeps what was known before
      records_[from * num_ + to] = {tables.lids[node_of[to]],
                                    tables.sl[node_of[from]][node_of[to]]};
    }
  }
}

void PathRecords::UpdateLids(const std::vector<Lid>& lids) {
  for (std::size_t to = 0; to < num_; ++to) {
    if (lids[to] != 0) end_node_of_lid_[lids[to]] = static_cast<int>(to);
    for (std::size_t from = 0; from < num_; ++from) records_[from * num_ + to] = {lids[to], 0};
  }
}

int PathRecords::EndNodeOf(Lid lid) const {
  const auto found = end_node_of_lid_.find(lid);
  return found == end_node_of_lid_.end() ? -1 : found->second;
}

}  // namespace lanecut
