// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/lft_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

// One line `0x0001 005 # ...` of a switch.
struct Entry {
  int node = -1;  // the switch
  Lid lid = 0;
  std::uint8_t port = 0;
  int line = 0;
};

// The number after `key` in a line, read as hexadecimal if it starts with 0x.
std::optional<std::uint64_t> NumberAfter(const std::string& line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string::npos) return std::nullopt;
  char* end = nullptr;
  const char* begin = line.c_str() + at + key.size();
  const std::uint64_t value = std::strtoull(begin, &end, 0);
  return end == begin ? std::nullopt : std::optional(value);
}

// A switch's port GUID is its node's, an end node's is one more.
std::optional<int> FindPortGuid(const Topology& topology, std::uint64_t guid) {
  for (std::uint64_t node_guid : {guid, guid - 1}) {
    const auto node = topology.FindGuid(node_guid);
    if (node && topology.node(*node).PortGuid() == guid) return node;
  }
  return std::nullopt;
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
  std::vector<int> owner(1, -1);  // by LID
  for (std::size_t i = 0; i < tables.lids.size(); ++i) {
    if (tables.lids[i] == 0) continue;
    const std::size_t end = tables.lids[i] + NumLids(topology, tables.lmc, i);
    owner.resize(std::max(owner.size(), end), -1);
    std::fill(owner.begin() + tables.lids[i], owner.begin() + static_cast<std::ptrdiff_t>(end),
              static_cast<int>(i));
  }
  for (int node : topology.switches()) {
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
  LftDump dump;
  dump.headers.resize(topology.nodes().size());
  std::vector<Lid> lids(topology.nodes().size(), 0);
  std::map<std::uint64_t, int> owners;
  std::vector<Entry> entries;
  int number = 0;
  int node = -1;
  const auto fail = [&](const std::string& problem, const std::string& expected) {
    throw RoutingError(fmt::format("{}:{}: {}; expected {}", file, number, problem, expected));
  };
  const auto set_lid = [&](int owner, std::uint64_t lid) {
    if (lids[owner] != 0 && lids[owner] != lid) {
      fail(fmt::format("\"{}\" has LIDs {} and {}", topology.node(owner).name, lids[owner], lid),
           "one LID (LMC 0)");
    }
    lids[owner] = static_cast<Lid>(lid);
    const int first = owners.try_emplace(lid, owner).first->second;
    if (lid != 0 && first != owner) {
      fail(fmt::format("LID {} belongs to \"{}\" and to \"{}\"", lid, topology.node(first).name,
                       topology.node(owner).name),
           "every LID once");
    }
  };
  std::string line;
  while (std::getline(in, line)) {
    ++number;
    if (line.starts_with("Unicast lids")) {
      const auto guid = NumberAfter(line, " guid ");
      const auto lid = NumberAfter(line, " Lid ");
      const auto found = guid ? topology.FindGuid(*guid) : std::nullopt;
      if (!found || !lid || !topology.IsSwitch(*found)) {
        fail("no such switch",
             "\"Unicast lids [..] of switch Lid n guid 0x..\" with a switch of the topology");
      }
      node = *found;
      set_lid(node, *lid);
      dump.headers[node] = number;
    } else if (line.starts_with("0x")) {
      unsigned lid = 0;
      unsigned port = 0;
      if (node < 0 || std::sscanf(line.c_str(), "%x %u", &lid, &port) != 2 || lid > 0xbfff ||
          port > 255) {
        fail("bad entry", "\"0x0001 005 # ..\" under a switch, LIDs to 0xbfff, ports to 255");
      }
      entries.push_back({node, static_cast<Lid>(lid), static_cast<std::uint8_t>(port), number});
      const auto guid = NumberAfter(line, " portguid ");
      if (!guid) continue;
      const auto owner = FindPortGuid(topology, *guid);
      if (!owner)
        fail(fmt::format("no node has port GUID {:#018x}", *guid), "a node of the topology");
      set_lid(*owner, lid);
    }
  }
  if (node < 0) fail("no switch in the file", "\"Unicast lids [..] of switch Lid n guid 0x..\"");
  dump.tables = EmptyTables(topology, lids);
  dump.lines.resize(lids.size());
  for (const Entry& entry : entries) {
    auto& lft = dump.tables.lft[entry.node];
    if (entry.lid >= lft.size()) lft.resize(entry.lid + 1, kUnreachablePort);
    lft[entry.lid] = entry.port;
    auto& lines = dump.lines[entry.node];
    if (entry.lid >= lines.size()) lines.resize(entry.lid + 1);
    lines[entry.lid] = entry.line;
  }
  dump.end = number;
  return dump;
}

RoutingTables ReadLftDump(const Topology& topology, std::istream& in, const std::string& file) {
  return ParseLftDump(topology, in, file).tables;
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
