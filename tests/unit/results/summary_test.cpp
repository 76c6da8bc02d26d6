// SPDX-License-Identifier: Apache-2.0
#include "sw/results/summary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace lanecut {
namespace {

Summary Example() {
  Summary s;
  s.name = "example";
  s.seed = 7;
  s.outcome = "ok";
  s.ns_per_cycle = 16;
  s.switches = 64;
  s.end_nodes = 128;
  s.links = 256;
  s.cycles = 500'000;
  s.measure_begin = 300'000;
  s.measure_end = 400'000;
  s.offered_bytes_per_ns_switch = 0.0242;
  s.accepted_bytes_per_ns_switch = 0.0241;
  s.accepted_load = 0.0996;
  s.queue = {1000, 3.5, 2, 30, 90};
  s.network = {1000, 120.25, 110, 300, 400};
  s.token = {1000, 0, 0, 0, 0};
  s.total = {1000, 123.75, 113, 320, 450};
  s.accounting.generated = 1010;
  s.accounting.sent = 1008;
  s.accounting.refused = 2;
  s.accounting.delivered = 1005;
  s.accounting.dropped = 3;
  s.accounting.dropped_by = {{"link-cut", 1}, {"unreachable", 2}};
  s.timeline = {{320'000, "fault", "S3_3:1", "cut"}, {320'400, "detected", "", ""}};
  return s;
}

TEST(SummaryTest, JsonHoldsEverything) {
  const std::string text = SummaryJson(Example());
  EXPECT_EQ(text.back(), '\n');
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["format"], 2);
  EXPECT_EQ(json["name"], "example");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["outcome"], "ok");
  EXPECT_EQ(json["network"]["end_nodes"], 128);
  EXPECT_EQ(json["measurement"]["end"], 400'000);
  EXPECT_DOUBLE_EQ(json["throughput"]["accepted_bytes_per_ns_switch"], 0.0241);
  EXPECT_DOUBLE_EQ(json["latency_cycles"]["network"]["mean"], 120.25);
  EXPECT_EQ(json["latency_cycles"]["total"]["p99"], 320);
  EXPECT_EQ(json["packets"]["sent"], 1008);
  EXPECT_EQ(json["packets"]["dropped_by"]["unreachable"], 2);
  EXPECT_EQ(json["timeline"][0]["ns"], 5'120'000);
  EXPECT_EQ(json["timeline"][0]["where"], "S3_3:1");
}

TEST(SummaryTest, TextForATerminal) {
  EXPECT_EQ(SummaryText(Example()),
            "example, seed 7: ok\n"
            "  64 switches, 128 end nodes, 256 links, 16 ns per cycle, 500000 cycles\n"
            "  measured from cycle 300000 to 400000\n"
            "\n"
            "throughput  offered 0.0242, accepted 0.0241 bytes/ns/switch\n"
            "            accepted 9.96 % of the link rate at each end node\n"
            "\n"
            "latency             mean       p50       p99       max   1000 packets\n"
            "  queue              3.5         2        30        90\n"
            "  network          120.2       110       300       400\n"
            "  total            123.8       113       320       450\n"
            "  total, ns       1980.0      1808      5120      7200\n"
            "\n"
            "packets     1010 generated = 1008 sent + 2 refused at their source + 0 waiting\n"
            "            1008 sent = 1005 delivered + 3 dropped + 0 in flight\n"
            "            1 dropped: link-cut\n"
            "            2 dropped: unreachable\n"
            "\n"
            "timeline               cycle             ns\n"
            "  fault               320000        5120000  S3_3:1  cut\n"
            "  detected            320400        5126400\n");
}

TEST(SummaryTest, TextOfAFailure) {
  Summary s = Example();
  s.outcome = "stall";
  s.message = "nothing has moved for 20000 cycles";
  EXPECT_EQ(SummaryText(s).substr(0, 67),
            "example, seed 7: FAILED, stall\n  nothing has moved for 20000 cycles");
}

TEST(SummaryTest, Balance) {
  EXPECT_TRUE(Example().accounting.Balanced());
  for (auto member : {&Accounting::generated, &Accounting::refused, &Accounting::waiting,
                      &Accounting::sent, &Accounting::delivered, &Accounting::dropped,
                      &Accounting::in_flight, &Accounting::unexpected}) {
    Accounting accounting = Example().accounting;
    ++(accounting.*member);
    EXPECT_FALSE(accounting.Balanced());
  }
}

}  // namespace
}  // namespace lanecut
