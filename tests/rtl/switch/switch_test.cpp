// SPDX-License-Identifier: Apache-2.0
//
// The data path of the switch, driven port by port.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "Vswitch_alone.h"
#include "Vswitch_alone___024root.h"
#include "Vswitch_slow.h"
#include "Vswitch_slow___024root.h"
#include "tests/rtl/switch/bench.h"

namespace lanecut::test {
namespace {

using Bench = SwitchBench<Vswitch_alone, 4>;
constexpr int kRouteCycles = 6;

std::vector<Word> DataWords(int vl, int sl, int dlid, std::uint64_t id, int payload = 32) {
  DataPacket data;
  data.id = id;
  data.vl = static_cast<std::uint8_t>(vl);
  data.sl = static_cast<std::uint8_t>(sl);
  data.dlid = static_cast<std::uint16_t>(dlid);
  data.slid = 5;
  data.payload_bytes = payload;
  Packet packet;
  BuildDataPacket(data, &packet);
  std::vector<Word> wire;
  BuildWire(packet, &wire);
  return wire;
}

std::vector<Word> SmpWords(int dlid, std::uint8_t mgmt_class, std::uint8_t method) {
  SmpPacket smp;
  smp.dlid = static_cast<std::uint16_t>(dlid);
  smp.mad[0] = 1;
  smp.mad[1] = mgmt_class;
  smp.mad[2] = 1;
  smp.mad[3] = method;
  Packet packet;
  BuildSmpPacket(smp, &packet);
  std::vector<Word> wire;
  BuildWire(packet, &wire);
  wire[0].data |= 0xF0000000;
  std::vector<std::uint32_t> words;
  return wire;
}

class SwitchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    bench_.LoadPlainTables();
    bench_.BringUp();
  }
  std::uint64_t IdOf(const Received& packet) { return PacketIdOf(packet.words); }

  Bench bench_;
};

TEST_F(SwitchTest, BringsPortsUpAndExchangesCredits) {
  for (int p = 1; p <= 4; ++p) {
    EXPECT_EQ(bench_.State(p), 4);
    EXPECT_EQ(bench_.At(p).fccl[0], 16);
    EXPECT_EQ(bench_.At(p).fccl[1], 16);
  }
  EXPECT_EQ(bench_.Top().idle_o, 1);
}

TEST_F(SwitchTest, InitializePortSendsOpOne) {
  bench_.Top().phy_up_i = 0xE;
  bench_.Run(4);
  EXPECT_EQ(bench_.State(1), 1);
  bench_.Top().phy_up_i = 0xF;
  bench_.Run(20);
  EXPECT_EQ(bench_.State(1), 2);
  EXPECT_EQ(bench_.At(1).last_op, 1);
  bench_.SetState(4, 1);  // not from Initialize
  EXPECT_EQ(bench_.State(1), 2);
}

TEST_F(SwitchTest, ZeroLoadLatencyIsSixCyclesForEveryPair) {
  for (int in = 1; in <= 4; ++in) {
    for (int out = 1; out <= 4; ++out) {
      for (int sl = 0; sl < 2; ++sl) {
        bench_.At(out).packets.clear();
        bench_.At(in).Send(DataWords(1 - sl, sl, 10 * out, 77));
        const Cycle start = bench_.Now();
        bench_.Run(60);
        ASSERT_EQ(bench_.At(out).packets.size(), 1U);
        const Received& got = bench_.At(out).packets[0];
        EXPECT_TRUE(got.good);
        EXPECT_EQ(got.vl(), sl) << "VL comes from SLtoVL, not from the VL it came on";
        EXPECT_EQ(got.head - start, static_cast<Cycle>(kRouteCycles));
        std::vector<std::uint32_t> sent;
        for (const Word& w : DataWords(sl, sl, 10 * out, 77)) sent.push_back(w.data);
        EXPECT_EQ(got.words, sent);
      }
    }
  }
  EXPECT_EQ(bench_.Top().idle_o, 1);
}

