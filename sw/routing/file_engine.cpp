// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/file_engine.h"

#include <optional>
#include <utility>
#include <vector>

#include "sw/routing/table_builder.h"

namespace lanecut {

FileEngine::FileEngine(const Topology& topology, const TableDumps& dumps, std::string name)
    : name_(std::move(name)),
      topology_(topology),
      has_vls_(!dumps.sl2vl.empty()),
      tables_(ReadWorkingTableDumps(topology, dumps)) {}

RoutingTables FileEngine::Compute(const RoutingRequest& request) const {
  const Topology& topology = request.topology;
  TableBuilder builder(request);
  std::vector<std::optional<int>> known;  // node of the file's topology, by node
  for (const Node& node : topology.nodes()) known.push_back(topology_.FindGuid(node.guid));
  for (const int node : topology.switches()) {
    if (!known[node]) continue;
    const auto& lft = tables_.lft[*known[node]];
    for (std::size_t target = 0; target < known.size(); ++target) {
      const Lid lid = request.lids[target];
      const Lid its_lid = known[target] ? tables_.lids[*known[target]] : 0;
      if (lid == 0 || its_lid == 0) continue;
      const std::uint8_t port = lft[its_lid];
      const bool leads = port == 0 || topology.PeerOf(node, port).has_value();
      builder.SetPort(node, static_cast<int>(target), leads ? port : kUnreachablePort);
    }
  }
  if (has_vls_) {
    CopyVls(known, &builder.tables);
  } else {
    SpreadOverVls(request, builder.tables);
  }
  return std::move(builder.tables);
}

void FileEngine::CopyVls(const std::vector<std::optional<int>>& known, RoutingTables* to) const {
  for (std::size_t source = 0; source < known.size(); ++source) {
    if (!known[source]) continue;
    to->sl2vl[source] = tables_.sl2vl[*known[source]];
    for (std::size_t target = 0; target < known.size(); ++target) {
      if (known[target]) to->sl[source][target] = tables_.sl[*known[source]][*known[target]];
    }
  }
}

}  // namespace lanecut
