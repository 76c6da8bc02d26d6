// SPDX-License-Identifier: Apache-2.0
//
// VL arbitration tables that the manager writes: what two VLs get of a saturated link between two
// switches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "tests/system/cases.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut::testing {
namespace {

using Counts = std::array<double, 2>;  // packets received, by VL

// Two end nodes of one switch send as much as they can to those of the other one, each on a VL of
// its own.
Counts Receive(const std::vector<std::string>& weights) {
  const TemporaryFolder folder;
  folder.Write("pairs.txt", "H0_0 H1_0\nH0_1 H1_2\nH0_2 H1_1\n");
  Scenario scenario = MakeScenario(
      "[topology]\nkind = \"mesh\"\nsize = [2]\nnodes_per_switch = 3\n"
      "[traffic]\nload = 1.0\npattern = \"permutation\"\n"
      "[run]\nmeasure_cycles = 60_000\ndrain = false\n",
      {"traffic.file=" + (folder.path() / "pairs.txt").string()});
  scenario = With(scenario, weights);
  const std::string counts = (folder.path() / "counts").string();
  RunCases(scenario, {{"saturated", [&](Simulation& simulation, const Scenario& ready) {
                         std::array<int, 2> received{};
                         simulation.ledger().SetDeliveryHook(
                             [&](int, const HcaPacket& packet) { ++received.at(packet.vl); });
                         const Summary summary = simulation.Run(ready);
                         EXPECT_EQ(summary.outcome, "ok") << summary.message;
                         folder.Write("counts", fmt::format("{} {}\n", received[0], received[1]));
                       }}});
  std::ifstream file(counts);
  Counts received{};
  file >> received[0] >> received[1];
  return received;
}

TEST(Arbitration, WithoutTablesVlsTakeTurns) {
  const Counts received = Receive({});
  EXPECT_GT(received[0], 1000);
  EXPECT_NEAR(received[0] / received[1], 1, 0.01);
}

TEST(Arbitration, WeightsThreeToOneShareTheLinkThreeToOne) {
  const Counts received = Receive({"switch.vl_weights_low=[3, 1]"});
  EXPECT_GT(received[1], 500);
  EXPECT_NEAR(received[1], (received[0] + received[1]) / 4, 8);  // some at the beginning
}

TEST(Arbitration, HighPriorityGoesFirstUpToItsLimit) {
  const std::vector<std::string> lists{"switch.vl_weights_high=[1]",
                                       "switch.vl_weights_low=[0, 1]"};
  const auto with_limit = [&](int limit) {
    std::vector<std::string> overrides = lists;
    overrides.push_back(fmt::format("switch.vl_high_limit={}", limit));
    return Receive(overrides);
  };
  // One packet each; a packet for 4 KiB, which are 64 of them.
  const Counts one = with_limit(0);
  EXPECT_NEAR(one[0] / one[1], 1, 0.01);
  const Counts limited = with_limit(1);
  EXPECT_NEAR(limited[1], (limited[0] + limited[1]) / 65, 2);
}

}  // namespace
}  // namespace lanecut::testing
