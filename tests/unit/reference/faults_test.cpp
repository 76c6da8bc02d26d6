// SPDX-License-Identifier: Apache-2.0
//
// Bit errors, truncated packets, cut links and ports that are not Active: what must become of a
// packet, and what must not.
#include <gtest/gtest.h>

#include "tests/unit/reference/bench.h"

namespace lanecut {
namespace {

constexpr Cycle kT = Bench::kUp;
constexpr Cycle kIn = kT + Bench::kFly;
constexpr Cycle kOut = kIn + 6;
constexpr Cycle kEnd = kT + 2000;
constexpr int kWords = 15;

class Faults : public ::testing::Test {
 protected:
  Faults() { bench_.BringUp(); }

  ReferenceModel& Finish() {
    bench_.Run(kEnd);
    bench_.model().Finish(kEnd, true);
    return bench_.model();
  }

  void Generated(std::uint64_t id) {
    bench_.At(kT - 1, [=](ReferenceModel& m) { m.OnGenerated(1, id, kT - 1); });
  }

  // A packet of end node 1 to 2 one word of which is damaged on the first link.
  Wire SendDamaged(int index, std::uint32_t flip) {
    Generated(7);
    Wire wire = WireOf(Data(7, 1, 2));
    bench_.PutDamaged(0, kT, wire, index, wire[static_cast<std::size_t>(index)].data ^ flip);
    wire[static_cast<std::size_t>(index)].data ^= flip;
    return wire;
  }

  // The first `words` words of it and nothing more.
  Wire SendTruncated(int words) {
    Generated(7);
    const Wire wire = WireOf(Data(7, 1, 2));
    bench_.Put(0, kT, Wire(wire.begin(), wire.begin() + words));
    bench_.Cut(1, kT + static_cast<Cycle>(words) - 1 + Bench::kFly + 1);
    return wire;
  }

  void InputDrop(Cycle t, DropReason reason, int vl = 0) {
    bench_.At(t, [=](ReferenceModel& m) { m.OnInputDrop(0, 1, vl, reason, t); });
  }
  void RxDrop(Cycle t, DropReason reason) {
    bench_.At(t, [=](ReferenceModel& m) { m.OnRxDrop(0, 1, reason, t); });
  }
  void OutputDrop(Cycle t, int port = 2, int vl = 0) {
    bench_.At(
        t, [=](ReferenceModel& m) { m.OnOutputDrop(0, port, vl, DropReason::kPortInactive, t); });
  }
  void SinkDrop(int node, Cycle t, DropReason reason) {
    bench_.At(t, [=](ReferenceModel& m) { m.OnSinkDrop(node, reason, t); });
  }
  std::uint64_t Dropped(DropReason reason) {
    return bench_.model().accounts().data.dropped[static_cast<std::size_t>(reason)];
  }

  Bench bench_;
};

TEST_F(Faults, DamagedPacketLeavesWithABadEnd) {
  bench_.Leave(2, kOut, BadEnd(SendDamaged(9, 4), kWords));
  SinkDrop(2, kOut + 14 + Bench::kFly, DropReason::kBad);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kBad), 1u);
}

TEST_F(Faults, DamagedPacketLeavesWithAGoodEnd) {
  bench_.Leave(2, kOut, Seal(SendDamaged(9, 4)));
  EXPECT_FAILS(Finish(), Check::kCrc);
}

TEST_F(Faults, DamageIsRepairedOnTheWay) {
  SendDamaged(9, 4);
  bench_.Leave(2, kOut, WireOf(Data(7, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kContent);
}

TEST_F(Faults, DamagedPacketIsDroppedWhereItWaits) {
  SendDamaged(9, 4);
  InputDrop(kIn + kWords + 3, DropReason::kBad);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kBad), 1u);
}

