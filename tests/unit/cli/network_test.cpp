// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/network.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "sw/routing/lft_dump.h"
#include "sw/scenario/reader.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {
namespace {

constexpr std::string_view kTorus =
    "[topology]\nkind = \"torus\"\nsize = [2, 4]\nnodes_per_switch = 2\n";

std::string ErrorOf(const std::vector<std::string>& overrides) {
  try {
    const Scenario scenario = ParseScenario(kTorus, "s.toml", overrides);
    CheckAgainstTopology(scenario, BuildTopology(scenario));
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return {};
}

TEST(NetworkTest, BuildsWhatTheScenarioSays) {
  const Topology torus = BuildTopology(ParseScenario(kTorus, "s.toml"));
  EXPECT_EQ(torus.switches().size(), 8u);
  EXPECT_EQ(torus.hcas().size(), 16u);
  EXPECT_EQ(torus.cables().size(), 16u + 16u);
  const Topology mesh = BuildTopology(ParseScenario(kTorus, "s.toml", {"topology.kind=mesh"}));
  EXPECT_EQ(mesh.cables().size(), 4u + 6u + 16u);
  const Topology netlist =
      BuildTopology(ReadScenario(LANECUT_ROOT "/scenarios/netlist-irregular16.toml"));
  EXPECT_EQ(netlist.switches().size(), 16u);
}

TEST(NetworkTest, FindsPortsByName) {
  const Topology torus = BuildTopology(ParseScenario(kTorus, "s.toml"));
  const auto port = FindPort(torus, "S1_2:4");
  ASSERT_TRUE(port);
  EXPECT_EQ(torus.node(port->node).name, "S1_2");
  EXPECT_EQ(port->port, 4);
  for (const char* name :
       {"", ":", "S1_2", "S1_2:", "S1_2:0", "S1_2:99", "S1_2:x", "S1_2:1x", "S9_9:1", "S1_2:-1"}) {
    EXPECT_FALSE(FindPort(torus, name)) << name;
  }
}

TEST(NetworkTest, NamesMustExist) {
  EXPECT_EQ(ErrorOf({}), "");
  EXPECT_EQ(ErrorOf({"routing.root=S1_3", "manager.node=H0_2_1", "fault.0.kind=cut",
                     "fault.0.link=S1_3:1", "fault.0.at_cycle=5"}),
            "");
  EXPECT_EQ(ErrorOf({"routing.root=S4_4"}),
            "--set routing.root=S4_4: routing.root = \"S4_4\" is no switch of this topology; "
            "expected one of S0_0, S1_0, S0_1, S1_1, ...");
  EXPECT_EQ(ErrorOf({"routing.after_fault_root=H0_0_0"}),
            "--set routing.after_fault_root=H0_0_0: routing.after_fault_root = \"H0_0_0\" is no "
            "switch of this topology; expected one of S0_0, S1_0, S0_1, S1_1, ...");
  EXPECT_EQ(ErrorOf({"manager.node=S0_0"}),
            "--set manager.node=S0_0: manager.node = \"S0_0\" is no end node of this topology; "
            "expected one of H0_0_0, H0_0_1, H1_0_0, H1_0_1, ...");
  EXPECT_EQ(ErrorOf({"manager.standby=H1_1_0"}), "");
  EXPECT_EQ(ErrorOf({"manager.standby=H9"}),
            "--set manager.standby=H9: manager.standby = \"H9\" is no end node of this topology; "
            "expected one of H0_0_0, H0_0_1, H1_0_0, H1_0_1, ...");
  EXPECT_EQ(ErrorOf({"manager.standby=H0_0_0"}),
            "--set manager.standby=H0_0_0: manager.standby = \"H0_0_0\" is the manager's own end "
            "node; expected another end node");
  EXPECT_EQ(ErrorOf({"fault.0.kind=cut", "fault.0.at_cycle=5", "fault.0.link=S0_0:7"}),
            "--set fault.0.link=S0_0:7: fault.0.link = \"S0_0:7\": there is no such link; expected "
            "a node and one of its cabled ports, like \"S0_0:1\"");
}

TEST(NetworkTest, TrafficNeedsTwoEndNodes) {
  const auto check = [](const char* load) {
    Topology one;
    const int node = one.AddNode(NodeKind::kSwitch, "S0", 4);
    one.AddCable({node, 1}, {one.AddNode(NodeKind::kHca, "H0", 1), 1});
    const Scenario s = ParseScenario(kTorus, "s.toml", {std::string("traffic.load=") + load});
    CheckAgainstTopology(s, one);
  };
  EXPECT_THROW(check("0.1"), ScenarioError);
  EXPECT_NO_THROW(check("0"));
}

TEST(NetworkTest, TablesFromAFileMustFit) {
  const TemporaryFolder folder;
  const Topology torus = BuildTopology(ParseScenario(kTorus, "s.toml"));
  const RoutingTables tables =
      FindRoutingEngine("updown").Compute({torus, SequentialLids(torus), 2, {}});
  std::ostringstream dump;
  WriteLftDump(torus, tables, dump);
  folder.Write("good", dump.str());
  folder.Write("bad", "0x0001 1\n");
  const auto file = [&](const std::string& name) {
    return std::vector<std::string>{"routing.engine=file",
                                    "routing.file=" + (folder.path() / name).string()};
  };
  EXPECT_EQ(ErrorOf(file("good")), "");
  const std::string error = ErrorOf(file("bad"));
  EXPECT_EQ(error.find((folder.path() / "bad").string() + ":1: bad entry; expected "), 0u) << error;
  EXPECT_NE(ErrorOf({"change.0.kind=reroute", "change.0.engine=file", "change.0.at_cycle=1",
                     "change.0.file=" + (folder.path() / "bad").string()}),
            "");
}

}  // namespace
}  // namespace lanecut
