// SPDX-License-Identifier: Apache-2.0
//
// opensm.fdbs, opensm-sl2vl.dump, path records as saquery prints them, and all of them together.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <sstream>
#include <string>

#include "sw/routing/fdbs_dump.h"
#include "sw/routing/file_engine.h"
#include "sw/routing/path_record_dump.h"
#include "sw/routing/sl2vl_dump.h"
#include "tests/unit/routing/fabrics.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {
namespace {

std::string FdbsOf(const Topology& topology, const RoutingTables& tables) {
  std::ostringstream text;
  WriteFdbs(topology, tables, text);
  return text.str();
}

std::string SlToVlOf(const Topology& topology, const RoutingTables& tables) {
  std::ostringstream text;
  WriteSlToVlDump(topology, tables, text);
  return text.str();
}

std::string PathRecordsOf(const Topology& topology, const RoutingTables& tables) {
  std::ostringstream text;
  WritePathRecordDump(topology, tables, text);
  return text.str();
}

template <typename Read>
std::string ErrorOf(Read read) {
  try {
    read();
  } catch (const RoutingError& error) {
    return error.what();
  }
  return "none";
}

class Dumps : public ::testing::Test {
 protected:
  std::string Sl2VlError(const std::string& text, int vls = 2) {
    std::istringstream in(text);
    return ErrorOf([&] { ReadSlToVlDump(ring_, in, "t", vls, &tables_); });
  }
  std::string FdbsError(const std::string& text) const {
    std::istringstream in(text);
    return ErrorOf([&] { ParseFdbs(ring_, in, "t"); });
  }
  std::string PathError(const std::string& text) {
    std::istringstream in(text);
    return ErrorOf([&] { ReadPathRecordDump(ring_, in, "t", &tables_); });
  }

  // One in which VLs depend on ports: datelines.
  const Topology ring_ = BuildTorus(Sizes{4}, 1);
  RoutingTables tables_ = ComputeRouting("dor", ring_, 2);
  const TemporaryFolder folder_;
};

// With LMC an end node has several LIDs, and a way to each of them.
TEST(Fdbs, EveryLidOfARangeHasALine) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  RoutingRequest request{t, SequentialLids(t, 4), 2, {}};
  request.lmc = 4;
  request.paths = 2;
  request.sls = 4;
  const RoutingTables tables = FindRoutingEngine("tftr").Compute(request);
  const std::string text = FdbsOf(t, tables);
  const int source = t.switches()[0];
  const int destination = t.hcas().back();
  ASSERT_GT(tables.NumPaths(t.hcas()[0], destination), 1);
  const RoutingTables::PathRecord second = tables.PathOf(t.hcas()[0], destination, 1);
  ASSERT_NE(second.dlid, tables.lids[destination]);
  const std::string line =
      fmt::format("0x{:04X} : {:03}  : ", second.dlid, tables.lft[source][second.dlid]);
  const std::size_t at = text.find(line);
  ASSERT_NE(at, std::string::npos);
  EXPECT_TRUE(std::isdigit(text[at + line.size()])) << text.substr(at, 60);
}

TEST_F(Dumps, FdbsLook) {
  const Topology mesh = BuildMesh(Sizes{2}, 1);
  EXPECT_EQ(FdbsOf(mesh, ComputeRouting("updown", mesh, 1)),
            "dump_ucast_routes: Switch 0x4c43000000010000\n"
            "LID    : Port : Hops : Optimal\n"
            "0x0001 : 000  : 00   : yes\n"
            "0x0002 : 001  : 01   : yes\n"
            "0x0003 : 003  : 01   : yes\n"
            "0x0004 : 001  : 02   : yes\n"
            "dump_ucast_routes: Switch 0x4c43000000010001\n"
            "LID    : Port : Hops : Optimal\n"
            "0x0001 : 002  : 01   : yes\n"
            "0x0002 : 000  : 00   : yes\n"
            "0x0003 : 002  : 02   : yes\n"
            "0x0004 : 003  : 01   : yes\n");
}

