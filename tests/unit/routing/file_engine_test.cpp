// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/file_engine.h"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>

#include "sw/routing/lft_dump.h"
#include "tests/unit/routing/fabrics.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {
namespace {

std::string DumpOf(const Topology& topology, const RoutingTables& tables) {
  std::ostringstream text;
  WriteLftDump(topology, tables, text);
  return text.str();
}

class FileEngineTest : public ::testing::Test {
 protected:
  FileEngine Read(const Topology& topology, const std::string& text) const {
    folder_.Write("t.lfts", text);
    return {topology, Lfts("t.lfts"), "file t.lfts"};
  }

  TableDumps Lfts(const char* name) const {
    return {.lfts = folder_.path() / name, .sl2vl = {}, .path_records = {}, .vls = 2};
  }

  // What is said after the folder; "none".
  std::string ErrorOf(const std::string& text) const {
    try {
      Read(mesh_, text);
    } catch (const RoutingError& error) {
      return std::string(error.what()).substr(folder_.path().string().size() + 1);
    }
    return "none";
  }

  // The dump of the mesh S0 - S1 - S2 with one replacement: every line that fits the pattern.
  std::string With(const std::string& pattern, const std::string& text) const {
    return std::regex_replace(DumpOf(mesh_, ComputeRouting("updown", mesh_, 1)),
                              std::regex(pattern), text);
  }

  const TemporaryFolder folder_;
  const Topology mesh_ = BuildMesh(Sizes{3}, 1);  // LIDs: S0 1, S1 2, S2 3, H0_0 4, ...
};

// Whatever LIDs the manager assigns.
TEST_F(FileEngineTest, TablesAreThoseOfTheFileForOtherLids) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const Topology t = RandomFabric(seed);
    const RoutingTables tables = ComputeRouting("updown", t, 2);
    const FileEngine engine = Read(t, DumpOf(t, tables));
    EXPECT_EQ(engine.name(), "file t.lfts");
    EXPECT_EQ(engine.Compute({t, SequentialLids(t), 2, {}}), tables);
    std::vector<Lid> lids = SequentialLids(t);
    std::reverse(lids.begin(), lids.end());
    const RoutingTables other = engine.Compute({t, lids, 2, {}});
    for (const int node : t.switches()) {
      for (std::size_t target = 0; target < lids.size(); ++target) {
        EXPECT_EQ(other.lft[node][lids[target]], tables.lft[node][tables.lids[target]]);
      }
    }
  }
}

TEST_F(FileEngineTest, NothingGoesOverALinkThatIsGone) {
  const FileEngine engine = Read(mesh_, With("^$", ""));
  const Topology part = mesh_.Without(std::vector<int>{mesh_.PeerOf(0, 1)->cable});
  const RoutingTables tables = engine.Compute({part, SequentialLids(part), 1, {}});
  EXPECT_EQ(tables.lft[0][5], kUnreachablePort);
  EXPECT_EQ(tables.lft[0][4], 3);
}

TEST_F(FileEngineTest, WhatIsWrongHasALine) {
  EXPECT_EQ(ErrorOf(With("^$", "")), "none");
  EXPECT_EQ(ErrorOf(With("0x0005 001", "0x0005 009")),
            "t.lfts:6: S0 has no port 9 with a cable; expected 0 to 3, with a cable");
  EXPECT_EQ(ErrorOf(With("0x0005 001", "0x0005 002")),
            "t.lfts:6: S0 has no port 2 with a cable; expected 0 to 3, with a cable");
  EXPECT_EQ(ErrorOf(With("6 lids dumped", "0x0009 001\n6 lids dumped")),
            "t.lfts:8: no node has LID 9; expected a LID that a portguid names");
  EXPECT_EQ(ErrorOf(With("0x0006 001[^\\n]*", "# nothing")),
            "t.lfts:1: H0_0 does not reach H2_0: unreachable; expected tables that join all end "
            "nodes");
  EXPECT_EQ(ErrorOf(With("0x0006 001", "0x0006 002")),
            "t.lfts:7: S0 has no port 2 with a cable; expected 0 to 3, with a cable");
  EXPECT_EQ(ErrorOf(With("0x0004 002", "0x0004 003")),
            "t.lfts:13: H1_0 does not reach H0_0: misdelivered; expected tables that join all end "
            "nodes");
  EXPECT_EQ(ErrorOf(With("Unicast lids[^\\n]*'S2'[^]*", "")),
            "t.lfts:16: no tables of S2; expected all switches");
}

TEST_F(FileEngineTest, LidsBelongToOneNode) {
  const std::string head = "Unicast lids [0-4] of switch Lid 1 guid 0x4c43000000010000 ('S0'):\n";
  EXPECT_EQ(ErrorOf(head + "0x0001 001 # Switch portguid 0x4c43000000010001: 'S1'\n"),
            "t.lfts:2: LID 1 belongs to \"S0\" and to \"S1\"; expected every LID once");
}

TEST_F(FileEngineTest, AFileThatIsNotThere) {
  EXPECT_THROW(FileEngine(mesh_, Lfts("none"), "x"), RoutingError);
}

}  // namespace
}  // namespace lanecut
