// SPDX-License-Identifier: Apache-2.0
//
// Flow control: a sender without credit, a receiver that promises too much, queues that would
// overflow.
#include <gtest/gtest.h>

#include "models/reference/credit_check.h"
#include "tests/unit/reference/bench.h"

namespace lanecut {
namespace {

using reference::CreditCheck;

constexpr Cycle kT = Bench::kUp;
constexpr Cycle kEnd = kT + 2000;

class Credit : public ::testing::Test {
 protected:
  Credit() { bench_.BringUp(); }

  // `n` packets of one block each from end node 1 to 2, back to back; they leave the switch `delay`
  // cycles after arrival.
  void Stream(int n, Cycle delay) {
    for (int i = 0; i < n; ++i) {
      const Cycle t = kT + 15 * static_cast<Cycle>(i);
      const auto id = static_cast<std::uint64_t>(i + 1);
      const Wire wire = bench_.Send(1, t, Data(id, 1, 2));
      bench_.Leave(2, t + Bench::kFly + delay, wire);
      bench_.Deliver(2, t + Bench::kFly + delay, wire, id);
    }
  }

  Bench bench_;
};

TEST_F(Credit, WholeBufferMayBeSent) {
  Stream(16, 6);
  EXPECT_CLEAN(bench_.Run(kEnd));
}

TEST_F(Credit, OneMoreMayNot) {
  Stream(17, 6);
  EXPECT_FAILS(bench_.Run(kEnd), Check::kCredit);
}

TEST_F(Credit, NewLimitAllowsMore) {
  Stream(16, 6);
  bench_.FlowControl(1, kT + 260, 0, 0, 32);
  const Wire wire = bench_.Send(1, kT + 300, Data(99, 1, 3));
  bench_.Leave(3, kT + 311, wire);
  bench_.Deliver(3, kT + 311, wire, 99);
  EXPECT_CLEAN(bench_.Run(kEnd));
}

TEST_F(Credit, SentSaysLessThanBefore) {
  Stream(3, 6);
  bench_.FlowControl(3, kT + 800, 0, 0, 16);
  EXPECT_FAILS(bench_.Run(kEnd), Check::kCredit);
}

TEST_F(Credit, APortThatWasSentThroughDownCountsFromNothing) {
  Stream(3, 6);
  std::vector<std::uint32_t> down(16);
  down[8] = 0x01000000;  // PortInfo.PortState
  bench_.Set(kT + 300, 0x0015, 2, down);
  bench_.FlowControl(3, kT + 800, 0, 0, 16);
  EXPECT_CLEAN(bench_.Run(kEnd));
}

TEST_F(Credit, PromiseBeyondTheBuffer) {
  bench_.FlowControl(1, kT, 0, 0, 17);
  EXPECT_FAILS(bench_.Run(kEnd), Check::kCredit);
}

TEST_F(Credit, WrongFctbs) {
  bench_.FlowControl(1, kT, 0, 1, 16);
  EXPECT_FAILS(bench_.Run(kEnd), Check::kCredit);
}

TEST_F(Credit, WrongLpcrc) {
  bench_.Put(1, kT, {{0x00000010, Ctrl::kStartLink}, {0x12340000, Ctrl::kGoodEnd}});
  EXPECT_FAILS(bench_.Run(kEnd), Check::kCrc);
}

TEST_F(Credit, OutputQueueFullerThanItCanBe) {
  // All of the input queues' blocks are told free although none of the 32 packets has left by the
  // only output they have.
  for (const int from : {1, 3}) {
    for (int i = 0; i < 16; ++i) {
      const auto id = static_cast<std::uint64_t>(100 * from + i);
      bench_.Send(from, kT + 15 * static_cast<Cycle>(i), Data(id, from, 2));
    }
  }
  bench_.FlowControl(1, kT + 400, 0, 0, 32);
  bench_.Run(kT + 450);
  EXPECT_CLEAN(bench_.model());
  bench_.FlowControl(5, kT + 500, 0, 0, 20);
  EXPECT_FAILS(bench_.Run(kEnd), Check::kCredit);
}

// A damaged length makes the receiver count four blocks too many, so its neighbour sends more than
// fits. A promise made before the header of the packet too many was counted says nothing of it:
// that packet does not push another one out.
TEST_F(Credit, PromiseWhileAPacketArrivesThatDoesNotFit) {
  for (int i = 0; i < 16; ++i) {
    const auto id = static_cast<std::uint64_t>(300 + i);
    bench_.Send(3, kT + 15 * static_cast<Cycle>(i), Data(id, 3, 2));
  }
  bench_.FlowControl(5, kT + 300, 0, 0, 32);  // port 2's output queue is full of them
  const auto no_room = [this](Cycle t) {
    bench_.At(t, [=](ReferenceModel& m) { m.OnRxDrop(0, 1, DropReason::kNoRoom, t); });
  };
  const Cycle t = kT + 400;
  for (int i = 0; i < 15; ++i) {
    bench_.Send(1, t + 15 * static_cast<Cycle>(i), Data(static_cast<std::uint64_t>(i + 1), 1, 2));
  }
  const Cycle damaged = t + 15 * 15;
  const Wire wire = WireOf(Data(16, 1, 2));
  bench_.At(damaged - 1, [=](ReferenceModel& m) { m.OnGenerated(1, 16, damaged - 1); });
  bench_.PutDamaged(0, damaged, wire, 1, wire[1].data ^ 64U << 16);  // PktLen 14 -> 78
  no_room(damaged + Bench::kFly + 3);
  bench_.FlowControl(1, damaged + 20, 0, 0, 21);  // 20 counted, 1 free
  bench_.Send(1, damaged + 40, Data(17, 1, 2));
  const Cycle last = damaged + 60;
  bench_.Send(1, last, Data(18, 1, 2));
  bench_.FlowControl(1, last + Bench::kFly + 2, 0, 0, 21);
  no_room(last + Bench::kFly + 3);
  bench_.FlowControl(1, last + 20, 0, 0, 22);
  EXPECT_CLEAN(bench_.Run(kEnd));
}

TEST(CreditCheck, NothingBeforeTheFirstLimit) {
  CreditCheck credit(1, 16);
  EXPECT_FALSE(credit.Start(0, 1, 10));
}

// After a restart the count begins anew behind packets that are still in the buffer, and may hold
// some that were discarded: promises say how full the buffer is again when the sender's count has
// come.
TEST(CreditCheck, ARestartedReceiverMayStillHoldPackets) {
  CreditCheck credit(1, 16);
  credit.Received(0, 100);
  credit.SentArrives(0, 100, 10);
  EXPECT_TRUE(credit.Promise(0, 112, 20));
  EXPECT_EQ(credit.Occupied(0, 20), 4);

  credit.RestartReceiver(0, 13);  // one packet has been discarded since, four are in the buffer
  EXPECT_TRUE(credit.Promise(0, 13, 40));
  EXPECT_EQ(credit.Occupied(0, 40), -1);
  EXPECT_TRUE(credit.Promise(0, 17, 60));  // the buffer has run empty
  EXPECT_EQ(credit.Occupied(0, 60), -1);

  credit.SentArrives(0, 3, 70);
  EXPECT_EQ(credit.Occupied(0, 70), -1);
  EXPECT_TRUE(credit.Promise(0, 17, 100));
  EXPECT_EQ(credit.Occupied(0, 100), 2);
  EXPECT_FALSE(credit.Promise(0, 20, 120));
}

TEST(CreditCheck, CountsWrapAround) {
  CreditCheck credit(1, 16);
  for (int sent = 0; sent < 9000; sent += 4) {
    credit.LimitArrives(0, (sent + 4) & 0xFFF, 0);
    ASSERT_TRUE(credit.Start(0, 4, 1000)) << sent;
    credit.LimitArrives(0, (sent + 4) & 0xFFF, 0);
    ASSERT_FALSE(credit.HasCredit(0, 1));
  }
}

TEST(CreditCheck, LowerLimitHoldsAfterAMoment) {
  CreditCheck credit(1, 16);
  credit.LimitArrives(0, 16, 100);
  credit.LimitArrives(0, 4, 200);
  EXPECT_TRUE(credit.Start(0, 8, 203));  // the sender may not have taken it in yet
  EXPECT_FALSE(credit.Start(0, 1, 300));
}

TEST(CreditCheck, LossHealsThroughFctbs) {
  CreditCheck credit(1, 16);
  credit.Received(0, 3);
  EXPECT_TRUE(credit.Promise(0, 19, 100));
  EXPECT_FALSE(credit.Promise(0, 20, 100));
  credit.SentArrives(0, 8, 200);  // five blocks were lost on the way
  EXPECT_TRUE(credit.Promise(0, 24, 300));
}

TEST(CreditCheck, OccupiedIsWhatThePromiseLeaves) {
  CreditCheck credit(1, 16);
  EXPECT_EQ(credit.Occupied(0, 0), -1);
  credit.Received(0, 10);
  credit.Promise(0, 20, 100);
  EXPECT_EQ(credit.Occupied(0, 100), 6);
}

TEST(CreditCheck, OccupiedIsMoreThanTheBufferWhileAPacketArrivesThatDoesNotFit) {
  CreditCheck credit(1, 16);
  credit.Received(0, 20);
  credit.Received(0, 1);
  credit.Promise(0, 20, 100);
  EXPECT_EQ(credit.Occupied(0, 100), 17);
}

TEST(CreditCheck, PromiseFromBeforeAFallHoldsThoughTheFctbsIsRepeated) {
  CreditCheck credit(1, 16);
  credit.Received(0, 8);
  credit.SentArrives(0, 4, 100);  // a length was damaged: four blocks too many
  credit.SentArrives(0, 4, 102);
  EXPECT_TRUE(credit.Promise(0, 24, 104));
  EXPECT_EQ(credit.Occupied(0, 104), -1);
  EXPECT_FALSE(credit.Promise(0, 24, 120));
  EXPECT_TRUE(credit.Promise(0, 16, 120));
  EXPECT_EQ(credit.Occupied(0, 120), 4);
}

}  // namespace
}  // namespace lanecut
