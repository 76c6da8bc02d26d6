// SPDX-License-Identifier: Apache-2.0
//
// LifeTimeValue: a head is discarded when its packet has been in the switch for longer than the
// limit, neither before nor far beyond.
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/reference/limit_test.h"

namespace lanecut {
namespace {

constexpr Cycle kT = Bench::kUp;
constexpr Cycle kIn = kT + Bench::kFly;
constexpr Cycle kLimit = 256 << 2;
constexpr Cycle kEnd = kT + 20000;

class LifeTime : public LimitTest {
 protected:
  explicit LifeTime(bool lifetime = true) : LimitTest(DropReason::kLifeTime, kEnd, lifetime) {
    SetLife(kT - 1000, 2);
  }

  void SetLife(Cycle t, std::uint32_t life, std::uint16_t status = 0) {
    Mad switch_info(16, 0);
    switch_info[2] = life << 3;
    bench_.Set(t, 0x0012, 0, switch_info, 40, status);
  }
  void LeaveAndArrive(Cycle t, const Wire& wire, std::uint64_t id) {
    bench_.Leave(2, t, wire);
    bench_.Deliver(2, t, wire, id);
  }
};

class NoLifeTime : public LifeTime {
 protected:
  NoLifeTime() : LifeTime(false) {}
};

TEST_F(LifeTime, DropsAfterTheLimitAreRightAndNamed) {
  Send(1, kT, 7);
  Send(3, kT + 100, 8);
  OutputDrop(kIn + kLimit + 1);
  OutputDrop(kIn + 100 + kLimit + 100);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(dropped_, (std::vector<std::uint64_t>{7, 8}));
  EXPECT_TRUE(bench_.model().accounts().data.Balanced());
}

TEST_F(LifeTime, AnOutputDropBeforeTheLimit) {
  Send(1, kT, 7);
  OutputDrop(kIn + kLimit);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

// Nobody else discards for the time.
TEST_F(LifeTime, ADropAtAnInput) {
  Send(1, kT, 7);
  bench_.At(kEnd - 100,
            [](ReferenceModel& m) { m.OnInputDrop(0, 1, 0, DropReason::kLifeTime, kEnd - 100); });
  EXPECT_FAILS(Finish(), Check::kDrop);
}

// The time in the output queue of one that came before does not matter.
TEST_F(LifeTime, OldOnesGoAtOnceBehindOneThatLeft) {
  const Wire first = Send(1, kT, 7);
  Send(3, kT + 20, 8);
  LeaveAndArrive(kIn + kLimit, first, 7);
  OutputDrop(kIn + 20 + kLimit + 1);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(dropped_, (std::vector<std::uint64_t>{8}));
}

TEST_F(LifeTime, OfTwoPacketsTheOldOneIsMeant) {
  Send(1, kT, 7);
  const Wire second = Send(3, kT + 500, 8);
  OutputDrop(kIn + kLimit + 1);
  LeaveAndArrive(kIn + kLimit + 100, second, 8);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(dropped_, (std::vector<std::uint64_t>{7}));
}

TEST_F(LifeTime, ADropWithoutAPacket) {
  OutputDrop(kIn + kLimit + 1);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(LifeTime, ADropOnVl15) {
  OutputDrop(kIn + kLimit + 1, 2);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(LifeTime, ADropWithoutLimit) {
  SetLife(kT - 500, 20);
  Send(1, kT, 7);
  OutputDrop(kEnd - 100);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(LifeTime, ARefusedLimitIsNone) {
  SetLife(kT - 500, 0, 0x1C);
  Send(1, kT, 7);
  OutputDrop(kIn + 256 + 1);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

// The later pulse means what came earlier.
TEST_F(LifeTime, BesideHoqLife) {
  Mad port_info(16, 0);
  bench_.Set(kT - 500, 0x0015, 2, port_info);
  Send(1, kT, 7);
  Send(3, kT + 600, 8);
  bench_.At(kT + 900,
            [](ReferenceModel& m) { m.OnOutputDrop(0, 2, 0, DropReason::kHoqLife, kT + 900); });
  OutputDrop(kIn + kLimit + 1);
  bench_.Run(kEnd);
  bench_.model().Finish(kEnd, true);
  EXPECT_CLEAN(bench_.model());
  const auto& dropped = bench_.model().accounts().data.dropped;
  EXPECT_EQ(dropped[static_cast<std::size_t>(DropReason::kHoqLife)], 1U);
  EXPECT_EQ(dropped[static_cast<std::size_t>(DropReason::kLifeTime)], 1U);
}

// It has met a lower limit; one that comes later has not.
TEST_F(LifeTime, AfterARaiseTheOldLimitHoldsForWhatWasThere) {
  Send(1, kT, 7);
  SetLife(kT + 600, 4);
  OutputDrop(kIn + kLimit + 1);
  EXPECT_CLEAN(Finish());
}

TEST_F(LifeTime, AfterARaiseTheOldLimitIsNoMore) {
  SetLife(kT - 500, 4);
  Send(1, kT, 7);
  OutputDrop(kIn + kLimit + 1);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(NoLifeTime, ADropByASwitchWithoutIt) {
  Send(1, kT, 7);
  OutputDrop(kIn + kLimit + 1);
  EXPECT_FAILS(Finish(), Check::kDrop);
  ExpectText("built without");
}

TEST_F(LifeTime, APacketMayLeaveUntilAQuarterAfterTheLimit) {
  const Wire wire = Send(1, kT, 7);
  LeaveAndArrive(kIn + kLimit + kLimit / 4 + 6, wire, 7);
  EXPECT_CLEAN(Finish());
}

TEST_F(LifeTime, APacketThatLeavesTooLate) {
  const Wire wire = Send(1, kT, 7);
  LeaveAndArrive(kIn + kLimit + kLimit / 4 + 20, wire, 7);
  EXPECT_FAILS(Finish(), Check::kDrop);
  ExpectText("may leave until");
}

TEST_F(LifeTime, TimeBeforeTheLimitWasSetDoesNotCount) {
  const Wire wire = Send(1, kT, 7);
  SetLife(kT + 500, 0);
  LeaveAndArrive(kIn + 500 + 256, wire, 7);
  EXPECT_CLEAN(Finish());
}

}  // namespace
}  // namespace lanecut
