// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sw/topology/bisection.h"
#include "sw/topology/dot.h"
#include "sw/topology/netlist.h"

namespace lanecut {
namespace {

void ExpectPeer(const Topology& t, const char* name, int port, const char* peer, int peer_port) {
  const auto node = t.FindNode(name);
  ASSERT_TRUE(node) << name;
  const auto found = t.PeerOf(*node, port);
  ASSERT_TRUE(found) << name << " port " << port;
  EXPECT_EQ(t.node(found->node).name, peer) << name << " port " << port;
  EXPECT_EQ(found->port, peer_port) << name << " port " << port;
}

void ExpectRegular(const Topology& t, int switches, int degree, int diameter, int hcas) {
  const TopologySummary s = t.Summarize();
  EXPECT_EQ(s.switches, switches);
  EXPECT_EQ(s.min_degree, degree);
  EXPECT_EQ(s.max_degree, degree);
  EXPECT_EQ(s.diameter, diameter);
  EXPECT_EQ(s.hcas, hcas);
  EXPECT_EQ(s.parallel_cables, 0);
  EXPECT_TRUE(s.connected);
}

void ExpectBisection(const Topology& t, int cables, bool exact) {
  const Bisection found = FindBisection(t);
  EXPECT_EQ(found.cables, cables);
  EXPECT_EQ(found.exact, exact);
}

TEST(Families, Ring) {
  const Topology t = BuildRing(5, 2);
  ExpectRegular(t, 5, 2, 2, 10);
  EXPECT_EQ(t.nodes(), BuildTorus(std::vector<int>{5}, 2).nodes());
  ExpectBisection(t, 2, true);
}

TEST(Families, Hypercube) {
  const Topology t = BuildHypercube(4, 2);
  ExpectRegular(t, 16, 4, 4, 32);
  EXPECT_EQ(t.cables().size(), 16u * 4 / 2 + 32);
  ExpectPeer(t, "S0_1_1_0", 1, "S1_1_1_0", 1);
  ExpectPeer(t, "S0_1_1_0", 3, "S0_1_0_0", 3);
  ExpectPeer(t, "S0_1_1_0", 6, "H0_1_1_0_1", 1);
  EXPECT_TRUE(t.grid());
  ExpectBisection(t, 8, true);
}

TEST(Families, FullMesh) {
  const Topology t = BuildFullMesh(7, 3);
  ExpectRegular(t, 7, 6, 1, 21);
  ExpectPeer(t, "S2", 1, "S0", 2);
  ExpectPeer(t, "S2", 3, "S3", 3);
  ExpectPeer(t, "S2", 7, "H2_0", 1);
  ExpectBisection(t, 12, true);
}

TEST(Families, Dragonfly) {
  // The example of the paper: a = 4, p = h = 2, so 9 groups and 72 end nodes.
  const Topology t = BuildDragonfly({4, 2, {}}, 2);
  ExpectRegular(t, 36, 3 + 2, 3, 72);
  std::set<std::pair<std::string, std::string>> groups;
  for (const Cable& cable : t.cables()) {
    const std::string a = t.node(cable.a.node).name.substr(0, 2);
    const std::string b = t.node(cable.b.node).name.substr(0, 2);
    if (a[0] != 'D' || b[0] != 'D' || a == b) continue;
    EXPECT_TRUE(groups.insert({a, b}).second);
  }
  EXPECT_EQ(groups.size(), 9u * 8 / 2) << "one cable between any two groups";
  ExpectPeer(t, "D3_0", 1, "D3_1", 1);
  ExpectPeer(t, "D0_0", 4, "D1_0", 4);
  ExpectPeer(t, "D0_0", 5, "D2_0", 4);
  ExpectPeer(t, "D8_3", 5, "D7_3", 5);

  // Fewer groups: two cables between any two, none over.
  const TopologySummary few = BuildDragonfly({4, 2, 5}, 1).Summarize();
  EXPECT_EQ(few.switches, 20);
  EXPECT_EQ(few.min_degree, 5);
  EXPECT_EQ(few.max_degree, 5);
  // 8 ports to 3 other groups: two are left over.
  EXPECT_EQ(BuildDragonfly({4, 2, 4}, 1).Summarize().cables, 4 * 6 + 6 * 2 + 16);
}

TEST(Families, RandomRegular) {
  for (const auto& [switches, degree] :
       {std::pair{16, 3}, {20, 4}, {9, 2}, {10, 9}, {2, 1}, {64, 6}, {7, 4}}) {
    SCOPED_TRACE(switches);
    const Topology t = BuildRandomRegular(switches, degree, 2, 7);
    const TopologySummary s = t.Summarize();
    EXPECT_EQ(s.min_degree, degree);
    EXPECT_EQ(s.max_degree, degree);
    EXPECT_EQ(s.parallel_cables, 0);
    EXPECT_EQ(s.hcas, 2 * switches);
    EXPECT_TRUE(s.connected);
  }
  EXPECT_EQ(BuildRandomRegular(16, 4, 1, 1).cables(), BuildRandomRegular(16, 4, 1, 1).cables());
  EXPECT_NE(BuildRandomRegular(16, 4, 1, 1).cables(), BuildRandomRegular(16, 4, 1, 2).cables());
  // A random regular graph is an expander: the diameter of 256 switches with 8 links is 3 or 4,
  // that of the circulant graph it starts from is 32.
  EXPECT_LE(BuildRandomRegular(256, 8, 0, 1).Summarize().diameter, 4);
}

TEST(Families, KaryNtree) {
  const Topology t = BuildXgft(KaryNtree(4, 3));
  const TopologySummary s = t.Summarize();
  EXPECT_EQ(s.switches, 3 * 16);
  EXPECT_EQ(s.hcas, 64);
  EXPECT_EQ(s.cables, 3 * 64);
  EXPECT_EQ(s.diameter, 4);
  EXPECT_EQ(s.parallel_cables, 0);
  EXPECT_TRUE(s.connected);
  ExpectBisection(t, 32, true);
  // Between leaves: 0 hops within a leaf switch, 2 within a subtree, else 4.
  const std::vector<int> hops = t.HopsFrom(t.hcas()[0]);
  EXPECT_EQ(std::ranges::count(hops, 2) - 4, 3) << "three more at the leaf, four parents";
  EXPECT_EQ(std::ranges::count_if(t.hcas(), [&](int h) { return hops[h] == 2 + 2; }), 12);
  EXPECT_EQ(std::ranges::count_if(t.hcas(), [&](int h) { return hops[h] == 4 + 2; }), 48);
  ExpectPeer(t, "F1_0", 1, "H0", 1);
  ExpectPeer(t, "F1_5", 4, "H23", 1);
  ExpectPeer(t, "F1_5", 5, "F2_4", 2);
  ExpectPeer(t, "F1_5", 8, "F2_7", 2);
  EXPECT_EQ(t.node(*t.FindNode("F3_0")).num_ports, 4);
}

TEST(Families, Xgft) {
  // Half as many cables above the leaves as below.
  const XgftShape shape{{4, 6}, {1, 2}};
  const Topology t = BuildXgft(shape);
  EXPECT_EQ(t.hcas().size(), 24u);
  EXPECT_EQ(t.switches().size(), 6u + 2u);
  EXPECT_EQ(t.Summarize().diameter, 2);
  EXPECT_EQ(RecognizeXgft(t), shape);
  EXPECT_EQ(RecognizeXgft(BuildXgft(KaryNtree(2, 4))), KaryNtree(2, 4));
  EXPECT_EQ(RecognizeXgft(BuildXgft({{8}, {1}})), (XgftShape{{8}, {1}}));
  const int cut = t.PeerOf(*t.FindNode("F2_1"), 3)->cable;
  EXPECT_FALSE(RecognizeXgft(t.Without(std::vector<int>{cut})));
  EXPECT_FALSE(RecognizeXgft(BuildRing(4, 1)));
  ExpectBisection(t, 6, false);
  // Every end node of a three-level tree reaches every other one.
  EXPECT_TRUE(BuildXgft({{2, 3, 4}, {1, 2, 2}}).IsConnected());
}

TEST(Families, BisectionOfGrids) {
  const std::vector<int> square = {8, 8};
  ExpectBisection(BuildTorus(square, 1), 16, true);
  ExpectBisection(BuildMesh(square, 2), 8, true);
  ExpectBisection(BuildTorus(std::vector<int>{4, 6}, 1), 8, true);
  ExpectBisection(BuildTorus(std::vector<int>{2, 2}, 1), 4, true);
  ExpectBisection(BuildMesh(std::vector<int>{5}, 1), 1, true);
  EXPECT_FALSE(FindBisection(BuildTorus(std::vector<int>{5, 5}, 1)).exact);
  // 5x5 mesh: (25 - 1) / 4 = 6 is known; a bound is never below.
  EXPECT_GE(FindBisection(BuildMesh(std::vector<int>{5, 5}, 0)).cables, 6);
  // With a cable missing nothing is known, and the bound is no worse than what is left.
  const Topology torus = BuildTorus(square, 1);
  const Bisection cut = FindBisection(torus.Without(std::vector<int>{0}));
  EXPECT_FALSE(cut.exact);
  EXPECT_LE(cut.cables, 16 + 2);
}

TEST(Families, NetlistsRoundTrip) {
  for (const Topology& t :
       {BuildHypercube(3, 1), BuildFullMesh(5, 2), BuildDragonfly({3, 1, {}}, 1),
        BuildRandomRegular(12, 5, 1, 3), BuildXgft(KaryNtree(2, 3)), BuildRing(6, 1)}) {
    std::stringstream text;
    WriteNetlist(t, text);
    const Topology back = ReadNetlist(text, "t.net");
    EXPECT_EQ(back.nodes(), t.nodes());
    EXPECT_EQ(back.cables().size(), t.cables().size());
    EXPECT_EQ(back.Summarize().diameter, t.Summarize().diameter);
  }
}

TEST(Families, Dot) {
  std::ostringstream out;
  WriteDot(BuildRing(2, 1), out);
  EXPECT_EQ(out.str(),
            "graph fabric {\n"
            "  node [fontsize=10];\n"
            "  edge [fontsize=7];\n"
            "  \"S0\" [shape=box, pos=\"0,0\"];\n"
            "  \"S1\" [shape=box, pos=\"120,0\"];\n"
            "  \"H0_0\" [shape=plaintext];\n"
            "  \"H1_0\" [shape=plaintext];\n"
            "  \"S0\" -- \"S1\" [taillabel=\"1\", headlabel=\"2\"];\n"
            "  \"S1\" -- \"S0\" [taillabel=\"1\", headlabel=\"2\"];\n"
            "  \"S0\" -- \"H0_0\" [taillabel=\"3\", headlabel=\"1\"];\n"
            "  \"S1\" -- \"H1_0\" [taillabel=\"3\", headlabel=\"1\"];\n"
            "}\n");
}

TEST(Families, RefuseWhatCannotBe) {
  EXPECT_THROW(BuildRing(1, 1), std::invalid_argument);
  EXPECT_THROW(BuildHypercube(0, 1), std::invalid_argument);
  EXPECT_THROW(BuildFullMesh(1, 1), std::invalid_argument);
  EXPECT_THROW(BuildDragonfly({2, 1, 4}, 1), std::invalid_argument);
  EXPECT_THROW(BuildDragonfly({2, 0, {}}, 1), std::invalid_argument);
  EXPECT_THROW(BuildRandomRegular(5, 3, 1, 1), std::invalid_argument) << "15 cable ends";
  EXPECT_THROW(BuildRandomRegular(4, 4, 1, 1), std::invalid_argument);
  EXPECT_THROW(BuildRandomRegular(4, 1, 1, 1), std::invalid_argument) << "not connected";
  EXPECT_THROW(BuildXgft({{4, 4}, {1}}), std::invalid_argument);
  EXPECT_THROW(BuildXgft({{4, 4}, {2, 4}}), std::invalid_argument);
  EXPECT_THROW(BuildFullMesh(8, -1), std::invalid_argument);
}

}  // namespace
}  // namespace lanecut
