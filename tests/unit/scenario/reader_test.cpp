// SPDX-License-Identifier: Apache-2.0
#include "sw/scenario/reader.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/scenario/scenario_test_util.h"

namespace lanecut {
namespace {

TEST(ReaderTest, ReadsEveryKindOfValue) {
  const Scenario s = ParseScenario(R"(
name = "full"
seed = 42
[topology]
kind = "mesh"
size = [3, 5]
nodes_per_switch = 2
[link]
rate = "4x-sdr"
fly_cycles = 9
[switch]
vls = 4
buffer_bytes = 2_048
[routing]
engine = "dor"
allow_cyclic = true
[manager]
node = "H0_0_0"
trap = false
[traffic]
load = 0.25
[run]
warmup_cycles = 500
drain = false
[[fault]]
kind = "bit-errors"
link = "all"
at_cycle = 10
rate = 1e-4
[[fault]]
kind = "flap"
link = "S0_0:1"
after_warmup = 20
duration_cycles = 30
)",
                                   "dir/s.toml");
  EXPECT_EQ(s.name, "full");
  EXPECT_EQ(s.seed, 42u);
  EXPECT_EQ(s.topology.kind, TopologyKind::kMesh);
  EXPECT_EQ(s.topology.size, (std::vector<std::uint64_t>{3, 5}));
  EXPECT_EQ(s.topology.nodes_per_switch, 2u);
  EXPECT_EQ(s.link.rate, LinkRate::k4xSdr);
  EXPECT_EQ(s.link.fly_cycles, 9u);
  EXPECT_EQ(s.switches.vls, 4u);
  EXPECT_EQ(s.switches.buffer_bytes, 2048u);
  EXPECT_EQ(s.routing.engine, "dor");
  EXPECT_TRUE(s.routing.allow_cyclic);
  EXPECT_EQ(s.manager.node, "H0_0_0");
  EXPECT_FALSE(s.manager.trap);
  EXPECT_DOUBLE_EQ(s.traffic.load, 0.25);
  EXPECT_EQ(s.run.warmup_cycles, 500u);
  EXPECT_FALSE(s.run.drain);
  ASSERT_EQ(s.faults.size(), 2u);
  EXPECT_EQ(s.faults[0].kind, FaultKind::kBitErrors);
  EXPECT_EQ(s.faults[0].at_cycle, 10u);
  EXPECT_FALSE(s.faults[0].after_warmup);
  EXPECT_DOUBLE_EQ(s.faults[0].rate, 1e-4);
  EXPECT_EQ(s.faults[1].kind, FaultKind::kFlap);
  EXPECT_EQ(s.faults[1].link, "S0_0:1");
  EXPECT_EQ(s.faults[1].after_warmup, 20u);
  EXPECT_EQ(s.faults[1].duration_cycles, 30u);
}

TEST(ReaderTest, NameDefaultsToTheFile) {
  EXPECT_EQ(ParseScenario(kMinimal, "some/where/small.toml").name, "small");
}

TEST(ReaderTest, WholeNumberServesAsNumber) {
  EXPECT_DOUBLE_EQ(
      ParseScenario("[topology]\nkind = \"mesh\"\n[traffic]\nload = 1\n", "s.toml").traffic.load,
      1.0);
}

TEST(ReaderTest, DerivedTimes) {
  LinkScenario link;
  EXPECT_EQ(FlyCycles(link), 5u);  // 75 ns at 16 ns per cycle
  link.rate = LinkRate::k4xSdr;
  EXPECT_EQ(FlyCycles(link), 19u);
  link.cable_m = 0;
  EXPECT_EQ(FlyCycles(link), 1u);
  link.fly_cycles = 7;
  EXPECT_EQ(FlyCycles(link), 7u);
  EXPECT_EQ(NsPerCycle(LinkRate::k1xSdr), 16u);
  EXPECT_EQ(NsPerCycle(LinkRate::k4xSdr), 4u);
  EXPECT_EQ(PayloadBytes(TrafficScenario{}), 32u);
  EXPECT_EQ(PacketWords(TrafficScenario{}), 15u);
}

// A netlist is found beside the scenario, wherever the reader is started.
TEST(ReaderTest, NetlistIsSeenFromTheScenariosFolder) {
  const TemporaryFolder folder;
  folder.Write("a/nets/n.net", "");
  folder.Write("a/s.toml", "[topology]\nkind = \"netlist\"\nfile = \"nets/n.net\"\n");
  folder.Write("b/other.net", "");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path() / "b");
  const Scenario s = ReadScenario("../a/s.toml");
  const Scenario overridden = ReadScenario("../a/s.toml", {"topology.file=other.net"});
  const bool found = std::filesystem::exists(s.topology.path);
  const bool found_here = std::filesystem::exists(overridden.topology.path);
  std::filesystem::current_path(before);
  EXPECT_EQ(s.topology.file, "nets/n.net");
  EXPECT_TRUE(found) << s.topology.path;
  EXPECT_TRUE(found_here) << overridden.topology.path;
}

TEST(ReaderTest, ReadyMadeScenariosAreValid) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LANECUT_ROOT "/scenarios")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(ReadScenario(entry.path())) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 11);
}

}  // namespace
}  // namespace lanecut
