// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/lft_entries.h"

#include <fmt/format.h>

#include "sw/routing/table_builder.h"

namespace lanecut {

LftEntries::LftEntries(const Topology& topology, const std::string& file)
    : topology_(topology),
      file_(file),
      headers_(topology.nodes().size(), 0),
      lids_(topology.nodes().size(), 0) {}

void LftEntries::Fail(int line, const std::string& problem, const std::string& expected) const {
  throw RoutingError(fmt::format("{}:{}: {}; expected {}", file_, line, problem, expected));
}

void LftEntries::StartSwitch(int node, int line) {
  node_ = node;
  headers_[node] = line;
}

void LftEntries::Add(unsigned lid, unsigned port, int line) {
  if (node_ < 0 || lid > kLastUnicastLid || port > kUnreachablePort) {
    Fail(line, "bad entry", "a LID and a port under a switch, LIDs to 0xbfff, ports to 255");
  }
  entries_.push_back({node_, static_cast<Lid>(lid), static_cast<std::uint8_t>(port), line});
}

void LftEntries::SetLid(int node, std::uint64_t lid, int line) {
  if (lids_[node] != 0 && lids_[node] != lid) {
    Fail(line,
         fmt::format("\"{}\" has LIDs {} and {}", topology_.node(node).name, lids_[node], lid),
         "one LID (LMC 0)");
  }
  lids_[node] = static_cast<Lid>(lid);
  const int first = owners_.try_emplace(lid, node).first->second;
  if (lid != 0 && first != node) {
    Fail(line,
         fmt::format("LID {} belongs to \"{}\" and to \"{}\"", lid, topology_.node(first).name,
                     topology_.node(node).name),
         "every LID once");
  }
}

LftDump LftEntries::Finish(int end) const {
  if (node_ < 0) {
    Fail(end, "no switch in the file", "opensm-lfts.dump or opensm.fdbs of this fabric");
  }
  LftDump dump;
  dump.headers = headers_;
  dump.tables = EmptyTables(topology_, lids_);
  dump.lines.resize(lids_.size());
  for (const Entry& entry : entries_) {
    auto& lft = dump.tables.lft[entry.node];
    if (entry.lid >= lft.size()) lft.resize(entry.lid + 1, kUnreachablePort);
    lft[entry.lid] = entry.port;
    auto& lines = dump.lines[entry.node];
    if (entry.lid >= lines.size()) lines.resize(entry.lid + 1);
    lines[entry.lid] = entry.line;
  }
  dump.end = end;
  return dump;
}

}  // namespace lanecut
