// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/netlist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace lanecut {
namespace {

Topology Read(const std::string& text) {
  std::istringstream in(text);
  return ReadNetlist(in, "t.net");
}

// The whole message of the error that the text must cause.
std::string ErrorOf(const std::string& text) {
  try {
    Read(text);
  } catch (const NetlistError& error) {
    return error.what();
  }
  return "no error";
}

void ExpectError(const std::string& text, int line, const std::string& problem,
                 const std::string& expected) {
  const std::string message = ErrorOf(text);
  EXPECT_EQ(message.find("t.net:" + std::to_string(line) + ": "), 0u) << message;
  EXPECT_NE(message.find(problem), std::string::npos) << message;
  EXPECT_NE(message.find("; expected " + expected), std::string::npos) << message;
}

constexpr char kPair[] =
    "Switch 8 \"A\"\n"  // 1
    "[1] \"B\"[2]\n"    // 2
    "[3] \"H\"[1]\n"    // 3
    "\n"                // 4
    "Switch 8 \"B\"\n"  // 5
    "[2] \"A\"[1]\n"    // 6
    "\n"                // 7
    "Ca 1 \"H\"\n"      // 8
    "[1] \"A\"[3]\n";   // 9

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, what.size(), by);
}

TEST(Netlist, ReadsIbsimFiles) {
  const Topology t = Read(kPair);
  ASSERT_EQ(t.nodes().size(), 3u);
  EXPECT_EQ(t.node(0).name, "A");
  EXPECT_EQ(t.node(0).num_ports, 8);
  EXPECT_EQ(t.node(2).kind, NodeKind::kHca);
  ASSERT_EQ(t.cables().size(), 2u);
  EXPECT_EQ(t.cables()[0], (Cable{{0, 1}, {1, 2}}));
  EXPECT_EQ(t.cables()[1], (Cable{{0, 3}, {2, 1}}));
  EXPECT_FALSE(t.grid());
}

TEST(Netlist, ReadsWhatIbnetdiscoverPrints) {
  const Topology t = Read(
      "#\n# Topology file: generated on some day\n#\n\n"
      "vendid=0x2c9\ndevid=0xb924\nsysimgguid=0x200000\n"
      "switchguid=0x200001(200001)\n"
      "Switch\t36 \"S-0000000000200001\"\t\t# \"leaf one\" base port 0 lid 6 lmc 0\n"
      "[1]\t\"H-0000000000100001\"[1](100002) \t\t# \"node HCA-1\" lid 4 4xSDR\n"
      "[2]\t\"H-0000000000300001\"[1](300002) \t\t# \"node HCA-1\" lid 5 4xSDR\n\n"
      "vendid=0x2c9\ncaguid=0x100001\n"
      "Ca\t2 \"H-0000000000100001\"\t\t# \"node HCA-1\"\n"
      "[1](100002) \t\"S-0000000000200001\"[1]\t\t# lid 4 lmc 0 \"leaf one\" lid 6 4xSDR\n\n"
      "caguid=0x300001\n"
      "Hca\t1 \"H-0000000000300001\"\t\t# \"node HCA-1\"\n"
      "[1](300002) \t\"S-0000000000200001\"[2]\r\n");
  ASSERT_EQ(t.nodes().size(), 3u);
  EXPECT_EQ(t.node(0).name, "leaf one");
  EXPECT_EQ(t.node(0).guid, 0x200001u);
  EXPECT_EQ(t.node(0).num_ports, 36);
  EXPECT_EQ(t.node(1).name, "H-0000000000100001") << "a name that two nodes share is not used";
  EXPECT_EQ(t.node(1).guid, 0x100001u);
  EXPECT_EQ(t.node(1).num_ports, 1);
  EXPECT_EQ(t.cables().size(), 2u);
}

TEST(Netlist, OneSidedCable) {
  ExpectError(Replaced(kPair, "[2] \"A\"[1]\n", "\n"), 2,
              "one-sided cable: port 2 of \"B\" has no line", "[2] \"A\"[1] at \"B\"");
  ExpectError(Replaced(kPair, "[2] \"A\"[1]", "[2] \"A\"[4]"), 2,
              "one-sided cable: line 6 says that port 2 of \"B\" goes to port 4 of \"A\"",
              "[2] \"A\"[1] at \"B\"");
  ExpectError(Replaced(kPair, "[1] \"A\"[3]\n", ""), 3, "one-sided cable", "[1] \"A\"[3] at \"H\"");
}

TEST(Netlist, PortOutOfRange) {
  ExpectError(Replaced(kPair, "[1] \"B\"", "[9] \"B\""), 2, "\"A\" has no port 9", "1 to 8");
  ExpectError(Replaced(kPair, "[1] \"B\"", "[0] \"B\""), 2, "\"A\" has no port 0", "1 to 8");
  ExpectError(Replaced(kPair, "\"B\"[2]", "\"B\"[12]"), 2, "\"B\" has no port 12", "1 to 8");
  ExpectError(Replaced(kPair, "[1] \"A\"[3]", "[2] \"A\"[3]"), 9, "\"H\" has no port 2",
              "1: end nodes");
}

