// SPDX-License-Identifier: Apache-2.0
//
// EBR that waits: which way a packet may take that wanted a port which has gone down, with which
// number, and when it may be discarded.
#include <gtest/gtest.h>

#include "tests/unit/reference/bench.h"

namespace lanecut {
namespace {

constexpr Cycle kT = Bench::kUp;
constexpr Cycle kCut = kT + 4000;    // of port 2
constexpr Cycle kSent = kCut + 100;  // to LID 2
constexpr Cycle kIn = kSent + Bench::kFly;
constexpr Cycle kLimit = 2000;

// In the next function LID 2 leaves by port 3.
class Hold : public ::testing::Test {
 protected:
  Hold() { bench_.BringUp(); }

  void UnderEbr(Cycle limit = kLimit) {
    Cycle t = kT;
    bench_.Set(t, 0xFF07, 0, {static_cast<std::uint32_t>(limit << 8 | 1)});
    Mad lft(16, 0xFFFFFFFF);
    lft[0] = 0x00010303;
    bench_.Set(t += 300, 0xFF03, 0, lft);
    for (std::uint32_t in = 1; in <= 3; ++in) {
      for (std::uint32_t out = 1; out <= 3; ++out) {
        bench_.Set(t += 300, 0xFF04, in << 8 | out, Mad(16, 0));
      }
    }
  }
  // The request is sent in cycle t; the new function is in force in the cycle returned.
  Cycle Commit(Cycle t) {
    const Cycle shown = bench_.Set(t, 0xFF02, 0, {1U << 31 | 1}) + 2;
    bench_.At(shown, [=](ReferenceModel& m) {
      SwitchState state;
      state.epoch = 1;
      m.OnSwitchState(Bench::kSwitch, state, shown);
    });
    return shown;
  }
  void Send(Cycle t = kSent) { wire_ = bench_.Send(1, t, Data(7, 1, 2)); }
  void Leave(int port, Cycle t, std::uint32_t number) {
    Wire wire = wire_;
    wire[1].data = (wire[1].data & 0x07FFFFFF) | number << 27;
    bench_.Leave(port, t, Seal(wire));
  }
  void Discard(Cycle t) {
    bench_.At(t, [=](ReferenceModel& m) {
      m.OnOutputDrop(Bench::kSwitch, 2, 0, DropReason::kPortInactive, t);
    });
  }
  ReferenceModel& Run() { return bench_.Run(kT + 10'000); }

  Bench bench_;
  Wire wire_;
};

TEST_F(Hold, AHeldPacketTakesTheNewWayWithTheNewNumber) {
  UnderEbr();
  bench_.Cut(2, kCut);
  Send();
  Leave(3, Commit(kSent + 200) + 5, 1);
  EXPECT_CLEAN(Run());
}

TEST_F(Hold, AHeldPacketKeepsItsOldNumber) {
  UnderEbr();
  bench_.Cut(2, kCut);
  Send();
  Leave(3, Commit(kSent + 200) + 5, 0);
  EXPECT_FAILS(Run(), Check::kNumber);
}

TEST_F(Hold, ANewWayBeforeTheNewFunction) {
  UnderEbr();
  bench_.Cut(2, kCut);
  Send();
  Leave(3, kSent + 150, 1);
  Commit(kSent + 200);
  EXPECT_FAILS(Run(), Check::kRoute);
}

TEST_F(Hold, ASecondLookupWithoutALimit) {
  UnderEbr(0);
  bench_.Cut(2, kCut);
  Send();
  Leave(3, Commit(kSent + 200) + 5, 1);
  EXPECT_FAILS(Run(), Check::kRoute);
}

TEST_F(Hold, ASecondLookupForAPortThatIsThere) {
  UnderEbr();
  Send();
  Leave(3, Commit(kSent + 200) + 5, 1);
  EXPECT_FAILS(Run(), Check::kRoute);
}

TEST_F(Hold, ASecondLookupAfterTheLimit) {
  UnderEbr(200);
  bench_.Cut(2, kCut);
  Send();
  Leave(3, Commit(kCut + 250) + 5, 1);
  EXPECT_CLEAN(Run());
}

TEST_F(Hold, APortThatIsLostAfterTheCommit) {
  UnderEbr();
  Send();
  const Cycle committed = Commit(kSent + 200);
  bench_.Cut(2, committed + 100);
  Leave(3, committed + 200, 1);
  EXPECT_CLEAN(Run());
}

TEST_F(Hold, APortThatReturnsGetsThePacketsThatWaitForIt) {
  UnderEbr();
  bench_.Cut(2, kCut);
  Send();
  bench_.Restore(2, kSent + 100);
  for (const std::uint32_t state : {3U, 4U}) {
    Mad port_info(16, 0);
    port_info[8] = state << 24;
    bench_.Set(kSent + 300 * (state - 2), 0x0015, 2, port_info);
  }
  for (const int lane : {2, 3}) bench_.FlowControl(lane, kSent + 800, 0, 0, 16);
  Leave(2, kSent + 850, 0);
  EXPECT_CLEAN(Run());
}

TEST_F(Hold, ADiscardWithinTheLimit) {
  UnderEbr();
  bench_.Cut(2, kCut);
  Send();
  Discard(kCut + kLimit - 10);
  EXPECT_FAILS(Run(), Check::kDrop);
}

TEST_F(Hold, ADiscardAfterTheLimit) {
  UnderEbr();
  bench_.Cut(2, kCut);
  Send();
  Discard(kCut + kLimit + 10);
  EXPECT_CLEAN(Run());
}

TEST_F(Hold, ADiscardWithoutALimit) {
  UnderEbr(0);
  bench_.Cut(2, kCut);
  Send();
  Discard(kIn + 10);
  EXPECT_CLEAN(Run());
}

// It may have crossed to the port before.
TEST_F(Hold, ADiscardOfWhatCameBeforeThePortWasLost) {
  UnderEbr();
  Send();
  bench_.Cut(2, kIn + 4);
  Discard(kIn + 10);
  EXPECT_CLEAN(Run());
}

}  // namespace
}  // namespace lanecut
