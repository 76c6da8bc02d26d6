// SPDX-License-Identifier: Apache-2.0
//
// What the results say of a change of the routing function, by itself and against the totals.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "sw/cli/network.h"
#include "tests/query.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr const char* kScenario = R"(
[topology]
kind = "torus"
size = [4, 4]
[traffic]
load = 0.2
[run]
warmup_cycles = 500
measure_cycles = 12000
[reconfiguration]
scheme = "osr-la"
[[fault]]
kind = "cut"
link = "S1_1:1"
after_warmup = 500
)";

std::string Number(std::uint64_t value) { return std::to_string(value) + "\n"; }

void CheckRecord(const std::filesystem::path& folder) {
  const Scenario scenario = MakeScenario(kScenario);
  Simulation simulation(scenario, BuildTopology(scenario), {folder, false});
  simulation.OpenResults(scenario);
  simulation.BringUp();
  const Summary summary = simulation.Run(scenario);
  ASSERT_EQ(summary.outcome, "ok") << summary.message;
  const auto ask = [&folder](const std::string& sql) {
    return Query(folder / "results.sqlite", sql);
  };
  const std::string after_fault = " AND cycle > (SELECT cycle FROM events WHERE kind = 'fault')";
  for (const char* packet : {"VendorInactiveForwardingTable", "VendorFeederRows"}) {
    EXPECT_EQ(ask("SELECT count(DISTINCT place) FROM events WHERE kind = 'table-sent' AND detail "
                  "LIKE '" +
                  std::string(packet) + " %'" + after_fault),
              Number(16))
        << packet;
  }
  EXPECT_EQ(ask("SELECT count(*) FROM events s WHERE kind = 'table-sent' AND NOT EXISTS (SELECT * "
                "FROM events a WHERE a.kind = 'table-answered' AND a.place = s.place AND a.detail "
                "= s.detail AND a.cycle >= s.cycle)"),
            Number(0));
  EXPECT_EQ(ask("SELECT count(*) FROM events WHERE kind = 'number'" + after_fault), Number(16));
  // Every end node on both VLs; a switch passes a token on every channel that is in use.
  EXPECT_EQ(ask("SELECT count(*) FROM events WHERE kind = 'token-passed' AND place LIKE 'H%'"),
            Number(32));
  constexpr std::uint64_t kBytes = 58;
  EXPECT_EQ(ask("SELECT sum(injected_bytes) FROM vl_series"),
            Number(kBytes * summary.accounting.sent));
  EXPECT_EQ(ask("SELECT sum(delivered_bytes) FROM vl_series"),
            Number(kBytes * summary.accounting.delivered));
}

TEST(Record, AChangeCanBeFollowedPacketByPacket) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("lanecut-record-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  InChild("record", [&folder] { CheckRecord(folder); });
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lanecut::testing
