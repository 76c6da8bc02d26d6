// SPDX-License-Identifier: Apache-2.0
//
// Management packets through a switch: relayed, answered, made, dropped; and the tables that they
// write.
#include <gtest/gtest.h>

#include "tests/unit/reference/bench.h"

namespace lanecut {
namespace {

constexpr Cycle kT = Bench::kUp;
constexpr Cycle kSmpIn =
    kT + 72 + Bench::kFly;  // last word of an SMP put at kT is on the switch's pins
constexpr Cycle kEnd = kT + 3000;

class Management : public ::testing::Test {
 protected:
  Management() { bench_.BringUp(); }

  ReferenceModel& Finish() {
    bench_.Run(kEnd);
    bench_.model().Finish(kEnd, true);
    return bench_.model();
  }

  // A request by end node 1 through the switch to end node 2, as it arrives at the switch and as it
  // must leave.
  static Mad Request() { return DirectedMad(1, 0x77, 0x0011, 0, {1, 2}); }
  static Mad Stepped() {
    Mad mad = Request();
    mad[1] = 2 << 8 | 2;
    mad[48] |= 1U << 16;  // return path, hop 1: by port 1
    return mad;
  }

  Bench bench_;
};

TEST_F(Management, BringUpIsAccounted) {
  EXPECT_CLEAN(Finish());
  const Accounts accounts = bench_.model().accounts();
  EXPECT_EQ(accounts.management.sent, 32u);  // 16 Sets and their answers
  EXPECT_EQ(accounts.management.delivered, 32u);
}

TEST_F(Management, RelayedRequest) {
  bench_.Put(0, kT, SmpWire(Request()));
  bench_.Leave(2, kSmpIn + 20, SmpWire(Stepped()));
  EXPECT_CLEAN(Finish());
}

TEST_F(Management, RelayedAnswer) {
  Mad mad = Request();
  mad[0] = (mad[0] & 0xFFFFFF00) | 0x81;
  mad[1] = 0x80000000 | 2 << 8 | 2;
  mad[48] |= 1U << 16 | 1U << 8;
  bench_.Put(2, kT, SmpWire(mad));
  mad[1] = 0x80000000 | 1 << 8 | 2;
  bench_.Leave(1, kSmpIn + 20, SmpWire(mad));
  EXPECT_CLEAN(Finish());
}

TEST_F(Management, RelayedByTheWrongPort) {
  bench_.Put(0, kT, SmpWire(Request()));
  bench_.Leave(3, kSmpIn + 20, SmpWire(Stepped()));
  EXPECT_FAILS(Finish(), Check::kManagement);
}

TEST_F(Management, HopPointerNotStepped) {
  Mad mad = Stepped();
  mad[1] = 1 << 8 | 2;
  bench_.Put(0, kT, SmpWire(Request()));
  bench_.Leave(2, kSmpIn + 20, SmpWire(mad));
  EXPECT_FAILS(Finish(), Check::kManagement);
}

TEST_F(Management, IcrcNotRegenerated) {
  Wire wire = SmpWire(Stepped());
  wire[71] = SmpWire(Request())[71];
  bench_.Put(0, kT, SmpWire(Request()));
  bench_.Leave(2, kSmpIn + 20, Seal(wire));
  EXPECT_FAILS(Finish(), Check::kManagement);
}

TEST_F(Management, RelayedTwice) {
  bench_.Put(0, kT, SmpWire(Request()));
  bench_.Leave(2, kSmpIn + 20, SmpWire(Stepped()));
  bench_.Leave(2, kSmpIn + 120, SmpWire(Stepped()));
  EXPECT_FAILS(Finish(), Check::kManagement);
}

TEST_F(Management, RelaysLeaveInOrder) {
  Mad second = Request();
  Mad second_stepped = Stepped();
  second[3] = second_stepped[3] = 0x78;
  bench_.Put(0, kT, SmpWire(Request()));
  bench_.Put(0, kT + 73, SmpWire(second));
  bench_.Leave(2, kSmpIn + 100, SmpWire(second_stepped));
  EXPECT_FAILS(Finish(), Check::kManagement);
}

TEST_F(Management, LostRelayIsFound) {
  bench_.Put(0, kT, SmpWire(Request()));
  bench_.Run(kEnd);
  bench_.model().Finish(kT + 30000, true);
  EXPECT_FAILS(bench_.model(), Check::kLost);
}

TEST_F(Management, AnswerThatNobodyAskedFor) {
  bench_.Leave(1, kT, SmpWire(Answer(DirectedMad(1, 0x99, 0x0011, 0, {1}), 1)));
  EXPECT_FAILS(Finish(), Check::kManagement);
}

TEST_F(Management, AnswerByTheWrongPort) {
  const Mad request = DirectedMad(1, 0x99, 0x0011, 0, {1});
  bench_.Put(0, kT, SmpWire(request));
  bench_.Leave(2, kSmpIn + 40, SmpWire(Answer(request, 1)));
  EXPECT_FAILS(Finish(), Check::kManagement);
}

TEST_F(Management, AnswerWithAnotherAttribute) {
  const Mad request = DirectedMad(1, 0x99, 0x0011, 0, {1});
  Mad answer = Answer(request, 1);
  answer[4] = 0x0015 << 16;
  bench_.Put(0, kT, SmpWire(request));
  bench_.Leave(1, kSmpIn + 40, SmpWire(answer));
  EXPECT_FAILS(Finish(), Check::kManagement);
}

TEST_F(Management, AnswerWithAWrongIcrc) {
  const Mad request = DirectedMad(1, 0x99, 0x0011, 0, {1});
  Wire answer = SmpWire(Answer(request, 1));
  answer[71].data ^= 1;
  bench_.Put(0, kT, SmpWire(request));
  bench_.Leave(1, kSmpIn + 40, Seal(answer));
  EXPECT_FAILS(Finish(), Check::kCrc);
}

TEST_F(Management, FullBufferMayDrop) {
  bench_.Put(0, kT, SmpWire(Request()));
  bench_.At(kT + Bench::kFly + 2,
            [](ReferenceModel& m) { m.OnRxDrop(0, 1, DropReason::kNoRoom, kT + Bench::kFly + 2); });
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(bench_.model().accounts().management.dropped[static_cast<int>(DropReason::kNoRoom)],
            1u);
}

TEST_F(Management, RouteToNowhereIsDropped) {
  bench_.Put(0, kT, SmpWire(DirectedMad(1, 0x77, 0x0011, 0, {1, 9})));
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(bench_.model().accounts().management.dropped[static_cast<int>(DropReason::kManagement)],
            1u);
}

TEST_F(Management, LidRoutedGoesByTheForwardingTable) {
  Mad mad = DirectedMad(1, 0x77, 0x0011, 0, {});
  mad[0] = (mad[0] & 0xFF00FFFF) | 0x00010000;
  Wire wire = SmpWire(mad);
  wire[0].data = (wire[0].data & 0xFFFF0000) | 2;
  wire[1].data = (wire[1].data & 0xFFFF0000) | 1;
  Packet packet;
  for (std::size_t i = 0; i + 1 < wire.size(); ++i) packet.words.push_back(wire[i].data);
  SealIcrc(&packet);
  BuildWire(packet, &wire);
  bench_.Put(0, kT, wire);
  bench_.Leave(2, kT + Bench::kFly + 20, wire);
  EXPECT_CLEAN(Finish());
}

// ---- What a Set changes, and when ----

class TableChange : public Management {
 protected:
  static constexpr Cycle kAnswerDelay = 200;

