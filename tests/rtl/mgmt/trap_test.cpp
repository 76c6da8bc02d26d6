// SPDX-License-Identifier: Apache-2.0
//
// Trap 128: when it is sent, where to, what it says, how often, and what silences it.
#include <cstdint>

#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

constexpr uint16_t kOwnLid = 0x21;
constexpr uint16_t kManagerLid = 0x35;
constexpr int kManagerPort = 3;
constexpr int kSl = 6;
constexpr int kRepeat = 16;

template <typename Kind>
class TrapTest : public AgentTest<Kind> {
 protected:
  void SetUp() override {
    this->AssignLids(kOwnLid, kManagerLid, kManagerPort, kSl);
    this->bench_.departures[0].clear();
  }

  static Smp Trap(uint32_t tid) {
    Smp trap;
    trap.mgmt_class = kClassLid;
    trap.method = kTrap;
    trap.tid = tid;
    trap.attribute = 0x0002;
    trap.slid = kOwnLid;
    trap.dlid = kManagerLid;
    trap.sl = kSl;
    trap.data = {0x81000002, 128u << 16 | kOwnLid, kOwnLid};
    return trap;
  }

  static Words TrapWords(uint32_t tid) {
    Words words = Build(Trap(tid));
    words[4] = 0;  // PSN
    SealIcrc(words);
    return words;
  }

  void Repress(uint32_t tid, uint16_t attribute = 0x0002) {
    Smp repress = Trap(tid);
    repress.method = kTrapRepress;
    repress.attribute = attribute;
    repress.slid = kManagerLid;
    repress.dlid = kOwnLid;
    this->bench_.Send(0, {.words = Build(repress), .port = kManagerPort});
    ASSERT_TRUE(this->bench_.Drain());
  }

  // Exactly these traps have been sent since the last call.
  void ExpectTraps(const std::vector<uint32_t>& tids) {
    ASSERT_TRUE(this->bench_.Drain());
    ASSERT_EQ(this->bench_.departures[0].size(), tids.size());
    for (size_t i = 0; i < tids.size(); ++i) {
      EXPECT_EQ(this->bench_.departures[0][i].port, kManagerPort);
      EXPECT_EQ(this->bench_.departures[0][i].words, TrapWords(tids[i]));
    }
    this->bench_.departures[0].clear();
  }

  void Ticks(int count) {
    for (int i = 0; i < count; ++i) {
      this->bench_.Tick();
      ASSERT_TRUE(this->bench_.Drain());
    }
  }
};
TYPED_TEST_SUITE(TrapTest, Kinds);

TYPED_TEST(TrapTest, EveryChangeOfTheLinkSendsOne) {
  uint32_t tid = 0;
  for (int port = 1; port <= TypeParam::kPorts; ++port) {
    if (port == kManagerPort) continue;
    for (const int state : {1, 2}) {
      this->bench_.SetPortState(port, state);
      this->ExpectTraps({++tid});
      this->Repress(tid);
      this->ExpectTraps({});
    }
  }
}

TYPED_TEST(TrapTest, WhatTheManagerCommandsIsNoNews) {
  for (const int state : {3, 4}) {
    this->bench_.SetPortState(1, state);
    this->Ticks(kRepeat);
    this->ExpectTraps({});
  }
}

TYPED_TEST(TrapTest, NoneWithoutLids) {
  this->AssignLids(0, kManagerLid, kManagerPort);
  this->bench_.departures[0].clear();
  this->bench_.SetPortState(1, 1);
  this->ExpectTraps({});
  this->AssignLids(kOwnLid, 0, kManagerPort);
  this->Route(kManagerLid, kManagerPort);
  this->bench_.departures[0].clear();
  this->bench_.SetPortState(1, 2);
  this->Ticks(3 * kRepeat);
  this->ExpectTraps({});
  this->AssignLids(kOwnLid, kManagerLid, kManagerPort, kSl);
  this->bench_.departures[0].clear();
  this->Ticks(3 * kRepeat);
  this->ExpectTraps({});
}

TYPED_TEST(TrapTest, RepeatsUntilRepressed) {
  this->bench_.SetPortState(2, 1);
  this->ExpectTraps({1});
  for (int repeat = 0; repeat < 3; ++repeat) {
    this->Ticks(kRepeat - 1);
    this->ExpectTraps({});
    this->Ticks(1);
    this->ExpectTraps({1});
  }
  this->Repress(2);
  this->Repress(1, 0x0010);
  this->Ticks(kRepeat);
  this->ExpectTraps({1});
  this->Repress(1);
  this->Ticks(3 * kRepeat);
  this->ExpectTraps({});
}