TEST(SwitchSlow, HeaderLatencyIsAParameter) {
  SwitchBench<Vswitch_slow, 4> bench;
  bench.LoadPlainTables();
  bench.BringUp();
  for (int i = 0; i < 5; ++i) bench.At(1).Send(DataWords(0, 0, 20, 7 + i));
  const Cycle start = bench.Now();
  bench.Run(150);
  ASSERT_EQ(bench.At(2).packets.size(), 5U);
  EXPECT_EQ(bench.At(2).packets[0].head - start, 25U);
  // The latency is a pipeline: packets behind the first lose no cycle.
  EXPECT_EQ(bench.At(2).packets[4].head - bench.At(2).packets[0].head, 60U);
}

TEST_F(SwitchTest, OneFlowUsesEveryCycleOfItsOutput) {
  for (int i = 0; i < 200; ++i) bench_.At(1).Send(DataWords(0, 0, 20, i));
  bench_.Run(200);
  const auto& got = bench_.At(2).packets;
  const std::size_t before = got.size();
  bench_.Run(1500);
  // The peer's own flow-control packets take the input link some words, nothing else does.
  EXPECT_GE(got.size() - before, 94U);
}

TEST_F(SwitchTest, OutputFedByAllPortsIsAlwaysBusy) {
  for (int in = 2; in <= 4; ++in) {
    for (int i = 0; i < 200; ++i) bench_.At(in).Send(DataWords(i & 1, i & 1, 10, in * 1000 + i));
  }
  bench_.Run(300);
  int busy = 0;
  const int cycles = 2000;
  for (int i = 0; i < cycles; ++i) {
    busy += (bench_.Top().tx_ctrl_o & 7) != 0;
    bench_.Run(1);
  }
  EXPECT_EQ(busy, cycles);
}

TEST_F(SwitchTest, AllocatorIsFairBetweenInputs) {
  for (int in = 2; in <= 4; ++in) {
    for (int i = 0; i < 300; ++i)
      bench_.At(in).Send(DataWords(0, 0, 10, static_cast<std::uint64_t>(in) << 32 | i));
  }
  bench_.Run(6000);
  std::map<int, int> count;
  for (const Received& packet : bench_.At(1).packets) ++count[static_cast<int>(IdOf(packet) >> 32)];
  for (int in = 2; in <= 4; ++in) EXPECT_NEAR(count[in], count[2], 2);
}

TEST_F(SwitchTest, TransitGoesBeforeInjectionWhichIsNotStarved) {
  bench_.SetEndNodePorts(1 << 3 | 1 << 4);
  for (int in = 2; in <= 4; ++in) {
    for (int i = 0; i < 700; ++i)
      bench_.At(in).Send(DataWords(0, 0, 10, static_cast<std::uint64_t>(in) << 32 | i));
  }
  constexpr int kPackets = 660;
  bench_.Run(kPackets * 15);
  std::map<int, int> count;
  for (const Received& packet : bench_.At(1).packets) ++count[static_cast<int>(IdOf(packet) >> 32)];
  EXPECT_NEAR(count[3], count[4], 1) << "round robin between end nodes";
  EXPECT_NEAR(count[3] + count[4], kPackets / 33, 2) << "one injection for every 32 that passed";
}

TEST_F(SwitchTest, InjectionLeavesAQuarterOfTheOutputQueueToTransit) {
  bench_.SetEndNodePorts(1 << 2);
  bench_.At(1).Block(0, true);
  for (int i = 0; i < 60; ++i) bench_.At(2).Send(DataWords(0, 0, 10, i));
  bench_.Run(2000);
  bench_.At(1).packets.clear();
  for (int i = 0; i < 4; ++i) bench_.At(3).Send(DataWords(0, 0, 10, 1000 + i));
  bench_.Run(200);
  EXPECT_EQ(bench_.At(1).packets.size(), 0u);
  bench_.At(1).Block(0, false);
  bench_.Run(3000);
  std::size_t last = 0;
  for (std::size_t i = 0; i < bench_.At(1).packets.size(); ++i)
    if (IdOf(bench_.At(1).packets[i]) >= 1000) last = i;
  EXPECT_EQ(last, 15u) << "12 injected packets and 4 others wait in the output queue";
}