TEST(Netlist, PortUsedTwice) {
  ExpectError(Replaced(kPair, "[3] \"H\"", "[1] \"H\""), 3, "port 1 of \"A\" stands on line 2",
              "one cable at a port");
  // Two ports that name the same far end: the second has no line that answers it.
  ExpectError(Replaced(kPair, "[3] \"H\"[1]", "[3] \"B\"[2]"), 3, "one-sided cable: line 6",
              "[2] \"A\"[3] at \"B\"");
}

TEST(Netlist, UnknownDuplicateAndSelf) {
  ExpectError(Replaced(kPair, "\"B\"[2]", "\"X\"[2]"), 2, "no node \"X\"", "a node's id");
  ExpectError(Replaced(kPair, "Switch 8 \"B\"", "Switch 8 \"A\""), 5, "node \"A\" stands on line 1",
              "every id once");
  ExpectError(Replaced(kPair, "\"B\"[2]", "\"A\"[2]"), 2, "\"A\" is cabled to itself",
              "another node");
  ExpectError("Ca 1 \"G\"\n[1] \"H\"[1]\nCa 1 \"H\"\n[1] \"G\"[1]\n", 2,
              "end nodes \"G\" and \"H\"", "end nodes cabled to switches");
  ExpectError("switchguid=0x5\nSwitch 4 \"A\"\nswitchguid=0x5\nSwitch 4 \"B\"\n", 4,
              "GUID 0x0000000000000005", "1 to 254 ports");
}

TEST(Netlist, LinesThatAreNoNetlist) {
  ExpectError("Switch 8 \"A\"\nSwich 8 \"B\"\n", 2, "\"Swich\" is not known", "Switch, Ca, Hca");
  ExpectError("[1] \"A\"[1]\n", 1, "a port before any node", "Switch");
  ExpectError("Switch \"A\"\n", 1, "number of ports is missing", "such as");
  ExpectError("Switch 8 A\n", 1, "id is missing", "such as");
  ExpectError("Switch 8 \"A\n", 1, "id is missing", "such as");
  ExpectError("Switch 300 \"A\"\n", 1, "300 ports", "1 to 254");
  ExpectError("Ca 0 \"A\"\n", 1, "0 ports", "1 to 254");
  ExpectError("Switch 8 \"A\"\n[x] \"B\"[1]\n", 2, "bad port number", "such as");
  ExpectError("Switch 8 \"A\"\n[1] B[1]\n", 2, "far end is missing", "such as");
  ExpectError("Switch 8 \"A\"\n[1] \"B\"\n", 2, "bad port number at the far end", "such as");
  ExpectError("switchguid=12\n", 1, "bad GUID", "hexadecimal");
  ExpectError("# nothing\n", 2, "no node", "a line such as");
  EXPECT_THROW(ReadNetlistFile("/nowhere/at.all"), NetlistError);
}

TEST(Netlist, RoundTrip) {
  for (const Topology& t : {BuildTorus(std::vector{4, 3, 2}, 2), BuildMesh(std::vector{5}, 1),
                            ReadNetlistFile(LANECUT_NETLISTS "/irregular16.net")}) {
    std::stringstream text;
    WriteNetlist(t, text);
    const Topology back = ReadNetlist(text, "back.net");
    EXPECT_EQ(back.nodes(), t.nodes());
    EXPECT_EQ(back.grid(), t.grid());
    ASSERT_EQ(back.cables().size(), t.cables().size());
    for (const Cable& cable : t.cables()) {
      const auto peer = back.PeerOf(cable.a.node, cable.a.port);
      ASSERT_TRUE(peer);
      EXPECT_EQ((PortRef{peer->node, peer->port}), cable.b);
    }
    std::stringstream again;
    WriteNetlist(back, again);
    EXPECT_EQ(again.str(), text.str());
  }
}

TEST(Netlist, ReadyMadeFiles) {
  const TopologySummary pair = ReadNetlistFile(LANECUT_NETLISTS "/pair.net").Summarize();
  EXPECT_EQ(pair.switches, 2);
  EXPECT_EQ(pair.hcas, 4);
  EXPECT_TRUE(pair.connected);
  const Topology quad_parallel = ReadNetlistFile(LANECUT_NETLISTS "/quad-parallel.net");
  const TopologySummary quad = quad_parallel.Summarize();
  EXPECT_EQ(quad.switches, 4);
  EXPECT_EQ(quad.hcas, 8);
  EXPECT_EQ(quad.parallel_cables, 2);
  EXPECT_FALSE(quad_parallel.grid());
  const TopologySummary irregular =
      ReadNetlistFile(LANECUT_NETLISTS "/irregular16.net").Summarize();
  EXPECT_EQ(irregular.switches, 16);
  EXPECT_TRUE(irregular.connected);
  EXPECT_NE(irregular.min_degree, irregular.max_degree);
}

}  // namespace
}  // namespace lanecut
