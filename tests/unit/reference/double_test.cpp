// SPDX-License-Identifier: Apache-2.0
//
// A change of function under Double Scheme at one switch and its end nodes: which VLs packets take,
// what the nodes say of themselves, and every way to get it wrong.
//
// Function 0 sends LID i to port i; function 1 sends LID 2 to port 3 and LID 3 to port 2. SL n goes
// to VL n under both.
#include <gtest/gtest.h>

#include "tests/unit/reference/bench.h"

namespace lanecut {
namespace {

constexpr std::uint32_t kDrain = 1U << 31;
constexpr std::uint32_t kSwitch = 1U << 30;
constexpr std::uint32_t kReady = 1U << 29;
constexpr std::uint64_t kAllPorts = (1U << Bench::kPorts) - 1;

// On the VL of its SL.
DataPacket Packet(std::uint64_t id, int from, int to, int sl, int number = 0) {
  DataPacket packet = Data(id, from, to, sl);
  packet.vl = static_cast<std::uint8_t>(sl);
  packet.epoch = static_cast<std::uint8_t>(number);
  return packet;
}

// As it leaves a switch that renumbers it.
Wire As(Wire wire, int number) {
  wire[1].data = (wire[1].data & 0x07FFFFFF) | static_cast<std::uint32_t>(number) << 27;
  return Seal(std::move(wire));
}

class Double : public ::testing::Test {
 protected:
  static constexpr Cycle kT = Bench::kUp + 4000;  // set up, nothing under way
  static constexpr Cycle kDraining = kT + 1000;   // since then
  static constexpr Cycle kOver = kT + 4000;       // switched over
  static constexpr Cycle kEnd = kT + 16000;
  static constexpr int kBlocks = 16;

