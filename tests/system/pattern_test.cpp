// SPDX-License-Identifier: Apache-2.0
//
// Every traffic pattern through a fabric, and a trace packet by packet.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "tests/system/cases.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut::testing {
namespace {

Case Pattern(const std::string& name, std::vector<std::string> overrides) {
  overrides.push_back("traffic.pattern=" + name);
  return {name, [overrides](Simulation& simulation, const Scenario& scenario) {
            const Summary summary = simulation.Run(With(scenario, overrides));
            EXPECT_EQ(summary.outcome, "ok") << summary.message;
            EXPECT_GT(summary.accounting.delivered, 100u);
            EXPECT_EQ(summary.accounting.dropped, 0u);
          }};
}

Case Trace(const std::string& file) {
  return {"trace", [file](Simulation& simulation, const Scenario& scenario) {
            std::vector<std::tuple<std::uint64_t, int, Cycle, std::uint32_t>> seen;
            simulation.ledger().SetDeliveryHook([&seen](int hca, const HcaPacket& packet) {
              seen.emplace_back(PacketSource(packet.id), hca, packet.generated, packet.wire_bytes);
            });
            // The manager's node sends what it has to say first.
            constexpr Cycle kPause = 3000;
            const Cycle start = simulation.fabric().clock().now() + kPause;
            const Summary summary =
                simulation.Run(With(scenario, {"traffic.pattern=trace", "traffic.file=" + file,
                                               "traffic.start_cycles=" + std::to_string(kPause)}));
            EXPECT_EQ(summary.outcome, "ok") << summary.message;
            ASSERT_EQ(seen.size(), 3u);
            EXPECT_EQ(seen[0], std::tuple(0u, 5, start, 58u));
            EXPECT_EQ(seen[1], std::tuple(0u, 6, start + 600, 282u));
            EXPECT_EQ(seen[2], std::tuple(7u, 2, start + 1200, 46u));
          }};
}

TEST(Patterns, RunClean) {
  const TemporaryFolder folder;
  folder.Write("t.txt", "0 0 5 32\n600 0 6 256\n1200 7 2 20\n");
  RunCases(MakeScenario("[topology]\nkind = \"torus\"\n[run]\nmeasure_cycles = 4000\n"),
           {Pattern("uniform", {"traffic.on_cycles=500", "traffic.off_cycles=500"}),
            Pattern("bit-reversal", {}), Pattern("hot-spot", {"traffic.hot_fraction=0.2"}),
            Pattern("permutation", {}), Trace((folder.path() / "t.txt").string())});
}

}  // namespace
}  // namespace lanecut::testing
