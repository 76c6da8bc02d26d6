// SPDX-License-Identifier: Apache-2.0
//
// Double Scheme in one switch: which VL and which function a packet gets while VL1 drains, after
// the switch-over and once VL0 is open again, and what the switch says of itself.
#include <algorithm>
#include <random>

#include "sw/wire/crc.h"
#include "tests/rtl/switch/scheme_bench.h"

namespace lanecut::test {
namespace {

// With a VCRC that fits the words.
std::vector<Word> Sealed(std::vector<Word> wire) {
  std::vector<std::uint32_t> words;
  for (const Word& word : wire) words.push_back(word.data);
  words.pop_back();
  wire.back().data = std::uint32_t{Vcrc(words)} << 16;
  return wire;
}

class DoubleTest : public SchemeTest {
 protected:
  void SetUp() override {
    SchemeTest::SetUp();
    bench_.SetScheme(kDouble);
    LoadNewTables(true);
  }

  // LID 10 leaves by port 4, LID 40 by port 1, the rest as before.
  void LoadNewTables(bool bank) {
    for (int lid = 0; lid < 64; ++lid) bench_.SetLft(lid, 255, bank);
    bench_.SetLft(10, 4, bank);
    bench_.SetLft(20, 2, bank);
    bench_.SetLft(30, 3, bank);
    bench_.SetLft(40, 1, bank);
    std::array<int, 16> vls{};
    for (int sl = 0; sl < 16; ++sl) vls[sl] = sl & 1;
    for (int in = 1; in <= kPorts; ++in) {
      for (int out = 1; out <= kPorts; ++out) bench_.SetSlToVl(in, out, vls, bank);
    }
  }
  bool Idle() { return bench_.Top().trace_vl_idle_o != 0; }
  bool Draining() { return bench_.Top().trace_draining_o != 0; }
  bool Restricted() { return bench_.Top().trace_restricted_o != 0; }
  bool Open(int port) { return (bench_.Top().trace_open_o >> (port - 1) & 1) != 0; }
  // Ready, drained, and with an old packet on VL0 of port 4 that cannot leave.
  void DrainWithPort4Held() {
    bench_.At(4).Block(0, true);
    for (int i = 0; i < 17; ++i) bench_.At(3).Send(Numbered(0, 0, 4, 900 + i));
    bench_.Drain();
    bench_.SetNextReady();
    bench_.Run(600);
    ASSERT_TRUE(Idle());
    bench_.At(4).packets.clear();
  }
  int On(int port, int vl, int number) {
    return static_cast<int>(
        std::ranges::count_if(bench_.At(port).packets, [this, vl, number](const Received& packet) {
          return packet.good && packet.vl() == vl && NumberOf(packet) == number;
        }));
  }
};

TEST_F(DoubleTest, WithoutAChangePacketsGoAsTheTablesSay) {
  for (int vl = 0; vl < 2; ++vl) bench_.At(2).Send(Numbered(0, vl, 1, 1 + vl));
  bench_.Run(60);
  EXPECT_EQ(On(1, 0, 0), 1);
  EXPECT_EQ(On(1, 1, 0), 1);
  EXPECT_FALSE(Draining() || Restricted() || Idle());
}

TEST_F(DoubleTest, NothingNewEntersVl1WhileItDrains) {
  bench_.Drain();
  for (int i = 0; i < 10; ++i) bench_.At(2).Send(Numbered(0, i & 1, 1, 10 + i));
  bench_.Run(300);
  EXPECT_TRUE(Draining());
  EXPECT_EQ(On(1, 0, 0), 10);
}

TEST_F(DoubleTest, HeadsThatWereRoutedToVl1TurnToVl0) {
  bench_.At(1).Block(1, true);
  for (int i = 0; i < 60; ++i) bench_.At(2).Send(Numbered(0, 1, 1, 100 + i));
  bench_.Run(1500);
  const int before = On(1, 1, 0);
  EXPECT_EQ(On(1, 0, 0), 0);
  bench_.Drain();
  bench_.Run(1500);
  // What was in the output queue stays; what was not yet, leaves on VL0 and by credits of its own.
  EXPECT_EQ(On(1, 1, 0), before);
  EXPECT_EQ(On(1, 0, 0), 60 - before - Peer::kBlocks);
  EXPECT_FALSE(Idle());
  bench_.At(1).Block(1, false);
  bench_.Run(1000);
  EXPECT_EQ(On(1, 1, 0) + On(1, 0, 0), 60);
  EXPECT_TRUE(Idle());
}

TEST_F(DoubleTest, IdleNeedsTheNeighboursWholeBuffer) {
  bench_.At(2).Send(Numbered(0, 1, 1, 1));
  bench_.Run(20);
  bench_.At(1).Block(1, true);  // it keeps the packet
  bench_.Run(60);
  ASSERT_EQ(On(1, 1, 0), 1);
  bench_.Drain();
  bench_.Run(100);
  EXPECT_FALSE(Idle());
  bench_.At(1).Block(1, false);
  bench_.Run(40);
  EXPECT_TRUE(Idle());
}

TEST_F(DoubleTest, IdleIsReportedThoughCreditsGetLost) {
  bench_.tick_every = 0;
  bench_.At(2).Send(Numbered(0, 1, 1, 1));
  bench_.At(1).LoseCredits(1);
  bench_.Run(60);
  ASSERT_EQ(On(1, 1, 0), 1);
  bench_.Drain();
  bench_.Run(200);
  EXPECT_FALSE(Idle());
  bench_.At(1).Refresh();
  bench_.Run(40);
  EXPECT_TRUE(Idle());
}

TEST_F(DoubleTest, APortThatGoesDownWhileItDrainsIsIdle) {
  bench_.At(1).Block(1, true);
  for (int i = 0; i < 20; ++i) bench_.At(2).Send(Numbered(0, 1, 1, 100 + i));
  bench_.Run(600);
  bench_.Drain();
  bench_.Run(100);
  EXPECT_FALSE(Idle());
  bench_.Top().phy_up_i &= ~1u;
  bench_.Run(600);
  EXPECT_TRUE(Idle());
}

TEST_F(DoubleTest, NewPacketsGoByTheNewFunctionOnVl1WhileTheSwitchDrains) {
  bench_.Drain();
  bench_.SetNextReady();
  for (int i = 0; i < 6; ++i) bench_.At(2).Send(Numbered(1, i & 1, 1, 10 + i));
  bench_.Run(200);
  EXPECT_EQ(On(4, 1, 1), 6);
  EXPECT_EQ(bench_.Epoch(), 0);
}

TEST_F(DoubleTest, NewPacketsWaitForTheirFunction) {
  bench_.Drain();
  for (int i = 0; i < 6; ++i) bench_.At(2).Send(Numbered(1, 1, 1, 10 + i));
  bench_.Run(200);
  EXPECT_TRUE(bench_.At(4).packets.empty() && bench_.At(1).packets.empty());
  bench_.SetNextReady();
  bench_.Run(200);
  EXPECT_EQ(On(4, 1, 1), 6);
}

TEST_F(DoubleTest, OldPacketsEscapeToVl1ByTheNewFunction) {
  DrainWithPort4Held();
  bench_.SwitchOver();
  EXPECT_EQ(bench_.Epoch(), 1);
  for (int i = 0; i < 6; ++i) bench_.At(2).Send(Numbered(0, 0, 1, 10 + i));
  for (int i = 0; i < 6; ++i) bench_.At(3).Send(Numbered(1, 1, 1, 20 + i));
  bench_.Run(400);
  EXPECT_EQ(On(4, 1, 1), 12) << "the old ones have the new number from here on";
  EXPECT_TRUE(Restricted());
  EXPECT_FALSE(Open(4));
  EXPECT_TRUE(Open(1) && Open(2) && Open(3));
}

TEST_F(DoubleTest, HeadsThatWereRoutedAreLookedUpAgain) {
  bench_.At(1).Block(0, true);
  for (int i = 0; i < 60; ++i) bench_.At(2).Send(Numbered(0, 0, 1, 100 + i));
  bench_.Run(1500);
  const int before = On(1, 0, 0);
  DrainWithPort4Held();
  bench_.SwitchOver();
  bench_.Run(1500);
  EXPECT_EQ(On(4, 1, 1), 60 - before - Peer::kBlocks);
  bench_.At(1).Block(0, false);
  bench_.Run(500);
  EXPECT_EQ(On(1, 0, 0), before + Peer::kBlocks) << "these had crossed before";
  EXPECT_EQ(On(1, 0, 1), 0);
}

TEST_F(DoubleTest, Vl0OpensForNewPacketsOnceTheOldOnesHaveLeft) {
  DrainWithPort4Held();
  bench_.SwitchOver();
  bench_.At(2).Send(Numbered(1, 0, 1, 10));
  bench_.Run(100);
  EXPECT_EQ(On(4, 1, 1), 1);
  bench_.At(4).Block(0, false);
  bench_.Run(400);
  EXPECT_FALSE(Restricted());
  const int old = On(4, 0, 0);
  bench_.At(2).Send(Numbered(1, 0, 1, 11));
  bench_.At(2).Send(Numbered(1, 1, 1, 12));
  bench_.Run(100);
  EXPECT_EQ(On(4, 0, 1), 1);
  EXPECT_EQ(On(4, 0, 0), old);
  EXPECT_EQ(On(4, 1, 1), 2);
}

TEST_F(DoubleTest, Vl0StaysClosedUntilTheNeighboursBufferIsFree) {
  bench_.Drain();
  bench_.SetNextReady();
  bench_.At(3).Send(Numbered(0, 0, 4, 1));
  bench_.Run(20);
  bench_.At(4).Block(0, true);  // it keeps the packet
  bench_.Run(100);
  ASSERT_EQ(On(4, 0, 0), 1);
  bench_.SwitchOver();
  bench_.Run(200);
  EXPECT_FALSE(Open(4));
  EXPECT_TRUE(Restricted());
  bench_.At(4).Block(0, false);
  bench_.Run(40);
  EXPECT_FALSE(Restricted());
}

TEST_F(DoubleTest, ADeadPortKeepsNoVlClosed) {
  DrainWithPort4Held();
  bench_.SwitchOver();
  bench_.Run(100);
  EXPECT_TRUE(Restricted());
  bench_.Top().phy_up_i &= ~(1u << 3);
  bench_.Run(400);
  EXPECT_FALSE(Restricted());
}

// They came before their link died, so nobody but the switch itself knows of them.
TEST_F(DoubleTest, OldPacketsOfADeadPortKeepTheSwitchRestricted) {
  DrainWithPort4Held();
  bench_.At(4).Block(1, true);
  bench_.SwitchOver();
  // On VL0 with the SL of VL1: the queues towards port 4 fill up, and some stay at the input.
  for (int i = 0; i < 40; ++i) {
    std::vector<Word> wire = Numbered(0, 1, 1, 100 + i);
    wire[0].data &= 0x0FFFFFFF;
    bench_.At(2).Send(Sealed(wire));
  }
  bench_.Run(1000);
  bench_.Top().phy_up_i &= ~(1u << 1);
  bench_.At(4).Block(0, false);
  bench_.Run(600);
  EXPECT_TRUE(Open(4));
  EXPECT_TRUE(Restricted());
  bench_.At(4).Block(1, false);
  bench_.Run(1500);
  EXPECT_FALSE(Restricted());
}

TEST_F(DoubleTest, ClearEndsAChangeAtAnyTime) {
  bench_.Drain();
  bench_.Run(20);
  bench_.ClearDrain();
  bench_.At(2).Send(Numbered(0, 1, 1, 1));
  bench_.Run(60);
  EXPECT_FALSE(Draining());
  EXPECT_EQ(On(1, 1, 0), 1);
}

TEST_F(DoubleTest, ADamagedPacketChangesNothing) {
  bench_.Drain();
  bench_.SetNextReady();
  std::vector<Word> wire = Numbered(1, 1, 1, 5);
  wire[8].data ^= 0x10;
  bench_.At(2).Send(wire);
  bench_.At(2).Send(Numbered(0, 1, 1, 6));
  bench_.Run(100);
  EXPECT_EQ(On(1, 0, 0), 1);
  EXPECT_TRUE(Draining());
}

// Saturated, every phase at once: nothing is lost, every packet leaves by a function as a whole,
// and the order of numbers on each VL is that of the functions.
TEST_F(DoubleTest, ManyChangesInARowUnderLoad) {
  std::mt19937 random(1);
  std::uint64_t id = 0;
  const auto load = [&](int number, int packets) {
    for (int i = 0; i < packets; ++i) {
      for (int port = 1; port <= kPorts; ++port) {
        const int to = static_cast<int>(random() % 3 + port) % kPorts + 1;
        bench_.At(port).Send(Numbered(number, static_cast<int>(random() % 2), to, ++id));
      }
    }
  };
  for (int change = 1; change <= 20; ++change) {
    const int old = (change + 7) % 8;
    load(old, 40);
    bench_.Run(100);
    bench_.Drain();
    bench_.SetNextReady();
    bench_.Run(40 * 40 * kPorts);
    ASSERT_TRUE(Idle()) << change;
    load(old, 10);
    bench_.Run(50);
    bench_.SwitchOver();
    ASSERT_EQ(bench_.Epoch(), change % 8);
    load(change % 8, 10);
    bench_.Run(3000);
    EXPECT_FALSE(Restricted()) << change;
    LoadNewTables((change & 1) == 0);
  }
  std::uint64_t received = 0;
  for (int port = 1; port <= kPorts; ++port) {
    received += bench_.At(port).packets.size();
    std::array<int, 2> last{-1, -1};
    for (const Received& packet : bench_.At(port).packets) {
      int& before = last[static_cast<std::size_t>(packet.vl())];
      if (before >= 0) {
        EXPECT_LE((NumberOf(packet) - before + 8) % 8, 1);
      }
      before = NumberOf(packet);
    }
  }
  EXPECT_EQ(received, id);
  EXPECT_TRUE(bench_.Drops().empty());
}

}  // namespace
}  // namespace lanecut::test
