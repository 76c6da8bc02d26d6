// SPDX-License-Identifier: Apache-2.0
//
// Data between two end nodes on a link without faults: timing, rate, lanes, queues, refusals.
#include "models/hca/hca.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>

#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using Fate = PacketLedger::Fate;

TEST(Hca, NothingButFlowControlBeforeItIsActive) {
  HcaPair pair;
  pair.Run(100);
  EXPECT_EQ(pair.a().port_state(), ib::PortState::kInitialize);
  EXPECT_EQ(pair.a().flow_control().Credit(0), 16);
  EXPECT_EQ(pair.a().flow_control().Credit(1), 16);
  pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  pair.Run(100);
  EXPECT_EQ(pair.a().QueuedPackets(), 1);
  EXPECT_TRUE(pair.a().Idle());
}

TEST(Hca, DeliversWithTheLatencyOfTheLink) {
  HcaPair pair(5);
  pair.BringUp();
  pair.Run(50);
  const Cycle generated = pair.now;
  ASSERT_TRUE(pair.a().Offer(generated, HcaPair::kLid[1], 32, 0));
  pair.Run(50);
  ASSERT_EQ(pair.ledger.delivered.size(), 1U);
  const HcaPacket& packet = pair.ledger.delivered.front();
  EXPECT_EQ(packet.generated, generated);
  EXPECT_EQ(packet.injected, generated + 1);
  EXPECT_EQ(packet.head, packet.injected + 5);
  EXPECT_EQ(packet.tail, packet.head + 14);
  EXPECT_EQ(packet.tail + 1 - packet.injected, 5 + 15U);
  EXPECT_EQ(packet.slid, HcaPair::kLid[0]);
  EXPECT_EQ(packet.wire_bytes, 58U);
  EXPECT_EQ(pair.b().counters().data_received, 1U);
}

TEST(Hca, ArmedPortAcceptsButDoesNotSend) {
  HcaPair pair;
  pair.Run(20);
  ASSERT_EQ(pair.SetState(0, ib::PortState::kArmed), ib::MadStatus::kOk);
  ASSERT_EQ(pair.SetState(1, ib::PortState::kArmed), ib::MadStatus::kOk);
  ASSERT_EQ(pair.SetState(0, ib::PortState::kActive), ib::MadStatus::kOk);
  pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  pair.b().Offer(pair.now, HcaPair::kLid[0], 32, 0);
  pair.Run(100);
  EXPECT_EQ(pair.b().counters().data_received, 1U);
  EXPECT_EQ(pair.a().counters().data_received, 0U);
  EXPECT_EQ(pair.b().QueuedPackets(), 1);
}

TEST(Hca, RefusesDataWhileInitializing) {
  HcaPair pair;
  pair.Run(20);
  for (const ib::PortState state : {ib::PortState::kArmed, ib::PortState::kActive}) {
    ASSERT_EQ(pair.SetState(0, state), ib::MadStatus::kOk);
  }
  pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  pair.Run(100);
  EXPECT_EQ(pair.ledger.Refusals(DropReason::kPortInactive), 1);
  EXPECT_EQ(pair.a().flow_control().Credit(0), 16);  // the refused packet holds no buffer
}

TEST(Hca, RefusesWhatIsForAnother) {
  HcaPair pair;
  pair.BringUp();
  pair.a().Offer(pair.now, 77, 32, 0);
  pair.Run(100);
  EXPECT_EQ(pair.ledger.Refusals(DropReason::kMisdelivered), 1);
  ASSERT_EQ(pair.ledger.refused.size(), 1U);
  // Its first packet; 0 is no packet of node 0, but stands for one that nobody could read.
  EXPECT_EQ(pair.ledger.refused.front(), MakePacketId(0, 1));
}

