// SPDX-License-Identifier: Apache-2.0
//
// Freedom from deadlock the hard way: the tables of every engine carry as much as the end nodes can
// send, 10^6 cycles each, and nothing ever stands still; tables with a cycle do stand still, and
// the cycle is named. Switches let all inputs take turns and queues hold three long packets, so
// that the cycle closes within some thousand cycles.
//
// Larger fabrics are run by hand: the commands are in scenarios/saturating4x4.toml.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr Cycle kCycles = 500'000;  // of each length of packets
constexpr int kPacketBytes[] = {282, 58};
constexpr const char* kTorus = "kind = \"torus\"\nsize = [4, 4]\nnodes_per_switch = 2\n";

// Without the reference model, which other tests compare with: what counts here is the length.
Scenario Start(const std::string& routing, const std::string& more = "",
               const std::string& topology = kTorus) {
  return MakeScenario("[topology]\n" + topology +
                      "[switch]\ntransit_first = false\n[traffic]\nload = 1.0\n[run]\n"
                      "checks = false\n[routing]\n" +
                      routing + "\n" + more);
}

Scenario Work(const Scenario& scenario, int bytes, Cycle cycles) {
  return With(scenario, {fmt::format("traffic.packet_bytes={}", bytes),
                         fmt::format("run.measure_cycles={}", cycles)});
}

// All that entered the network arrives, and more was offered than it takes.
void ExpectNoStall(const Summary& summary) {
  EXPECT_EQ(summary.outcome, "ok") << summary.message;
  EXPECT_GT(summary.accounting.delivered, 5000u);
  EXPECT_EQ(summary.accounting.delivered, summary.accounting.sent);
  EXPECT_GT(summary.accounting.refused, 1000u);
}

// Runs `body` on the fabric of `start` with the work of each length of packets.
void RunBothLengths(const Scenario& start,
                    const std::function<void(Simulation& simulation, const Scenario& work)>& body) {
  std::vector<Case> cases;
  for (const int bytes : kPacketBytes) {
    cases.push_back({fmt::format("{} bytes", bytes),
                     [&body, bytes](Simulation& simulation, const Scenario& scenario) {
                       body(simulation, Work(scenario, bytes, kCycles));
                     }});
  }
  RunCases(start, cases);
}

class SaturatingEngines : public ::testing::TestWithParam<const char*> {};

TEST_P(SaturatingEngines, NothingStandsStill) {
  RunBothLengths(
      Start(fmt::format("engine = \"{}\"", GetParam())),
      [](Simulation& simulation, const Scenario& work) { ExpectNoStall(simulation.Run(work)); });
}

INSTANTIATE_TEST_SUITE_P(Torus4x4, SaturatingEngines,
                         ::testing::Values("updown", "dor", "lash", "dfsssp", "mroots", "tor",
                                           "lturn", "fx", "smart", "dl"),
                         [](const auto& engine) { return std::string(engine.param); });

// Every end node goes on to the next one of its paths again and again, each at another time, so
// that packets of all of them are in the network.
class Rotation {
 public:
  static constexpr Cycle kPeriod = 40;

  explicit Rotation(Simulation* simulation)
      : simulation_(simulation),
        task_(simulation->fabric().clock().agenda().Add([this](Cycle now) { Turn(now); })) {
    simulation->fabric().clock().agenda().Arm(task_, simulation->fabric().clock().now() + kPeriod);
  }
  int turns() const { return turns_; }

 private:
  void Turn(Cycle now) {
    Fabric& fabric = simulation_->fabric();
    const PathRecords& records = simulation_->paths();
    const int from = turns_ % fabric.num_hcas();
    const std::size_t first = static_cast<std::size_t>(turns_ / fabric.num_hcas());
    for (int to = 0; to < fabric.num_hcas(); ++to) {
      if (to == from) continue;
      std::vector<PathTable::Path> paths;
      for (const PathRecord& record : records.FindAll(from, to))
        paths.push_back({record.dlid, record.sl});
      std::ranges::rotate(paths, paths.begin() + static_cast<std::ptrdiff_t>(first % paths.size()));
      fabric.hca(from).LoadPaths(records.LowestLid(to), paths);
    }
    ++turns_;
    fabric.clock().agenda().Arm(task_, now + kPeriod);
  }

