// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/file_engine.h"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

LftDump ReadFile(const Topology& topology, const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) {
    throw RoutingError(
        fmt::format("{}:0: cannot be read; expected forwarding tables as lanecut "
                    "route --dump writes them",
                    path.string()));
  }
  LftDump dump = ParseLftDump(topology, stream, path.string());
  CheckLftDump(topology, dump, path.string());
  return dump;
}

}  // namespace

FileEngine::FileEngine(const Topology& topology, const std::filesystem::path& path,
                       std::string name)
    : name_(std::move(name)), topology_(topology), tables_(ReadFile(topology, path).tables) {}

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
  SpreadOverVls(request, builder.tables);
  return std::move(builder.tables);
}

}  // namespace lanecut
