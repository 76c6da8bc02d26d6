// SPDX-License-Identifier: Apache-2.0
//
// What the results say of a change of the routing function, by itself and against the totals.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "sw/cli/network.h"
#include "tests/query.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

std::string ScenarioOf(const std::string& scheme, const std::string& encoding) {
  return R"(
[topology]
kind = "torus"
size = [4, 4]
[traffic]
load = 0.2
[run]
warmup_cycles = 500
measure_cycles = 12000
[manager]
encoding = ")" +
         encoding + R"("
[reconfiguration]
scheme = ")" +
         scheme + R"("
[[fault]]
kind = "cut"
link = "S1_1:1"
after_warmup = 500
)";
}

std::string Number(std::uint64_t value) { return std::to_string(value) + "\n"; }

// One change on the RTL, and what is written of it.
class Recording {
 public:
  Recording(const std::filesystem::path& folder, const std::string& scheme,
            const std::string& encoding)
      : file_(folder / "results.sqlite") {
    const Scenario scenario = MakeScenario(ScenarioOf(scheme, encoding));
    Simulation simulation(scenario, BuildTopology(scenario), {folder, false});
    simulation.OpenResults(scenario);
    simulation.BringUp();
    summary_ = simulation.Run(scenario);
    EXPECT_EQ(summary_.outcome, "ok") << summary_.message;
  }

  std::string Ask(const std::string& sql) const { return Query(file_, sql); }
  const Summary& summary() const { return summary_; }

 private:
  std::filesystem::path file_;
  Summary summary_;
};

void WithRecording(const std::string& scheme, const std::string& encoding,
                   const std::function<void(const Recording&)>& check) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("lanecut-record-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  InChild("record", [&] { check(Recording(folder, scheme, encoding)); });
  std::filesystem::remove_all(folder);
}

TEST(Record, AChangeCanBeFollowedPacketByPacket) {
  WithRecording("osr-la", "ib", [](const Recording& record) {
    const std::string after_fault = " AND cycle > (SELECT cycle FROM events WHERE kind = 'fault')";
    for (const char* packet : {"VendorInactiveForwardingTable", "VendorFeederRows"}) {
      EXPECT_EQ(record.Ask("SELECT count(DISTINCT place) FROM events WHERE kind = 'table-sent' AND "
                           "detail LIKE '" +
                           std::string(packet) + " %'" + after_fault),
                Number(16))
          << packet;
    }
    EXPECT_EQ(record.Ask("SELECT count(*) FROM events s WHERE kind = 'table-sent' AND NOT EXISTS "
                         "(SELECT * FROM events a WHERE a.kind = 'table-answered' AND a.place = "
                         "s.place AND a.detail = s.detail AND a.cycle >= s.cycle)"),
              Number(0));
    EXPECT_EQ(record.Ask("SELECT count(*) FROM events WHERE kind = 'number'" + after_fault),
              Number(16));
    // Every end node on both VLs; a switch passes a token on every channel that is in use.
    EXPECT_EQ(record.Ask("SELECT count(*) FROM events WHERE kind = 'token-passed' AND place LIKE "
                         "'H%'"),
              Number(32));
    constexpr std::uint64_t kBytes = 58;
    EXPECT_EQ(record.Ask("SELECT sum(injected_bytes) FROM vl_series"),
              Number(kBytes * record.summary().accounting.sent));
    EXPECT_EQ(record.Ask("SELECT sum(delivered_bytes) FROM vl_series"),
              Number(kBytes * record.summary().accounting.delivered));
  });
}

// Of nothing that was received or answered is the sending or the arrival missing.
void ExpectEveryPacketSentAndArrived(const Recording& record) {
  EXPECT_EQ(record.Ask("SELECT count(DISTINCT place) FROM events WHERE kind = 'trap-sent' AND "
                       "place IN ('S1_1', 'S2_1')"),
            Number(2));
  EXPECT_NE(record.Ask("SELECT count(*) FROM events WHERE kind = 'detected'"), Number(0));
  EXPECT_EQ(record.Ask("SELECT count(*) FROM events d WHERE kind = 'detected' AND NOT EXISTS "
                       "(SELECT * FROM events s WHERE s.kind = 'trap-sent' AND s.place = d.detail "
                       "AND s.cycle < d.cycle AND s.cycle > (SELECT cycle FROM events WHERE kind = "
                       "'fault'))"),
            Number(0));
  const std::string answered =
      "FROM events s JOIN events a ON a.kind = 'table-answered' AND a.place = s.place AND a.detail "
      "= s.detail WHERE s.kind = 'table-sent' AND s.place LIKE 'S%'";
  EXPECT_NE(record.Ask("SELECT count(*) " + answered), Number(0));
  // Nothing is lost, so nothing is sent twice.
  EXPECT_EQ(record.Ask("SELECT count(*) " + answered +
                       " AND 1 <> (SELECT count(*) FROM events t WHERE t.kind = 'table-arrived' "
                       "AND t.place = s.place AND t.detail = s.detail AND t.cycle > s.cycle AND "
                       "t.cycle < a.cycle)"),
            Number(0));
}

void ExpectPartsToAddUp(const Recording& record) {
  EXPECT_EQ(record.Ask("SELECT count(*) FROM latencies WHERE network < 0 OR queue + network + "
                       "token <> total"),
            Number(0));
  EXPECT_EQ(record.Ask("SELECT sum(queue_latency + network_latency + token_latency) FROM series"),
            record.Ask("SELECT sum(delivered - generated) FROM packets"));
  EXPECT_EQ(record.Ask("SELECT sum(token_latency) FROM series"),
            record.Ask("SELECT sum(token) FROM latencies"));
}

TEST(Record, TrapsAndTablesAreSeenOnTheirWay) {
  for (const char* encoding : {"ib", "compact"}) {
    WithRecording("osr-pda", encoding, ExpectEveryPacketSentAndArrived);
    WithRecording("ebr", encoding, ExpectEveryPacketSentAndArrived);
  }
}

TEST(Record, LatencyHasATokenPartUnderOsrOnly) {
  WithRecording("osr-pda", "ib", [](const Recording& record) {
    ExpectPartsToAddUp(record);
    EXPECT_NE(record.Ask("SELECT count(*) FROM latencies WHERE token > 0"), Number(0));
    EXPECT_GT(record.summary().token.max, 0u);
    // Nobody waits for a token before the first one is under way.
    EXPECT_EQ(record.Ask("SELECT count(*) FROM latencies WHERE token > 0 AND delivered < (SELECT "
                         "cycle FROM events WHERE kind = 'fault')"),
              Number(0));
  });
  WithRecording("ebr", "ib", [](const Recording& record) {
    ExpectPartsToAddUp(record);
    EXPECT_EQ(record.Ask("SELECT count(*) FROM packets WHERE token > 0"), Number(0));
    EXPECT_EQ(record.summary().token.max, 0u);
  });
}

}  // namespace
}  // namespace lanecut::testing