TYPED_TEST(TrapTest, ALateRepressDoesNotSilenceANewChange) {
  this->bench_.SetPortState(2, 1);
  this->ExpectTraps({1});
  this->bench_.SetPortState(4, 1);
  this->ExpectTraps({2});
  this->Repress(1);
  this->Ticks(kRepeat);
  this->ExpectTraps({2});
  this->Repress(2);
  this->Ticks(2 * kRepeat);
  this->ExpectTraps({});
}

TYPED_TEST(TrapTest, ChangesWhileOneIsBeingSentShareTheNext) {
  this->bench_.blocked = true;
  this->bench_.SetPortState(1, 1);
  while (!this->bench_.dut().out_req_o) this->bench_.Step();
  this->bench_.SetPortState(2, 1);
  this->bench_.Step(3);
  this->bench_.SetPortState(4, 1);
  this->bench_.Step(3);
  this->bench_.blocked = false;
  this->ExpectTraps({1, 2});
}

TYPED_TEST(TrapTest, TriesAgainWhenThereWasNoWay) {
  this->bench_.SetPortState(kManagerPort, 1);
  this->ExpectTraps({});
  this->Ticks(kRepeat);
  this->ExpectTraps({});
  this->bench_.SetPortState(kManagerPort, 2);
  this->ExpectTraps({2});
  this->Route(kManagerLid, 0xFF);
  this->bench_.departures[0].clear();
  this->Ticks(kRepeat);
  this->ExpectTraps({});
  this->Route(kManagerLid, kManagerPort);
  this->bench_.departures[0].clear();
  this->Ticks(kRepeat);
  this->ExpectTraps({2});
}

TYPED_TEST(TrapTest, GoesByTheActiveBank) {
  this->bench_.Ask(Build(this->Request(kSet, 0xFF02, 0, {0x80000001})));
  this->bench_.departures[0].clear();
  this->bench_.SetPortState(2, 1);
  this->ExpectTraps({});
  this->bench_.Ask(Build(this->Request(kSet, 0xFF02, 0, {0x80000002})));
  this->bench_.departures[0].clear();
  this->Ticks(kRepeat);
  this->ExpectTraps({1});
}

// The same course of events with and without the clock edges of idle cycles.
TYPED_TEST(TrapTest, IdleClockEdgesCanBeLeftOut) {
  AgentBench<TypeParam> skipping;
  skipping.skip_idle = true;
  std::mt19937 random(11);
  const auto both = [&](const auto& act) {
    act(this->bench_);
    act(skipping);
  };
  Data port_info{};
  port_info[4] = kOwnLid << 16 | kManagerLid;
  Data block;
  block.fill(0x03030303);
  const Words set_lids = Build(this->Request(kSet, 0x0015, 0, port_info));
  const Words set_route = Build(this->Request(kSet, 0x0019, 0, block));
  both([&](auto& bench) {
    bench.Reset();
    bench.Send(0, {.words = set_lids});
    bench.Send(0, {.words = set_route});
    bench.Step(600);
  });
  for (int i = 0; i < 400; ++i) {
    const uint32_t what = static_cast<uint32_t>(random());
    const int port = 1 + static_cast<int>(random() % TypeParam::kPorts);
    const int pause = static_cast<int>(random() % 300);
    both([&](auto& bench) {
      if (what % 4 == 0) bench.Send(0, {.words = Build(this->Request(kGet, 0x0012)), .port = port});
      if (what % 4 == 1) bench.SetPortState(port, 1 + what / 4 % 4);
      if (what % 4 == 2) bench.Tick();
      if (what % 4 == 3) bench.Send(1, {.words = Words(14), .port = port, .vl15 = false});
      bench.Step(pause);
    });
  }
  EXPECT_GT(skipping.skipped, 20000u);
  ASSERT_EQ(this->bench_.departures[0].size(), skipping.departures[0].size());
  for (size_t i = 0; i < skipping.departures[0].size(); ++i) {
    EXPECT_EQ(this->bench_.departures[0][i].words, skipping.departures[0][i].words);
    EXPECT_EQ(this->bench_.departures[0][i].port, skipping.departures[0][i].port);
    EXPECT_EQ(this->bench_.departures[0][i].end_cycle - this->bench_.departures[0][0].end_cycle,
              skipping.departures[0][i].end_cycle - skipping.departures[0][0].end_cycle);
  }
}

TYPED_TEST(TrapTest, TrapsOfOthersAreNotAnswered) {
  Smp trap = this->Trap(7);
  trap.dlid = kOwnLid;
  trap.slid = kManagerLid;
  EXPECT_TRUE(this->bench_.Ask(Build(trap)).words.empty());
}

}  // namespace
}  // namespace lanecut::mgmt_test
