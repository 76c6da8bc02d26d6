// SPDX-License-Identifier: Apache-2.0
//
// A packet through one switch: right port, VL, content, order and time, and every way to get them
// wrong.
#include <gtest/gtest.h>

#include "tests/unit/reference/bench.h"

namespace lanecut {
namespace {

constexpr Cycle kT = Bench::kUp;         // first word leaves the end node
constexpr Cycle kIn = kT + Bench::kFly;  // ... is on the switch's input pins
constexpr Cycle kOut = kIn + 6;          // ... may be on its output pins
constexpr Cycle kEnd = kT + 1000;

class Forwarding : public ::testing::Test {
 protected:
  Forwarding() { bench_.BringUp(); }

  ReferenceModel& Finish(bool drained = true) {
    bench_.Run(kEnd);
    bench_.model().Finish(kEnd, drained);
    return bench_.model();
  }

  Bench bench_;
};

TEST_F(Forwarding, RightPacketIsDelivered) {
  const Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  bench_.Leave(2, kOut, wire);
  bench_.Deliver(2, kOut, wire, 7);
  ReferenceModel& model = Finish();
  EXPECT_CLEAN(model);
  const Accounts accounts = model.accounts();
  EXPECT_EQ(accounts.data.sent, 1u);
  EXPECT_EQ(accounts.data.delivered, 1u);
  EXPECT_TRUE(accounts.data.Balanced());
  EXPECT_TRUE(accounts.management.Balanced());
  EXPECT_EQ(accounts.generated, 1u);
}

// An acknowledgement has no payload: its id comes from its headers.
TEST_F(Forwarding, AcknowledgementIsDelivered) {
  const AckPacket ack{.slid = 1, .dlid = 2, .source = 1, .number = 9, .psn = 3};
  const Wire wire = WireOf(ack);
  const Wire other = WireOf(Data(7, 1, 2));
  bench_.Send(1, kT, wire, ack.id());
  bench_.Send(1, kT + wire.size(), other, 7);
  bench_.Leave(2, kOut, wire);
  bench_.Leave(2, kOut + wire.size(), other);
  bench_.Deliver(2, kOut, wire, ack.id());
  bench_.Deliver(2, kOut + wire.size(), other, 7);
  ReferenceModel& model = Finish();
  EXPECT_CLEAN(model);
  EXPECT_EQ(model.accounts().data.delivered, 2u);
}

TEST_F(Forwarding, AcknowledgementWithAnotherPsn) {
  AckPacket ack{.slid = 1, .dlid = 2, .source = 1, .number = 9, .psn = 3};
  bench_.Send(1, kT, WireOf(ack), ack.id());
  ++ack.psn;
  bench_.Leave(2, kOut, WireOf(ack));
  EXPECT_FAILS(Finish(), Check::kContent);
  EXPECT_NE(Failure(bench_.model()).find("ACK 0x1800000000009"), std::string::npos)
      << Failure(bench_.model());
}

TEST_F(Forwarding, AcknowledgementToTheWrongPort) {
  const AckPacket ack{.slid = 1, .dlid = 2, .source = 1, .number = 9, .psn = 3};
  bench_.Send(1, kT, WireOf(ack), ack.id());
  bench_.Leave(3, kOut, WireOf(ack));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(Forwarding, VlFollowsTheSl) {
  const Wire wire = bench_.Send(1, kT, Data(7, 1, 2, 1));
  bench_.Leave(2, kOut, OnVl(wire, 1));
  bench_.Deliver(2, kOut, wire, 7);
  EXPECT_CLEAN(Finish());
}

TEST_F(Forwarding, WrongPort) {
  bench_.Leave(3, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kRoute);
  EXPECT_NE(Failure(bench_.model()).find("expected port 2, VL 0"), std::string::npos);
  EXPECT_NE(Failure(bench_.model()).find("0x7 (LID 1 -> 2, SL 0)"), std::string::npos);
}

TEST_F(Forwarding, WrongVl) {
  bench_.Leave(2, kOut, OnVl(bench_.Send(1, kT, Data(7, 1, 2)), 1));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(Forwarding, OneCycleTooEarly) {
  bench_.Leave(2, kOut - 1, bench_.Send(1, kT, Data(7, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kEarly);
}

TEST_F(Forwarding, ChangedPayload) {
  Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  wire[10].data ^= 0x100;
  bench_.Leave(2, kOut, Seal(wire));
  EXPECT_FAILS(Finish(), Check::kContent);
}

TEST_F(Forwarding, ChangedHeader) {
  Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  wire[4].data ^= 1;  // PSN
  bench_.Leave(2, kOut, Seal(wire));
  EXPECT_FAILS(Finish(), Check::kContent);
}

TEST_F(Forwarding, ChangedId) {
  Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  wire[6].data ^= 1;
  bench_.Leave(2, kOut, Seal(wire));
  EXPECT_FAILS(Finish(), Check::kContent);
}

TEST_F(Forwarding, WrongVcrc) {
  Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  wire.back().data ^= 0x10000;
  bench_.Leave(2, kOut, wire);
  EXPECT_FAILS(Finish(), Check::kCrc);
}

TEST_F(Forwarding, BadEndOfAGoodPacket) {
  const Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  bench_.Leave(2, kOut, BadEnd(wire, static_cast<int>(wire.size())));
  EXPECT_FAILS(Finish(), Check::kCrc);
}

TEST_F(Forwarding, InterruptedPacket) {
  const Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  bench_.Leave(2, kOut, Wire(wire.begin(), wire.begin() + 9));
  bench_.Leave(2, kOut + 10, Wire(wire.begin() + 9, wire.end()));
  EXPECT_FAILS(Finish(), Check::kFraming);
}

TEST_F(Forwarding, ShortenedPacket) {
  Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  wire.erase(wire.begin() + 12, wire.end() - 1);
  bench_.Leave(2, kOut, Seal(wire));
  EXPECT_FAILS(Finish(), Check::kFraming);
}

TEST_F(Forwarding, LostPacket) {
  bench_.Send(1, kT, Data(7, 1, 2));
  ReferenceModel& model = Finish();
  EXPECT_FAILS(model, Check::kLost);
  ASSERT_EQ(model.Leftovers(10).size(), 1u);
}

TEST_F(Forwarding, UndrainedRunMayHavePacketsLeft) {
  bench_.Send(1, kT, Data(7, 1, 2));
  EXPECT_CLEAN(Finish(/*drained=*/false));
  EXPECT_EQ(bench_.model().accounts().data.in_flight, 1u);
}

TEST_F(Forwarding, DuplicatedPacket) {
  const Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  bench_.Leave(2, kOut, wire);
  bench_.Deliver(2, kOut, wire, 7);
  bench_.Leave(2, kOut + 40, wire);
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

TEST_F(Forwarding, PacketFromNowhere) {
  bench_.Leave(2, kOut, WireOf(Data(9, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

TEST_F(Forwarding, SourceSendsWhatItDidNotGenerate) {
  bench_.Put(0, kT, WireOf(Data(9, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

TEST_F(Forwarding, SourceSendsTwice) {
  bench_.Send(1, kT, Data(9, 1, 2));
  bench_.Put(0, kT + 30, WireOf(Data(9, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

TEST_F(Forwarding, TwoPacketsInOrder) {
  const Wire first = bench_.Send(1, kT, Data(7, 1, 2));
  const Wire second = bench_.Send(1, kT + 15, Data(8, 1, 2));
  bench_.Leave(2, kOut, first);
  bench_.Leave(2, kOut + 15, second);
  bench_.Deliver(2, kOut, first, 7);
  bench_.Deliver(2, kOut + 15, second, 8);
  EXPECT_CLEAN(Finish());
}

TEST_F(Forwarding, SwappedOrder) {
  const Wire first = bench_.Send(1, kT, Data(7, 1, 2));
  const Wire second = bench_.Send(1, kT + 15, Data(8, 1, 2));
  bench_.Leave(2, kOut + 30, second);
  bench_.Leave(2, kOut + 45, first);
  EXPECT_FAILS(Finish(), Check::kOrder);
  EXPECT_NE(Failure(bench_.model()).find("packet 0x7"), std::string::npos);
}

TEST_F(Forwarding, OtherInputsAndVlsMayOvertake) {
  const Wire first = bench_.Send(1, kT, Data(7, 1, 2));
  const Wire second = bench_.Send(1, kT + 15, Data(8, 1, 2, 1));
  const Wire third = bench_.Send(3, kT, Data(9, 3, 2));
  bench_.Leave(2, kOut + 15, OnVl(second, 1));
  bench_.Leave(2, kOut + 30, third);
  bench_.Leave(2, kOut + 45, first);
  bench_.Deliver(2, kOut + 15, second, 8);
  bench_.Deliver(2, kOut + 30, third, 9);
  bench_.Deliver(2, kOut + 45, first, 7);
  EXPECT_CLEAN(Finish());
}

TEST_F(Forwarding, UnreachableIsDropped) {
  bench_.Send(1, kT, Data(7, 1, 9));
  bench_.At(kIn + 4,
            [](ReferenceModel& m) { m.OnInputDrop(0, 1, 0, DropReason::kUnreachable, kIn + 4); });
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(bench_.model().accounts().data.dropped[static_cast<int>(DropReason::kUnreachable)], 1u);
}

// The first one came while its entry changed, and may or may not be dropped; the second one must
// be.
TEST_F(Forwarding, ADropIsThatOfThePacketThatMustBeDropped) {
  std::vector<std::uint32_t> block(16, 0xFFFFFFFF);
  block[0] = 0xFF01FF03;  // LID 2 leads nowhere any more
  const Cycle t = bench_.Set(kT, 0x0019, 0, block) + 2;
  const Wire first = bench_.Send(3, t - Bench::kFly, Data(7, 3, 2));
  bench_.Send(3, t - Bench::kFly + 15, Data(8, 3, 9));
  bench_.At(t + 20,
            [t](ReferenceModel& m) { m.OnInputDrop(0, 3, 0, DropReason::kUnreachable, t + 20); });
  bench_.Leave(2, t + 25, first);
  bench_.Deliver(2, t + 25, first, 7);
  EXPECT_CLEAN(bench_.Run(t + 1000));
  EXPECT_EQ(bench_.model().accounts().data.dropped[static_cast<int>(DropReason::kUnreachable)], 1u);
}

TEST_F(Forwarding, DlidBeyondTheTableIsUnreachable) {
  bench_.Send(1, kT, Data(7, 1, 300));
  bench_.At(kIn + 4,
            [](ReferenceModel& m) { m.OnInputDrop(0, 1, 0, DropReason::kUnreachable, kIn + 4); });
  EXPECT_CLEAN(Finish());
}

TEST_F(Forwarding, DiscardedVlIsDropped) {
  DataPacket packet = Data(7, 1, 2, 2);
  bench_.Send(1, kT, packet);
  bench_.At(kIn + 4,
            [](ReferenceModel& m) { m.OnInputDrop(0, 1, 0, DropReason::kVlDiscard, kIn + 4); });
  EXPECT_CLEAN(Finish());
}

TEST_F(Forwarding, WrongDropReason) {
  bench_.Send(1, kT, Data(7, 1, 9));
  bench_.At(kIn + 4,
            [](ReferenceModel& m) { m.OnInputDrop(0, 1, 0, DropReason::kVlDiscard, kIn + 4); });
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Forwarding, DropWithoutCause) {
  bench_.Send(1, kT, Data(7, 1, 2));
  bench_.At(kIn + 4,
            [](ReferenceModel& m) { m.OnInputDrop(0, 1, 0, DropReason::kUnreachable, kIn + 4); });
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Forwarding, DropInTheWrongQueue) {
  bench_.Send(1, kT, Data(7, 1, 9));
  bench_.At(kIn + 4,
            [](ReferenceModel& m) { m.OnInputDrop(0, 1, 1, DropReason::kUnreachable, kIn + 4); });
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Forwarding, MissingDropIsALostPacket) {
  bench_.Send(1, kT, Data(7, 1, 9));
  EXPECT_FAILS(Finish(), Check::kLost);
}

TEST_F(Forwarding, UnreachablePacketLeaves) {
  bench_.Leave(2, kOut, bench_.Send(1, kT, Data(7, 1, 9)));
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Forwarding, DropAtAnActiveOutput) {
  bench_.Send(1, kT, Data(7, 1, 2));
  bench_.At(kOut,
            [](ReferenceModel& m) { m.OnOutputDrop(0, 2, 0, DropReason::kPortInactive, kOut); });
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Forwarding, EndNodeReportsAnotherPacket) {
  const Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  bench_.Leave(2, kOut, wire);
  bench_.Deliver(2, kOut, wire, 8);
  EXPECT_FAILS(Finish(), Check::kUnknown);
}

TEST_F(Forwarding, EndNodeForgetsAPacket) {
  bench_.Leave(2, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kAccounting);
}

TEST_F(Forwarding, EndNodeDropsAGoodPacket) {
  bench_.Leave(2, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  bench_.At(kOut + 19, [](ReferenceModel& m) { m.OnSinkDrop(2, DropReason::kBad, kOut + 19); });
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Forwarding, SourceDropsAreCountedApart) {
  bench_.At(kT, [](ReferenceModel& m) {
    m.OnGenerated(1, 5, kT);
    m.OnSourceDrop(1, 5, kT);
  });
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(bench_.model().accounts().source_dropped, 1u);
  EXPECT_EQ(bench_.model().accounts().data.sent, 0u);
}

TEST_F(Forwarding, SourceDropOfAPacketThatWasSent) {
  bench_.Send(1, kT, Data(7, 1, 2));
  bench_.At(kT + 20, [](ReferenceModel& m) { m.OnSourceDrop(1, 7, kT + 20); });
  EXPECT_FAILS(Finish(), Check::kAccounting);
}

TEST_F(Forwarding, NothingIsJudgedAfterTheFirstMismatch) {
  bench_.Leave(3, kOut, bench_.Send(1, kT, Data(7, 1, 2)));
  bench_.Leave(2, kOut + 40, WireOf(Data(9, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

}  // namespace
}  // namespace lanecut
