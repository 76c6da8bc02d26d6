// SPDX-License-Identifier: Apache-2.0
//
// EBR: which packets may be dropped because they cannot move, and the number with which others go
// on.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "models/reference/epoch_rule.h"
#include "tests/unit/reference/ring.h"

namespace lanecut {
namespace {

using reference::EpochSaysDrop;

// Thesis, table 6.2, with (E_PCK, E_RTD, E_SCHD): these rows say yes. All numbers alike never do.
TEST(EpochRule, AllRowsOfTheTable) {
  const std::set<int> yes{001, 002, 011, 012, 022, 0101, 0102, 0112, 0122, 0202, 0212};
  for (const std::uint8_t first : {0, 3, 6, 7}) {
    for (int row = 0; row < 27; ++row) {
      const int packet = row / 9;
      const int routed = row / 3 % 3;
      const int now = row % 3;
      // A switch never routed by a function newer than its own.
      if (routed > now) continue;
      const auto number = [&](int n) { return FunctionNumber(std::uint32_t{first} + n); };
      EXPECT_EQ(EpochSaysDrop(number(packet), number(routed), number(now)),
                yes.contains(packet * 64 + routed * 8 + now))
          << packet << routed << now << " from " << int{first};
    }
  }
}

// Switch B is under EBR.
class Ebr : public Ring {
 protected:
  explicit Ebr(bool ebr_literal = false) : Ring(ebr_literal) {}

  static constexpr int kB = 1;
  static constexpr int kNewNumber = 1;

