// SPDX-License-Identifier: Apache-2.0
//
// A change of function under OSR at one switch: tokens, old and new packets, what the switch says
// of itself, and every way to get it wrong.
//
// Function 0 sends LID i to port i; function 1 sends LID 2 to port 3 and LID 3 to port 2. Under
// function 0 every channel feeds those of its own VL at the other ports, but for VL 1 of port 1,
// which feeds nothing.
#include <gtest/gtest.h>

#include "sw/wire/link_packet.h"
#include "tests/unit/reference/bench.h"

namespace lanecut {
namespace {

constexpr int kVls = 2;
constexpr int kChannels = Bench::kPorts * kVls;
constexpr std::uint32_t kReady = 1U << 31;
constexpr std::uint32_t kStart = 1U << 30;
constexpr std::uint64_t kAll = (1U << kChannels) - 1;

constexpr int Channel(int port, int vl) { return (port - 1) * kVls + vl; }
constexpr std::uint64_t Bit(int port, int vl) { return std::uint64_t{1} << Channel(port, vl); }

DataPacket Numbered(DataPacket packet, int number) {
  packet.epoch = static_cast<std::uint8_t>(number);
  return packet;
}

Wire TokenWire(std::uint8_t op, int vl, int number) {
  const auto words = EncodeLinkPacket(TokenPacket(op, vl, static_cast<std::uint8_t>(number)));
  return Wire(words.begin(), words.end());
}

class Osr : public ::testing::Test {
 protected:
  static constexpr Cycle kT = Bench::kUp + 4000;  // set up, nothing under way
  static constexpr Cycle kEnd = kT + 12000;

  Osr() {
    bench_.BringUp();
    Cycle t = Bench::kUp;
    Mad rows(16, 0);
    for (int out = 1; out <= Bench::kPorts; ++out) {
      for (int vl = 0; vl < kVls; ++vl) {
        for (int in = 1; in <= Bench::kPorts; ++in) {
          const bool feeds = in != out && !(in == 1 && vl == 1);
          if (feeds) rows[static_cast<std::size_t>(Channel(out, vl))] |= Bit(in, vl);
        }
      }
    }
    bench_.Set(t, 0xFF09, 0, rows);
    bench_.Set(t += 300, 0xFF07, 0, {2});
    Mad lft(16, 0xFFFFFFFF);
    lft[0] = 0x00010302;
    bench_.Set(t += 300, 0xFF03, 0, lft);
    Mad sl_to_vl(16, 0xFFFFFFFF);
    sl_to_vl[0] = 0x01FFFFFF;
    for (std::uint32_t in = 1; in <= Bench::kPorts; ++in) {
      for (std::uint32_t out = 1; out <= Bench::kPorts; ++out) {
        bench_.Set(t += 300, 0xFF04, in << 8 | out, sl_to_vl);
      }
    }
  }

  // Its answer leaves 40 cycles after it arrived.
  Cycle SetFunction(Cycle t, std::uint32_t flags, int number = 1) {
    return bench_.Set(t, 0xFF08, 0, {flags | static_cast<std::uint32_t>(number)});
  }
  void State(Cycle t, int epoch, bool change, std::uint64_t done = 0, std::uint64_t sent = 0) {
    SwitchState state;
    state.epoch = static_cast<std::uint8_t>(epoch);
    state.change = change;
    state.done = done;
    state.sent = sent;
    bench_.At(t, [=](ReferenceModel& m) { m.OnSwitchState(0, state, t); });
  }
  void TokenTo(int port, Cycle t, int vl, int number = 1) {
    bench_.Put(2 * (port - 1), t, TokenWire(kOpToken, vl, number));
  }
  void TokenFrom(int port, Cycle t, int vl, int number = 1) {
    bench_.Leave(port, t, TokenWire(kOpToken, vl, number));
  }
  void InputDrop(Cycle t, DropReason reason, int port = 1, int vl = 0) {
    bench_.At(t, [=](ReferenceModel& m) { m.OnInputDrop(0, port, vl, reason, t); });
  }
  std::uint64_t Dropped(DropReason reason) {
    return bench_.model().accounts().data.dropped[static_cast<std::size_t>(reason)];
  }
  // All end nodes send their tokens to function 1 from t on; all have arrived by t + 20.
  void AllTokens(Cycle t) {
    for (int port = 1; port <= Bench::kPorts; ++port) {
      for (int vl = 0; vl < kVls; ++vl) TokenTo(port, t + 2 * static_cast<Cycle>(vl), vl);
    }
  }
  // Ready and started by kGo.
  static constexpr Cycle kGo = kT + 1000;
  void Begin() {
    SetFunction(kT, kReady);
    SetFunction(kT + 300, kStart);
    State(kT + 450, 0, true);
  }

