// SPDX-License-Identifier: Apache-2.0
//
// Faults that are got round by other paths while traffic goes on, on the RTL: apm, with the paths
// of TFTR, and rftr. No packet may be lost but at the end of a link that is down, and none by a
// path that its source has been told to leave; the tables never stop anybody.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/query.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr const char* kTftr = "[routing]\nengine = \"tftr\"\npaths = 4\nlmc = 4\n";
constexpr const char* kUpDown = "[routing]\nengine = \"updown\"\nlmc = 3\n";

Scenario Start(const std::string& scheme, const std::string& more = "") {
  return MakeScenario(
      "[topology]\nkind = \"torus\"\nsize = [4, 4]\n[manager]\ntimeout_cycles = "
      "2500\n[reconfiguration]\nscheme = \"" +
      scheme + "\"\n" + (scheme == "apm" ? kTftr : kUpDown) + more);
}

struct Fault {
  std::string link;
  Cycle after_warmup;
};

std::vector<std::string> Overrides(const std::vector<Fault>& faults, double load, int seed) {
  std::vector<std::string> overrides = {fmt::format("traffic.load={}", load),
                                        fmt::format("seed={}", seed), "run.warmup_cycles=1000",
                                        "run.measure_cycles=30000"};
  for (std::size_t i = 0; i < faults.size(); ++i) {
    overrides.push_back(fmt::format("fault.{}.kind=cut", i));
    overrides.push_back(fmt::format("fault.{}.link={}", i, faults[i].link));
    overrides.push_back(fmt::format("fault.{}.after_warmup={}", i, faults[i].after_warmup));
  }
  return overrides;
}