// Round trip of a credit: the packet, its way, the update's wait for the packet before it, its two
// words, and its way back.
class HcaRate : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(HcaRate, IsFullWhileTheBufferCoversTheRoundTrip) {
  const auto [fly, payload, blocks] = GetParam();
  HcaPair pair(fly, {.buffer_blocks = blocks});
  pair.BringUp();
  const int words = DataWireWords(payload);
  const auto saturate = [&pair](int bytes, Cycle cycles) {
    for (const Cycle end = pair.now + cycles; pair.now < end; pair.Step()) {
      for (std::size_t i = 0; i < 2; ++i) {
        if (pair.nodes[i].QueuedPackets() < 8) {
          pair.nodes[i].Offer(pair.now, HcaPair::kLid[1 - i], bytes, 0);
        }
      }
    }
  };
  saturate(payload, 2000);
  const std::uint64_t before[2] = {pair.a().counters().data_received,
                                   pair.b().counters().data_received};
  const Cycle cycles = 30000;
  saturate(payload, cycles);
  // Credits for the other direction take two words per quarter of a buffer.
  const double packets_per_update = std::max(1.0, blocks / 4.0 / BlocksOfWords(words));
  const double share = words / (words + 2 / packets_per_update);
  for (std::size_t i = 0; i < 2; ++i) {
    const HcaCounters& counters = pair.nodes[i].counters();
    const auto received = static_cast<double>(counters.data_received - before[i]);
    EXPECT_GT(received * words / static_cast<double>(cycles), 0.995 * share);
    EXPECT_EQ(counters.no_credit, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Links, HcaRate,
                         testing::Values(std::tuple{0, 32, 16}, std::tuple{1, 32, 16},
                                         std::tuple{5, 32, 16}, std::tuple{16, 32, 16},
                                         std::tuple{60, 32, 16}, std::tuple{5, 256, 16},
                                         std::tuple{5, 512, 32}, std::tuple{5, 32, 8},
                                         std::tuple{300, 32, 64}));

TEST(Hca, OneWayRateLosesNoCycleBetweenPackets) {
  HcaPair pair(5);
  pair.BringUp();
  pair.Run(100);
  for (int i = 0; i < 60; ++i) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  while (pair.now % kTickCycles > 1000) pair.Step();  // no refresh in between
  pair.Run(60 * 15 + 50);
  ASSERT_EQ(pair.ledger.delivered.size(), 60U);
  EXPECT_EQ(pair.ledger.delivered.back().head - pair.ledger.delivered.front().head, 59 * 15U);
}

TEST(Hca, StopsWithoutCreditAndIsSteppedForNothing) {
  HcaPair pair(100, {.buffer_blocks = 2});
  pair.BringUp();
  pair.Run(300);
  for (int i = 0; i < 10; ++i) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  pair.Run(45);
  EXPECT_EQ(pair.a().counters().data_sent, 2U);
  EXPECT_TRUE(pair.a().Idle());
  pair.Run(5000);
  EXPECT_EQ(pair.ledger.delivered.size(), 10U);
}

TEST(Hca, VlsTakeTurnsAndOneWithoutCreditBlocksNoOther) {
  HcaPair pair(5);
  pair.BringUp();
  ib::SlToVlBlock map;
  map.vl_of_sl[3] = 1;
  pair.Set(0, ib::MadAttribute::kSlToVlMappingTable, map);
  pair.Run(50);
  for (int i = 0; i < 8; ++i) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  for (int i = 0; i < 8; ++i) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 3);
  pair.Run(300);
  ASSERT_EQ(pair.ledger.delivered.size(), 16U);
  for (std::size_t i = 1; i < 16; ++i) {
    EXPECT_NE(pair.ledger.delivered[i].vl, pair.ledger.delivered[i - 1].vl);
    EXPECT_EQ(pair.ledger.delivered[i].sl, pair.ledger.delivered[i].vl == 1 ? 3 : 0);
  }
}

TEST(Hca, SlsOfOneVlGoByAge) {
  HcaPair pair(5);
  pair.BringUp();
  for (int i = 0; i < 8; ++i) {
    pair.a().Offer(pair.now, HcaPair::kLid[1], 32, static_cast<std::uint8_t>(15 - i));
  }
  pair.Run(300);
  ASSERT_EQ(pair.ledger.delivered.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(pair.ledger.delivered[i].sl, 15 - i);
}

TEST(Hca, DropsPacketsWhoseSlHasNoVl) {
  HcaPair pair(5);
  pair.BringUp();
  ib::SlToVlBlock map;
  map.vl_of_sl[1] = 15;
  map.vl_of_sl[2] = 7;
  pair.Set(0, ib::MadAttribute::kSlToVlMappingTable, map);
  for (std::uint8_t sl = 0; sl < 3; ++sl) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, sl);
  pair.Run(100);
  EXPECT_EQ(pair.ledger.delivered.size(), 1U);
  EXPECT_EQ(pair.ledger.Drops(DropReason::kVlDiscard), 1);
  EXPECT_EQ(pair.ledger.Drops(DropReason::kBadVl), 1);
  EXPECT_EQ(pair.a().QueuedPackets(), 0);
}

TEST(Hca, FullSourceQueueDropsAndCounts) {
  HcaPair pair(5);
  pair.BringUp();
  int taken = 0;
  for (int i = 0; i < 100; ++i) taken += pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0) ? 1 : 0;
  EXPECT_EQ(taken, 64);
  EXPECT_EQ(pair.ledger.Drops(DropReason::kSourceQueue), 36);
  EXPECT_EQ(pair.a().counters().source_drops, 36U);
  pair.Run(64 * 16 + 200);
  EXPECT_EQ(pair.ledger.Count(Fate::kDelivered), 64);
}

