// SPDX-License-Identifier: Apache-2.0
//
// Two end nodes on a link that loses flow control, flips bits, and is cut: no credit is lost, every
// packet is accounted for.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "models/hca/hca.h"
#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using Fate = PacketLedger::Fate;

// Keeps both source queues filled, on two SLs, for a while.
void Saturate(HcaPair* pair, Cycle cycles) {
  for (const Cycle end = pair->now + cycles; pair->now < end; pair->Step()) {
    for (int i = 0; i < 2; ++i) {
      Hca& node = pair->nodes[static_cast<std::size_t>(i)];
      while (node.QueuedPackets() < 4) {
        const auto sl = static_cast<std::uint8_t>(node.counters().data_sent % 2);
        node.Offer(pair->now, HcaPair::kLid[1 - i], 32, sl);
      }
    }
  }
}

void UseTwoVls(HcaPair* pair) {
  ib::SlToVlBlock map;
  for (std::size_t sl = 0; sl < 16; ++sl) map.vl_of_sl[sl] = static_cast<std::uint8_t>(sl % 2);
  for (const int node : {0, 1}) pair->Set(node, ib::MadAttribute::kSlToVlMappingTable, map);
}

// Empties the source queues, lets two refreshes pass without faults, and looks at every credit.
void ExpectAllCreditsBack(HcaPair* pair) {
  pair->link.SetFaults({}, 0);
  pair->Run(2 * kTickCycles);
  for (const Hca& node : pair->nodes) {
    EXPECT_EQ(node.QueuedPackets(), 0);
    EXPECT_EQ(node.flow_control().Credit(0), 16);
    EXPECT_EQ(node.flow_control().Credit(1), 16);
    EXPECT_EQ(node.counters().no_credit, 0U);
    EXPECT_TRUE(node.Idle());
  }
  EXPECT_TRUE(pair->link.In(0).Empty() && pair->link.In(1).Empty());
}

TEST(HcaFaults, NoCreditIsLostInAMillionCyclesOfFaults) {
  HcaPair pair(5);
  pair.BringUp();
  UseTwoVls(&pair);
  pair.link.SetFaults({.word_error_rate = 1e-4, .flow_control_loss = 0.01}, 1);
  Saturate(&pair, 1000000);
  ExpectAllCreditsBack(&pair);
  const PacketLedger& ledger = pair.ledger;
  const int lost = ledger.Count(Fate::kOnTheWay);
  EXPECT_EQ(ledger.Count(Fate::kWaiting), 0);
  EXPECT_EQ(lost, static_cast<int>(ledger.refused.size()));
  EXPECT_EQ(lost, ledger.Refusals(DropReason::kBad) + ledger.Refusals(DropReason::kLength));
  EXPECT_EQ(ledger.order_errors, 0);
  // Of 15 words, the last one has 16 bits that do not matter.
  const double sent = static_cast<double>(ledger.fates.size());
  EXPECT_NEAR(lost, sent * 14.5e-4, 5 * 14);
  EXPECT_GT(sent * 15 / 2, 0.9 * 1000000);
}

TEST(HcaFaults, HeavyLossOnlySlowsDown) {
  HcaPair pair(5);
  pair.BringUp();
  UseTwoVls(&pair);
  pair.link.SetFaults({.word_error_rate = 0.02, .flow_control_loss = 0.5}, 2);
  Saturate(&pair, 200000);
  EXPECT_GT(pair.ledger.delivered.size(), 3000U);
  EXPECT_EQ(pair.ledger.order_errors, 0);
  ExpectAllCreditsBack(&pair);
}

TEST(HcaFaults, SameSeedSameRun) {
  std::vector<HcaPacket> runs[3];
  for (int i = 0; i < 3; ++i) {
    HcaPair pair(5);
    pair.BringUp();
    pair.link.SetFaults({.word_error_rate = 1e-3, .flow_control_loss = 0.1}, i == 2 ? 8 : 7);
    Saturate(&pair, 50000);
    runs[i] = pair.ledger.delivered;
  }
  const auto same = [](const HcaPacket& a, const HcaPacket& b) {
    return a.id == b.id && a.tail == b.tail;
  };
  EXPECT_TRUE(std::equal(runs[0].begin(), runs[0].end(), runs[1].begin(), runs[1].end(), same));
  EXPECT_FALSE(std::equal(runs[0].begin(), runs[0].end(), runs[2].begin(), runs[2].end(), same));
}

