// SPDX-License-Identifier: Apache-2.0
#include "sw/results/recorder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <vector>

#include "tests/unit/results/results_test_util.h"

namespace lanecut {
namespace {

// One packet of every fate.
Summary RecordOneOfEach(const std::filesystem::path& folder) {
  Recorder recorder(SmallOptions(folder));
  recorder.Milestone(40, "subnet-up", "", "");
  recorder.BeginMeasurement(100);
  for (std::uint64_t id : {9, 8, 7, 6, 5}) recorder.Generated(SmallPacket(id), 100 + id);
  recorder.Refused(5, 105, DropReason::kSourceQueue);
  for (std::uint64_t id : {9, 8, 7}) recorder.Injected(id, 120 + id);
  recorder.Delivered(9, 229, /*discarded=*/false, /*token=*/30);
  recorder.Milestone(230, "fault", "S0:1", "cut");
  recorder.Dropped(8, 231, DropReason::kLinkCut, "S0:1");
  recorder.Event(232, "trap", "S0", "port 1");
  recorder.EndMeasurement(300);
  recorder.Counter("S0", 1, "xmit_packets", 12);
  recorder.Counter("S0", -1, "traps", 2);
  EXPECT_EQ(recorder.OpenPackets(), 2u);
  return recorder.Finish(400, "ok", "", {.wall_seconds = 1.5, .cpu_seconds = 1, .cycles = 400});
}

TEST(RecorderTest, AccountsForEveryPacket) {
  const Summary s = RecordOneOfEach({});
  EXPECT_TRUE(s.ok());
  EXPECT_EQ(s.accounting.generated, 5u);
  EXPECT_EQ(s.accounting.refused, 1u);
  EXPECT_EQ(s.accounting.waiting, 1u);
  EXPECT_EQ(s.accounting.sent, 3u);
  EXPECT_EQ(s.accounting.delivered, 1u);
  EXPECT_EQ(s.accounting.dropped, 1u);
  EXPECT_EQ(s.accounting.in_flight, 1u);
  EXPECT_EQ(s.accounting.dropped_by.at(std::string(DropReasonName(DropReason::kLinkCut))), 1u);
  EXPECT_EQ(s.queue.max, 20u);
  EXPECT_EQ(s.network.max, 70u);
  EXPECT_EQ(s.token.max, 30u);
  EXPECT_EQ(s.total.max, 120u);
  EXPECT_EQ(s.timeline.size(), 2u);
  EXPECT_EQ(s.cycles, 400u);
}

TEST(RecorderTest, WritesEveryTable) {
  const TemporaryFolder place;
  RecordOneOfEach(place.path() / "r");
  const auto file = place.path() / "r" / "results.sqlite";
  EXPECT_EQ(Query(file, "SELECT * FROM config"), "seed|3\ntraffic.load|0.1\n");
  EXPECT_EQ(Query(file, "SELECT * FROM nodes"),
            "switch|0|S0\nswitch|1|S1\nend node|0|H0\nend node|1|H1\nend node|2|H2\n");
  EXPECT_EQ(
      Query(file, "SELECT * FROM packets"),
      fmt::format("5|0|1|0|58|15|105|-|-|105|{}|H0|0\n"
                  "9|0|1|0|58|15|109|129|229|-|-|-|30\n"
                  "8|0|1|0|58|15|108|128|-|231|{}|S0:1|0\n"
                  "6|0|1|0|58|15|106|-|-|-|-|-|0\n"
                  "7|0|1|0|58|15|107|127|-|-|-|-|0\n",
                  DropReasonName(DropReason::kSourceQueue), DropReasonName(DropReason::kLinkCut)));
  EXPECT_EQ(Query(file, "SELECT * FROM latencies"), "9|H0|H1|109|229|20|70|30|120\n");
  EXPECT_EQ(Query(file, "SELECT * FROM events"),
            "40|640|subnet-up||\n230|3680|fault|S0:1|cut\n232|3712|trap|S0|port 1\n");
  EXPECT_EQ(Query(file, "SELECT * FROM counters"), "S0|1|xmit_packets|12\nS0|-|traps|2\n");
  EXPECT_EQ(Query(file, "SELECT * FROM series"),
            "0|0|0|0|0|0|0|0|0|0|0|0\n100|5|1|3|0|0|0|0|0|0|1|120\n"
            "200|0|0|0|1|1|15|20|70|30|0|0\n");
  EXPECT_EQ(Query(file, "PRAGMA integrity_check"), "ok\n");
}

PacketInfo Copy(std::uint64_t id, PacketKind kind) {
  PacketInfo info = SmallPacket(id);
  info.kind = kind;
  return info;
}

// Retransmissions, acknowledgements and duplicates are copies, and no throughput.
TEST(RecorderTest, EndToEndCopies) {
  const TemporaryFolder place;
  RecorderOptions options = SmallOptions(place.path() / "r");
  options.end_to_end = true;
  Recorder recorder(options);
  recorder.BeginMeasurement(0);
  recorder.Generated(SmallPacket(1), 10);
  recorder.Injected(1, 11);
  recorder.Delivered(1, 50);
  recorder.MessageDelivered();
  recorder.Generated(Copy(2, PacketKind::kAck), 60);
  recorder.Injected(2, 60);
  recorder.Dropped(2, 70, DropReason::kBad, "S0");
  recorder.Generated(Copy(3, PacketKind::kRetransmission), 10);
  recorder.Injected(3, 80);
  recorder.Delivered(3, 120, /*discarded=*/true);
  recorder.Generated(Copy(4, PacketKind::kAck), 130);
  recorder.Injected(4, 130);
  recorder.Delivered(4, 160);
  const Summary s = recorder.Finish(200, "ok", "", {});
  EXPECT_EQ(s.outcome, "ok");
  EXPECT_EQ(s.accounting.sent, 4u);
  EXPECT_EQ(s.accounting.delivered, 3u);
  ASSERT_TRUE(s.end_to_end);
  EXPECT_EQ(s.end_to_end->messages, 1u);
  EXPECT_EQ(s.end_to_end->delivered, 1u);
  EXPECT_EQ(s.end_to_end->retransmissions, 1u);
  EXPECT_EQ(s.end_to_end->acks, 2u);
  EXPECT_EQ(s.end_to_end->discarded, 1u);
  EXPECT_EQ(s.total.packets, 1u);
  EXPECT_EQ(s.offered_bytes_per_ns_switch, s.accepted_bytes_per_ns_switch);
  const auto file = place.path() / "r" / "results.sqlite";
  EXPECT_EQ(Query(file, "SELECT * FROM copies"), "2|ack\n3|retransmission\n3|discarded\n4|ack\n");
  EXPECT_EQ(Query(file, "SELECT count(*) FROM latencies"), "1\n");
  EXPECT_NE(SummaryJson(s).find("\"end_to_end\""), std::string::npos);
  EXPECT_NE(SummaryText(s).find("messages    1 sent = 1 delivered + 0 open\n"), std::string::npos);
}

TEST(RecorderTest, WithoutPacketRowsTheRestIsTheSame) {
  const TemporaryFolder place;
  RecorderOptions options = SmallOptions(place.path() / "r");
  options.packets = false;
  Recorder recorder(options);
  recorder.Generated(SmallPacket(1), 1);
  recorder.Injected(1, 2);
  recorder.Delivered(1, 30);
  EXPECT_EQ(recorder.Finish(50, "ok", "", {}).accounting.delivered, 1u);
  EXPECT_EQ(Query(place.path() / "r" / "results.sqlite", "SELECT count(*) FROM packets"), "0\n");
}

TEST(RecorderTest, ImpossibleReportsFailTheRun) {
  const auto run = [](auto reports) {
    Recorder recorder(SmallOptions({}));
    recorder.Generated(SmallPacket(1), 1);
    reports(recorder);
    return recorder.Finish(100, "ok", "", {});
  };
  EXPECT_EQ(run([](Recorder&) {}).outcome, "ok");
  const Summary twice = run([](Recorder& r) {
    r.Injected(1, 2);
    r.Delivered(1, 20);
    r.Delivered(1, 21);
  });
  EXPECT_EQ(twice.outcome, "accounting");
  EXPECT_EQ(twice.accounting.unexpected, 1u);
  EXPECT_FALSE(twice.message.empty());
  EXPECT_EQ(run([](Recorder& r) { r.Delivered(1, 20); }).outcome, "accounting");
  EXPECT_EQ(run([](Recorder& r) { r.Injected(2, 20); }).outcome, "accounting");
  EXPECT_EQ(run([](Recorder& r) { r.Generated(SmallPacket(1), 3); }).outcome, "accounting");
  EXPECT_EQ(run([](Recorder& r) { r.Dropped(1, 3, DropReason::kBad, ""); }).outcome, "accounting");
  EXPECT_EQ(run([](Recorder& r) {
              r.Injected(1, 2);
              r.Injected(1, 3);
            }).outcome,
            "accounting");
  EXPECT_EQ(run([](Recorder& r) {
              r.Injected(1, 2);
              r.Refused(1, 3, DropReason::kSourceQueue);
            }).outcome,
            "accounting");
}

TEST(RecorderTest, OtherFailuresKeepTheirName) {
  Recorder recorder(SmallOptions({}));
  recorder.Delivered(1, 1);
  const Summary s = recorder.Finish(10, "stall", "S0 port 1 VL0 waits", {});
  EXPECT_EQ(s.outcome, "stall");
  EXPECT_EQ(s.message, "S0 port 1 VL0 waits");
}

// Latency goes by generation, throughput by delivery, and neither counts what lies outside the
// window.
TEST(RecorderTest, MeasuresInItsWindow) {
  Recorder recorder(SmallOptions({}));
  const auto send = [&recorder](std::uint64_t id, Cycle generated, Cycle delivered) {
    recorder.Generated(SmallPacket(id), generated);
    recorder.Injected(id, generated + 1);
    if (delivered >= 100 && id == 2) recorder.BeginMeasurement(100);
    recorder.Delivered(id, delivered);
  };
  send(1, 10, 50);
  send(2, 60, 150);  // delivered in the window
  send(3, 160, 190);
  recorder.Generated(SmallPacket(4), 199);
  recorder.Injected(4, 199);
  recorder.EndMeasurement(200);
  recorder.Delivered(4, 260);  // generated in the window
  send(5, 210, 290);
  const Summary s = recorder.Finish(300, "ok", "", {});
  EXPECT_EQ(s.total.packets, 2u);
  EXPECT_EQ(s.total.max, 61u);
  EXPECT_EQ(s.total.p50, 30u);
  EXPECT_DOUBLE_EQ(s.accepted_bytes_per_ns_switch, 2 * 58 / (100 * 16.0 * 2));
  EXPECT_DOUBLE_EQ(s.offered_bytes_per_ns_switch, 2 * 58 / (100 * 16.0 * 2));
  EXPECT_DOUBLE_EQ(s.accepted_load, 2 * 15 / (100 * 3.0));
}

TEST(RecorderTest, ARunThatNeverMeasuredHasNoThroughput) {
  Recorder recorder(SmallOptions({}));
  const Summary s = recorder.Finish(300, "timeout", "bring-up", {});
  EXPECT_EQ(s.accepted_bytes_per_ns_switch, 0);
  EXPECT_EQ(s.measure_begin, s.measure_end);
}

////////////////////////////////////////////////////////////////////////////////////////////////////
// A random run: statistics against their definition, determinism, speed
////////////////////////////////////////////////////////////////////////////////////////////////////

struct Life {
  Cycle generated;
  Cycle queue;
  Cycle network;
  std::uint64_t id;
};

std::vector<Life> RandomLives(std::uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  std::vector<Life> lives;
  for (int i = 0; i < count; ++i) {
    const auto id = static_cast<std::uint64_t>(i);
    lives.push_back({id / 4, random() % 50, 30 + random() % 400, random() << 20 | id});
  }
  return lives;
}

// Reports the lives in the order of time, as a simulation does.
Summary Record(const std::vector<Life>& lives, const std::filesystem::path& folder, Cycle begin,
               Cycle end) {
  struct Step {
    Cycle cycle;
    int kind;
    const Life* life;
  };
  std::vector<Step> steps;
  for (const Life& life : lives) {
    steps.push_back({life.generated, 0, &life});
    steps.push_back({life.generated + life.queue, 1, &life});
    steps.push_back({life.generated + life.queue + life.network, 2, &life});
  }
  std::ranges::stable_sort(steps, {}, [](const Step& s) { return std::pair(s.cycle, s.kind); });
  Recorder recorder(SmallOptions(folder));
  recorder.BeginMeasurement(begin);
  recorder.EndMeasurement(end);
  for (const Step& step : steps) {
    if (step.kind == 0) recorder.Generated(SmallPacket(step.life->id), step.cycle);
    if (step.kind == 1) recorder.Injected(step.life->id, step.cycle);
    if (step.kind == 2) recorder.Delivered(step.life->id, step.cycle);
  }
  return recorder.Finish(steps.back().cycle, "ok", "", {.wall_seconds = 1});
}

TEST(RecorderTest, StatisticsEqualTheirDefinition) {
  const auto lives = RandomLives(5, 20'000);
  const Summary s = Record(lives, {}, 1000, 3000);
  std::vector<Cycle> totals;
  Cycle queue_sum = 0;
  std::uint64_t delivered = 0;
  for (const Life& life : lives) {
    const Cycle total = life.queue + life.network;
    if (life.generated >= 1000 && life.generated < 3000) {
      totals.push_back(total);
      queue_sum += life.queue;
    }
    delivered += life.generated + total >= 1000 && life.generated + total < 3000 ? 1 : 0;
  }
  std::ranges::sort(totals);
  const auto n = totals.size();
  EXPECT_EQ(s.total.packets, n);
  EXPECT_EQ(s.total.p50, totals[(n * 50 + 99) / 100 - 1]);
  EXPECT_EQ(s.total.p99, totals[(n * 99 + 99) / 100 - 1]);
  EXPECT_EQ(s.total.max, totals.back());
  EXPECT_DOUBLE_EQ(s.queue.mean, static_cast<double>(queue_sum) / static_cast<double>(n));
  EXPECT_DOUBLE_EQ(s.total.mean, s.queue.mean + s.network.mean);
  EXPECT_DOUBLE_EQ(s.accepted_bytes_per_ns_switch,
                   static_cast<double>(delivered * 58) / (2000 * 16.0 * 2));
}

TEST(RecorderTest, SameRunSameBytes) {
  const TemporaryFolder place;
  const auto lives = RandomLives(5, 20'000);
  Record(lives, place.path() / "a", 1000, 3000);
  Record(lives, place.path() / "other-name", 1000, 3000);
  Record(RandomLives(6, 20'000), place.path() / "c", 1000, 3000);
  for (const char* name : {"results.sqlite", "summary.json"}) {
    const std::string a = ReadText(place.path() / "a" / name);
    EXPECT_GT(a.size(), 500u);
    EXPECT_TRUE(a == ReadText(place.path() / "other-name" / name)) << name;
    EXPECT_FALSE(a == ReadText(place.path() / "c" / name)) << name;
  }
}

TEST(RecorderTest, AMillionPacketsTakeSeconds) {
  const TemporaryFolder place;
  const std::clock_t start = std::clock();  // of this process: the machine may be busy
  {
    Recorder recorder(SmallOptions(place.path() / "r"));
    for (std::uint64_t id = 0; id < 1'000'000; ++id) {
      recorder.Generated(SmallPacket(id), id);
      recorder.Injected(id, id + 3);
      if (id >= 1000) recorder.Delivered(id - 1000, id);
    }
    recorder.Finish(1'000'000, "ok", "", {});
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  RecordProperty("seconds", std::to_string(seconds));
  EXPECT_LT(seconds, 10) << "0.7 s on a 2.5 GHz Xeon; the rest is slack for sanitizers";
  EXPECT_EQ(Query(place.path() / "r" / "results.sqlite", "SELECT count(*) FROM packets"),
            "1000000\n");
}

}  // namespace
}  // namespace lanecut