TEST(Hca, OrderAndRepetitionAreChecked) {
  HcaPair pair(5);
  pair.BringUp();
  pair.Run(100);
  DataPacket data{.id = MakePacketId(9, 5), .slid = 1, .dlid = HcaPair::kLid[1]};
  const auto send = [&](std::uint64_t sequence, std::uint8_t sl) {
    data.id = MakePacketId(9, sequence);
    data.sl = sl;
    Packet packet;
    std::vector<Word> wire;
    BuildDataPacket(data, &packet);
    BuildWire(packet, &wire);
    pair.ledger.fates[data.id] = Fate::kOnTheWay;
    for (const Word& word : wire) {
      pair.link.Out(0).Put(pair.now, word);
      pair.Step();
    }
  };
  send(5, 0);
  send(7, 0);
  send(6, 1);  // another flow
  EXPECT_EQ(pair.ledger.order_errors, 0);
  send(7, 0);  // again
  send(6, 0);  // late
  pair.Run(10);
  EXPECT_EQ(pair.ledger.order_errors, 2);
  EXPECT_EQ(pair.b().counters().order_errors, 2U);
}

TEST(Hca, SkippingStepsThatAreNotNeededChangesNothing) {
  HcaPair stepped(7);
  HcaPair skipped(7);
  for (HcaPair* pair : {&stepped, &skipped}) pair->BringUp();
  Random random(3);
  for (int round = 0; round < 20000; ++round) {
    if (random.Below(40) == 0) {
      for (HcaPair* pair : {&stepped, &skipped}) {
        pair->a().Offer(pair->now, HcaPair::kLid[1], 32, static_cast<std::uint8_t>(round % 2));
      }
    }
    stepped.Step();
    for (Hca& node : skipped.nodes) {
      if (node.NeedsStep(skipped.now)) node.Step(skipped.now);
    }
    ++skipped.now;
  }
  ASSERT_GT(stepped.ledger.delivered.size(), 300U);
  ASSERT_EQ(stepped.ledger.delivered.size(), skipped.ledger.delivered.size());
  for (std::size_t i = 0; i < stepped.ledger.delivered.size(); ++i) {
    EXPECT_EQ(stepped.ledger.delivered[i].id, skipped.ledger.delivered[i].id);
    EXPECT_EQ(stepped.ledger.delivered[i].tail, skipped.ledger.delivered[i].tail);
  }
}

TEST(Hca, RefusesWrongConfigurations) {
  EXPECT_THROW(Hca({.num_vls = 0}), std::invalid_argument);
  EXPECT_THROW(Hca({.num_vls = 16}), std::invalid_argument);
  EXPECT_THROW(Hca({.index = 65536}), std::invalid_argument);
  EXPECT_THROW(Hca({.buffer_blocks = 2049}), std::invalid_argument);
  EXPECT_THROW(Hca({.vl15_blocks = 4}), std::invalid_argument);
  EXPECT_THROW(Hca({.source_queue = 0}), std::invalid_argument);
  Hca node({});
  EXPECT_THROW(node.Offer(0, 1, 31, 0), std::invalid_argument);
  EXPECT_THROW(node.Offer(0, 1, 32, 16), std::invalid_argument);
}

}  // namespace
}  // namespace lanecut
