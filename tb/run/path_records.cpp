// SPDX-License-Identifier: Apache-2.0
#include "tb/run/path_records.h"

namespace lanecut {

PathRecords::PathRecords(const Topology& fabric)
    : num_(fabric.hcas().size()),
      closed_(num_, Closed::kNo),
      records_(num_ * num_),
      lowest_lids_(num_) {
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
    const int lowest = tables.lids[*node];
    if (lowest == 0) continue;
    lowest_lids_[i] = tables.lids[*node];
    for (int lid = lowest; lid < lowest + (1 << tables.lmc); ++lid)
      end_node_of_lid_[static_cast<Lid>(lid)] = static_cast<int>(i);
  }
  if (!tables.alternatives.empty()) all_.resize(records_.size());
  for (std::size_t from = 0; from < num_; ++from) {
    for (std::size_t to = 0; to < num_; ++to) {
      if (node_of[from] < 0 || node_of[to] < 0) continue;  // keeps what was known before
      Update(from * num_ + to, tables, node_of[from], node_of[to]);
    }
  }
}

void PathRecords::Update(std::size_t pair, const RoutingTables& tables, int source,
                         int destination) {
  if (all_.empty()) {
    records_[pair] = {tables.lids[destination], tables.sl[source][destination]};
    return;
  }
  all_[pair].clear();
  if (source == destination) return;
  for (int path = 0; path < tables.NumPaths(source, destination); ++path) {
    const auto [dlid, sl] = tables.PathOf(source, destination, path);
    all_[pair].push_back({dlid, sl});
  }
  records_[pair] =
      all_[pair].empty() ? PathRecord{tables.lids[destination], 0} : all_[pair].front();
}

std::vector<PathRecord> PathRecords::FindAll(int source, int destination) const {
  return all_.empty() ? std::vector<PathRecord>{}
                      : all_[static_cast<std::size_t>(source) * num_ + destination];
}

void PathRecords::Set(int source, int destination, const PathRecord& record) {
  records_[static_cast<std::size_t>(source) * num_ + destination] = record;
  if (record.dlid != 0) end_node_of_lid_[record.dlid] = destination;
}

int PathRecords::EndNodeOf(Lid lid) const {
  const auto found = end_node_of_lid_.find(lid);
  return found == end_node_of_lid_.end() ? -1 : found->second;
}

}  // namespace lanecut
