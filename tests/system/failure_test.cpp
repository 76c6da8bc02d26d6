// SPDX-License-Identifier: Apache-2.0
//
// What must end a run does, at once: a failed assertion of the RTL, and a packet that never gets
// its turn while others move. Both are planted.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "sw/cli/network.h"
#include "tb/run/execute_run.h"
#include "tb/switch/registry.h"
#include "tests/system/cases.h"
#include "tests/system/planted_assertion.h"

namespace lanecut::testing {
namespace {

constexpr Cycle kStallCycles = 500;
constexpr Cycle kStarvationCycles = 20 * kStallCycles;
constexpr Cycle kLookCycles = 512;  // between two looks at what may have failed

Scenario Pair() {
  return MakeScenario("[topology]\nkind = \"netlist\"\nfile = \"netlists/pair.net\"\n",
                      {"run.stall_cycles=" + std::to_string(kStallCycles)});
}

void RunWithAssertion(Simulation& simulation, const Scenario& scenario) {
  Cycle planted = 0;
  int delivered = 0;
  simulation.ledger().SetDeliveryHook([&](int, const HcaPacket& packet) {
    if (++delivered != 50) return;
    planted = packet.tail;
    PlantFailedAssertion();
  });
  const Summary summary = simulation.Run(With(scenario, {"traffic.load=0.3"}));
  EXPECT_EQ(summary.outcome, "assertion");
  EXPECT_NE(summary.message.find("an assertion of the RTL has failed"), std::string::npos);
  EXPECT_GT(planted, 0u);
  EXPECT_LE(summary.cycles, planted + kLookCycles + 1);
}

TEST(Failure, AFailedAssertionEndsTheRun) { RunCases(Pair(), {{"assertion", RunWithAssertion}}); }

TEST(Failure, AFailedAssertionIsExitStatusOne) {
  InChild("exit status", [] {
    const Scenario scenario = Pair();
    const auto out =
        std::filesystem::temp_directory_path() / ("lanecut-failure-" + std::to_string(getpid()));
    const auto any = MakeSwitchModel(SwitchKinds().front(), "any");
    PlantFailedAssertion();
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(ExecuteRun({scenario, out, false, false}), kExitFailed);
    EXPECT_EQ(::testing::internal::GetCapturedStderr().find("lanecut: assertion: cycle "), 0u);
    std::filesystem::remove_all(out);
  });
}

// Told before anything runs, not by the manager when it has found them all.
TEST(Failure, AFabricWithMoreNodesThanAnyTableHasLids) {
  const Scenario scenario = MakeScenario(
      "[topology]\nkind = \"torus\"\nsize = [32, 17]\nnodes_per_switch = 1\n", {"routing.lmc=7"});
  try {
    Fabric::KindFor(scenario, BuildTopology(scenario));
    FAIL();
  } catch (const ScenarioError& error) {
    EXPECT_NE(std::string(error.what()).find("70304 LIDs"), std::string::npos) << error.what();
  }
  const Scenario smaller = With(scenario, {"topology.size=[32, 15]", "routing.lmc=0"});
  EXPECT_EQ(Fabric::KindFor(smaller, BuildTopology(smaller)).lids, 1024);
  const Scenario several =
      MakeScenario("[topology]\nkind = \"torus\"\nsize = [4, 4]\n", {"routing.lmc=4"});
  EXPECT_EQ(Fabric::KindFor(several, BuildTopology(several)).lids, 1024);
}

// Sent, as far as the ledger knows, and never seen again.
void PlantStarvingPacket(Simulation& simulation) {
  HcaPacket packet;
  packet.id = MakePacketId(0, 1u << 30);
  packet.injected = simulation.fabric().clock().now();
  simulation.ledger().OnInjected(0, packet);
}

void RunUntilStarved(Simulation& simulation, const Scenario& scenario) {
  const Cycle begin = simulation.fabric().clock().now();
  PlantStarvingPacket(simulation);
  const Summary summary =
      simulation.Run(With(scenario, {"traffic.load=0.3", "run.measure_cycles=50000"}));
  EXPECT_EQ(summary.outcome, "starvation") << summary.message;
  EXPECT_NE(
      summary.message.find("of H0_0 has been in the network since cycle " + std::to_string(begin)),
      std::string::npos)
      << summary.message;
  EXPECT_GE(summary.cycles, begin + kStarvationCycles);
  EXPECT_LE(summary.cycles, begin + kStarvationCycles + kLookCycles + 1);
  EXPECT_GT(summary.accounting.delivered, 100u);
}

void RunUntilAlmostStarved(Simulation& simulation, const Scenario& scenario) {
  PlantStarvingPacket(simulation);
  const Summary summary = simulation.Run(
      With(scenario, {"traffic.load=0.3", "run.drain=false",
                      "run.measure_cycles=" + std::to_string(kStarvationCycles - 1)}));
  EXPECT_EQ(summary.outcome, "ok") << summary.message;
}

TEST(Failure, APacketThatNeverGetsItsTurnIsStarvation) {
  RunCases(Pair(), {{"starved", RunUntilStarved}, {"almost", RunUntilAlmostStarved}});
}

}  // namespace
}  // namespace lanecut::testing
