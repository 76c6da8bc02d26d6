// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/fdbs_dump.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/lft_entries.h"
#include "sw/topology/opensm_order.h"

namespace lanecut {
namespace {

constexpr std::string_view kHeader = "dump_ucast_routes: Switch ";

// The first port by which the way is no longer than `hops`.
int PortOfShortest(const Topology& topology, int node, const std::vector<int>& distance, int hops) {
  for (int port = 1; port <= topology.node(node).num_ports; ++port) {
    const auto peer = topology.PeerOf(node, port);
    if (peer && distance[peer->node] == hops - 1) return port;
  }
  return 0;
}

std::string Line(const Topology& topology, const RoutingTables& tables, int node, Lid lid,
                 int target, int port, const std::vector<int>& distance) {
  const Path path = TracePath(topology, tables, node, target, {lid, tables.sl[node][target]});
  if (path.end != PathEnd::kDelivered) return fmt::format("{:03}  : HOPS UNKNOWN", port);
  const int hops = static_cast<int>(path.hops.size());
  const int best = distance[node];
  std::string line = fmt::format("{:03}  : {:02}   : ", port, hops);
  if (hops == best) return line + "yes";
  return line + fmt::format("No {} hop path possible via port {}!", best,
                            PortOfShortest(topology, node, distance, best));
}

}  // namespace

void WriteFdbs(const Topology& topology, const RoutingTables& tables, std::ostream& out) {
  const std::vector<int> owner = OwnersOfLids(topology, tables);
  std::vector<std::vector<int>> distance;  // by node, then from node: cables
  distance.reserve(topology.nodes().size());
  for (int node = 0; node < static_cast<int>(topology.nodes().size()); ++node)
    distance.push_back(topology.HopsFrom(node));
  for (const int node : OpenSmOrder(topology)) {
    if (!topology.IsSwitch(node)) continue;
    const auto& lft = tables.lft[node];
    out << fmt::format("{}{:#018x}\nLID    : Port : Hops : Optimal\n", kHeader,
                       topology.node(node).guid);
    for (std::size_t lid = 1; lid < lft.size(); ++lid) {
      const int target = owner[lid];
      const bool leads = target >= 0 && lft[lid] <= topology.node(node).num_ports;
      out << fmt::format("0x{:04X} : ", lid)
          << (leads ? Line(topology, tables, node, static_cast<Lid>(lid), target, lft[lid],
                           distance[target])
                    : "UNREACHABLE")
          << '\n';
    }
  }
}

LftDump ParseFdbs(const Topology& topology, std::istream& in, const std::string& file) {
  LftEntries entries(topology, file);
  int number = 0;
  std::string line;
  while (std::getline(in, line)) {
    ++number;
    if (line.starts_with(kHeader)) {
      const std::uint64_t guid = std::strtoull(line.c_str() + kHeader.size(), nullptr, 16);
      const auto node = topology.FindGuid(guid);
      if (!node || !topology.IsSwitch(*node)) {
        entries.Fail(number, "no such switch",
                     "\"dump_ucast_routes: Switch 0x..\" with a switch of the topology");
      }
      entries.StartSwitch(*node, number);
    } else if (line.starts_with("0x") && line.find("UNREACHABLE") == std::string::npos) {
      unsigned lid = 0;
      unsigned port = 0;
      if (std::sscanf(line.c_str(), "%x : %u", &lid, &port) != 2) {
        entries.Fail(number, "bad entry", "\"0x0001 : 005  : 01   : yes\"");
      }
      entries.Add(lid, port, number);
    }
  }
  for (const LftEntries::Entry& entry : entries.entries()) {
    const auto peer = topology.PeerOf(entry.node, entry.port);
    if (entry.port == 0) {
      entries.SetLid(entry.node, entry.lid, entry.line);
    } else if (peer && !topology.IsSwitch(peer->node)) {
      entries.SetLid(peer->node, entry.lid, entry.line);
    }
  }
  return entries.Finish(number);
}

}  // namespace lanecut
