// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/lft_dump.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

TEST(LftDump, Looks) {
  const Topology t = BuildMesh(Sizes{2}, 1);
  std::ostringstream out;
  WriteLftDump(t, ComputeRouting("updown", t, 1), out);
  EXPECT_EQ(out.str(),
            "Unicast lids [0-4] of switch Lid 1 guid 0x4c43000000010000 ('S0'):\n"
            "0x0001 000 # Switch portguid 0x4c43000000010000: 'S0'\n"
            "0x0002 001 # Switch portguid 0x4c43000000010001: 'S1'\n"
            "0x0003 003 # Channel Adapter portguid 0x4c43000000020001: 'H0_0'\n"
            "0x0004 001 # Channel Adapter portguid 0x4c43000000020002: 'H1_0'\n"
            "4 lids dumped\n"
            "Unicast lids [0-4] of switch Lid 2 guid 0x4c43000000010001 ('S1'):\n"
            "0x0001 002 # Switch portguid 0x4c43000000010000: 'S0'\n"
            "0x0002 000 # Switch portguid 0x4c43000000010001: 'S1'\n"
            "0x0003 002 # Channel Adapter portguid 0x4c43000000020001: 'H0_0'\n"
            "0x0004 003 # Channel Adapter portguid 0x4c43000000020002: 'H1_0'\n"
            "4 lids dumped\n");
}

TEST(LftDump, RoundTrip) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    const Topology t = RandomFabric(seed);
    const RoutingTables tables = ComputeRouting("updown", t, 1);
    std::stringstream text;
    WriteLftDump(t, tables, text);
    const RoutingTables back = ParseLftDump(t, text, "t.dump").tables;
    EXPECT_EQ(back.lids, tables.lids);
    EXPECT_EQ(back.lft, tables.lft);
    ExpectNoDeadlock(t, back);
  }
}

TEST(LftDump, UnreachableLidsHaveNoLine) {
  const Topology whole = BuildMesh(Sizes{2}, 1);
  const Topology t = whole.Without(std::vector<int>{whole.PeerOf(0, 1)->cable});
  std::stringstream text;
  WriteLftDump(t, ComputeRouting("updown", t, 1), text);
  EXPECT_EQ(text.str().find("0x0002 "), text.str().rfind("0x0002 "));
  const RoutingTables back = ParseLftDump(t, text, "t.dump").tables;
  EXPECT_EQ(back.lft[0][2], kUnreachablePort);
}

std::string ErrorOf(const std::string& text) {
  const Topology t = BuildMesh(Sizes{2}, 1);
  std::istringstream in(text);
  try {
    ParseLftDump(t, in, "t.dump");
  } catch (const RoutingError& error) {
    return error.what();
  }
  return "none";
}

TEST(LftDump, Errors) {
  const std::string head = "Unicast lids [0-4] of switch Lid 1 guid 0x4c43000000010000 ('S0'):\n";
  EXPECT_EQ(ErrorOf(head + "0x0002 001\n"), "none");
  EXPECT_EQ(ErrorOf("").find("t.dump:0: no switch in the file; expected"), 0u);
  EXPECT_EQ(ErrorOf("Unicast lids [0-4] of switch Lid 1 guid 0x5 ('X'):\n")
                .find("t.dump:1: no such switch"),
            0u);
  EXPECT_EQ(ErrorOf("0x0002 001 # x\n").find("t.dump:1: bad entry"), 0u);
  EXPECT_EQ(ErrorOf(head + "0x0002 300 # x\n").find("t.dump:2: bad entry"), 0u);
  EXPECT_EQ(ErrorOf(head + "0x0002 001 # Switch portguid 0x7: 'Y'\n")
                .find("t.dump:2: no node has port GUID"),
            0u);
  EXPECT_EQ(ErrorOf(head + "0x0002 001 # Switch portguid 0x4c43000000010000: 'S0'\n")
                .find("t.dump:2: \"S0\" has LIDs 1 and 2; expected one LID"),
            0u);
}

}  // namespace
}  // namespace lanecut