  // LID 2 leaves by port 3 from some moment between kSmpIn and kSmpIn + kAnswerDelay on.
  void ChangeLft(std::uint16_t status = 0) {
    Mad lft(16, 0xFFFFFFFF);
    lft[0] = 0x00010303;
    ASSERT_EQ(bench_.Set(kT, 0x0019, 0, lft, kAnswerDelay, status), kSmpIn);
  }

  // A packet to LID 2 whose header reaches the switch in cycle `in` leaves by `port`.
  void Pass(Cycle in, int port) {
    const Wire wire = bench_.Send(3, in - Bench::kFly, Data(in, 3, 2));
    bench_.Leave(port, in + 6, wire);
    bench_.Deliver(port, in + 6, wire, in);
  }
};

TEST_F(TableChange, BeforeTheSetOnlyTheOldValue) {
  ChangeLft();
  Pass(kSmpIn - 20, 2);
  EXPECT_CLEAN(Finish());
}

TEST_F(TableChange, BeforeTheSetNotTheNewValue) {
  ChangeLft();
  Pass(kSmpIn - 20, 3);
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(TableChange, BetweenSetAndAnswerBoth) {
  ChangeLft();
  Pass(kSmpIn + 20, 2);
  Pass(kSmpIn + 60, 3);
  EXPECT_CLEAN(Finish());
}

TEST_F(TableChange, BetweenSetAndAnswerNothingElse) {
  ChangeLft();
  Pass(kSmpIn + 20, 1);
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(TableChange, AfterTheAnswerOnlyTheNewValue) {
  ChangeLft();
  Pass(kSmpIn + kAnswerDelay + 100, 3);
  EXPECT_CLEAN(Finish());
}

TEST_F(TableChange, AfterTheAnswerNotTheOldValue) {
  ChangeLft();
  Pass(kSmpIn + kAnswerDelay + 100, 2);
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(TableChange, RefusedSetChangesNothing) {
  ChangeLft(0x1C);
  Pass(kSmpIn + kAnswerDelay + 100, 2);
  EXPECT_CLEAN(Finish());
}

TEST_F(TableChange, InactiveBankWaitsForTheCommit) {
  Mad lft(16, 0xFFFFFFFF);
  lft[0] = 0x00010303;
  bench_.Set(kT, 0xFF03, 0, lft);
  Mad sl_to_vl(16, 0xFFFFFFFF);
  sl_to_vl[0] = 0x01FFFFFF;
  bench_.Set(kT + 300, 0xFF04, 3 << 8 | 3, sl_to_vl);
  Pass(kT + 600, 2);
  bench_.Set(kT + 700, 0xFF02, 0, {0x80000001});
  Pass(kT + 1000, 3);
  EXPECT_CLEAN(Finish());
}

TEST_F(TableChange, OtherSlToVl) {
  Mad sl_to_vl(16, 0xFFFFFFFF);
  sl_to_vl[0] = 0x11FFFFFF;
  bench_.Set(kT, 0x0017, 1 << 8 | 2, sl_to_vl);
  const Wire wire = bench_.Send(1, kT + 400, Data(7, 1, 2));
  bench_.Leave(2, kT + 411, OnVl(wire, 1));
  bench_.Deliver(2, kT + 411, wire, 7);
  EXPECT_CLEAN(Finish());
}

TEST_F(TableChange, DataWaitForActive) {
  Mad down(16, 0);
  down[8] = 1U << 24;
  bench_.Set(kT, 0x0015, 2, down);
  const Wire wire = bench_.Send(1, kT + 400, Data(7, 1, 2));
  bench_.Leave(2, kT + 411, wire);
  EXPECT_FAILS(Finish(), Check::kPortState);
}

// ---- M_Key ----

class KeyedTableChange : public TableChange {
 protected:
  static constexpr std::uint32_t kKeyHigh = 0x01234567;
  static constexpr std::uint32_t kKeyLow = 0x89ABCDEF;
  static constexpr Cycle kLater = kT + 1000;  // the M_Key is in force

  void SetKey() { bench_.Set(kT, 0x0015, 0, {kKeyHigh, kKeyLow}); }

  // LID 2 leaves by port 3, if this M_Key lets it.
  Mad LftSet(std::uint32_t key_high, std::uint32_t key_low) {
    Mad lft(16, 0xFFFFFFFF);
    lft[0] = 0x00010303;
    Mad set = DirectedMad(2, 0x99, 0x0019, 0, {1}, lft);
    set[6] = key_high;
    set[7] = key_low;
    bench_.Put(0, kLater, SmpWire(set));
    return set;
  }
};

TEST_F(KeyedTableChange, WithItASetCounts) {
  SetKey();
  const Mad set = LftSet(kKeyHigh, kKeyLow);
  bench_.Leave(1, kLater + 120, SmpWire(Answer(set, 1)));
  Pass(kLater + 400, 3);
  EXPECT_CLEAN(Finish());
}

TEST_F(KeyedTableChange, WithoutItASetMeansNothing) {
  SetKey();
  LftSet(kKeyHigh, kKeyLow ^ 1);
  // An answer to something later, behind which the Set would have been done.
  const Mad get = DirectedMad(1, 0x9A, 0x0010, 0, {1});
  bench_.Put(0, kLater + 100, SmpWire(get));
  bench_.Leave(1, kLater + 300, SmpWire(Answer(get, 1)));
  Pass(kLater + 600, 2);
  EXPECT_CLEAN(Finish());
}

TEST_F(KeyedTableChange, WithoutItASetThatIsDoneIsFound) {
  SetKey();
  LftSet(kKeyHigh ^ 1, kKeyLow);
  Pass(kLater + 600, 3);
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(KeyedTableChange, WithoutItNoSetIsAnswered) {
  SetKey();
  const Mad set = LftSet(0, 0);
  bench_.Leave(1, kLater + 120, SmpWire(Answer(set, 1)));
  EXPECT_FAILS(Finish(), Check::kManagement);
}

TEST_F(KeyedTableChange, AnMKeyThatIsRefusedIsNone) {
  bench_.Set(kT, 0x0015, 0, {kKeyHigh, kKeyLow}, 40, 0x1C);
  const Mad set = LftSet(0, 0);
  bench_.Leave(1, kLater + 120, SmpWire(Answer(set, 1)));
  Pass(kLater + 400, 3);
  EXPECT_CLEAN(Finish());
}

}  // namespace
}  // namespace lanecut
