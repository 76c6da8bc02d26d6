// SPDX-License-Identifier: Apache-2.0
//
// LifeTimeValue in one switch: who is discarded for the time in the switch, where, and when.
#include <vector>

#include "tests/rtl/switch/scheme_bench.h"

namespace lanecut::test {
namespace {

constexpr int kLimit = 256;  // of LifeTimeValue 0 at 1X
constexpr int kNoLimit = 20;
constexpr int kMargin = 8;    // from the test's queue to the descriptor, and from there to the drop
constexpr int kDiscards = 5;  // index of the counter

class LifeTimeTest : public SchemeTest {
 protected:
  // Port 1 takes no more on VL 0: these packets fill the peer's buffer.
  void FillPeer() {
    bench_.At(1).Block(0, true);
    for (int i = 0; i < 16; ++i) bench_.At(2).Send(Numbered(0, 0, 1, i));
    bench_.Run(400);
    ASSERT_EQ(bench_.At(1).packets.size(), 16u);
  }
  void ExpectDrop(std::size_t index, Cycle came, int limit) {
    ASSERT_LT(index, bench_.Drops().size());
    const Drop& drop = bench_.Drops()[index];
    EXPECT_EQ(drop.reason, DropReason::kLifeTime);
    EXPECT_EQ(drop.where, Drop::Where::kOutput);
    EXPECT_EQ(drop.port, 1);
    EXPECT_EQ(drop.lane, 0);
    EXPECT_GT(drop.cycle, came + static_cast<Cycle>(limit));
    EXPECT_LE(drop.cycle, came + static_cast<Cycle>(limit + limit / 4 + kMargin));
  }
};

TEST_F(LifeTimeTest, WithoutLimitNothingIsDropped) {
  for (const int life : {31, kNoLimit}) {
    bench_.SetLifeTime(life);
    bench_.At(1).Block(0, true);
    for (int i = 0; i < 20; ++i) bench_.At(2).Send(Numbered(0, 0, 1, i));
    bench_.Run(200'000);
    EXPECT_TRUE(bench_.Drops().empty());
  }
}

// Whatever the clock says when it comes.
TEST_F(LifeTimeTest, AnOutputQueueDiscardsItsHeadAtTheLimit) {
  bench_.SetLifeTime(0);
  FillPeer();
  for (std::size_t i = 0; i < 12; ++i) {
    bench_.Run(static_cast<int>(7 * i));
    const Cycle sent = bench_.Now();
    bench_.At(2).Send(Numbered(0, 0, 1, 100 + i));
    bench_.Run(kLimit + kLimit / 4 + kMargin);
    ASSERT_EQ(bench_.Drops().size(), i + 1);
    ExpectDrop(i, sent, kLimit);
  }
  EXPECT_EQ(bench_.Counter(1, kDiscards), 12u);
  ExpectCreditsUnused(200);
  EXPECT_EQ(bench_.Drops().size(), 12u);
}

TEST_F(LifeTimeTest, TheLimitDoublesWithEachStep) {
  FillPeer();
  std::size_t drops = 0;
  for (const int life : {1, 2, 5}) {
    bench_.SetLifeTime(life);
    const Cycle sent = bench_.Now();
    bench_.At(2).Send(Numbered(0, 0, 1, 100));
    bench_.Run(((kLimit + kLimit / 4) << life) + kMargin);
    ASSERT_EQ(bench_.Drops().size(), drops + 1);
    ExpectDrop(drops++, sent, kLimit << life);
  }
}

TEST_F(LifeTimeTest, At4XItIsFourTimesAsManyCycles) {
  bench_.SetFourLanes();
  FillPeer();
  for (const int life : {0, 3}) {
    bench_.SetLifeTime(life);
    const Cycle sent = bench_.Now();
    const std::size_t drops = bench_.Drops().size();
    bench_.At(2).Send(Numbered(0, 0, 1, 100));
    bench_.Run(((4 * kLimit + kLimit) << life) + kMargin);
    ASSERT_EQ(bench_.Drops().size(), drops + 1);
    ExpectDrop(drops, sent, 4 * kLimit << life);
  }
}

// What waits when the limit is set has its whole time from then on.
TEST_F(LifeTimeTest, TimeWithoutLimitDoesNotCount) {
  FillPeer();
  bench_.At(2).Send(Numbered(0, 0, 1, 100));
  bench_.Run(5000);
  const Cycle set = bench_.Now();
  bench_.SetLifeTime(0);
  bench_.Run(kLimit + kLimit / 4 + kMargin);
  ASSERT_EQ(bench_.Drops().size(), 1u);
  ExpectDrop(0, set, kLimit);
}

// The time in the input queue counts: what has waited there goes one after the other.
TEST_F(LifeTimeTest, FullQueuesAreEmptyAfterTheLimit) {
  bench_.SetLifeTime(2);
  FillPeer();
  const Cycle sent = bench_.Now();
  for (int i = 0; i < 30; ++i) bench_.At(2).Send(Numbered(0, 0, 1, 100 + i));
  bench_.Run(4 * kLimit);
  EXPECT_TRUE(bench_.Drops().empty());
  bench_.Run(kLimit / 2 + 2 * 30 * 16);
  ASSERT_EQ(bench_.Drops().size(), 30u);
  ExpectDrop(0, sent, 4 * kLimit);
  EXPECT_FALSE(bench_.DataBusy());
}

// Under OSR a new packet waits in its input queue for the token of its output, until port 3 passes
// its own.
TEST_F(LifeTimeTest, WhatHasWaitedBeforeTheCrossbarIsDiscardedBehindIt) {
  std::array<int, 16> vls{};
  for (int lid = 0; lid < 64; ++lid) bench_.SetLft(lid, 1, true);
  for (int out = 1; out <= kPorts; ++out) bench_.SetSlToVl(2, out, vls, true);
  bench_.SetScheme(kOsr);
  bench_.SetFeeders(Channel(1, 0), 1u << Channel(3, 0));
  bench_.SetLifeTime(0);
  bench_.SetNextReady();
  bench_.StartChange();
  for (int i = 0; i < 3; ++i) bench_.At(2).Send(Numbered(1, 0, 1, 7 + i));
  bench_.Run(400);
  EXPECT_TRUE(bench_.Drops().empty());
  bench_.At(2).Send(Numbered(1, 0, 1, 10));
  bench_.Run(20);
  const Cycle crossing = bench_.Now();
  bench_.At(3).SendToken(0, 1);
  bench_.Run(150);
  ASSERT_EQ(bench_.Drops().size(), 3u);
  for (const Drop& drop : bench_.Drops()) {
    EXPECT_EQ(drop.reason, DropReason::kLifeTime);
    EXPECT_EQ(drop.where, Drop::Where::kOutput);
    EXPECT_LE(drop.cycle, crossing + 100);
  }
  EXPECT_EQ(bench_.Counter(1, kDiscards), 3u);
  ASSERT_EQ(bench_.At(1).packets.size(), 1u);
  EXPECT_EQ(IdOf(bench_.At(1).packets[0]), 10u);
}

// Neither does it take the link's time: VL 1 goes on without a gap.
TEST_F(LifeTimeTest, DiscardsAreBesideTheLink) {
  bench_.SetLifeTime(0);
  FillPeer();
  bench_.At(1).packets.clear();
  for (int i = 0; i < 12; ++i) bench_.At(2).Send(Numbered(0, 0, 1, 100 + i));
  for (int i = 0; i < 60; ++i) bench_.At(3).Send(Numbered(0, 1, 1, 200 + i));
  bench_.Run(60 * 15 + 200);
  EXPECT_EQ(bench_.Drops().size(), 12u);
  ASSERT_EQ(bench_.At(1).packets.size(), 60u);
  const auto& packets = bench_.At(1).packets;
  // Flow control, two words, may stand between packets.
  for (std::size_t i = 1; i < packets.size(); ++i) {
    EXPECT_LE(packets[i].head - packets[i - 1].head, 15u + 4u);
  }
}

TEST_F(LifeTimeTest, WhatIsBeingSentIsNotInterrupted) {
  bench_.SetLifeTime(0);
  FillPeer();
  bench_.At(1).packets.clear();
  bench_.At(2).Send(Numbered(0, 0, 1, 100, 900));
  bench_.Run(220);
  bench_.At(1).Block(0, false);
  bench_.Run(600);
  EXPECT_TRUE(bench_.Drops().empty());
  ASSERT_EQ(bench_.At(1).packets.size(), 1u);
  EXPECT_TRUE(bench_.At(1).packets[0].good);
}

TEST_F(LifeTimeTest, AQueueThatMovesLosesNothingAndOthersGoOn) {
  bench_.SetLifeTime(0);
  FillPeer();
  bench_.At(2).Send(Numbered(0, 0, 1, 100));
  for (int i = 0; i < 100; ++i) {
    bench_.At(3).Send(Numbered(0, 1, 1, 100 + i));
    bench_.At(4).Send(Numbered(0, 0, 3, 300 + i));
  }
  bench_.Run(4000);
  EXPECT_EQ(bench_.Drops().size(), 1u);
  EXPECT_EQ(bench_.At(1).packets.size(), 116u);
  EXPECT_EQ(bench_.At(3).packets.size(), 100u);
}

}  // namespace
}  // namespace lanecut::test