TEST_F(SwitchTest, InjectedPacketAsLargeAsTheOutputQueueIsNotStarved) {
  bench_.SetEndNodePorts(1 << 2 | 1 << 3);
  for (int i = 0; i < 100; ++i) bench_.At(2).Send(DataWords(0, 0, 10, i));
  for (int i = 0; i < 3; ++i) bench_.At(3).Send(DataWords(0, 0, 10, 1000 + i, 960));
  bench_.Run(4000);
  EXPECT_EQ(bench_.At(1).packets.size(), 103u);
}

TEST_F(SwitchTest, InjectionAloneUsesEveryCycle) {
  bench_.SetEndNodePorts(1 << 2 | 1 << 3);
  for (int in = 2; in <= 3; ++in) {
    for (int i = 0; i < 200; ++i)
      bench_.At(in).Send(DataWords(0, 0, 10, static_cast<std::uint64_t>(in) << 32 | i));
  }
  bench_.Run(100 * 15);
  std::map<int, int> count;
  for (const Received& packet : bench_.At(1).packets) ++count[static_cast<int>(IdOf(packet) >> 32)];
  EXPECT_NEAR(count[2], count[3], 1);
  EXPECT_GE(count[2] + count[3], 97);
}

TEST_F(SwitchTest, LongPacketIsNotStarvedByShortOnes) {
  for (int i = 0; i < 400; ++i) {
    bench_.At(2).Send(DataWords(0, 0, 10, 2000 + i));
    bench_.At(3).Send(DataWords(0, 0, 10, 3000 + i));
  }
  bench_.Run(600);
  for (int i = 0; i < 3; ++i) bench_.At(4).Send(DataWords(0, 0, 10, 4000 + i, 512));
  bench_.Run(2500);
  int longs = 0;
  for (const Received& packet : bench_.At(1).packets) longs += IdOf(packet) >= 4000;
  EXPECT_EQ(longs, 3);
}

TEST_F(SwitchTest, DataVlsShareAnOutputEvenly) {
  for (int i = 0; i < 200; ++i) {
    bench_.At(2).Send(DataWords(0, 0, 10, i));
    bench_.At(3).Send(DataWords(1, 1, 10, i));
    bench_.At(4).Send(DataWords(0, 0, 10, i));
  }
  bench_.Run(3000);
  std::map<int, int> count;
  for (const Received& packet : bench_.At(1).packets) ++count[packet.vl()];
  EXPECT_NEAR(count[0], count[1], 3);
}

TEST_F(SwitchTest, NoCreditNoPacketAndTheOtherVlGoesOn) {
  bench_.At(1).Block(0, true);
  bench_.At(2).Send(DataWords(0, 0, 10, 0));
  bench_.Run(100);
  const std::size_t first = bench_.At(1).packets.size();
  for (int i = 0; i < 60; ++i) bench_.At(2).Send(DataWords(0, 0, 10, 100 + i));
  for (int i = 0; i < 60; ++i) bench_.At(3).Send(DataWords(1, 1, 10, 200 + i));
  bench_.Run(3000);
  std::map<int, int> count;
  for (std::size_t i = first; i < bench_.At(1).packets.size(); ++i)
    ++count[bench_.At(1).packets[i].vl()];
  EXPECT_EQ(count[0], 15) << "16 blocks were promised and one used";
  EXPECT_EQ(count[1], 60);
  bench_.At(1).Block(0, false);
  bench_.Run(3000);
  EXPECT_EQ(bench_.At(1).packets.size(), first + 120);
}

