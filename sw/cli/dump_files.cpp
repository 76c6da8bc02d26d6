// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/dump_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <sstream>
#include <system_error>

#include "sw/cli/commands.h"
#include "sw/cli/output_file.h"
#include "sw/routing/fdbs_dump.h"
#include "sw/routing/lft_dump.h"
#include "sw/routing/path_record_dump.h"
#include "sw/routing/sl2vl_dump.h"
#include "sw/topology/listing.h"

namespace lanecut {

void WriteDumpFiles(const Topology& topology, const RoutingTables& tables,
                    const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder)) {
    throw UsageError(fmt::format("--dumps {}: cannot be made; expected a folder", folder));
  }
  const auto write = [&](const char* name, const auto& print) {
    std::ostringstream text;
    print(text);
    WriteOutput((std::filesystem::path(folder) / name).string(), text.str(), std::cout);
  };
  const FabricListing listing{
      .topology = topology, .lids = tables.lids, .manager = topology.hcas().front()};
  write("opensm-lfts.dump", [&](std::ostream& out) { WriteLftDump(topology, tables, out); });
  write("opensm.fdbs", [&](std::ostream& out) { WriteFdbs(topology, tables, out); });
  write("opensm-sl2vl.dump", [&](std::ostream& out) { WriteSlToVlDump(topology, tables, out); });
  write("path-records.txt", [&](std::ostream& out) { WritePathRecordDump(topology, tables, out); });
  write("opensm-subnet.lst", [&](std::ostream& out) { WriteSubnetList(listing, out); });
  write("ibnetdiscover.net", [&](std::ostream& out) { WriteNetDiscover(listing, out); });
}

}  // namespace lanecut