  Double() {
    bench_.BringUp();
    Cycle t = Bench::kUp;
    bench_.Set(t, 0xFF07, 0, {3});
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
  Cycle Command(Cycle t, std::uint32_t flags, int number = 1) {
    return bench_.Set(t, 0xFF0B, 0, {flags | static_cast<std::uint32_t>(number)});
  }
  void State(Cycle t, const SwitchState& state) {
    bench_.At(t, [=](ReferenceModel& m) { m.OnSwitchState(0, state, t); });
  }
  static SwitchState Draining() {
    SwitchState state;
    state.draining = true;
    return state;
  }
  static SwitchState Idle() {
    SwitchState state = Draining();
    state.vl_idle = true;
    return state;
  }
  static SwitchState Over(std::uint64_t open = 0) {
    SwitchState state;
    state.epoch = 1;
    state.restricted = true;
    state.open = open;
    return state;
  }
  static SwitchState Done() {
    SwitchState state;
    state.epoch = 1;
    return state;
  }
  void EndNode(int port, Cycle t, const EndNodeState& state) {
    bench_.At(t, [=](ReferenceModel& m) { m.OnEndNodeState(port, state, t); });
  }
  // Told, and seen to do so.
  void Drain() {
    Command(kT, kDrain | kReady);
    State(kDraining, Draining());
  }
  void SwitchOver() {
    Drain();
    State(kT + 2000, Idle());
    Command(kOver - 200, kSwitch);
    State(kOver, Over());
  }
  // The neighbour has got `blocks` blocks, and has room for more if it is not full.
  void Credits(int port, Cycle t, int vl, int blocks, bool are_free = true) {
    bench_.FlowControl(2 * (port - 1), t, vl, 0, blocks + (are_free ? kBlocks : 0));
  }

  // A packet through the switch: to end node `at` by `wire`.
  void Through(int from, Cycle t, const DataPacket& packet, int at, const Wire& leaves) {
    bench_.Send(from, t, packet);
    bench_.Leave(at, t + 20, leaves);
    Deliver(at, t + 20, packet);
  }
  void Deliver(int at, Cycle left, const DataPacket& packet) {
    bench_.Deliver(at, left, WireOf(packet), packet.id);
  }

  ReferenceModel& Finish() {
    bench_.Run(kEnd);
    bench_.model().Finish(kEnd, false);
    return bench_.model();
  }
  void ExpectDrainFailure(const char* text) {
    EXPECT_FAILS(Finish(), Check::kDrain);
    EXPECT_NE(Failure(bench_.model()).find(text), std::string::npos) << Failure(bench_.model());
  }

  Bench bench_;
};

// ---- Packets ----

TEST_F(Double, WithoutAChangePacketsGoAsTheTablesSay) {
  const DataPacket packet = Packet(7, 1, 2, 1, 0);
  Through(1, kT, packet, 2, WireOf(packet));
  EXPECT_CLEAN(Finish());
}

TEST_F(Double, OldPacketsGoToVl0WhileTheSwitchDrains) {
  Drain();
  const DataPacket packet = Packet(7, 1, 2, 1);
  Through(1, kDraining + 10, packet, 2, OnVl(WireOf(packet), 0));
  EXPECT_CLEAN(Finish());
}

TEST_F(Double, OldPacketEntersVl1WhileTheSwitchDrains) {
  Drain();
  const DataPacket packet = Packet(7, 1, 2, 1);
  Through(1, kDraining + 10, packet, 2, WireOf(packet));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

class DoubleEitherVl : public Double, public ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Vls, DoubleEitherVl, ::testing::Values(0, 1));

TEST_P(DoubleEitherVl, PacketThatWaitedLeaves) {
  Drain();
  const DataPacket packet = Packet(7, 1, 2, 1);
  bench_.Send(1, kDraining - 8, packet);
  bench_.Leave(2, kDraining + 20, OnVl(WireOf(packet), GetParam()));
  Deliver(2, kDraining + 20, packet);
  EXPECT_CLEAN(Finish());
}

// What had crossed fills an output queue at most.
TEST_F(Double, TooManyPacketsThatWaitedLeaveOnVl1) {
  Drain();
  Credits(2, kT - 400, 1, 0);
  for (int i = 0; i < kBlocks; ++i) {
    bench_.Send(1, kDraining - 300 + 18 * static_cast<Cycle>(i), Packet(100 + i, 1, 2, 1));
  }
  bench_.Send(3, kDraining - 30, Packet(200, 3, 2, 1));
  for (int i = 0; i < kBlocks; ++i) {
    bench_.Leave(2, kDraining + 18 * static_cast<Cycle>(i), WireOf(Packet(100 + i, 1, 2, 1)));
  }
  Credits(2, kDraining + 400, 1, 4);
  bench_.Leave(2, kDraining + 500, WireOf(Packet(200, 3, 2, 1)));
  ExpectDrainFailure("its output queue holds 16 blocks");
}

TEST_F(Double, NewPacketsGoByTheNewFunctionOnVl1WhileTheSwitchDrains) {
  Drain();
  const DataPacket packet = Packet(7, 1, 2, 0, 1);
  Through(1, kDraining + 10, packet, 3, OnVl(WireOf(packet), 1));
  EXPECT_CLEAN(Finish());
}

TEST_F(Double, NewPacketGoesByTheOldFunction) {
  Drain();
  const DataPacket packet = Packet(7, 1, 2, 1, 1);
  Through(1, kDraining + 10, packet, 2, WireOf(packet));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(Double, NewPacketGoesToVl0WhileTheSwitchDrains) {
  Drain();
  const DataPacket packet = Packet(7, 1, 2, 0, 1);
  Through(1, kDraining + 10, packet, 3, WireOf(packet));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(Double, OldPacketsEscapeWithTheNewNumber) {
  SwitchOver();
  const DataPacket packet = Packet(7, 1, 2, 0);
  Through(1, kOver + 10, packet, 3, As(OnVl(WireOf(packet), 1), 1));
  EXPECT_CLEAN(Finish());
}

TEST_F(Double, OldPacketEscapesWithItsOldNumber) {
  SwitchOver();
  const DataPacket packet = Packet(7, 1, 2, 0);
  Through(1, kOver + 10, packet, 3, OnVl(WireOf(packet), 1));
  EXPECT_FAILS(Finish(), Check::kNumber);
}

TEST_F(Double, OldPacketGoesOnByTheOldFunctionAfterTheSwitchOver) {
  SwitchOver();
  const DataPacket packet = Packet(7, 1, 2, 0);
  Through(1, kOver + 10, packet, 2, WireOf(packet));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(Double, HeadThatWasRoutedIsLookedUpAgain) {
  SwitchOver();
  const DataPacket packet = Packet(7, 1, 2, 0);
  bench_.Send(1, kOver - 8, packet);
  bench_.Leave(3, kOver + 20, As(OnVl(WireOf(packet), 1), 1));
  Deliver(3, kOver + 20, packet);
  EXPECT_CLEAN(Finish());
}

TEST_F(Double, NewPacketEntersVl0BeforeItIsOpen) {
  SwitchOver();
  State(kOver + 100, Over(1));
  const DataPacket packet = Packet(7, 1, 2, 0, 1);
  Through(1, kOver + 200, packet, 3, WireOf(packet));
  EXPECT_FAILS(Finish(), Check::kRoute);
}

TEST_F(Double, NewPacketEntersVl0OnceItIsOpen) {
  SwitchOver();
  State(kOver + 100, Over(4));
  const DataPacket packet = Packet(7, 1, 2, 0, 1);
  Through(1, kOver + 200, packet, 3, WireOf(packet));
  EXPECT_CLEAN(Finish());
}

TEST_F(Double, AllVlsAreUsedAgainInTheEnd) {
  SwitchOver();
  State(kOver + 100, Over(kAllPorts));
  State(kOver + 101, Done());
  for (const int vl : {0, 1}) {
    const DataPacket packet = Packet(7 + vl, 1, 2, vl, 1);
    Through(1, kOver + 200 + 40 * static_cast<Cycle>(vl), packet, 3, WireOf(packet));
  }
  EXPECT_CLEAN(Finish());
}

TEST_F(Double, PacketsMayOvertakeOthersOfTheirFlow) {
  Drain();
  const DataPacket first = Packet(7, 1, 2, 1);
  const DataPacket second = Packet(8, 1, 2, 1);
  bench_.Send(1, kDraining - 30, first);
  bench_.Send(1, kDraining + 10, second);
  bench_.Leave(2, kDraining + 30, OnVl(WireOf(second), 0));
  bench_.Leave(2, kDraining + 60, WireOf(first));
  Deliver(2, kDraining + 30, second);
  Deliver(2, kDraining + 60, first);
  EXPECT_CLEAN(Finish());
}

// The packet of function 0 is still in the buffer of end node 3.
TEST_F(Double, PacketsOfTwoFunctionsOnOneVl) {
  SwitchOver();
  const DataPacket old = Packet(7, 1, 3, 0);
  Through(1, kT + 2500, old, 3, WireOf(old));
  State(kOver + 60, Over());
  const DataPacket packet = Packet(8, 1, 2, 0, 1);
  bench_.Send(1, kOver + 100, packet);
  State(kOver + 110, Over(4));
  ExpectDrainFailure("VL 0 of port 3 closed: the credits of port 3, VL 0 are not all back");
}

// ---- What a switch says of itself ----

TEST_F(Double, DrainsWithoutACommand) {
  State(kT, Draining());
  ExpectDrainFailure("no drain without a command");
}

TEST_F(Double, RefusedDrainIsNone) {
  bench_.Set(kT, 0xFF0B, 0, {kDrain | 1U}, 40, 1);
  State(kDraining, Draining());
  ExpectDrainFailure("no drain without a command");
}

TEST_F(Double, DrainEndsByItself) {
  Drain();
  State(kDraining + 500, SwitchState{});
  ExpectDrainFailure("the drain to go on");
}

TEST_F(Double, SchemeEndsADrain) {
  Drain();
  bench_.Set(kDraining + 300, 0xFF07, 0, {3});
  State(kDraining + 500, SwitchState{});
  EXPECT_CLEAN(Finish());
}

TEST_F(Double, IdleWhileVl1HasPackets) {
  const DataPacket packet = Packet(7, 1, 2, 1);
  Through(1, kT - 300, packet, 2, WireOf(packet));
  Drain();
  State(kT + 2000, Idle());
  ExpectDrainFailure("the credits of port 2, VL 1 are not all back");
}

TEST_F(Double, IdleOnceCreditsAreBack) {
  const DataPacket packet = Packet(7, 1, 2, 1);
  Through(1, kT - 300, packet, 2, WireOf(packet));
  Drain();
  Credits(2, kT + 1500, 1, 1);
  State(kT + 2000, Idle());
  EXPECT_CLEAN(Finish());
}

TEST_F(Double, IdleWithoutADrain) {
  SwitchState state;
  state.vl_idle = true;
  State(kT, state);
  ExpectDrainFailure("no idle VLs: it does not drain");
}

TEST_F(Double, SwitchesOverWithoutACommand) {
  Drain();
  State(kOver, Over());
  ExpectDrainFailure("no other function without a command");
}

TEST_F(Double, SwitchesOverWithoutADrain) {
  Command(kT, kDrain | kReady);
  Command(kT + 400, kSwitch);
  State(kOver, Over());
  ExpectDrainFailure("the switch has not drained");
}

TEST_F(Double, SwitchesOverWithoutAFunction) {
  Command(kT, kDrain);
  State(kDraining, Draining());
  Command(kOver - 200, kSwitch);
  State(kOver, Over());
  ExpectDrainFailure("no bank holds the next one");
}

TEST_F(Double, SwitchesOverWithAllVlsOpen) {
  Drain();
  Command(kOver - 200, kSwitch);
  State(kOver, Over(kAllPorts));
  ExpectDrainFailure("VL 1 only, once it switches over");
}

TEST_F(Double, SwitchesOverTwice) {
  SwitchOver();
  SwitchState state = Over();
  state.epoch = 2;
  State(kOver + 500, state);
  ExpectDrainFailure("no other function without a command");
}

TEST_F(Double, OpensAllVlsBeforeAllPortsAre) {
  SwitchOver();
  State(kOver + 100, Over(3));
  State(kOver + 101, Done());
  ExpectDrainFailure("VL 0 is not open at every port");
}

TEST_F(Double, ClosesAPortAgain) {
  SwitchOver();
  State(kOver + 100, Over(3));
  State(kOver + 101, Over(1));
  ExpectDrainFailure("VL 0 to stay open");
}

TEST_F(Double, ClosesVlsWithoutANewFunction) {
  SwitchState state;
  state.restricted = true;
  State(kT, state);
  ExpectDrainFailure("VLs closed with a new function");
}

// ---- End nodes ----

constexpr EndNodeState kNodeDrains{.draining = true};
constexpr EndNodeState kNodeIdle{.draining = true, .vl_idle = true};
constexpr EndNodeState kNodeOver{.number = 1, .restricted = true};
constexpr EndNodeState kNodeDone{.number = 1};

TEST_F(Double, EndNodeGoesThroughAChange) {
  EndNode(2, kT, kNodeDrains);
  bench_.Send(2, kT + 10, OnVl(WireOf(Packet(7, 2, 3, 1)), 0), 7);
  EndNode(2, kT + 100, kNodeIdle);
  bench_.FlowControl(3, kT + 200, 0, 0, 1 + kBlocks);
  EndNode(2, kT + 300, kNodeOver);
  bench_.Send(2, kT + 310, OnVl(WireOf(Packet(8, 2, 3, 0, 1)), 1), 8);
  EndNode(2, kT + 400, kNodeDone);
  EXPECT_CLEAN(bench_.Run(kT + 500));
}

TEST_F(Double, EndNodeInjectsIntoVl1WhileItDrains) {
  EndNode(2, kT, kNodeDrains);
  bench_.Send(2, kT + 10, Packet(7, 2, 3, 1));
  ExpectDrainFailure("the end node drains");
}

TEST_F(Double, EndNodeInjectsIntoVl0BeforeItIsOpen) {
  EndNode(2, kT, kNodeDrains);
  EndNode(2, kT + 100, kNodeOver);
  bench_.Send(2, kT + 110, Packet(7, 2, 3, 0, 1));
  ExpectDrainFailure("VL 0 is not open again");
}

TEST_F(Double, EndNodeInjectsWithTheWrongNumber) {
  EndNode(2, kT, kNodeDrains);
  EndNode(2, kT + 100, kNodeOver);
  bench_.Send(2, kT + 110, Packet(7, 2, 3, 1));
  ExpectDrainFailure("packets of function 1");
}

TEST_F(Double, EndNodeOpensVl0WhileItHasPackets) {
  EndNode(2, kT, kNodeDrains);
  bench_.Send(2, kT + 10, Packet(7, 2, 3, 0));
  EndNode(2, kT + 100, kNodeOver);
  EndNode(2, kT + 120, kNodeDone);
  ExpectDrainFailure("VL 0 closed: the credits of port 1, VL 0 are not all back");
}

TEST_F(Double, EndNodeIsIdleWhileVl1HasPackets) {
  bench_.Send(2, kT - 100, Packet(7, 2, 3, 1));
  EndNode(2, kT, kNodeDrains);
  EndNode(2, kT + 100, kNodeIdle);
  ExpectDrainFailure("no idle VLs: the credits of port 1, VL 1 are not all back");
}

// Without having drained, too, it leaves no VL to packets of both functions.
TEST_F(Double, EndNodeSwitchesOverWithoutADrain) {
  EndNode(2, kT - 200, {});
  bench_.Send(2, kT - 100, Packet(7, 2, 3, 1));
  EndNode(2, kT, kNodeOver);
  bench_.Send(2, kT + 10, OnVl(WireOf(Packet(8, 2, 3, 0, 1)), 1), 8);
  ExpectDrainFailure("packets of function 0 only: some are still on this VL");
}

TEST_F(Double, EndNodeSkipsAFunction) {
  EndNode(2, kT, kNodeDrains);
  EndNode(2, kT + 100, {.number = 2, .restricted = true});
  ExpectDrainFailure("the next function");
}

}  // namespace
}  // namespace lanecut