TEST_F(SwitchTest, LostCreditsHealWithTheNextRefresh) {
  bench_.tick_every = 512;
  for (int round = 0; round < 20; ++round) {
    bench_.At(1).LoseCredits(1 + round % 3);
    for (int i = 0; i < 10; ++i) bench_.At(2).Send(DataWords(0, 0, 10, round * 10 + i));
    bench_.Run(700);
  }
  bench_.Run(4000);
  EXPECT_EQ(bench_.At(1).packets.size(), 200U);
}

TEST_F(SwitchTest, CorruptedPacketTravelsAsBadWhenItsHeadHasLeft) {
  auto wire = DataWords(0, 0, 20, 9);
  wire[7].data ^= 0x100;
  bench_.At(1).Send(wire);
  bench_.Run(60);
  ASSERT_EQ(bench_.At(2).packets.size(), 1U);
  EXPECT_FALSE(bench_.At(2).packets[0].good);
  EXPECT_EQ(bench_.Counter(1, 4), 1U);
  EXPECT_TRUE(bench_.Drops().empty());
}

TEST_F(SwitchTest, CorruptedPacketThatWaitsIsDropped) {
  // Port 1 is kept busy by port 3, so that port 2's bad packet is complete before its turn comes.
  bench_.At(1).Block(0, true);
  bench_.Run(20);
  for (int i = 0; i < 40; ++i) bench_.At(3).Send(DataWords(0, 0, 10, i));
  bench_.Run(800);
  auto wire = DataWords(0, 0, 10, 9999);
  wire.back().data ^= 0x10000;
  bench_.At(2).Send(wire);
  bench_.At(2).Send(DataWords(0, 0, 10, 8888));
  bench_.Run(60);
  bench_.At(1).Block(0, false);
  bench_.Run(1500);
  ASSERT_EQ(bench_.Drops().size(), 1U);
  EXPECT_EQ(bench_.Drops()[0].where, Drop::Where::kInput);
  EXPECT_EQ(bench_.Drops()[0].reason, DropReason::kBad);
  EXPECT_EQ(bench_.Drops()[0].port, 2);
  std::set<std::uint64_t> ids;
  for (const Received& packet : bench_.At(1).packets) ids.insert(IdOf(packet));
  EXPECT_TRUE(ids.contains(8888));
  EXPECT_FALSE(ids.contains(9999));
}

// Cuts a packet after `words` words in one of three ways; afterwards the switch must be as good as
// new.
enum class Cut { kIdle, kNewStart, kEarlyEnd, kTooLong, kBadEnd };

class SwitchCutTest : public SwitchTest,
                      public ::testing::WithParamInterface<std::tuple<Cut, int>> {};

TEST_P(SwitchCutTest, NoPacketStaysOpen) {
  const auto [cut, words] = GetParam();
  auto wire = DataWords(0, 0, 20, 9);
  switch (cut) {
    case Cut::kIdle:
    case Cut::kNewStart:
      wire.resize(words);
      break;
    case Cut::kEarlyEnd:
      wire.resize(words);
      wire.back().ctrl = words > 1 ? Ctrl::kGoodEnd : Ctrl::kStartData;
      break;
    case Cut::kTooLong:
      wire.back().ctrl = Ctrl::kBody;
      for (int i = 0; i < words; ++i) wire.push_back({0x55555555, Ctrl::kBody});
      wire.push_back({0, Ctrl::kGoodEnd});
      break;
    case Cut::kBadEnd:
      wire.back().ctrl = Ctrl::kBadEnd;
      break;
  }
  bench_.At(1).Send(wire);
  if (cut == Cut::kNewStart) bench_.At(1).Send(DataWords(1, 1, 30, 10));
  bench_.Run(100);
  for (const Received& packet : bench_.At(2).packets) EXPECT_FALSE(packet.good);
  if (cut == Cut::kNewStart) {
    ASSERT_EQ(bench_.At(3).packets.size(), 1U);
    EXPECT_TRUE(bench_.At(3).packets[0].good);
  }
  // All space is free again and everything still works.
  bench_.At(2).packets.clear();
  for (int i = 0; i < 40; ++i) bench_.At(1).Send(DataWords(0, 0, 20, 100 + i));
  bench_.Run(900);
  bench_.At(1).Refresh();  // heals the blocks of a packet whose header never arrived
  bench_.Run(20);
  EXPECT_EQ(bench_.At(2).packets.size(), 40U);
  EXPECT_EQ(bench_.At(1).fccl[0], bench_.At(1).fctbs[0] + 16);
  EXPECT_EQ(bench_.Top().idle_o, 1);
}