TEST_F(Faults, GoodPacketIsDroppedAsBad) {
  bench_.Send(1, kT, Data(7, 1, 2));
  InputDrop(kIn + kWords + 3, DropReason::kBad);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Faults, DamagedIdIsStillTheSamePacket) {
  bench_.Leave(2, kOut, BadEnd(SendDamaged(6, 1), kWords));
  SinkDrop(2, kOut + 14 + Bench::kFly, DropReason::kBad);
  EXPECT_CLEAN(Finish());
}

TEST_F(Faults, DamagedDlidIsJudgedByWhatArrived) {
  bench_.Leave(3, kOut, BadEnd(SendDamaged(0, 1), kWords));  // DLID 2 -> 3
  SinkDrop(3, kOut + 14 + Bench::kFly, DropReason::kBad);
  EXPECT_CLEAN(Finish());
}

TEST_F(Faults, DamagedVlIsRefused) {
  SendDamaged(0, 0x40000000);
  RxDrop(kIn + 2, DropReason::kBadVl);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kBadVl), 1u);
}

TEST_F(Faults, RefusalForAnotherReason) {
  SendDamaged(0, 0x40000000);
  RxDrop(kIn + 2, DropReason::kPortInactive);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Faults, MissingRefusal) {
  SendDamaged(0, 0x40000000);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Faults, RefusalWithoutCause) {
  bench_.Send(1, kT, Data(7, 1, 2));
  RxDrop(kIn + 2, DropReason::kLength);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Faults, NoRoomForAPacketSentOnCredit) {
  bench_.Send(1, kT, Data(7, 1, 2));
  RxDrop(kIn + 2, DropReason::kNoRoom);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Faults, LongerThanTheBufferIsRefused) {
  SendDamaged(1, 1U << 26);
  RxDrop(kIn + 2, DropReason::kLength);
  EXPECT_CLEAN(Finish());
}

TEST_F(Faults, LengthShorterThanThePacket) {
  Wire wire = SendDamaged(1, 4U << 16);  // PktLen 14 -> 10
  bench_.Leave(2, kOut, BadEnd(wire, 11));
  SinkDrop(2, kOut + 10 + Bench::kFly, DropReason::kBad);
  EXPECT_CLEAN(Finish());
}

TEST_F(Faults, TwoBadPacketsOneCrossesOneIsDropped) {
  // The first has crossed before its end and waits in the output queue when the second is dropped
  // at the input.
  const Wire first = SendDamaged(9, 4);
  bench_.At(kT - 1, [](ReferenceModel& m) { m.OnGenerated(1, 8, kT - 1); });
  Wire second = WireOf(Data(8, 1, 2));
  bench_.PutDamaged(0, kT + kWords, second, 9, second[9].data ^ 2);
  InputDrop(kIn + 2 * kWords + 3, DropReason::kBad);
  bench_.Leave(2, kIn + 60, BadEnd(first, kWords));
  SinkDrop(2, kIn + 60 + 14 + Bench::kFly, DropReason::kBad);
  bench_.Run(kIn + 50);
  EXPECT_EQ(Dropped(DropReason::kBad), 1u);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kBad), 2u);
}

TEST_F(Faults, TruncatedPacketIsDroppedAtTheInput) {
  SendTruncated(9);
  InputDrop(kIn + 12, DropReason::kBad);
  bench_.At(kIn + 12, [](ReferenceModel& m) { m.OnCutShort(1, 7, kIn + 12); });
  EXPECT_CLEAN(Finish());
}

TEST_F(Faults, TruncatedPacketLeavesWithABadEnd) {
  bench_.Leave(2, kOut, BadEnd(SendTruncated(9), 9));
  SinkDrop(2, kOut + 8 + Bench::kFly, DropReason::kBad);
  EXPECT_CLEAN(Finish());
}

TEST_F(Faults, TruncatedBeforeItsIdLeavesWithABadEnd) {
  bench_.Leave(2, kOut, BadEnd(SendTruncated(5), 5));
  bench_.At(kT + 20, [](ReferenceModel& m) { m.OnCutShort(1, 7, kT + 20); });
  SinkDrop(2, kOut + 4 + Bench::kFly, DropReason::kBad);
  EXPECT_CLEAN(Finish());
}

