// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/lft_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/lft_entries.h"
#include "sw/routing/table_builder.h"
#include "sw/topology/opensm_order.h"

namespace lanecut {
namespace {

// The number after `key` in a line, read as hexadecimal if it starts with 0x.
std::optional<std::uint64_t> NumberAfter(const std::string& line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string::npos) return std::nullopt;
  char* end = nullptr;
  const char* begin = line.c_str() + at + key.size();
  const std::uint64_t value = std::strtoull(begin, &end, 0);
  return end == begin ? std::nullopt : std::optional(value);
}

// Every LID has an owner, and every port exists and has a cable.
void CheckEntries(const Topology& topology, const LftDump& dump, const std::string& file) {
  const auto& lids = dump.tables.lids;
  const auto fail = [&](int line, const std::string& problem, const std::string& expected) {
    throw RoutingError(fmt::format("{}:{}: {}; expected {}", file, line, problem, expected));
  };
  for (const int node : topology.switches()) {
    const Node& at = topology.node(node);
    if (dump.headers[node] == 0)
      fail(dump.end, fmt::format("no tables of {}", at.name), "all switches");
    for (std::size_t lid = 0; lid < dump.lines[node].size(); ++lid) {
      const int line = dump.lines[node][lid];
      if (line == 0) continue;
      if (lid == 0 || std::find(lids.begin(), lids.end(), lid) == lids.end()) {
        fail(line, fmt::format("no node has LID {}", lid), "a LID that a portguid names");
      }
      const int port = dump.tables.lft[node][lid];
      if (port != 0 && port != kUnreachablePort && !topology.PeerOf(node, port)) {
        fail(line, fmt::format("{} has no port {} with a cable", at.name, port),
             fmt::format("0 to {}, with a cable", at.num_ports));
      }
    }
  }
  for (const int node : topology.hcas()) {
    if (lids[node] == 0)
      fail(dump.end, fmt::format("no LID of {}", topology.node(node).name), "all end nodes");
  }
}

// The line to blame for a way that leads nowhere: of the entry with which it ends.
int LineOf(const Topology& topology, const LftDump& dump, const Path& path, int destination) {
  const Lid lid = dump.tables.lids[destination];
  int node = -1;
  if (!path.hops.empty()) {
    const Hop& last = path.hops.back();
    const auto peer = topology.PeerOf(last.node, last.out_port);
    node = peer && topology.IsSwitch(peer->node) ? peer->node : last.node;
  }
  if (node < 0 || !topology.IsSwitch(node)) return dump.end;
  const auto& lines = dump.lines[node];
  return lid < lines.size() && lines[lid] != 0 ? lines[lid] : dump.headers[node];
}

}  // namespace

void WriteLftDump(const Topology& topology, const RoutingTables& tables, std::ostream& out) {
  const std::vector<int> owner = OwnersOfLids(topology, tables);
  for (const int node : OpenSmOrder(topology)) {
    if (!topology.IsSwitch(node)) continue;
    const auto& lft = tables.lft[node];
    const std::size_t max_lid = lft.empty() ? 0 : lft.size() - 1;
    out << fmt::format("Unicast lids [0-{}] of switch Lid {} guid {:#018x} ('{}'):\n", max_lid,
                       tables.lids[node], topology.node(node).guid, topology.node(node).name);
    for (std::size_t lid = 1; lid < lft.size(); ++lid) {
      if (lft[lid] > topology.node(node).num_ports) continue;
      out << fmt::format("{:#06x} {:03} # ", lid, lft[lid]);
      if (owner[lid] < 0) {
        out << "unknown node and type\n";
        continue;
      }
      const Node& target = topology.node(owner[lid]);
      out << fmt::format("{} portguid {:#018x}: '{}'\n",
                         target.kind == NodeKind::kSwitch ? "Switch" : "Channel Adapter",
                         target.PortGuid(), target.name);
    }
    out << fmt::format("{} lids dumped\n", max_lid);
  }
}

LftDump ParseLftDump(const Topology& topology, std::istream& in, const std::string& file) {
  LftEntries entries(topology, file);
  int number = 0;
  std::string line;
  while (std::getline(in, line)) {
    ++number;
    if (line.starts_with("Unicast lids")) {
      const auto guid = NumberAfter(line, " guid ");
      const auto lid = NumberAfter(line, " Lid ");
      const auto found = guid ? topology.FindGuid(*guid) : std::nullopt;
      if (!found || !lid || !topology.IsSwitch(*found)) {
        entries.Fail(
            number, "no such switch",
            "\"Unicast lids [..] of switch Lid n guid 0x..\" with a switch of the topology");
      }
      entries.StartSwitch(*found, number);
      entries.SetLid(*found, *lid, number);
    } else if (line.starts_with("0x")) {
      unsigned lid = 0;
      unsigned port = 0;
      if (std::sscanf(line.c_str(), "%x %u", &lid, &port) != 2) {
        entries.Fail(number, "bad entry", "\"0x0001 005 # ..\"");
      }
      entries.Add(lid, port, number);
      const auto guid = NumberAfter(line, " portguid ");
      if (!guid) continue;
      const auto owner = topology.FindPortGuid(*guid);
      if (!owner) {
        entries.Fail(number, fmt::format("no node has port GUID {:#018x}", *guid),
                     "a node of the topology");
      }
      entries.SetLid(*owner, lid, number);
    }
  }
  return entries.Finish(number);
}

void CheckLftDump(const Topology& topology, const LftDump& dump, const std::string& file) {
  CheckEntries(topology, dump, file);
  const RoutingTables& tables = dump.tables;
  const DependencyGraph graph(topology, tables);
  if (graph.faults().empty()) return;
  const PathFault& fault = graph.faults().front();
  throw RoutingError(fmt::format(
      "{}:{}: {} does not reach {}: {}; expected tables that join all end nodes", file,
      LineOf(topology, dump, TracePath(topology, tables, fault.source, fault.destination),
             fault.destination),
      topology.node(fault.source).name, topology.node(fault.destination).name,
      PathEndName(fault.end)));
}

}  // namespace lanecut
