// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sw/scenario/reader.h"
#include "tests/unit/scenario/scenario_test_util.h"

namespace lanecut {
namespace {

TEST(DumpTest, ReadsBackAsTheSame) {
  for (const auto& entry : std::filesystem::directory_iterator(LANECUT_ROOT "/scenarios")) {
    if (entry.path().extension() != ".toml") continue;
    const Scenario scenario = ReadScenario(entry.path());
    const std::string dump = DumpScenario(scenario);
    const Scenario again = ParseScenario(dump, entry.path());
    EXPECT_EQ(DumpScenario(again), dump) << entry.path();
    EXPECT_EQ(again.name, scenario.name);
    EXPECT_EQ(again.faults.size(), scenario.faults.size());
  }
}

TEST(DumpTest, FilesRepeatTheRunElsewhere) {
  const TemporaryFolder folder;
  folder.Write("odd/fabric.txt", "the netlist");
  folder.Write("odd/s.toml", "[topology]\nkind = \"netlist\"\nfile = \"fabric.txt\"\n");
  const Scenario scenario = ReadScenario(folder.path() / "odd" / "s.toml");
  const auto files = ScenarioFiles(scenario);
  ASSERT_EQ(files.size(), 2u);
  for (const auto& [name, text] : files) folder.Write(std::filesystem::path("new") / name, text);
  EXPECT_EQ(files[1].second, "the netlist");
  const Scenario again = ReadScenario(folder.path() / "new" / "scenario.toml");
  EXPECT_EQ(again.name, "s");
  EXPECT_TRUE(std::filesystem::exists(again.topology.path));
  EXPECT_EQ(ScenarioFiles(again), files);
  EXPECT_EQ(ScenarioFiles(ParseScenario(kMinimal, "s.toml")).size(), 1u);
}

TEST(DumpTest, TrafficFromAFileRepeatsElsewhere) {
  const TemporaryFolder folder;
  folder.Write("odd/calls.trace", "0 0 1 32\n");
  folder.Write("odd/s.toml",
               "[topology]\nkind = \"torus\"\n[traffic]\npattern = \"trace\"\n"
               "file = \"calls.trace\"\n");
  const auto files = ScenarioFiles(ReadScenario(folder.path() / "odd" / "s.toml"));
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[1], (std::pair<std::string, std::string>("traffic.txt", "0 0 1 32\n")));
  for (const auto& [name, text] : files) folder.Write(std::filesystem::path("new") / name, text);
  const Scenario again = ReadScenario(folder.path() / "new" / "scenario.toml");
  EXPECT_EQ(files[0].second.find("load"), std::string::npos);  // nor what does not apply
  EXPECT_EQ(again.traffic.path, folder.path() / "new" / "traffic.txt");
  EXPECT_EQ(ScenarioFiles(again), files);
}

TEST(DumpTest, TablesFromFilesRepeatElsewhere) {
  const TemporaryFolder folder;
  folder.Write("odd/old", "old tables");
  folder.Write("odd/new", "new tables");
  folder.Write("odd/s.toml",
               "[topology]\nkind = \"torus\"\n[routing]\nengine = \"file\"\nfile = \"old\"\n"
               "[[change]]\nkind = \"reroute\"\nengine = \"dor\"\nat_cycle = 1\n"
               "[[change]]\nkind = \"reroute\"\nengine = \"file\"\nfile = \"new\"\nat_cycle = 2\n");
  const auto files = ScenarioFiles(ReadScenario(folder.path() / "odd" / "s.toml"));
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[1], (std::pair<std::string, std::string>("routing.lfts", "old tables")));
  EXPECT_EQ(files[2], (std::pair<std::string, std::string>("change-1.lfts", "new tables")));
  for (const auto& [name, text] : files) folder.Write(std::filesystem::path("new") / name, text);
  const Scenario again = ReadScenario(folder.path() / "new" / "scenario.toml");
  EXPECT_EQ(again.routing.path, folder.path() / "new" / "routing.lfts");
  EXPECT_EQ(again.changes[1].path, folder.path() / "new" / "change-1.lfts");
  EXPECT_EQ(ScenarioFiles(again), files);
}

TEST(DumpTest, LeavesOutWhatDoesNotApply) {
  const Scenario s = ParseScenario(kMinimal, "s.toml", {"link.fly_cycles=4"});
  const std::string dump = DumpScenario(s);
  EXPECT_NE(dump.find("fly_cycles = 4\n"), std::string::npos) << dump;
  EXPECT_EQ(dump.find("cable_m"), std::string::npos) << dump;
  EXPECT_EQ(ParseScenario(dump, "d.toml").link.fly_cycles, 4u);
}

TEST(DumpTest, EntriesAreInSchemaOrder) {
  const auto entries = ScenarioEntries(ParseScenario(
      kMinimal, "s.toml", {"traffic.load=0.3", "fault.0.kind=cut", "fault.0.at_cycle=1"}));
  ASSERT_GT(entries.size(), 10u);
  EXPECT_EQ(entries[0], (std::pair<std::string, std::string>("name", "\"s\"")));
  EXPECT_EQ(entries[2].first, "topology.kind");
  EXPECT_NE(std::ranges::find(entries, std::pair<std::string, std::string>("traffic.load", "0.3")),
            entries.end());
  EXPECT_EQ(entries.back().first, "fault.0.rate");
}

TEST(DumpTest, QuotesTexts) {
  Scenario s = ParseScenario(kMinimal, "s.toml");
  s.manager.node = "odd \"name\" \\ here";
  EXPECT_EQ(ParseScenario(DumpScenario(s), "d.toml").manager.node, s.manager.node);
}

}  // namespace
}  // namespace lanecut
