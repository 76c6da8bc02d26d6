// SPDX-License-Identifier: Apache-2.0
#include "tb/serve/path_setup.h"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "sw/mad/attributes.h"
#include "sw/routing/path_record_dump.h"

namespace lanecut {
namespace {

std::vector<PathQueries::EndNode> Askers(int num_end_nodes, ServedEndNodes* end_nodes) {
  std::vector<PathQueries::EndNode> askers;
  for (int i = 0; i < num_end_nodes; ++i) {
    const auto port = ib::PortInfo::Decode(end_nodes->Ask(i, ib::MadAttribute::kPortInfo));
    const auto node = ib::NodeInfo::Decode(end_nodes->Ask(i, ib::MadAttribute::kNodeInfo));
    askers.push_back({.transport = &end_nodes->Transport(i),
                      .gid = {.prefix = port.gid_prefix, .guid = node.port_guid},
                      .manager_lid = port.master_sm_lid});
  }
  return askers;
}

}  // namespace

PathSetup::PathSetup(const PathQueries::Config& config, const Topology& topology,
                     ServedEndNodes* end_nodes)
    : topology_(topology),
      num_end_nodes_(static_cast<int>(topology.hcas().size())),
      queries_(config, Askers(num_end_nodes_, end_nodes)) {}

std::string PathSetup::Pair(const std::pair<int, int>& pair) const {
  const auto name = [&](int end_node) {
    return topology_.node(topology_.hcas()[static_cast<std::size_t>(end_node)]).name;
  };
  return fmt::format("from {} to {}", name(pair.first), name(pair.second));
}

void PathSetup::Finish(PathRecords* paths, Failure* failure) const {
  for (int source = 0; source < num_end_nodes_; ++source) {
    for (int destination = 0; destination < num_end_nodes_; ++destination) {
      if (const auto& record = queries_.Find(source, destination)) {
        paths->Set(source, destination, {.dlid = record->dlid, .sl = record->sl});
      }
    }
  }
  if (!queries_.unanswered().empty()) {
    failure->Set("paths",
                 fmt::format("subnet administration did not answer {} queries for paths, "
                             "the first one {}",
                             queries_.unanswered().size(), Pair(queries_.unanswered().front())));
  } else if (!queries_.refused().empty()) {
    failure->Set("paths", fmt::format("subnet administration has no path for {} pairs, the first "
                                      "one {}",
                                      queries_.refused().size(), Pair(queries_.refused().front())));
  }
}

std::string PathSetup::Text() const {
  std::ostringstream text;
  for (int source = 0; source < num_end_nodes_; ++source) {
    for (int destination = 0; destination < num_end_nodes_; ++destination) {
      const auto& record = queries_.Find(source, destination);
      if (record) WritePathRecord(record->slid, record->dlid, record->sl, text);
    }
  }
  return text.str();
}

}  // namespace lanecut