class HcaCut : public testing::TestWithParam<int> {};

// Cut in every phase of a packet, with packets on the link and one being sent.
TEST_P(HcaCut, LosesWhatWasOnTheLinkAndGoesOn) {
  HcaPair pair(20);
  pair.BringUp();
  UseTwoVls(&pair);
  Saturate(&pair, 1000 + static_cast<Cycle>(GetParam()));
  pair.link.Cut(pair.now);
  pair.Step();
  EXPECT_EQ(pair.a().port_state(), ib::PortState::kDown);
  EXPECT_FALSE(pair.a().SendingData());
  Saturate(&pair, 100);
  EXPECT_EQ(pair.a().QueuedPackets(), 4);
  EXPECT_TRUE(pair.a().Idle());
  const int lost = pair.ledger.Count(Fate::kOnTheWay);
  // What one lane of 20 words holds whole or in part, less what was cut short at the sender and
  // counted there.
  EXPECT_LE(lost, 2 * 3);
  EXPECT_LE(pair.ledger.Drops(DropReason::kLinkCut), 2);
  EXPECT_GE(lost + pair.ledger.Drops(DropReason::kLinkCut), 2);
  EXPECT_EQ(pair.ledger.refused.size(),
            static_cast<std::size_t>(pair.ledger.Refusals(DropReason::kLinkCut)));

  pair.link.Restore(pair.now);
  pair.BringUp();
  EXPECT_EQ(pair.a().lid(), HcaPair::kLid[0]);
  Saturate(&pair, 1000);
  ExpectAllCreditsBack(&pair);
  EXPECT_EQ(pair.ledger.Count(Fate::kOnTheWay), lost);
  EXPECT_GT(pair.ledger.delivered.size(), 4 * 60U);
  EXPECT_EQ(pair.ledger.order_errors, 0);
}

INSTANTIATE_TEST_SUITE_P(Phases, HcaCut, testing::Range(0, 34));

TEST(HcaFaults, AFlapOfOneCycleIsALinkDown) {
  HcaPair pair(5);
  pair.BringUp();
  Saturate(&pair, 500);
  pair.link.Cut(pair.now);
  pair.Step();
  pair.link.Restore(pair.now);
  pair.Run(100);
  EXPECT_EQ(pair.a().port_state(), ib::PortState::kInitialize);
  EXPECT_EQ(pair.b().port_state(), ib::PortState::kInitialize);
  EXPECT_EQ(pair.a().flow_control().Credit(0), 16);
}

// Hand-made words into node b.
struct Wire {
  explicit Wire(HcaPair* p) : pair(p) {
    BuildDataPacket({.id = MakePacketId(9, 1), .slid = 1, .dlid = HcaPair::kLid[1]}, &packet);
    BuildWire(packet, &words);
    pair->ledger.fates[MakePacketId(9, 1)] = Fate::kOnTheWay;
  }
  void Send(const std::vector<Word>& stream) {
    for (const Word& word : stream) {
      pair->link.Out(0).Put(pair->now, word);
      pair->Step();
    }
  }
  int Refused(DropReason reason) {
    pair->Run(10);
    return pair->ledger.Refusals(reason);
  }
  HcaPair* pair;
  Packet packet;
  std::vector<Word> words;
};

TEST(HcaFaults, BadPacketsAreRefused) {
  HcaPair pair(3);
  pair.BringUp();
  pair.Run(100);
  Wire wire(&pair);
  std::vector<Word> stream = wire.words;
  stream.back().ctrl = Ctrl::kBadEnd;
  wire.Send(stream);
  EXPECT_EQ(wire.Refused(DropReason::kBad), 1);
  EXPECT_EQ(pair.ledger.refused.back(), MakePacketId(9, 1));

  stream = wire.words;
  stream[7].data ^= 4;
  wire.Send(stream);
  EXPECT_EQ(wire.Refused(DropReason::kBad), 2);

  stream.assign(wire.words.begin(), wire.words.begin() + 9);  // truncated by idle
  wire.Send(stream);
  EXPECT_EQ(wire.Refused(DropReason::kBad), 3);

  wire.Send(stream);  // truncated by the next packet, which is whole
  wire.Send(wire.words);
  EXPECT_EQ(wire.Refused(DropReason::kBad), 4);
  EXPECT_EQ(pair.ledger.delivered.size(), 1U);

  Packet icrc = wire.packet;  // VCRC right, ICRC wrong
  icrc.words[13] ^= 1;
  BuildWire(icrc, &stream);
  wire.Send(stream);
  EXPECT_EQ(wire.Refused(DropReason::kBad), 5);
  EXPECT_EQ(pair.b().counters().bad_packets, 5U);
}

