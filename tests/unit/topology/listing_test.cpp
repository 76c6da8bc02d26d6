// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/listing.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <set>
#include <sstream>
#include <string>

#include "sw/topology/netlist.h"

namespace lanecut {
namespace {

FabricListing ListingOf(const Topology& topology) {
  std::vector<std::uint16_t> lids(topology.nodes().size());
  std::iota(lids.begin(), lids.end(), 1);
  return {.topology = topology, .lids = lids, .manager = topology.hcas().front()};
}

std::string SubnetList(const Topology& topology) {
  std::ostringstream out;
  WriteSubnetList(ListingOf(topology), out);
  return out.str();
}

std::string NetDiscover(const Topology& topology) {
  std::ostringstream out;
  WriteNetDiscover(ListingOf(topology), out);
  return out.str();
}

// Cables by names, whatever the order.
std::set<std::string> Cables(const Topology& t) {
  std::set<std::string> cables;
  for (std::size_t i = 0; i < t.nodes().size(); ++i) {
    const Node& node = t.nodes()[i];
    for (int port = 1; port <= node.num_ports; ++port) {
      const auto peer = t.PeerOf(static_cast<int>(i), port);
      if (!peer) continue;
      cables.insert(node.name + "/" + std::to_string(node.guid) + "/" +
                    std::to_string(node.num_ports) + ":" + std::to_string(port) + "-" +
                    t.node(peer->node).name + ":" + std::to_string(peer->port));
    }
  }
  return cables;
}

Topology Read(const std::string& text) {
  std::istringstream in(text);
  return ReadNetlist(in, "t");
}

std::string ErrorOf(const std::string& text) {
  try {
    Read(text);
  } catch (const NetlistError& error) {
    return error.what();
  }
  return "none";
}

constexpr std::array kSizes = {4, 4};

TEST(Listing, SubnetListLooks) {
  const std::string text = SubnetList(BuildTorus(kSizes, 2));
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "{ SW Ports:06 SystemGUID:4c43000000010000 NodeGUID:4c43000000010000 "
            "PortGUID:4c43000000010000 VenID:004C43 DevID:4C43 Rev:00000001 {S0_0} LID:0001 PN:01 "
            "} { SW Ports:06 SystemGUID:4c43000000010001 NodeGUID:4c43000000010001 "
            "PortGUID:4c43000000010001 VenID:00004C43 DevID:4C430000 Rev:00000001 {S1_0} LID:0002 "
            "PN:02 } PHY=1x LOG=ACT SPD=2.5");
  EXPECT_NE(text.find("\n{ CA-SM Ports:01 SystemGUID:4c43000000020000 NodeGUID:4c43000000020000 "
                      "PortGUID:4c43000000020001 VenID:004C43 DevID:0002 Rev:00000000 {H0_0_0} "
                      "LID:0011 PN:01 } { SW "),
            std::string::npos);
}

TEST(Listing, NetDiscoverLooks) {
  const std::string text = NetDiscover(BuildTorus(kSizes, 2));
  EXPECT_NE(text.find("\n\nvendid=0x4c43\ndevid=0x4c43\nsysimgguid=0x4c43000000010005\n"
                      "switchguid=0x4c43000000010005(4c43000000010005)\n"
                      "Switch\t6 \"S-4c43000000010005\"\t\t# \"S1_1\" base port 0 lid 6 lmc 0\n"
                      "[1]\t\"S-4c43000000010006\"[2]\t\t# \"S2_1\" lid 7 1xSDR\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("[5]\t\"H-4c4300000002000a\"[1](4c4300000002000b) \t\t# \"H1_1_0\" lid 27 "
                      "1xSDR\n"),
            std::string::npos);
  EXPECT_NE(text.find("caguid=0x4c4300000002001f\nCa\t1 \"H-4c4300000002001f\"\t\t# \"H3_3_1\"\n"
                      "[1](4c43000000020020) \t\"S-4c4300000001000f\"[6]\t\t# lid 48 lmc 0 "
                      "\"S3_3\" lid 16 1xSDR\n"),
            std::string::npos);
}

TEST(Listing, BothAreReadBack) {
  for (const Topology& t : {BuildTorus(kSizes, 2), BuildMesh(std::vector<int>{2, 3}, 1)}) {
    EXPECT_EQ(Cables(Read(SubnetList(t))), Cables(t));
    EXPECT_EQ(Cables(Read(NetDiscover(t))), Cables(t));
    EXPECT_TRUE(Read(SubnetList(t)).grid().has_value());
  }
}

TEST(Listing, SubnetListErrors) {
  const std::string text = SubnetList(BuildMesh(std::vector<int>{2}, 1));
  const auto with = [&](const std::string& what, const std::string& by) {
    std::string changed = text;
    const std::size_t at = changed.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return ErrorOf(changed.replace(at, what.size(), by));
  };
  EXPECT_EQ(ErrorOf(text), "none");
  EXPECT_EQ(with("{ SW", "{ XY").find("t:1: neither SW nor CA; expected"), 0u);
  EXPECT_EQ(with("Ports:", "Prts:").find("t:1: \"Ports:\" is missing"), 0u);
  EXPECT_EQ(with("PN:01 }", "PN:xx }").find("t:1: bad number after \"PN:\""), 0u);
  EXPECT_EQ(with("{S0} ", "").find("t:1: a node's name is missing"), 0u);
  EXPECT_EQ(with("} { SW", "} x SW").find("t:1: the far end is missing"), 0u);
  EXPECT_EQ(with("PN:01 }", "PN:0A }").find("t:1: \"S-4c43000000010000\" has no port 10"), 0u);
  // Without its last line one cable has one end.
  EXPECT_NE(ErrorOf(text.substr(0, text.rfind("{ CA"))).find("one-sided cable"), std::string::npos);
}

}  // namespace
}  // namespace lanecut
