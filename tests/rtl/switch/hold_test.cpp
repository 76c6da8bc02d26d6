// SPDX-License-Identifier: Apache-2.0
//
// EBR that waits: heads that want a port which has gone down, and what a new function, the port's
// return and the limit do with them; blocked heads after a commit.
#include <algorithm>
#include <string>

#include "tests/rtl/switch/scheme_bench.h"

namespace lanecut::test {
namespace {

class HoldTest : public SchemeTest {
 protected:
  static constexpr int kLimit = 3000;

  void SetUp() override {
    SchemeTest::SetUp();
    bench_.SetScheme(kEbr);
    bench_.SetHold(kLimit);
  }
  // The next function: as before, but that LID 10 leaves by `port`.
  void Commit(int port) {
    bank_ = !bank_;
    for (int lid = 0; lid < 64; ++lid) bench_.SetLft(lid, 255, bank_);
    for (int out = 1; out <= kPorts; ++out) bench_.SetLft(10 * out, out == 1 ? port : out, bank_);
    std::array<int, 16> vls{};
    for (int sl = 0; sl < 16; ++sl) vls[sl] = sl & 1;
    for (int in = 1; in <= kPorts; ++in) {
      for (int out = 1; out <= kPorts; ++out) bench_.SetSlToVl(in, out, vls, bank_);
    }
    bench_.SelectBank(bank_);
    bench_.SetEpoch((bench_.Epoch() + 1) % 8);
    bench_.Run(300);
  }
  void Down(int port) {
    bench_.Top().phy_up_i &= ~(1U << (port - 1));
    bench_.Run(4);
  }
  void Up(int port) {
    bench_.Top().phy_up_i |= 1U << (port - 1);
    bench_.Run(4);
    for (const int state : {3, 4}) bench_.SetState(state, 1U << (port - 1));
    bench_.Run(300);
  }
  void SendTen(int number = 0) {
    for (int i = 0; i < 10; ++i) bench_.At(2).Send(Numbered(number, 0, 1, 100 + i));
    bench_.Run(300);
  }
  // All ten have left by `port`, with this number.
  void ExpectTen(int port, int number) {
    ASSERT_EQ(bench_.At(port).packets.size(), 10u);
    for (int i = 0; i < 10; ++i) {
      const Received& packet = bench_.At(port).packets[static_cast<std::size_t>(i)];
      EXPECT_EQ(IdOf(packet), 100u + static_cast<std::uint64_t>(i));
      EXPECT_EQ(NumberOf(packet), number);
      EXPECT_TRUE(packet.good);
    }
  }
  // The cycles in which port 1 discarded packets.
  std::vector<Cycle> Discards() {
    std::vector<Cycle> cycles;
    for (const Drop& drop : bench_.Drops()) {
      EXPECT_EQ(drop.where, Drop::Where::kOutput);
      EXPECT_EQ(drop.reason, DropReason::kPortInactive);
      EXPECT_EQ(drop.port, 1);
      cycles.push_back(drop.cycle);
    }
    return cycles;
  }