  ReferenceModel& Finish(bool drained = true) {
    bench_.Run(kEnd);
    bench_.model().Finish(kEnd, drained);
    return bench_.model();
  }

  Bench bench_;
};

// The order that everything else rests on: an old packet must not stand behind the token.
TEST_F(Osr, EndNodeSendsAnOldPacketBehindItsToken) {
  Begin();
  TokenTo(1, kGo, 0);
  bench_.Send(1, kGo + 4, Data(7, 1, 2));
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, EndNodeSendsAnOldPacketBehindANewOne) {
  Begin();
  bench_.Send(1, kGo, Numbered(Data(7, 1, 2), 1));
  bench_.Send(1, kGo + 20, Data(8, 1, 2));
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, OtherVlIsAnotherChannel) {
  Begin();
  TokenTo(1, kGo, 1);
  const Wire wire = bench_.Send(1, kGo + 4, Data(7, 1, 2));
  bench_.Leave(2, kGo + 20, wire);
  bench_.Deliver(2, kGo + 20, wire, 7);
  EXPECT_CLEAN(Finish());
}

// Old packet, tokens, flip, new packet; with a repeated token and its acknowledgements.
TEST_F(Osr, WholeChange) {
  Begin();
  const Wire old = bench_.Send(1, kGo, Data(7, 1, 2));
  bench_.Leave(2, kGo + 11, old);
  bench_.Deliver(2, kGo + 11, old, 7);
  AllTokens(kGo + 20);
  bench_.Leave(1, kGo + 30, TokenWire(kOpTokenAck, 0, 1));
  State(kGo + 40, 0, true, kAll);
  State(kGo + 41, 0, true, kAll, kAll);
  for (int port = 1; port <= Bench::kPorts; ++port) {
    for (int vl = 0; vl < kVls; ++vl) TokenFrom(port, kGo + 50 + 2 * static_cast<Cycle>(vl), vl);
  }
  State(kGo + 42, 1, false);
  TokenFrom(1, kGo + 60, 0);  // not acknowledged yet
  const Wire young = bench_.Send(1, kGo + 70, Numbered(Data(8, 1, 2), 1));
  bench_.Leave(3, kGo + 81, young);
  bench_.Deliver(3, kGo + 81, young, 8);
  bench_.Run(kGo + 90);
  EXPECT_CLEAN(bench_.model());
}

TEST_F(Osr, NewPacketCrossesBeforeTheFlip) {
  Begin();
  AllTokens(kGo);
  State(kGo + 20, 0, true, kAll & ~Bit(3, 1));
  State(kGo + 21, 0, true, kAll & ~Bit(3, 1), Bit(3, 0));
  const Wire young = bench_.Send(1, kGo + 30, Numbered(Data(8, 1, 2), 1));
  bench_.Leave(3, kGo + 41, young);
  bench_.Run(kEnd);
  EXPECT_CLEAN(bench_.model());
}

TEST_F(Osr, NewPacketGoesByTheOldFunction) {
  Begin();
  AllTokens(kGo);
  State(kGo + 20, 0, true, kAll);
  State(kGo + 21, 0, true, kAll, kAll);
  bench_.Leave(2, kGo + 41, bench_.Send(1, kGo + 30, Numbered(Data(8, 1, 2), 1)));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(Osr, OldPacketGoesByTheNewFunction) {
  Begin();
  bench_.Leave(3, kGo + 11, bench_.Send(1, kGo, Data(7, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(Osr, NewPacketLeavesBeforeItsChannelsToken) {
  Begin();
  AllTokens(kGo);
  State(kGo + 20, 0, true, kAll & ~Bit(2, 0));
  bench_.Leave(3, kGo + 41, bench_.Send(1, kGo + 30, Numbered(Data(8, 1, 2), 1)));
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, StallIsSaidToWaitForTokens) {
  Begin();
  TokenTo(1, kGo, 0);
  State(kGo + 20, 0, true, Bit(1, 0));
  bench_.Send(1, kGo + 30, Numbered(Data(8, 1, 2), 1));
  bench_.Run(kEnd);
  EXPECT_CLEAN(bench_.model());
  ASSERT_EQ(bench_.model().Waiting().size(), 1u);
  EXPECT_NE(
      bench_.model().Waiting()[0].text.find("waits for the tokens of function 1 at port 3 VL 0"),
      std::string::npos)
      << bench_.model().Waiting()[0].text;
}

TEST_F(Osr, OldPacketLeavesBehindTheToken) {
  Begin();
  const Wire old = bench_.Send(1, kGo, Data(7, 1, 2));
  AllTokens(kGo + 20);
  State(kGo + 40, 0, true, kAll);
  State(kGo + 41, 0, true, kAll, kAll);
  TokenFrom(2, kGo + 50, 0);
  bench_.Leave(2, kGo + 60, old);
  EXPECT_FAILS(Finish(), Check::kToken);
}

// No bank has function 1 when the packet arrives: it waits, and goes by the bank once that is
// ready.
TEST_F(Osr, NewPacketWaitsForItsFunction) {
  const Wire young = bench_.Send(1, kT, Numbered(Data(8, 1, 2), 1));
  State(kT + 40, 0, true);
  bench_.At(kT + 50, [](ReferenceModel& m) {
    ASSERT_EQ(m.Waiting().size(), 1u);
    EXPECT_NE(m.Waiting()[0].text.find("waits for a bank that holds function 1"), std::string::npos)
        << m.Waiting()[0].text;
  });
  SetFunction(kT + 100, kReady);
  AllTokens(kGo);
  State(kGo + 20, 0, true, kAll);
  State(kGo + 21, 0, true, kAll, kAll);
  bench_.Leave(3, kGo + 30, young);
  bench_.Run(kEnd);
  EXPECT_CLEAN(bench_.model());
}

TEST_F(Osr, NewPacketDoesNotWaitForItsFunction) {
  bench_.Leave(2, kT + 30, bench_.Send(1, kT, Numbered(Data(8, 1, 2), 1)));
  EXPECT_FAILS(Finish(), Check::kRoute);
  EXPECT_NE(Failure(bench_.model()).find("no bank holds its function"), std::string::npos)
      << Failure(bench_.model());
}

TEST_F(Osr, RefusedReadyIsNone) {
  bench_.Set(kT, 0xFF08, 0, {kReady | 1}, 40, /*status=*/1);
  State(kGo, 0, true);
  bench_.Leave(3, kGo + 41, bench_.Send(1, kGo + 30, Numbered(Data(8, 1, 2), 1)));
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, NumberChangesOnTheWay) {
  Wire wire = bench_.Send(1, kT, Data(7, 1, 2));
  wire[1].data |= 1U << 27;
  bench_.Leave(2, kT + 11, Seal(wire));
  EXPECT_FAILS(Finish(), Check::kNumber);
}

// ---- Drops ----

// Port 3 is cut: its channels get their tokens by themselves, and an old packet that comes when it
// is up again stands behind them.
TEST_F(Osr, StalePacketIsDropped) {
  Begin();
  bench_.Cut(3, kGo - 200);
  State(kGo, 0, true, Bit(3, 0) | Bit(3, 1));
  bench_.Restore(3, kGo + 100);
  Mad port_info(16, 0);
  port_info[8] = 3U << 24;
  bench_.Set(kGo + 200, 0x0015, 3, port_info);
  port_info[8] = 4U << 24;
  bench_.Set(kGo + 500, 0x0015, 3, port_info);
  bench_.FlowControl(5, kGo + 700, 0, 0, 16);
  bench_.Send(3, kGo + 800, Data(7, 3, 2));
  InputDrop(kGo + 810, DropReason::kStale, 3);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kStale), 1u);
}

TEST_F(Osr, GoodPacketIsDroppedAsStale) {
  Begin();
  bench_.Send(1, kGo, Data(7, 1, 2));
  InputDrop(kGo + 10, DropReason::kStale);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

// The switch has a newer function than the packet: whoever sent it did not know.
TEST_F(Osr, PacketOfAnOlderFunctionIsDroppedAsStale) {
  bench_.Set(kT, 0xFF02, 0, {1U << 31 | 1});
  State(kT + 90, 1, false);
  bench_.Send(1, kGo, Data(7, 1, 2));
  InputDrop(kGo + 10, DropReason::kStale);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kStale), 1u);
}

TEST_F(Osr, PacketOfAnOlderFunctionLeaves) {
  bench_.Set(kT, 0xFF02, 0, {1U << 31 | 1});
  State(kT + 90, 1, false);
  bench_.Leave(2, kGo + 11, bench_.Send(1, kGo, Data(7, 1, 2)));
  EXPECT_FAILS(Finish(), Check::kDrop);
}

// SL 1 is VL 1, and under function 0 nothing feeds from port 1 VL 1.
TEST_F(Osr, PacketWithoutFeederIsDropped) {
  Begin();
  DataPacket packet = Data(7, 1, 2, 1);
  packet.vl = 1;
  bench_.Send(1, kGo, packet);
  InputDrop(kGo + 10, DropReason::kNoFeeder, 1, 1);
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(Dropped(DropReason::kNoFeeder), 1u);
  EXPECT_TRUE(bench_.model().accounts().data.Balanced());
}

TEST_F(Osr, PacketWithFeederIsDroppedForHavingNone) {
  Begin();
  bench_.Send(1, kGo, Data(7, 1, 2));
  InputDrop(kGo + 10, DropReason::kNoFeeder);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Osr, PacketWithoutFeederIsDroppedOutsideAChange) {
  DataPacket packet = Data(7, 1, 2, 1);
  packet.vl = 1;
  bench_.Send(1, kT, packet);
  InputDrop(kT + 10, DropReason::kNoFeeder, 1, 1);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

// Which of two packets was dropped is known when the other one leaves.
TEST_F(Osr, DropIsOfThePacketThatDoesNotLeave) {
  Begin();
  DataPacket first = Data(7, 1, 2, 1);
  DataPacket second = Data(8, 1, 3, 1);
  first.vl = second.vl = 1;
  const Wire one = bench_.Send(1, kGo, first);
  const Wire two = bench_.Send(1, kGo + 20, second);
  InputDrop(kGo + 30, DropReason::kNoFeeder, 1, 1);
  bench_.Leave(2, kGo + 40, one);  // it had crossed before the change began
  bench_.Deliver(2, kGo + 40, one, 7);
  std::vector<std::uint64_t> dropped;
  bench_.model().SetDropHandler([&](std::uint64_t id, DropReason, int) { dropped.push_back(id); });
  EXPECT_CLEAN(Finish());
  EXPECT_EQ(dropped, std::vector<std::uint64_t>{8});
}

TEST_F(Osr, MoreDropsThanPackets) {
  Begin();
  DataPacket packet = Data(7, 1, 2, 1);
  packet.vl = 1;
  bench_.Send(1, kGo, packet);
  InputDrop(kGo + 10, DropReason::kNoFeeder, 1, 1);
  InputDrop(kGo + 11, DropReason::kNoFeeder, 1, 1);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

TEST_F(Osr, ManagementIsDroppedAsStale) {
  InputDrop(kT, DropReason::kStale, 1, kVls);
  EXPECT_FAILS(Finish(), Check::kDrop);
}

// ---- What the switch says ----

TEST_F(Osr, ChangeWithoutCause) {
  State(kT, 0, true);
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, ChangeBeginsWithAToken) {
  TokenTo(2, kT, 1);
  State(kT + 20, 0, true);
  State(kT + 21, 0, true, Bit(2, 1));
  EXPECT_CLEAN(Finish());
}

TEST_F(Osr, TokenPassedWithoutCause) {
  Begin();
  TokenTo(2, kGo, 0);
  State(kGo + 20, 0, true, Bit(2, 1));
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, NewPacketStandsForItsToken) {
  Begin();
  const Wire wire = bench_.Send(1, kGo, Numbered(Data(7, 1, 2), 1));
  State(kGo + Bench::kFly + wire.size() + 3, 0, true, Bit(1, 0));
  EXPECT_CLEAN(bench_.Run(kEnd));
}

TEST_F(Osr, NewPacketThatIsBadStandsForNothing) {
  Begin();
  const Wire wire = WireOf(Numbered(Data(7, 1, 2), 1));
  bench_.At(kGo - 1, [](ReferenceModel& m) { m.OnGenerated(1, 7, kGo - 1); });
  bench_.PutDamaged(0, kGo, wire, 9, 0xBAD);
  State(kGo + Bench::kFly + wire.size() + 3, 0, true, Bit(1, 0));
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, TokenPassedWhileAnOldPacketArrives) {
  Begin();
  bench_.Send(1, kGo, Data(7, 1, 2));
  State(kGo + 10, 0, true, Bit(1, 0));
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, TokenSentTooEarly) {
  Begin();
  AllTokens(kGo);
  State(kGo + 20, 0, true, Bit(2, 0));
  State(kGo + 21, 0, true, Bit(2, 0), Bit(1, 0));  // port 3 feeds port 1, too
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, TokenOnTheWireThatWasNotSent) {
  Begin();
  AllTokens(kGo);
  State(kGo + 20, 0, true, kAll);
  TokenFrom(1, kGo + 30, 0);
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, TokenIsTakenBack) {
  Begin();
  AllTokens(kGo);
  State(kGo + 20, 0, true, kAll);
  State(kGo + 21, 0, true, kAll & ~Bit(1, 0));
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, FlipsBeforeAllHavePassed) {
  Begin();
  AllTokens(kGo);
  State(kGo + 20, 0, true, kAll & ~Bit(1, 1));  // feeds nobody
  State(kGo + 21, 0, true, kAll & ~Bit(1, 1), kAll);
  State(kGo + 22, 1, false);
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, FlipsBeforeAllHaveSent) {
  Begin();
  AllTokens(kGo);
  State(kGo + 20, 0, true, kAll);
  State(kGo + 21, 0, true, kAll, kAll & ~Bit(2, 1));
  State(kGo + 22, 1, false);
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, FlipsWithoutAFunction) {
  SetFunction(kT, kStart);
  State(kT + 450, 0, true);
  AllTokens(kGo);
  State(kGo + 20, 0, true, kAll);
  State(kGo + 21, 0, true, kAll, kAll);
  State(kGo + 22, 1, false);
  EXPECT_FAILS(Finish(), Check::kToken);
  EXPECT_NE(Failure(bench_.model()).find("no bank holds"), std::string::npos)
      << Failure(bench_.model());
}

TEST_F(Osr, ChangeIsForgotten) {
  Begin();
  State(kGo, 0, false);
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, AnotherFunctionWithoutCommand) {
  State(kT, 1, false);
  EXPECT_FAILS(Finish(), Check::kToken);
}

TEST_F(Osr, AcknowledgementOfATokenThatDidNotCome) {
  TokenTo(1, kT, 0);
  bench_.Leave(1, kT + 20, TokenWire(kOpTokenAck, 0, 2));
  EXPECT_FAILS(Finish(), Check::kToken);
}

}  // namespace
}  // namespace lanecut