  // `hold`: for how long blocked heads are spared after a commit.
  void UnderEbr(Cycle t, std::uint32_t hold = 0) { Set(kB, t, 0xFF07, 0, {hold << 8 | 1}); }
  // The routes of function 0 for the next one; the cycle after that.
  Cycle WriteInactive(Cycle t) {
    Mad lft(16, 0xFFFFFFFF);
    lft[0] = 0x00010301;
    Set(kB, t, 0xFF03, 0, lft);
    for (std::uint32_t in = 1; in <= 3; ++in) {
      for (std::uint32_t out = 1; out <= 3; ++out) {
        Set(kB, t += 400, 0xFF04, in << 8 | out, Mad(16, 0));
      }
    }
    return t + 400;
  }
  // In force 6000 cycles later.
  void Commit(Cycle t) { Set(kB, WriteInactive(t), 0xFF02, 0, {1U << 31 | kNewNumber}); }
  void BringUp() {
    for (int i = 0; i < kNodes; ++i) Configure(i, 100 + 10000 * static_cast<Cycle>(i));
    for (int lane = 0; lane < 4 * kNodes; ++lane) FlowControl(lane, 100000, 0, kBlocks);
  }
  // A commit whose request leaves in cycle t; the trace port shows it in the cycle returned.
  Cycle CommitAndShow(Cycle t, std::uint8_t number) {
    const Mad request = DirectedMad(2, t, 0xFF02, 0, {1}, {1U << 31 | number});
    Move(4 * kB + 2, t, SmpWire(request));
    const Cycle shown = t + 72 + kFly + 2;
    SwitchState state;
    state.epoch = number;
    model_.OnSwitchState(kB, state, shown);
    Move(4 * kB + 3, t + 150, SmpWire(Answer(request, 3)));
    return shown;
  }
  // From A's end node to this LID, as far as B's input queue; as it arrived there.
  Wire ToB(Cycle t, int lid, std::uint64_t id = 7) {
    const Wire wire = WireOf(Data(id, 1, lid));
    model_.OnGenerated(kNodes, id, t);
    Move(2, t, wire);
    Move(0, t + 11, wire);
    return wire;
  }
  void EpochDrop(Cycle t, int port, const std::optional<EpochNumbers>& numbers = {}) {
    model_.OnInputDrop(kB, port, 0, DropReason::kEpoch, t, numbers);
  }
  static Wire WithNumber(Wire wire, std::uint32_t number) {
    wire[1].data = (wire[1].data & 0x07FFFFFF) | number << 27;
    return Seal(wire);
  }
  std::uint64_t Dropped() const {
    return model_.accounts().data.dropped[static_cast<std::size_t>(DropReason::kEpoch)];
  }
  void ExpectText(const char* text) {
    EXPECT_NE(Failure(model_).find(text), std::string::npos) << Failure(model_);
  }
};

// The whole point: it stands in a cycle, and came by an older function than the switch has.
TEST_F(Ebr, OldPacketThatCannotMoveIsDropped) {
  std::vector<std::uint64_t> dropped;
  model_.SetDropHandler([&](std::uint64_t id, DropReason reason, int node) {
    EXPECT_EQ(reason, DropReason::kEpoch);
    EXPECT_EQ(node, kB);
    dropped.push_back(id);
  });
  const Cycle t = Deadlock();
  UnderEbr(t);
  Commit(t + 400);
  EpochDrop(t + 7000, 2);
  EXPECT_CLEAN(model_);
  EXPECT_EQ(Dropped(), 1u);
  EXPECT_TRUE(model_.accounts().data.Balanced());
  EXPECT_TRUE(dropped.empty());  // one of two that wait there
  EpochDrop(t + 7001, 2);
  EXPECT_CLEAN(model_);
  EXPECT_EQ(dropped, (std::vector<std::uint64_t>{100, 101}));
  EXPECT_EQ(Dropped(), 2u);
  EpochDrop(t + 7002, 2);
  EXPECT_FAILS(model_, Check::kDrop);
}

TEST_F(Ebr, ADropWithTheNumbersOfThePacket) {
  const Cycle t = Deadlock();
  UnderEbr(t);
  Commit(t + 400);
  const EpochNumbers numbers{0, 0, static_cast<std::uint8_t>(kNewNumber)};
  const auto waiting = model_.Waiting();
  const auto at = std::ranges::find_if(waiting, [](const WaitingChannel& channel) {
    return channel.kind == WaitingChannel::Kind::kInput && channel.node == kB && channel.port == 2;
  });
  ASSERT_NE(at, waiting.end());
  EXPECT_EQ(at->numbers, numbers);
  EpochDrop(t + 7000, 2, numbers);
  EXPECT_CLEAN(model_);
}

// The switch has looked at something else than the packet that it dropped.
TEST_F(Ebr, ADropWithOtherNumbers) {
  const Cycle t = Deadlock();
  UnderEbr(t);
  Commit(t + 400);
  EpochDrop(t + 7000, 2, EpochNumbers{7, 0, static_cast<std::uint8_t>(kNewNumber)});
  EXPECT_FAILS(model_, Check::kDrop);
  ExpectText("which says 7, 0, ");
}

TEST_F(Ebr, DropBeforeBlockedHeadsHaveHadTheirTime) {
  const Cycle t = Deadlock();
  UnderEbr(t, 2000);
  const Cycle shown = CommitAndShow(WriteInactive(t + 400), kNewNumber);
  EpochDrop(shown + 2000, 2);
  EXPECT_FAILS(model_, Check::kDrop);
  ExpectText("no epoch drop: function 1 is in force since");
}

TEST_F(Ebr, DropAfterBlockedHeadsHaveHadTheirTime) {
  const Cycle t = Deadlock();
  UnderEbr(t, 2000);
  const Cycle shown = CommitAndShow(WriteInactive(t + 400), kNewNumber);
  EpochDrop(shown + 2001, 2);
  EXPECT_CLEAN(model_);
}

TEST_F(Ebr, DropOfWhatIsTwoFunctionsBehind) {
  const Cycle t = Deadlock();
  UnderEbr(t, 2000);
  CommitAndShow(WriteInactive(t + 400), 1);
  const Cycle shown = CommitAndShow(t + 7000, 2);
  EpochDrop(shown + 200, 2);
  EXPECT_CLEAN(model_);
}

TEST_F(Ebr, DropWithoutScheme) {
  const Cycle t = Deadlock();
  Commit(t + 400);
  EpochDrop(t + 7000, 2);
  EXPECT_FAILS(model_, Check::kDrop);
  ExpectText("not under EBR");
}

TEST_F(Ebr, DropOfAPacketWhoseNumbersAreAllAlike) {
  const Cycle t = Deadlock();
  UnderEbr(t);
  EpochDrop(t + 7000, 2);
  EXPECT_FAILS(model_, Check::kDrop);
  ExpectText("table 6.2");
}

TEST_F(Ebr, DropOfAPacketFromAnEndNode) {
  const Cycle t = Deadlock();
  UnderEbr(t);
  Commit(t + 400);
  EpochDrop(t + 7000, 3);
  EXPECT_FAILS(model_, Check::kDrop);
  ExpectText("comes from an end node");
}

TEST_F(Ebr, DropOfAPacketToAnEndNode) {
  BringUp();
  UnderEbr(101000);
  ToB(102000, 2);
  Commit(103000);
  EpochDrop(110000, 2);
  EXPECT_FAILS(model_, Check::kDrop);
  ExpectText("goes to an end node");
}

TEST_F(Ebr, DropOfAPacketThatHasRoom) {
  BringUp();
  UnderEbr(101000);
  ToB(102000, 3);
  Commit(103000);
  EpochDrop(110000, 2);
  EXPECT_FAILS(model_, Check::kDrop);
  ExpectText("at most 0 of 2 blocks");
}

TEST_F(Ebr, PacketGoesOnWithTheNumberThatRoutedIt) {
  BringUp();
  UnderEbr(101000);
  Commit(102000);
  const Wire wire = ToB(110000, 3);
  Move(4, 110000 + 22, WithNumber(wire, kNewNumber));
  EXPECT_CLEAN(model_);
}

TEST_F(Ebr, PacketGoesOnWithItsOldNumber) {
  BringUp();
  UnderEbr(101000);
  Commit(102000);
  const Wire wire = ToB(110000, 3);
  Move(4, 110000 + 22, wire);
  EXPECT_FAILS(model_, Check::kNumber);
}

// Routed before the commit and sent after it: the number is that of the route (E_RTD), not that of
// the switch (E_SCHD).
TEST_F(Ebr, PacketGoesOnWithTheSwitchsNumber) {
  BringUp();
  UnderEbr(101000);
  const Wire wire = ToB(102000, 3);
  Commit(103000);
  Move(4, 110000, WithNumber(wire, kNewNumber));
  EXPECT_FAILS(model_, Check::kNumber);
}

TEST_F(Ebr, NumbersAreLeftAloneWithoutScheme) {
  BringUp();
  Commit(102000);
  const Wire wire = ToB(110000, 3);
  Move(4, 110000 + 22, WithNumber(wire, kNewNumber));
  EXPECT_FAILS(model_, Check::kNumber);
}

// By the literal rule it may be any that the switch has had since.
class EbrLiteral : public Ebr {
 protected:
  EbrLiteral() : Ebr(/*ebr_literal=*/true) {
    BringUp();
    UnderEbr(101000);
    wire_ = ToB(102000, 3);
    Commit(103000);
  }
  void LeaveWith(std::uint32_t number) { Move(4, 110000, WithNumber(wire_, number)); }