  Simulation* simulation_;
  int task_;
  int turns_ = 0;
};

void SaturateAllPaths(const Scenario& start) {
  RunBothLengths(start, [](Simulation& simulation, const Scenario& work) {
    const Rotation rotation(&simulation);
    ExpectNoStall(simulation.Run(work));
    EXPECT_GT(rotation.turns(), 4 * simulation.fabric().num_hcas());
  });
}

TEST(SaturatingPaths, AllPathsOfTftrAtOnce) {
  SaturateAllPaths(Start("engine = \"tftr\"\npaths = 4\nlmc = 4"));
}

// The smallest torus that they have patterns for; 32 LIDs for each end node.
constexpr const char* kPatternTorus = "kind = \"torus\"\nsize = [5, 5]\nnodes_per_switch = 1\n";

TEST(SaturatingPaths, AllPathsOfSpftrAtOnce) {
  SaturateAllPaths(Start("engine = \"spftr\"\npaths = 4\nlmc = 5", "", kPatternTorus));
}

TEST(SaturatingPaths, AllPathsOfASpftrAtOnce) {
  SaturateAllPaths(Start("engine = \"a-spftr\"\npaths = 4\nlmc = 5", "", kPatternTorus));
}

// Five links fail one after the other; what RFTR has added to up*/down* by then carries the rest.
TEST(SaturatingPaths, RftrAfterFiveFaults) {
  std::vector<std::string> faults;
  const char* const links[] = {"S1_1:1", "S1_1:3", "S2_2:1", "S3_0:3", "S0_3:1"};
  for (std::size_t i = 0; i < std::size(links); ++i) {
    faults.push_back(fmt::format("fault.{}.kind=cut", i));
    faults.push_back(fmt::format("fault.{}.link={}", i, links[i]));
    faults.push_back(fmt::format("fault.{}.after_warmup={}", i, 1000 + 6000 * i));
  }
  RunBothLengths(Start("engine = \"updown\"\nlmc = 3", "[reconfiguration]\nscheme = \"rftr\""),
                 [&](Simulation& simulation, const Scenario& work) {
                   const Summary summary = simulation.Run(With(work, faults));
                   EXPECT_EQ(summary.outcome, "ok") << summary.message;
                   EXPECT_GT(summary.accounting.delivered, 5000u);
                   EXPECT_GT(summary.accounting.refused, 1000u);
                   EXPECT_EQ(simulation.manager().topology().cables().size(), 59u);
                 });
}

TEST(SaturatingFatTree, NothingStandsStill) {
  RunBothLengths(Start("engine = \"ftree\"", "", "kind = \"kary-ntree\"\nsize = [4, 2]\n"),
                 [](Simulation& simulation, const Scenario& work) {
                   const Summary summary = simulation.Run(work);
                   EXPECT_EQ(summary.outcome, "ok") << summary.message;
                   EXPECT_EQ(summary.accounting.delivered, summary.accounting.sent);
                 });
}

// The planted cycle: minimal tables whose check is overridden. The reference model knows who waits
// for whom.
TEST(SaturatingCycle, MinhopStandsStillAndTheCycleIsNamed) {
  RunCases(With(Start("engine = \"minhop\"\nallow_cyclic = true"), {"run.checks=true"}),
           {{"282 bytes", [](Simulation& simulation, const Scenario& scenario) {
               const Summary summary = simulation.Run(Work(scenario, 282, kCycles));
               EXPECT_EQ(summary.outcome, "stall");
               const std::string& text = summary.message;
               EXPECT_NE(text.find("while packets wait: a cycle of "), std::string::npos) << text;
               // Around a ring: output and input queues in turn, each waiting for the next.
               EXPECT_NE(text.find("waits for room in the output queue"), std::string::npos);
               EXPECT_NE(text.find("waits for credits of the input queue"), std::string::npos);
             }}});
}

}  // namespace
}  // namespace lanecut::testing