TEST_F(Dumps, FdbsTellWhatIsNotOptimalOrNotReached) {
  // Between S2 and S4 not by S3, which has no way up that leads down again.
  const Topology ring = BuildTorus(Sizes{5}, 1);
  const std::string text = FdbsOf(ring, ComputeRouting("updown", ring, 1, 0));
  const std::regex detour(
      "0x[0-9A-F]{4} : 00[12]  : 0[34]   : No [23] hop path possible via port [12]!");
  EXPECT_TRUE(std::regex_search(text, detour)) << text;
  const Topology part = ring_.Without(std::vector<int>{ring_.PeerOf(4, 1)->cable});
  EXPECT_NE(FdbsOf(part, ComputeRouting("updown", part, 1)).find("0x0005 : UNREACHABLE\n"),
            std::string::npos);
}

TEST_F(Dumps, FdbsRoundTrip) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const Topology t = RandomFabric(seed);
    const RoutingTables tables = ComputeRouting("updown", t, 1);
    std::istringstream in(FdbsOf(t, tables));
    const LftDump back = ParseFdbs(t, in, "t");
    EXPECT_EQ(back.tables.lids, tables.lids);
    EXPECT_EQ(back.tables.lft, tables.lft);
    CheckLftDump(t, back, "t");
  }
}

TEST_F(Dumps, FdbsErrors) {
  const std::string head = "dump_ucast_routes: Switch 0x4c43000000010000\n";
  EXPECT_EQ(FdbsError(head + "0x0001 : 000  : 00   : yes\n0x0007 : UNREACHABLE\n"), "none");
  EXPECT_EQ(FdbsError("0x0001 : 000\n").find("t:1: bad entry; expected"), 0u);
  EXPECT_EQ(FdbsError("").find("t:0: no switch in the file"), 0u);
  EXPECT_EQ(FdbsError("dump_ucast_routes: Switch 0x7\n").find("t:1: no such switch"), 0u);
  EXPECT_EQ(FdbsError(head + "0x0001 : x\n").find("t:2: bad entry"), 0u);
  EXPECT_EQ(FdbsError(head + "0x0001 : 000\n0x0002 : 000\n")
                .find("t:3: \"S0\" has LIDs 1 and 2; expected one LID (LMC 0)"),
            0u);
}

TEST_F(Dumps, SlToVlRoundTrip) {
  const std::string text = SlToVlOf(ring_, tables_);
  EXPECT_EQ(text.find("Switch 0x4c43000000010000, base LID 1, \"S0\"\n"
                      "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
                      "#--------------------------------------------------------\n"
                      "0   1   : "),
            0u)
      << text;
  EXPECT_NE(text.find("Channel Adapter 0x4c43000000020001, base LID 5, \"H0_0\"\n"),
            std::string::npos);
  RoutingTables back = tables_;
  for (SlToVlTable& table : back.sl2vl) table = SlToVlTable(3);
  for (const int hca : ring_.hcas()) back.sl2vl[hca] = SlToVlTable(1);
  std::istringstream in(text);
  ReadSlToVlDump(ring_, in, "t", 2, &back);
  for (const int node : ring_.switches()) {
    for (int in_port = 0; in_port <= 3; ++in_port) {
      for (int out = 1; out <= 3; ++out) {
        EXPECT_EQ(back.sl2vl[node].At(in_port, out, 0), tables_.sl2vl[node].At(in_port, out, 0));
        EXPECT_EQ(back.sl2vl[node].At(in_port, out, 15), tables_.sl2vl[node].At(in_port, out, 15));
      }
    }
  }
  for (const int hca : ring_.hcas()) {
    EXPECT_EQ(back.sl2vl[hca].At(0, 1, 1), tables_.sl2vl[hca].At(0, 1, 1));
  }
}

// Port 2 of S0 has no cable.
TEST_F(Dumps, SlToVlOfPortsWithoutCable) {
  const Topology mesh = BuildMesh(Sizes{2}, 1);
  RoutingTables tables = ComputeRouting("updown", mesh, 1);
  const std::string text = SlToVlOf(mesh, tables);
  const std::string first = text.substr(0, text.find("\n\n"));
  EXPECT_NE(first.find("\n2   1   :"), std::string::npos);
  EXPECT_EQ(first.find("\n1   2   :"), std::string::npos);
  std::istringstream in(text);
  EXPECT_EQ(ErrorOf([&] { ReadSlToVlDump(mesh, in, "t", 1, &tables); }), "none");
}