// One run, and what is written of it.
class Recording {
 public:
  Recording(Simulation& simulation, const Scenario& work)
      : folder_(std::filesystem::temp_directory_path() /
                ("lanecut-paths-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    simulation.SetResultsFolder(folder_);
    summary_ = simulation.Run(work);
    EXPECT_EQ(summary_.outcome, "ok") << summary_.message;
    EXPECT_TRUE(summary_.accounting.Balanced());
    EXPECT_EQ(summary_.accounting.in_flight, 0u);
  }
  ~Recording() { std::filesystem::remove_all(folder_); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  std::string Ask(const std::string& sql) const { return Query(folder_ / "results.sqlite", sql); }
  int Count(const std::string& what) const {
    return std::stoi(Ask("SELECT count(*) FROM " + what));
  }
  const Summary& summary() const { return summary_; }

 private:
  std::filesystem::path folder_;
  Summary summary_;
};

constexpr const char* kLost = "packets WHERE dropped IS NOT NULL AND injected IS NOT NULL";
constexpr const char* kLastMigration = "(SELECT max(cycle) FROM events WHERE kind = 'migrated')";

// The switches at both ends of the links, as a list of SQL.
std::string EndsOf(const Topology& topology, const std::vector<Fault>& faults) {
  std::vector<std::string> ends;
  for (const Fault& fault : faults) {
    const std::size_t colon = fault.link.find(':');
    const std::string near = fault.link.substr(0, colon);
    const auto far =
        topology.PeerOf(*topology.FindNode(near), std::stoi(fault.link.substr(colon + 1)));
    ends.push_back(fmt::format("'{}', '{}'", near, topology.node(far->node).name));
  }
  return fmt::format("{}", fmt::join(ends, ", "));
}

// What is lost is lost at a link that is down (or comes as what is left of a packet that was cut
// there: bad), and what is sent when all have been told arrives.
void ExpectOnlyLinksLose(const Recording& record, const std::string& ends) {
  EXPECT_EQ(record.Ask(fmt::format("SELECT DISTINCT reason FROM {} AND reason NOT IN "
                                   "('port_inactive', 'link_cut', 'bad')",
                                   kLost)),
            "");
  EXPECT_EQ(
      record.Ask(fmt::format("SELECT DISTINCT place FROM {} AND reason <> 'bad' AND place NOT "
                             "IN ({})",
                             kLost, ends)),
      "");
  EXPECT_EQ(record.Count(fmt::format("{} AND injected > {}", kLost, kLastMigration)), 0);
  EXPECT_GT(record.Count(fmt::format("packets WHERE injected > {}", kLastMigration)), 100);
  EXPECT_EQ(record.Count("packets WHERE delivered IS NULL AND dropped IS NULL"), 0);
  EXPECT_EQ(record.Count("events WHERE kind IN ('halted', 'resumed', 'number')"), 0);
}

void ExpectFaultsGotRound(const std::vector<Fault>& faults, double load, int seed,
                          Simulation& simulation, const Scenario& scenario) {
  const Recording record(simulation, With(scenario, Overrides(faults, load, seed)));
  EXPECT_GT(record.Count("events WHERE kind = 'path'"), 0);
  EXPECT_GT(record.Count("events WHERE kind = 'migrated'"), 0);
  ExpectOnlyLinksLose(record, EndsOf(simulation.fabric().topology(), faults));
}

std::vector<Case> FaultCases() {
  // One; three, far from each other in time; two at once; one while the change is under way.
  const std::vector<std::vector<Fault>> stories = {
      {{"S1_1:1", 5000}},
      {{"S1_1:1", 4000}, {"S1_1:3", 11000}, {"S2_2:2", 18000}},
      {{"S0_1:1", 5000}, {"S3_2:3", 5000}},
      {{"S2_1:3", 5000}, {"S1_2:1", 6500}},
  };
  std::vector<Case> cases;
  for (const double load : {0.2, 0.9}) {
    for (std::size_t i = 0; i < stories.size(); ++i) {
      const int seed = static_cast<int>(cases.size()) + 1;
      cases.push_back({fmt::format("faults {} at load {}", i, load),
                       [=](Simulation& simulation, const Scenario& scenario) {
                         ExpectFaultsGotRound(stories[i], load, seed, simulation, scenario);
                       }});
    }
  }
  return cases;
}

TEST(Paths, ApmGetsRoundFaults) { RunCases(Start("apm"), FaultCases()); }

TEST(Paths, RftrGetsRoundFaults) { RunCases(Start("rftr"), FaultCases()); }

TEST(Paths, RftrGetsRoundFaultsByCompactPackets) {
  RunCases(With(Start("rftr"), {"manager.encoding=compact"}), FaultCases());
}

// Without new tables.
TEST(Paths, ApmSendsNoTables) {
  RunCases(
      Start("apm"),
      {{"one fault", [](Simulation& simulation, const Scenario& scenario) {
          const Recording record(simulation, With(scenario, Overrides({{"S1_1:1", 5000}}, 0.2, 1)));
          EXPECT_EQ(record.Count("events WHERE kind IN ('table-sent', 'loaded') "
                                 "AND cycle > (SELECT cycle FROM events WHERE "
                                 "kind = 'fault')"),
                    0);
        }}});
}

// Pairs use the first of their paths that is whole: here one that was never up is missing.
TEST(Paths, TheFirstPathThatIsWholeIsTaken) {
  const Scenario scenario = With(
      Start("apm"), {"change.0.kind=add", "change.0.what=S1_1:1", "change.0.after_warmup=1000"});
  RunCases(scenario, {{"out of service", [](Simulation& simulation, const Scenario& start) {
                         Scenario work = With(start, Overrides({}, 0.3, 1));
                         work.changes.clear();
                         const Recording record(simulation, work);
                         EXPECT_EQ(record.summary().accounting.dropped, 0u);
                         EXPECT_GT(record.summary().accounting.delivered, 3000u);
                         EXPECT_EQ(simulation.manager().topology().cables().size(), 47u);
                       }}});
}

// Nobody tells the end nodes: they notice by themselves that nothing is acknowledged.
TEST(Paths, TheEndToEndProtocolMigratesWithoutAManager) {
  const Scenario scenario = With(Start("apm"), {"node.reliable=true", "node.retransmit_cycles=2000",
                                                "manager.trap=false", "manager.sweep_cycles=0"});
  RunCases(
      scenario,
      {{"one fault", [](Simulation& simulation, const Scenario& start) {
          const Recording record(simulation, With(start, Overrides({{"S1_1:1", 5000}}, 0.1, 1)));
          EXPECT_EQ(record.Count("events WHERE kind IN ('detected', 'migrated')"), 0);
          EXPECT_GT(record.Count("events WHERE kind = 'path'"), 0);
          EXPECT_EQ(record.summary().end_to_end->messages, record.summary().end_to_end->delivered);
        }}});
}

TEST(Paths, EveryMessageArrivesWhereTheManagerTells) {
  RunCases(
      With(Start("apm"), {"node.reliable=true"}),
      {{"one fault", [](Simulation& simulation, const Scenario& start) {
          const Recording record(simulation, With(start, Overrides({{"S1_1:1", 5000}}, 0.1, 1)));
          EXPECT_GT(record.Count("events WHERE kind = 'migrated'"), 0);
          EXPECT_EQ(record.summary().end_to_end->messages, record.summary().end_to_end->delivered);
        }}});
}

}  // namespace
}  // namespace lanecut::testing
