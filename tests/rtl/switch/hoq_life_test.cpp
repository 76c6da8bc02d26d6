// SPDX-License-Identifier: Apache-2.0
//
// HOQLife in one switch: who is discarded at an output without credits, and when.
#include <vector>

#include "tests/rtl/switch/scheme_bench.h"

namespace lanecut::test {
namespace {

constexpr int kLimit = 256;  // of HOQLife 0
constexpr int kNoticed = 2;  // cycles from a limit that is set to the first that counts
constexpr int kNoLimit = 20;
constexpr int kPacketWords = 15;
constexpr int kDiscards = 5;  // index of the counter

class HoqLifeTest : public SchemeTest {
 protected:
  // Port 1 takes no more on VL 0: of these packets the first 16 fill the peer's buffer.
  void StopOutput(int packets) {
    bench_.At(1).Block(0, true);
    for (int i = 0; i < packets; ++i) bench_.At(2).Send(Numbered(0, 0, 1, i));
    bench_.Run(600);
    EXPECT_EQ(bench_.At(1).packets.size(), 16u);
  }
  std::vector<Cycle> DropCycles() {
    std::vector<Cycle> cycles;
    for (const Drop& drop : bench_.Drops()) {
      EXPECT_EQ(drop.reason, DropReason::kHoqLife);
      EXPECT_EQ(drop.where, Drop::Where::kOutput);
      EXPECT_EQ(drop.port, 1);
      EXPECT_EQ(drop.lane, 0);
      cycles.push_back(drop.cycle);
    }
    return cycles;
  }
};

TEST_F(HoqLifeTest, WithoutLimitNothingIsDropped) {
  bench_.SetHoqLife(kNoLimit);
  StopOutput(20);
  bench_.Run(300'000);
  EXPECT_TRUE(bench_.Drops().empty());
}

TEST_F(HoqLifeTest, HeadsAreDiscardedOneAfterTheOtherEachAfterTheLimit) {
  bench_.SetHoqLife(kNoLimit);
  StopOutput(20);
  const Cycle set = bench_.Now();
  bench_.SetHoqLife(0);
  bench_.Run(4 * (kLimit + kPacketWords) + 20);
  const std::vector<Cycle> cycles = DropCycles();
  ASSERT_EQ(cycles.size(), 4u);
  EXPECT_EQ(bench_.Counter(1, kDiscards), 4u);
  // The time begins when there is a limit, and for the next one when the one before is out.
  EXPECT_EQ(cycles[0], set + kNoticed + kLimit);
  for (std::size_t i = 1; i < cycles.size(); ++i) {
    EXPECT_EQ(cycles[i] - cycles[i - 1], static_cast<Cycle>(kLimit + kPacketWords + 1));
  }
  ExpectCreditsUnused(100);
  EXPECT_EQ(DropCycles().size(), 4u);
}

TEST_F(HoqLifeTest, TheLimitDoublesWithEachStep) {
  bench_.SetHoqLife(kNoLimit);
  StopOutput(17);
  const Cycle set = bench_.Now();
  bench_.SetHoqLife(3);
  bench_.Run(kLimit * 8);
  EXPECT_TRUE(bench_.Drops().empty());
  bench_.Run(4);
  EXPECT_EQ(DropCycles(), std::vector<Cycle>{set + kNoticed + kLimit * 8});
}

TEST_F(HoqLifeTest, At4XItIsFourTimesAsManyCycles) {
  bench_.SetFourLanes();
  bench_.SetHoqLife(kNoLimit);
  StopOutput(17);
  const Cycle set = bench_.Now();
  bench_.SetHoqLife(1);
  bench_.Run(kLimit * 8 + 4);
  EXPECT_EQ(DropCycles(), std::vector<Cycle>{set + kNoticed + kLimit * 8});
}

// It waits a little less than the limit again and again.
TEST_F(HoqLifeTest, AQueueThatMovesLosesNothing) {
  bench_.SetHoqLife(0);
  bench_.At(1).Block(0, true);
  for (int i = 0; i < 200; ++i) bench_.At(2).Send(Numbered(0, 0, 1, i));
  for (int round = 0; round < 20; ++round) {
    bench_.At(1).Block(0, true);
    bench_.Run(kLimit - 20);
    bench_.At(1).Block(0, false);
    bench_.Run(200);
  }
  EXPECT_TRUE(bench_.Drops().empty());
  EXPECT_EQ(bench_.At(1).packets.size(), 200u);
}

// A long packet that is still being sent is no reason to discard the next one.
TEST_F(HoqLifeTest, TheTimeOfThePacketBeforeDoesNotCount) {
  bench_.SetHoqLife(0);
  for (int i = 0; i < 8; ++i) bench_.At(2).Send(Numbered(0, 0, 1, i, 900));
  bench_.Run(4000);
  EXPECT_TRUE(bench_.Drops().empty());
  EXPECT_EQ(bench_.At(1).packets.size(), 8u);
}

TEST_F(HoqLifeTest, OtherVlsAndPortsGoOn) {
  bench_.SetHoqLife(0);
  bench_.At(1).Block(0, true);
  for (int i = 0; i < 20; ++i) bench_.At(2).Send(Numbered(0, 0, 1, i));
  for (int i = 0; i < 100; ++i) {
    bench_.At(3).Send(Numbered(0, 1, 1, 100 + i));
    bench_.At(4).Send(Numbered(0, 0, 3, 300 + i));
  }
  bench_.Run(4000);
  EXPECT_EQ(DropCycles().size(), 4u);
  EXPECT_EQ(bench_.At(1).packets.size(), 116u);
  EXPECT_EQ(bench_.At(3).packets.size(), 100u);
  for (const Received& packet : bench_.At(1).packets) EXPECT_TRUE(packet.good);
}

}  // namespace
}  // namespace lanecut::test