TEST_F(Dumps, SlToVlErrors) {
  const std::string text = SlToVlOf(ring_, tables_);
  const auto with = [&](const std::string& what, const std::string& by) {
    return std::regex_replace(text, std::regex(what), by, std::regex_constants::format_first_only);
  };
  EXPECT_EQ(Sl2VlError(text), "none");
  EXPECT_NE(Sl2VlError(text, 1).find(" has VL 1; expected 0 to 0, or 15"), std::string::npos);
  EXPECT_EQ(Sl2VlError(with("\n0   1   : \\S+ ", "\n0   1   : 2 ")),
            "t:4: SL 0 has VL 2; expected 0 to 1, or 15");
  EXPECT_EQ(Sl2VlError(with("\n0   1   : \\S+ ", "\n0   1   : 15 ")), "none");
  EXPECT_EQ(Sl2VlError(with("\n0   1 ", "\n0   9 ")),
            "t:4: S0 has no ports 0 9; expected in 0 to 3, out 1 to 3");
  EXPECT_NE(Sl2VlError(with("\n1   2 [^\n]*", ""))
                .find(": no row of S0 ports 1 2; expected all in ports of every out port"),
            std::string::npos);
  EXPECT_EQ(Sl2VlError(with("\n1   2   :", "\n1   2   ;")).find("t:9: bad row"), 0u);
  EXPECT_EQ(Sl2VlError(with("Switch 0x4c43000000010000", "Switch 0x1")).find("t:1: no such node"),
            0u);
  EXPECT_EQ(Sl2VlError("0   0   : 0\n").find("t:1: bad row"), 0u);
}

TEST_F(Dumps, PathRecords) {
  const std::string text = PathRecordsOf(ring_, tables_);
  const SlMatrix sls = tables_.sl;
  tables_.sl.assign(sls.size(), std::vector<std::uint8_t>(sls.size(), 9));
  EXPECT_EQ(PathError(text), "none");
  for (const int source : ring_.hcas()) {
    for (const int destination : ring_.hcas()) {
      EXPECT_EQ(tables_.sl[source][destination],
                source == destination ? 9 : sls[source][destination]);
    }
  }
}

// As it really comes: with more fields.
TEST_F(Dumps, PathRecordsOfSaquery) {
  const std::string text =
      std::regex_replace(PathRecordsOf(ring_, tables_), std::regex("\t\tdlid"),
                         "\t\tservice_id..............0x0000000000000009\n"
                         "\t\tsgid....................fe80::4c43:0:2:2\n\t\tdlid");
  const SlMatrix sls = tables_.sl;
  EXPECT_EQ(PathError(text), "none");
  EXPECT_EQ(tables_.sl, sls);
}

TEST_F(Dumps, PathRecordErrors) {
  const std::string text = PathRecordsOf(ring_, tables_);
  const auto with = [&](const std::string& what, const std::string& by) {
    return PathError(std::regex_replace(text, std::regex(what), by));
  };
  EXPECT_EQ(with("slid\\.+6\n", "slid....................99\n"),
            "t:13: no node has LID 99; expected LIDs of the forwarding tables");
  EXPECT_EQ(with("(dlid\\.+6\n\t\tslid\\.+5\n\t\t)sl\\.", "$1xx."),
            "t:1: bad record; expected slid, dlid and an sl from 0 to 15");
  EXPECT_EQ(PathError("").find("t:0: no record from H0_0 to H1_0; expected"), 0u);
}

// Whatever LIDs the manager assigns: SLs and VLs come along.
TEST_F(Dumps, AnEngineOfAllFiles) {
  folder_.Write("opensm.fdbs", FdbsOf(ring_, tables_));
  folder_.Write("opensm-sl2vl.dump", SlToVlOf(ring_, tables_));
  folder_.Write("records.txt", PathRecordsOf(ring_, tables_));
  const FileEngine engine(ring_,
                          {.lfts = folder_.path() / "opensm.fdbs",
                           .sl2vl = folder_.path() / "opensm-sl2vl.dump",
                           .path_records = folder_.path() / "records.txt",
                           .vls = 2},
                          "file");
  std::vector<Lid> lids = SequentialLids(ring_);
  std::reverse(lids.begin(), lids.end());
  const RoutingTables other = engine.Compute({ring_, lids, 2, {}});
  ExpectNoDeadlock(ring_, other);
  for (const int source : ring_.hcas()) {
    for (const int destination : ring_.hcas()) {
      EXPECT_EQ(TracePath(ring_, other, source, destination).hops,
                TracePath(ring_, tables_, source, destination).hops);
    }
  }
}

}  // namespace
}  // namespace lanecut