TEST(HcaFaults, WrongHeadersAreRefused) {
  HcaPair pair(3);
  pair.BringUp();
  pair.Run(100);
  Wire wire(&pair);
  std::vector<Word> stream;
  const auto send_with = [&](std::uint32_t word0, std::uint32_t word1) {
    Packet changed = wire.packet;
    changed.words[0] ^= word0;
    changed.words[1] ^= word1;
    SealIcrc(&changed);
    BuildWire(changed, &stream);
    wire.Send(stream);
  };
  send_with(0, 1 << 16);  // PktLen
  EXPECT_EQ(wire.Refused(DropReason::kLength), 1);
  send_with(0x50000000, 0);  // VL 5
  EXPECT_EQ(wire.Refused(DropReason::kBadVl), 1);
  Packet longer;  // 18 blocks into a buffer of 16
  BuildDataPacket({.dlid = HcaPair::kLid[1], .payload_bytes = 1100}, &longer);
  BuildWire(longer, &stream);
  wire.Send(stream);
  EXPECT_EQ(wire.Refused(DropReason::kLength), 2);
  BuildDataPacket({.dlid = HcaPair::kLid[1], .payload_bytes = 4096},
                  &longer);  // beyond all buffers
  BuildWire(longer, &stream);
  wire.Send(stream);
  EXPECT_EQ(wire.Refused(DropReason::kLength), 3);
  EXPECT_TRUE(pair.ledger.delivered.empty());
}

TEST(HcaFaults, PacketsWithoutCreditAreRefused) {
  HcaPair pair(3, {.buffer_blocks = 2});
  pair.BringUp();
  pair.Run(100);
  Wire wire(&pair);
  // While b sends an SMP it can not tell of the blocks that it frees.
  ib::Mad mad =
      ib::MakeSmp(ib::MadClass::kSubnDirected, ib::MadMethod::kGet, ib::MadAttribute::kNodeInfo, 0);
  mad.set_hop_count(1);
  mad.set_initial_path(1, 1);
  ASSERT_TRUE(pair.b().SendMad(mad.bytes));
  pair.Step();
  for (std::uint64_t sequence = 1; sequence <= 3; ++sequence) {
    const std::uint64_t id = MakePacketId(9, sequence);
    pair.ledger.fates[id] = Fate::kOnTheWay;
    BuildDataPacket({.id = id, .slid = 1, .dlid = HcaPair::kLid[1]}, &wire.packet);
    BuildWire(wire.packet, &wire.words);
    wire.Send(wire.words);
  }
  EXPECT_EQ(wire.Refused(DropReason::kNoRoom), 1);
  EXPECT_EQ(pair.ledger.delivered.size(), 2U);
  EXPECT_EQ(pair.ledger.refused.back(), MakePacketId(9, 3));
  EXPECT_EQ(pair.b().counters().no_credit, 1U);
}

TEST(HcaFaults, LooseWordsAreCountedOnly) {
  HcaPair pair(3);
  pair.BringUp();
  pair.Run(100);
  Wire wire(&pair);
  wire.Send({{1, Ctrl::kBody}, {2, Ctrl::kGoodEnd}, {3, Ctrl::kBadEnd}});
  pair.Run(10);
  EXPECT_EQ(pair.b().counters().framing_errors, 3U);
  EXPECT_TRUE(pair.ledger.refused.empty());
  auto update = EncodeLinkPacket({.vl = 0, .fccl = 40});
  update[1].data ^= 0x10000;
  wire.Send({update.begin(), update.end()});
  pair.Run(10);
  EXPECT_EQ(pair.b().counters().bad_link_packets, 1U);
  EXPECT_EQ(pair.b().flow_control().Credit(0), 16);
}

}  // namespace
}  // namespace lanecut