INSTANTIATE_TEST_SUITE_P(All, SwitchCutTest,
                         ::testing::Combine(::testing::Values(Cut::kIdle, Cut::kNewStart,
                                                              Cut::kEarlyEnd, Cut::kTooLong,
                                                              Cut::kBadEnd),
                                            ::testing::Values(1, 2, 3, 4, 8, 13, 14)));

TEST_F(SwitchTest, PacketsWithoutAWayAreDroppedWithTheirReason) {
  std::array<int, 16> vls{};
  vls[2] = 15;
  vls[3] = 5;
  bench_.SetSlToVl(1, 2, vls);
  struct Case {
    std::vector<Word> wire;
    Drop::Where where;
    DropReason reason;
  };
  auto bad_version = DataWords(0, 0, 20, 1);
  bad_version[0].data |= 0x03000000;
  const std::vector<Case> cases = {
      {DataWords(0, 0, 11, 1), Drop::Where::kInput, DropReason::kUnreachable},  // entry 255
      {DataWords(0, 0, 5000, 1), Drop::Where::kInput,
       DropReason::kUnreachable},  // beyond the table
      {DataWords(0, 0, 0xFFFF, 1), Drop::Where::kInput,
       DropReason::kUnreachable},  // permissive, but data
      {DataWords(0, 2, 20, 1), Drop::Where::kInput, DropReason::kVlDiscard},
      {DataWords(0, 3, 20, 1), Drop::Where::kInput, DropReason::kBadVl},
      {DataWords(4, 0, 20, 1), Drop::Where::kRx, DropReason::kBadVl},
      {DataWords(0, 0, 20, 1, 1024), Drop::Where::kRx, DropReason::kLength},
      {bad_version, Drop::Where::kRx, DropReason::kBad},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    bench_.At(1).Send(cases[i].wire, false);
    bench_.Run(400);
    ASSERT_EQ(bench_.Drops().size(), i + 1);
    EXPECT_EQ(bench_.Drops()[i].where, cases[i].where) << i;
    EXPECT_EQ(bench_.Drops()[i].reason, cases[i].reason) << i;
    EXPECT_EQ(bench_.Drops()[i].port, 1) << i;
  }
  EXPECT_TRUE(bench_.At(2).packets.empty());
  EXPECT_EQ(bench_.Top().idle_o, 1);
}

TEST_F(SwitchTest, ManagementPacketsAreSortedForTheTwoEngines) {
  bench_.At(3).Send(SmpWords(0xFFFF, 0x81, 0x01));
  bench_.Run(200);
  EXPECT_EQ(bench_.AgentPackets(0), 1U);
  EXPECT_EQ(bench_.AgentLastPort(), 3U);
  bench_.At(2).Send(SmpWords(0xFFFF, 0x81, 0x81));
  bench_.Run(200);
  EXPECT_EQ(bench_.AgentPackets(1), 1U);
  EXPECT_EQ(bench_.AgentLastPort(), 2U);
  bench_.At(1).Send(SmpWords(0, 0x01, 0x81));  // LID 0 is port 0 here
  bench_.Run(200);
  EXPECT_EQ(bench_.AgentPackets(0), 2U);
  bench_.At(1).Send(SmpWords(20, 0x01, 0x05));  // LID routed to somebody else
  bench_.Run(200);
  ASSERT_EQ(bench_.At(2).packets.size(), 1U);
  EXPECT_EQ(bench_.At(2).packets[0].vl(), 15);
  EXPECT_TRUE(bench_.At(2).packets[0].good);
}

