// SPDX-License-Identifier: Apache-2.0
//
// HOQLife: a head of an output queue is discarded when it has stood there for the limit, neither
// before nor far beyond.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/reference/limit_test.h"

namespace lanecut {
namespace {

constexpr Cycle kT = Bench::kUp;
constexpr Cycle kIn = kT + Bench::kFly;
constexpr Cycle kOut = kIn + 6;
constexpr Cycle kLimit = 256 << 2;
constexpr Cycle kEnd = kT + 20000;

class HoqLife : public LimitTest {
 protected:
  explicit HoqLife(bool lifetime = true) : LimitTest(DropReason::kHoqLife, kEnd, lifetime) {
    SetLife(2);
  }

  void SetLife(std::uint32_t life, std::uint16_t status = 0) {
    Mad port_info(16, 0);
    port_info[10] = life << 8;
    bench_.Set(kT - 1000 + 200 * static_cast<Cycle>(sets_++), 0x0015, 2, port_info, 40, status);
  }

 private:
  int sets_ = 0;
};

class NoHoqLife : public HoqLife {
 protected:
  NoHoqLife() : HoqLife(false) {}
};

TEST_F(HoqLife, ADropAtTheLimitIsRightAndNamed) {
  Send(1, kT, 7);
  OutputDrop(kOut + kLimit);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(dropped_, (std::vector<std::uint64_t>{7}));
  EXPECT_TRUE(bench_.model().accounts().data.Balanced());
}

TEST_F(HoqLife, ADropBeforeTheLimit) {
  Send(1, kT, 7);
  OutputDrop(kIn + 4 + kLimit);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(HoqLife, ADropTooSoonAfterThePacketBefore) {
  const Wire first = Send(1, kT, 7);
  Send(1, kT + 20, 8);
  bench_.Leave(2, kOut + 800, first);
  bench_.Deliver(2, kOut + 800, first, 7);
  OutputDrop(kOut + 800 + kLimit);
  EXPECT_FAILS(Finish(), Check::kDrop);
  ExpectText("the packet before it left");
}

TEST_F(HoqLife, ADropTooSoonAfterTheDropBefore) {
  Send(1, kT, 7);
  Send(3, kT, 8);
  OutputDrop(kOut + kLimit);
  OutputDrop(kOut + 2 * kLimit - 1);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

// The second packet is too young to be meant.
TEST_F(HoqLife, OfTwoPacketsTheOldOneIsMeant) {
  Send(1, kT, 7);
  const Wire second = Send(3, kT + 500, 8);
  OutputDrop(kOut + kLimit);
  bench_.Leave(2, kOut + kLimit + 100, second);
  bench_.Deliver(2, kOut + kLimit + 100, second, 8);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(dropped_, (std::vector<std::uint64_t>{7}));
}

TEST_F(HoqLife, ADropOfAPacketThatLeavesAllTheSame) {
  const Wire wire = Send(1, kT, 7);
  OutputDrop(kOut + kLimit);
  bench_.Leave(2, kOut + kLimit + 100, wire);
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

TEST_F(HoqLife, ADropWithoutAPacket) {
  OutputDrop(kOut + kLimit);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(HoqLife, ADropOnVl15) {
  Send(1, kT, 7);
  OutputDrop(kOut + kLimit, 2);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(HoqLife, ADropWithoutLimit) {
  SetLife(20);
  Send(1, kT, 7);
  OutputDrop(kEnd - 100);
  EXPECT_FAILS(Finish(), Check::kDrop);
  ExpectText("without end");
}

TEST_F(HoqLife, ARefusedLimitIsNone) {
  SetLife(0, 0x1C);
  Send(1, kT, 7);
  OutputDrop(kOut + 256);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(NoHoqLife, ADropByASwitchWithoutIt) {
  Send(1, kT, 7);
  OutputDrop(kOut + kLimit);
  EXPECT_FAILS(Finish(), Check::kDrop);
  ExpectText("built without");
}

// Its input queue is known to be empty, so that it has been at the head for all this time.
TEST_F(HoqLife, APacketThatStaysTooLong) {
  const Wire wire = Send(1, kT, 7);
  const int blocks = static_cast<int>(wire.size() + 15) / 16;
  bench_.FlowControl(1, kT + 100, 0, 0, 16 + blocks);
  const Cycle late = kT + 100 + kLimit + 6000;
  bench_.Leave(2, late, wire);
  bench_.Deliver(2, late, wire, 7);
  EXPECT_FAILS(Finish(), Check::kDrop);
  ExpectText("at the head since");
}

}  // namespace
}  // namespace lanecut
