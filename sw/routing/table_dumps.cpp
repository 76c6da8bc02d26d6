// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/table_dumps.h"

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "sw/routing/fdbs_dump.h"
#include "sw/routing/lft_dump.h"
#include "sw/routing/path_record_dump.h"
#include "sw/routing/sl2vl_dump.h"

namespace lanecut {
namespace {

std::ifstream Open(const std::filesystem::path& path, std::string_view what) {
  std::ifstream stream(path);
  if (!stream) {
    throw RoutingError(fmt::format("{}:0: cannot be read; expected {}", path.string(), what));
  }
  return stream;
}

LftDump ReadLfts(const Topology& topology, const std::filesystem::path& path) {
  std::ifstream stream = Open(path, "forwarding tables as lanecut route --dump writes them");
  std::string first;
  std::getline(stream, first);
  stream.clear();
  stream.seekg(0);
  return first.starts_with("dump_ucast_routes") ? ParseFdbs(topology, stream, path.string())
                                                : ParseLftDump(topology, stream, path.string());
}

LftDump ReadAll(const Topology& topology, const TableDumps& dumps) {
  LftDump lfts = ReadLfts(topology, dumps.lfts);
  if (!dumps.sl2vl.empty()) {
    std::ifstream stream = Open(dumps.sl2vl, "SLtoVL tables as in opensm-sl2vl.dump");
    ReadSlToVlDump(topology, stream, dumps.sl2vl.string(), dumps.vls, &lfts.tables);
  }
  if (!dumps.path_records.empty()) {
    std::ifstream stream = Open(dumps.path_records, "path records as saquery prints them");
    ReadPathRecordDump(topology, stream, dumps.path_records.string(), &lfts.tables);
  }
  return lfts;
}

}  // namespace

RoutingTables ReadTableDumps(const Topology& topology, const TableDumps& dumps) {
  return ReadAll(topology, dumps).tables;
}

RoutingTables ReadWorkingTableDumps(const Topology& topology, const TableDumps& dumps) {
  const LftDump lfts = ReadAll(topology, dumps);
  CheckLftDump(topology, lfts, dumps.lfts.string());
  return lfts.tables;
}

}  // namespace lanecut