TEST_F(SwitchTest, FullVl15BufferDropsSilently) {
  bench_.AgentReady(0);
  for (int i = 0; i < 10; ++i) bench_.At(1).Send(SmpWords(0xFFFF, 0x81, 0x01));
  bench_.Run(1000);
  EXPECT_EQ(bench_.Drops().size(), 4U);  // 6 of 5 blocks fit into 32
  for (const Drop& drop : bench_.Drops()) EXPECT_EQ(drop.reason, DropReason::kNoRoom);
  EXPECT_EQ(bench_.Counter(1, 6), 4U);
  bench_.AgentReady(3);
  bench_.Run(1000);
  EXPECT_EQ(bench_.AgentPackets(0), 6U);
}

TEST_F(SwitchTest, Vl15OvertakesData) {
  for (int i = 0; i < 100; ++i) bench_.At(2).Send(DataWords(0, 0, 10, i));
  for (int i = 0; i < 100; ++i) bench_.At(3).Send(DataWords(1, 1, 10, i));
  bench_.Run(400);
  bench_.At(4).Send(SmpWords(10, 0x01, 0x05));
  const Cycle start = bench_.Now();
  bench_.Run(200);
  for (const Received& packet : bench_.At(1).packets) {
    if (packet.vl() == 15) {
      EXPECT_LT(packet.head - start, 40U);
      return;
    }
  }
  FAIL() << "no VL15 packet";
}

TEST_F(SwitchTest, LinkDownDrainsQueuesAndNothingIsResumed) {
  for (int i = 0; i < 60; ++i) bench_.At(2).Send(DataWords(0, 0, 10, i));
  for (int i = 0; i < 60; ++i) bench_.At(3).Send(DataWords(0, 0, 10, 1000 + i));
  bench_.Run(307);  // in the middle of a packet
  bench_.Top().phy_up_i = 0xE;
  bench_.Run(3);
  const std::size_t before = bench_.At(1).packets.size();
  bench_.At(1).packets.clear();
  bench_.Run(3000);
  int output_drops = 0;
  for (const Drop& drop : bench_.Drops()) output_drops += drop.where == Drop::Where::kOutput;
  EXPECT_EQ(before + output_drops, 120U);
  EXPECT_FALSE(bench_.DataBusy());
  // Back: Initialize discards data, Active carries it again from fresh credits.
  bench_.Top().phy_up_i = 0xF;
  bench_.Run(50);
  EXPECT_TRUE(bench_.At(1).packets.empty());
  bench_.SetState(3, 1);
  bench_.SetState(4, 1);
  for (int i = 0; i < 30; ++i) bench_.At(2).Send(DataWords(0, 0, 10, i));
  for (int i = 0; i < 30; ++i) bench_.At(1).Send(DataWords(0, 0, 20, i));
  bench_.Run(1500);
  EXPECT_EQ(bench_.At(1).packets.size(), 30U);
  EXPECT_EQ(bench_.At(2).packets.size(), 30U);
  EXPECT_EQ(bench_.Counter(1, 7), 1U);
  EXPECT_EQ(bench_.Top().idle_o, 1);
}

