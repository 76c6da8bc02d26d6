// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/traced_paths.h"

#include <fmt/format.h>

#include "sw/routing/dependency_graph.h"

namespace lanecut {
namespace {

class Tracer {
 public:
  Tracer(const SwitchFabric& fabric, const Topology& topology, const RoutingTables& tables,
         std::string_view who)
      : fabric_(fabric),
        topology_(topology),
        tables_(tables),
        who_(who),
        links_(topology.nodes().size()),
        end_nodes_(fabric.num_switches()) {
    for (const int node : topology.switches())
      links_[node].assign(topology.node(node).num_ports + 1, -1);
    for (int link = 0; link < fabric.num_links(); ++link)
      links_[fabric.NodeOf(fabric.link(link).from)][fabric.link(link).out_port] = link;
    for (const int hca : topology.hcas()) {
      const auto peer = topology.PeerOf(hca, 1);
      if (peer && tables.lids[hca] != 0) end_nodes_[fabric.PlaceOf(peer->node)].push_back(hca);
    }
  }

  std::vector<TracedPath> All() {
    for (int to = 0; to < fabric_.num_switches(); ++to) {
      const std::vector<int> hops = fabric_.HopsTo(to);
      for (int from = 0; from < fabric_.num_switches(); ++from) {
        if (hops[from] >= 0) AddSwitches(from, to);
      }
    }
    return std::move(paths_);
  }

 private:
  void AddSwitches(int from, int to) {
    for (const int source : end_nodes_[from]) {
      for (const int destination : end_nodes_[to]) {
        if (source == destination) continue;
        const int pair = paths_.empty() ? 0 : paths_.back().pair + 1;
        if (tables_.NumPaths(source, destination) == 0)
          Refuse(source, destination, PathEnd::kUnreachable);
        for (int i = 0; i < tables_.NumPaths(source, destination); ++i) {
          paths_.push_back({source,
                            destination,
                            tables_.PathOf(source, destination, i),
                            from,
                            to,
                            pair,
                            {},
                            {}});
          Trace(paths_.back());
        }
      }
    }
  }

  void Trace(TracedPath& path) {
    const Path traced = TracePath(topology_, tables_, path.source, path.destination, path.record);
    if (traced.end != PathEnd::kDelivered) Refuse(path.source, path.destination, traced.end);
    // The first hop leaves the end node, the last one the last switch.
    for (std::size_t i = 1; i + 1 < traced.hops.size(); ++i) {
      const Hop& hop = traced.hops[i];
      path.links.push_back(links_[hop.node][hop.out_port]);
      path.vls.push_back(static_cast<std::uint8_t>(hop.vl));
    }
  }

  [[noreturn]] void Refuse(int source, int destination, PathEnd end) const {
    throw RoutingError(fmt::format(
        "{}: the tables do not lead {} to {} ({}); expected tables that serve all "
        "pairs",
        who_, topology_.node(source).name, topology_.node(destination).name, PathEndName(end)));
  }

  const SwitchFabric& fabric_;
  const Topology& topology_;
  const RoutingTables& tables_;
  std::string_view who_;
  std::vector<std::vector<int>> links_;      // by node, then out port; -1 = not to a switch
  std::vector<std::vector<int>> end_nodes_;  // by switch
  std::vector<TracedPath> paths_;
};

}  // namespace

std::vector<TracedPath> TracePaths(const SwitchFabric& fabric, const Topology& topology,
                                   const RoutingTables& tables, std::string_view who) {
  return Tracer(fabric, topology, tables, who).All();
}

}  // namespace lanecut