// Its bad end stands where its length would, but the sender has counted all its blocks.
TEST_F(Faults, TruncatedToTwoWordsCountsInFull) {
  bench_.Leave(2, kOut, BadEnd(SendTruncated(2), 2));
  bench_.At(kT + 20, [](ReferenceModel& m) { m.OnCutShort(1, 7, kT + 20); });
  SinkDrop(2, kOut + 1 + Bench::kFly, DropReason::kBad);
  bench_.FlowControl(3, kOut + 60, 0, 1, 16);
  EXPECT_CLEAN(Finish());
}

TEST_F(Faults, TruncatedInItsHeaderIsRefused) {
  SendTruncated(1);
  bench_.At(kT + 20, [](ReferenceModel& m) { m.OnCutShort(1, 7, kT + 20); });
  RxDrop(kIn + 2, DropReason::kBad);
  EXPECT_CLEAN(Finish());
}

TEST_F(Faults, TruncatedPacketStaysOpen) {
  const Wire wire = SendTruncated(9);
  bench_.Leave(2, kOut, wire);
  EXPECT_FAILS(Finish(), Check::kFraming);
}

TEST_F(Faults, CutLosesWhatIsOnTheWire) {
  bench_.Cut(2, kOut + 17);  // all words sent, twelve have arrived
  bench_.Leave(2, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  SinkDrop(2, kOut + 17, DropReason::kLinkCut);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kLinkCut), 1u);
}

TEST_F(Faults, CutBeforeAnythingHasArrived) {
  bench_.Cut(2, kOut + 3);
  bench_.Leave(2, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  OutputDrop(kOut + 4);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kLinkCut), 1u);
}