TEST_F(SwitchTest, ArmedPortAcceptsDataAndDoesNotSendIt) {
  bench_.Top().phy_up_i = 0xE;
  bench_.Run(4);
  bench_.Top().phy_up_i = 0xF;
  bench_.Run(20);
  bench_.At(1).Send(DataWords(0, 0, 20, 1), false);
  bench_.Run(60);
  ASSERT_EQ(bench_.Drops().size(), 1U);
  EXPECT_EQ(bench_.Drops()[0].reason, DropReason::kPortInactive);
  bench_.SetState(3, 1);
  bench_.At(1).Send(DataWords(0, 0, 20, 2));
  bench_.At(2).Send(DataWords(0, 0, 10, 3));
  bench_.Run(60);
  EXPECT_EQ(bench_.At(2).packets.size(), 1U);
  EXPECT_TRUE(bench_.At(1).packets.empty());
  ASSERT_EQ(bench_.Drops().size(), 2U);
  EXPECT_EQ(bench_.Drops()[1].where, Drop::Where::kOutput);
}

TEST_F(SwitchTest, BanksAreSeparate) {
  bench_.SetLft(20, 3, true);
  std::array<int, 16> vls{};
  vls.fill(1);
  bench_.SetSlToVl(1, 3, vls, true);
  bench_.At(1).Send(DataWords(0, 0, 20, 1));
  bench_.Run(60);
  bench_.SelectBank(true);
  bench_.At(1).Send(DataWords(0, 0, 20, 2));
  bench_.Run(60);
  ASSERT_EQ(bench_.At(2).packets.size(), 1U);
  ASSERT_EQ(bench_.At(3).packets.size(), 1U);
  EXPECT_EQ(bench_.At(3).packets[0].vl(), 1);
}

// Random traffic of all lengths: everything arrives once, in order per (input, VL in, output, VL
// out), unchanged.
TEST_F(SwitchTest, RandomTrafficArrivesOnceInOrderAndUnchanged) {
  std::mt19937 rng(1);
  std::map<std::uint64_t, std::vector<std::uint32_t>> sent;
  std::uint64_t sequence = 0;
  bench_.hook = [&](int, Cycle, Word&) {};
  for (int round = 0; round < 300; ++round) {
    for (int in = 1; in <= 4; ++in) {
      for (int k = 0; k < 4; ++k) {
        const int out = 1 + static_cast<int>(rng() % 4);
        const int sl = static_cast<int>(rng() % 8);
        const int vl = static_cast<int>(rng() % 2);
        const int payload = 20 + 4 * static_cast<int>(rng() % (rng() % 8 == 0 ? 200 : 12));
        const std::uint64_t id = static_cast<std::uint64_t>(in) << 56 |
                                 static_cast<std::uint64_t>(vl) << 48 | ++sequence;
        bench_.At(in).Send(DataWords(vl, sl, 10 * out, id, payload));
        for (const Word& w : DataWords(sl & 1, sl, 10 * out, id, payload))
          sent[id].push_back(w.data);
      }
    }
    for (int p = 1; p <= 4; ++p) bench_.At(p).Block(static_cast<int>(rng() % 2), rng() % 3 == 0);
    bench_.Run(static_cast<int>(rng() % 200));
  }
  for (int p = 1; p <= 4; ++p) {
    bench_.At(p).Block(0, false);
    bench_.At(p).Block(1, false);
  }
  bench_.Run(60000);
  std::size_t received = 0;
  for (int p = 1; p <= 4; ++p) {
    std::map<std::pair<std::uint64_t, int>, std::uint64_t> last;
    for (const Received& packet : bench_.At(p).packets) {
      const std::uint64_t id = IdOf(packet);
      ASSERT_TRUE(packet.good);
      ASSERT_EQ(packet.words, sent.at(id));
      std::uint64_t& previous = last[{id >> 48, packet.vl()}];
      EXPECT_GT(id & 0xFFFFFFFFFFFF, previous);
      previous = id & 0xFFFFFFFFFFFF;
      ++received;
    }
  }
  EXPECT_EQ(received, sent.size());
  EXPECT_TRUE(bench_.Drops().empty());
  EXPECT_EQ(bench_.Top().idle_o, 1);
}

}  // namespace
}  // namespace lanecut::test