 private:
  Wire wire_;
};

TEST_F(EbrLiteral, PacketGoesOnWithTheSwitchsNumber) {
  LeaveWith(kNewNumber);
  EXPECT_CLEAN(model_);
}

TEST_F(EbrLiteral, PacketGoesOnWithTheNumberThatRoutedIt) {
  LeaveWith(0);
  EXPECT_CLEAN(model_);
}

TEST_F(EbrLiteral, PacketGoesOnWithANumberThatIsNotThereYet) {
  LeaveWith(kNewNumber + 1);
  EXPECT_FAILS(model_, Check::kNumber);
}

// A commit that takes effect while a packet comes.
class EbrCommit : public Ebr {
 protected:
  static constexpr Cycle kT = 110000;
  static constexpr Cycle kArrived = kT + 72 + kFly;

  // `shown`: from that cycle on the trace port shows the new number; 0: it is not looked at.
  void CommitAt(Cycle shown) {
    BringUp();
    UnderEbr(101000);
    WriteInactive(102000);
    const Mad request = DirectedMad(2, kT, 0xFF02, 0, {1}, {1U << 31 | kNewNumber});
    Move(4 * kB + 2, kT, SmpWire(request));
    if (shown != 0) {
      SwitchState state;
      state.epoch = kNewNumber;
      model_.OnSwitchState(kB, state, shown);
    }
    Move(4 * kB + 3, kT + 150, SmpWire(Answer(request, 3)));
  }
  void Pass(std::uint32_t number) {
    const Wire wire = ToB(kArrived + 5, 3);
    Move(4, kArrived + 5 + 22, WithNumber(wire, number));
  }
};

TEST_F(EbrCommit, NewNumberWhileItTakesEffect) {
  CommitAt(0);
  Pass(kNewNumber);
  EXPECT_CLEAN(model_);
}

TEST_F(EbrCommit, OldNumberWhileItTakesEffect) {
  CommitAt(0);
  Pass(0);
  EXPECT_CLEAN(model_);
}

TEST_F(EbrCommit, NewNumberOnceItIsSeen) {
  CommitAt(kArrived + 2);
  Pass(kNewNumber);
  EXPECT_CLEAN(model_);
}

TEST_F(EbrCommit, OldNumberOnceItIsSeen) {
  CommitAt(kArrived + 2);
  Pass(0);
  EXPECT_FAILS(model_, Check::kNumber);
}

}  // namespace
}  // namespace lanecut