TEST_F(Faults, CutWhileSendingAndArriving) {
  bench_.Cut(2, kOut + 9);
  bench_.Leave(2, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  OutputDrop(kOut + 10);
  SinkDrop(2, kOut + 9, DropReason::kLinkCut);
  EXPECT_CLEAN(Finish());
  const Accounts accounts = bench_.model().accounts();
  EXPECT_EQ(accounts.data.Dropped(), 1u);  // one copy, one fate
}

TEST_F(Faults, CutPacketIsNotReported) {
  bench_.Cut(2, kOut + 9);
  bench_.Leave(2, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  SinkDrop(2, kOut + 9, DropReason::kLinkCut);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

// It had begun before the sender noticed the cut.
TEST_F(Faults, PacketThatACutHasHalvedIsForgotten) {
  bench_.Cut(2, kT);
  bench_.At(kT + 1, [](ReferenceModel& m) { m.OnPut(3, kT + 1, {0, Ctrl::kStartLink}); });
  bench_.Cut(3, kT);
  bench_.At(kT + 1, [](ReferenceModel& m) { m.OnPut(5, kT + 1, {0, Ctrl::kStartData}); });
  for (const int port : {2, 3}) {
    bench_.Restore(port, kT + 100);
    bench_.FlowControl(2 * port - 1, kT + 120, 0, 0, 16);
  }
  EXPECT_CLEAN(Finish());
}

// It loses one of its two words in the cycle in which the port is down.
TEST_F(Faults, LinkPacketMayBeHalvedByAPortThatGoesThroughDown) {
  std::vector<std::uint32_t> down(16);
  down[8] = 0x01000000;  // PortInfo.PortState
  const Cycle arrived = bench_.Set(kT, 0x0015, 2, down);
  bench_.At(arrived + 10, [=](ReferenceModel& m) {
    m.OnPut(3, arrived + 10, {0, Ctrl::kGoodEnd});
  });
  bench_.At(arrived + 20, [=](ReferenceModel& m) {
    m.OnPut(3, arrived + 20, {0, Ctrl::kStartLink});
  });
  bench_.FlowControl(3, arrived + 25, 0, 0, 16);
  EXPECT_CLEAN(Finish());
}

// A port that goes through Down says so of the packet that it was sending, and goes on with others.
TEST_F(Faults, PacketMayBeHalvedByAPortThatGoesThroughDown) {
  std::vector<std::uint32_t> down(16);
  down[8] = 0x01000000;  // PortInfo.PortState
  const Cycle set = bench_.Set(kT, 0x0015, 2, down);
  bench_.At(set - 1, [=](ReferenceModel& m) { m.OnGenerated(1, 7, set - 1); });
  const Wire wire = WireOf(Data(7, 1, 2));
  bench_.Put(0, set, wire);
  const Cycle out = set + Bench::kFly + 6;
  bench_.Leave(2, out, Wire(wire.begin(), wire.begin() + 9));
  OutputDrop(out + 10);
  SinkDrop(2, out + Bench::kFly + 9, DropReason::kBad);
  bench_.FlowControl(3, out + 30, 0, 0, 16);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kBad), 1u);
}

TEST_F(Faults, LinkPacketMayNotBeHalvedOtherwise) {
  bench_.At(kT, [](ReferenceModel& m) { m.OnPut(3, kT, {0, Ctrl::kStartLink}); });
  bench_.FlowControl(3, kT + 5, 0, 0, 16);
  EXPECT_FAILS(Finish(), Check::kFraming);
}

TEST_F(Faults, CutPacketIsResumed) {
  bench_.Cut(2, kOut + 9);
  const Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  bench_.Leave(2, kOut, wire);
  OutputDrop(kOut + 10);
  SinkDrop(2, kOut + 9, DropReason::kLinkCut);
  bench_.Restore(2, kOut + 100);
  bench_.Run(kOut + 120);
  bench_.model().OnPut(3, kOut + 121, wire[10]);
  EXPECT_FAILS(bench_.model(), Check::kFraming);
}

TEST_F(Faults, QueuesTowardsADeadLinkDrain) {
  bench_.Cut(2, kT - 10);
  bench_.Send(1, kT, Data(7, 1, 2));
  bench_.Send(3, kT, Data(8, 3, 2));
  OutputDrop(kOut);
  OutputDrop(kOut + 15);
  bench_.Run(kOut + 5);
  EXPECT_CLEAN(bench_.model());
  EXPECT_EQ(Dropped(DropReason::kPortInactive), 1u);
  EXPECT_EQ(bench_.model().accounts().data.in_flight, 1u);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kPortInactive), 2u);
}

TEST_F(Faults, MoreDiscardsThanPackets) {
  bench_.Cut(2, kT - 10);
  bench_.Send(1, kT, Data(7, 1, 2));
  OutputDrop(kOut);
  OutputDrop(kOut + 15);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Faults, DeadPortSends) {
  bench_.Cut(2, kT - 10);
  bench_.Restore(2, kT);
  bench_.Leave(2, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kPortState);
}

TEST_F(Faults, NoCreditSurvivesACut) {
  bench_.Cut(2, kT - 500);
  bench_.Restore(2, kT - 490);
  for (const std::uint32_t state : {3U, 4U}) {
    Mad port_info(16, 0);
    port_info[8] = state << 24;
    bench_.Set(kT - 450 + 150 * (state - 3), 0x0015, 2, port_info);
  }
  bench_.Leave(2, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kCredit);
}

TEST_F(Faults, DataAtAnInactivePortAreRefused) {
  bench_.Cut(1, kT - 10);
  bench_.Restore(1, kT - 9);
  bench_.FlowControl(1, kT - 8, 0, 0, 16);
  bench_.Send(1, kT + 8, Data(7, 1, 2));
  RxDrop(kIn + 10, DropReason::kPortInactive);
  EXPECT_CLEAN(Finish());
}

TEST_F(Faults, UnreachablePacketIsPassedByAnother) {
  bench_.Send(1, kT, Data(7, 1, 9));
  const Wire next = bench_.Send(1, kT + kWords, Data(8, 1, 2));
  bench_.Leave(2, kOut + kWords, next);
  bench_.Deliver(2, kOut + kWords, next, 8);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

}  // namespace
}  // namespace lanecut