 private:
  bool bank_ = false;
};

TEST_F(HoldTest, WithoutALimitNobodyWaits) {
  bench_.SetHold(0);
  Down(1);
  SendTen();
  EXPECT_EQ(Discards().size(), 10u);
}

TEST_F(HoldTest, UnderAnotherSchemeNobodyWaits) {
  bench_.SetScheme(kPlain);
  Down(1);
  SendTen();
  EXPECT_EQ(Discards().size(), 10u);
}

TEST_F(HoldTest, ANewFunctionGivesHeldHeadsItsWayAndItsNumber) {
  Down(1);
  SendTen();
  EXPECT_TRUE(bench_.Drops().empty());
  Commit(4);
  ExpectTen(4, 1);
  EXPECT_TRUE(bench_.Drops().empty());
}

TEST_F(HoldTest, NumbersWrap) {
  bench_.SetEpoch(7);
  Down(1);
  SendTen(7);
  Commit(4);
  ExpectTen(4, 0);
}

TEST_F(HoldTest, APortThatReturnsTakesTheHeadsThatWaitForIt) {
  Down(1);
  SendTen();
  Up(1);
  ExpectTen(1, 0);
  EXPECT_TRUE(bench_.Drops().empty());
}

TEST_F(HoldTest, AFunctionThatUsesThePortAgainKeepsHeadsWaitingForIt) {
  Down(1);
  SendTen();
  Commit(1);
  EXPECT_TRUE(bench_.Drops().empty());
  Up(1);
  // Only the head was looked up again: those behind it find the port up when it is their turn.
  ASSERT_EQ(bench_.At(1).packets.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(NumberOf(bench_.At(1).packets[i]), i == 0 ? 1 : 0);
}

TEST_F(HoldTest, AFunctionWithoutAWayDropsThem) {
  Down(1);
  SendTen();
  Commit(255);
  EXPECT_EQ(DropsOf(DropReason::kUnreachable), 10);
  EXPECT_EQ(bench_.Drops().size(), 10u);
}

TEST_F(HoldTest, AfterTheLimitPacketsAreDiscardedAsEver) {
  std::vector<Cycle> first;
  for (const int limit : {500, 501, 900}) {
    bench_.SetHold(limit);
    const std::size_t before = Discards().size();
    const Cycle down = bench_.Now();
    Down(1);
    SendTen();
    EXPECT_EQ(Discards().size(), before);
    bench_.Run(1000);
    ASSERT_EQ(Discards().size(), before + 10);
    first.push_back(Discards()[before] - down - static_cast<Cycle>(limit));
    bench_.Run(10);
    Up(1);
  }
  // From the loss of the link to the port's state, through the crossbar, and to the trace port.
  EXPECT_LE(first[0], 8u);
  EXPECT_EQ(first[1], first[0]);
  EXPECT_EQ(first[2], first[0]);
}

TEST_F(HoldTest, TheTimeCountsFromThePortsLossForAllAlike) {
  bench_.SetHold(500);
  Down(1);
  bench_.Run(600);
  SendTen();
  EXPECT_EQ(Discards().size(), 10u);
}

// They stood behind a head for which there was no room.
TEST_F(HoldTest, WhatAnOlderFunctionSentToALostPortIsLookedUpAfterTheLimit) {
  bench_.SetHold(1500);
  bench_.At(4).Block(0, true);
  for (int i = 0; i < 32; ++i) bench_.At(3).Send(Numbered(0, 0, 4, 900 + i));
  bench_.Run(1000);
  bench_.At(4).packets.clear();
  bench_.SetEndNodePorts(1 << 2);  // what comes from there is not dropped though it is blocked
  Down(1);
  SendTen();
  Commit(4);
  bench_.Run(1500);
  bench_.At(4).Block(0, false);
  bench_.Run(1000);
  EXPECT_TRUE(bench_.Drops().empty());
  ASSERT_EQ(bench_.At(4).packets.size(), 26u);
  bench_.At(4).packets.erase(bench_.At(4).packets.begin(), bench_.At(4).packets.begin() + 16);
  ExpectTen(4, 1);
}

TEST_F(HoldTest, AnotherPortIsLostBeforeTheNewWayIsFree) {
  bench_.At(4).Block(0, true);
  for (int i = 0; i < 40; ++i) bench_.At(3).Send(Numbered(0, 0, 4, 900 + i));
  bench_.Run(1000);
  bench_.At(4).packets.clear();
  Down(1);
  SendTen();
  Commit(4);  // where the queue is full
  EXPECT_TRUE(bench_.Drops().empty());
  Down(4);
  bench_.Run(300);
  Commit(3);
  ExpectTen(3, 2);
  EXPECT_EQ(std::ranges::count_if(bench_.Drops(), [](const Drop& d) { return d.port != 4; }), 0);
}

TEST_F(HoldTest, OtherVlsAndPortsGoOn) {
  Down(1);
  SendTen();
  for (int i = 0; i < 20; ++i) {
    bench_.At(2).Send(Numbered(0, 1, 3, 200 + i));
    bench_.At(4).Send(Numbered(0, 0, 3, 300 + i));
  }
  bench_.Run(800);
  EXPECT_EQ(bench_.At(3).packets.size(), 40u);
  EXPECT_TRUE(bench_.Drops().empty());
  Commit(4);
  ExpectTen(4, 1);
}

// Three functions are all that numbers tell apart: on the fourth one, an old packet would look new.
TEST_F(HoldTest, NobodyWaitsBeyondTheThirdFunction) {
  Down(1);
  SendTen();
  for (int i = 0; i < 2; ++i) Commit(1);
  EXPECT_TRUE(bench_.Drops().empty());
  Commit(1);
  EXPECT_EQ(Discards().size(), 10u);
}

TEST_F(HoldTest, TheSwitchIsNotIdleUntilTheLimit) {
  bench_.SetHold(500);
  bench_.tick_every = 0;
  bench_.Run(200);
  ASSERT_EQ(bench_.Top().idle_o, 1);
  const Cycle down = bench_.Now();
  Down(1);
  while (bench_.Top().idle_o == 0 && bench_.Now() < down + 1000) bench_.Run(1);
  EXPECT_NEAR(static_cast<double>(bench_.Now() - down), 500, 5);
}

// ---- Blocked heads ----

TEST_F(HoldTest, BlockedHeadsAreSparedForTheLimitAfterACommit) {
  StopOutput();
  bench_.At(3).Send(Numbered(0, 0, 1, 1000));
  bench_.Run(30);
  const Cycle committed = bench_.Now();
  bench_.SetEpoch(1);
  bench_.Run(kLimit - 2);
  EXPECT_EQ(DropsOf(kDropEpoch), 0);
  bench_.Run(6);
  ASSERT_EQ(DropsOf(kDropEpoch), 1);
  const auto drop = std::ranges::find(bench_.Drops(), kDropEpoch, &Drop::reason);
  EXPECT_GE(drop->cycle, committed + kLimit);
  EXPECT_EQ(drop->numbers, (std::array<int, 3>{0, 0, 1}));
}

TEST_F(HoldTest, BlockedHeadsOfTwoFunctionsAgoAreNotSpared) {
  StopOutput();
  bench_.At(3).Send(Numbered(0, 0, 1, 1000));
  bench_.Run(30);
  bench_.SetEpoch(1);
  bench_.Run(30);
  EXPECT_EQ(DropsOf(kDropEpoch), 0);
  bench_.SetEpoch(2);
  bench_.Run(10);
  EXPECT_EQ(DropsOf(kDropEpoch), 1);
}

// It counts as if it had come now: sent here by the old function, routed by the new one.
TEST_F(HoldTest, AHeadThatIsLookedUpAgainIsPutToTheDropTest) {
  bench_.SetHold(1000);
  bench_.At(4).Block(0, true);
  for (int i = 0; i < 40; ++i) bench_.At(3).Send(Numbered(0, 0, 4, 900 + i));
  bench_.Run(1000);
  Down(1);
  SendTen();
  Commit(4);
  EXPECT_TRUE(bench_.Drops().empty());
  bench_.Run(900);
  ASSERT_FALSE(bench_.Drops().empty());
  const auto drop = std::ranges::find(bench_.Drops(), 2, &Drop::port);
  ASSERT_NE(drop, bench_.Drops().end());
  EXPECT_EQ(drop->reason, kDropEpoch);
  EXPECT_EQ(drop->numbers, (std::array<int, 3>{0, 1, 1}));
}

}  // namespace
}  // namespace lanecut::test
