// SPDX-License-Identifier: Apache-2.0
//
// The end-to-end protocol between two end nodes: whatever the link loses, every message arrives
// once and in order.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using Fate = PacketLedger::Fate;

constexpr Cycle kTimeout = 500;

HcaConfig Config(ReliableConfig reliable = {}) {
  reliable.on = true;
  if (reliable.retransmit == ReliableConfig{}.retransmit) reliable.retransmit = kTimeout;
  HcaConfig config;
  config.reliable = reliable;
  return config;
}

class ReliableHca : public testing::Test {
 protected:
  void Up(const HcaConfig& config = Config()) {
    pair = std::make_unique<HcaPair>(5, config);
    pair->BringUp();
    pair->Run(50);
  }
  void Offer(int node, int count = 1) {
    for (int i = 0; i < count; ++i) {
      pair->nodes[static_cast<std::size_t>(node)].Offer(pair->now, HcaPair::kLid[1 - node], 32, 0);
    }
  }
  // Everything that is on the link, or comes onto it, in these cycles is lost.
  void Lose(Cycle cycles) {
    pair->link.SetFaults({.word_error_rate = 1}, 1);
    pair->Run(cycles);
    pair->link.SetFaults({}, 1);
  }
  PacketLedger& ledger() { return pair->ledger; }

  void ExpectAllDone() {
    EXPECT_EQ(ledger().Awaited(), 0U);
    EXPECT_EQ(ledger().order_errors, 0);
    for (const Hca& node : pair->nodes) {
      EXPECT_EQ(node.Unacknowledged(), 0U);
      EXPECT_EQ(node.QueuedPackets(), 0);
      EXPECT_TRUE(node.Idle());
    }
    // sent = delivered + dropped, of copies
    EXPECT_EQ(ledger().Count(Fate::kOnTheWay), static_cast<int>(ledger().refused.size()));
    EXPECT_EQ(ledger().Count(Fate::kWaiting), 0);
  }

  std::unique_ptr<HcaPair> pair;
};

TEST_F(ReliableHca, AnAcknowledgementIsACopyOfItsOwn) {
  Up();
  Offer(0);
  pair->Run(20);
  EXPECT_FALSE(pair->a().Idle());  // its timer runs
  pair->Run(130);
  EXPECT_EQ(ledger().messages, 1);
  EXPECT_EQ(ledger().Kind(PacketKind::kAck), 1);
  ASSERT_EQ(ledger().delivered.size(), 2U);
  const HcaPacket& ack = ledger().delivered.back();
  EXPECT_EQ(ack.kind, PacketKind::kAck);
  EXPECT_EQ(PacketSource(ack.id), 1);
  EXPECT_EQ(ack.slid, HcaPair::kLid[1]);
  EXPECT_EQ(ack.dlid, HcaPair::kLid[0]);
  EXPECT_EQ(ack.wire_bytes, 30U);
  EXPECT_EQ(pair->a().counters().data_received, 1U);
  EXPECT_EQ(pair->b().counters().data_sent, 1U);
  ExpectAllDone();
}

TEST_F(ReliableHca, AcknowledgementsAreCoalesced) {
  Up();
  Offer(0, 8);
  pair->Run(1000);
  EXPECT_EQ(ledger().messages, 8);
  EXPECT_LE(ledger().Kind(PacketKind::kAck), 4);
  EXPECT_EQ(ledger().Kind(PacketKind::kRetransmission), 0);
  ExpectAllDone();
}

TEST_F(ReliableHca, LostDataIsSentAgain) {
  Up();
  const Cycle generated = pair->now;
  Offer(0);
  Lose(40);
  EXPECT_EQ(ledger().messages, 0);
  pair->Run(kTimeout + 100);
  EXPECT_EQ(ledger().messages, 1);
  EXPECT_EQ(pair->a().counters().retransmissions, 1U);
  ASSERT_EQ(ledger().delivered.size(), 2U);
  const HcaPacket& copy = ledger().delivered.front();
  EXPECT_EQ(copy.generated, generated);
  EXPECT_EQ(copy.injected, generated + 1 + kTimeout);  // the wait is queue latency
  EXPECT_EQ(ledger().discarded, 0);
  ExpectAllDone();
}

TEST_F(ReliableHca, LostAcknowledgementMakesADuplicateThatIsAcknowledgedAgain) {
  Up();
  Offer(0);
  while (ledger().messages == 0) pair->Step();
  Lose(100);
  EXPECT_EQ(ledger().Kind(PacketKind::kAck), 1);
  EXPECT_EQ(pair->a().Unacknowledged(), 1U);
  pair->Run(kTimeout + 100);
  EXPECT_EQ(ledger().messages, 1);
  EXPECT_EQ(ledger().discarded, 1);
  EXPECT_EQ(pair->b().counters().discarded, 1U);
  EXPECT_EQ(ledger().Kind(PacketKind::kAck), 2);
  ExpectAllDone();
}

TEST_F(ReliableHca, WhatCameBehindALostOneIsNotSentAgain) {
  Up();
  Offer(0);
  Lose(20);
  Offer(0, 6);
  pair->Run(200);
  EXPECT_EQ(ledger().messages, 0);  // all wait for the first
  EXPECT_EQ(pair->a().Unacknowledged(), 7U);
  pair->Run(kTimeout + 200);
  EXPECT_EQ(ledger().messages, 7);
  EXPECT_EQ(pair->a().counters().retransmissions, 1U);
  EXPECT_EQ(ledger().discarded, 0);
  ExpectAllDone();
}

TEST_F(ReliableHca, BeyondTheReorderBufferIsDiscardedAndComesAgain) {
  Up(Config({.reorder = 2}));
  Offer(0);
  Lose(20);
  Offer(0, 5);
  pair->Run(200);
  EXPECT_EQ(ledger().discarded, 3);
  pair->Run(8 * kTimeout);
  EXPECT_EQ(ledger().messages, 6);
  ExpectAllDone();
}

TEST_F(ReliableHca, AFullWindowWaits) {
  Up(Config({.window = 3}));
  Offer(0, 10);
  pair->Run(50);  // no acknowledgement yet
  EXPECT_EQ(pair->a().Unacknowledged(), 3U);
  EXPECT_EQ(ledger().Kind(PacketKind::kData), 3);
  EXPECT_EQ(pair->a().QueuedPackets(), 7);
  pair->Run(1000);
  EXPECT_EQ(ledger().messages, 10);
  EXPECT_EQ(ledger().Kind(PacketKind::kRetransmission), 0);
  ExpectAllDone();
}

TEST_F(ReliableHca, AFullWindowHoldsUpItsSlOnly) {
  Up(Config({.window = 1}));
  Offer(0, 2);
  pair->a().Offer(pair->now, 77, 32, 1);  // another peer, which is not there
  pair->Run(50);
  EXPECT_EQ(ledger().Kind(PacketKind::kData), 2);
  EXPECT_EQ(ledger().Refusals(DropReason::kMisdelivered), 1);
}

TEST_F(ReliableHca, RefusedPacketsTakeNoNumber) {
  HcaConfig config = Config({.window = 2});
  config.source_queue = 4;
  Up(config);
  for (int i = 0; i < 20; ++i) {
    Offer(0, 10);
    pair->Run(60);
  }
  pair->Run(1000);
  EXPECT_GT(ledger().Drops(DropReason::kSourceQueue), 50);
  EXPECT_EQ(ledger().messages, ledger().Kind(PacketKind::kData));
  EXPECT_EQ(ledger().messages + ledger().Drops(DropReason::kSourceQueue), 200);
  ExpectAllDone();
}

// Both source queues are full all the time, and acknowledgements must get through.
TEST_F(ReliableHca, CrossTrafficWithLosses) {
  for (const std::uint32_t first_psn : {0U, 0xFFFF00U}) {
    HcaConfig config = Config({.window = 8, .reorder = 8, .first_psn = first_psn});
    config.source_queue = 8;
    config.buffer_blocks = 2;
    Up(config);
    pair->link.SetFaults({.word_error_rate = 1e-3, .flow_control_loss = 0.01}, 5);
    for (Cycle end = pair->now + 200000; pair->now < end; pair->Step()) {
      for (const int node : {0, 1}) Offer(node);
    }
    EXPECT_GT(ledger().Drops(DropReason::kSourceQueue), 100000);
    pair->link.SetFaults({}, 5);
    pair->Run(20 * kTickCycles);
    EXPECT_GT(ledger().messages, 5000);
    EXPECT_GT(ledger().Kind(PacketKind::kRetransmission), 100);
    EXPECT_GT(ledger().discarded, 0);
    EXPECT_EQ(ledger().messages, ledger().Kind(PacketKind::kData));
    ExpectAllDone();
  }
}

TEST_F(ReliableHca, SurvivesACutLink) {
  Up();
  Offer(0, 30);
  Offer(1, 30);
  pair->Run(100);
  pair->link.Cut(pair->now);
  pair->Run(3 * kTimeout);
  EXPECT_FALSE(pair->a().Idle());
  pair->link.Restore(pair->now);
  pair->BringUp();
  pair->Run(20 * kTimeout);
  EXPECT_EQ(ledger().messages, 60);
  EXPECT_EQ(ledger().Awaited(), 0U);
  EXPECT_EQ(pair->a().Unacknowledged() + pair->b().Unacknowledged(), 0U);
}

TEST_F(ReliableHca, AsksForTheSlOfWhatItSendsByItself) {
  Up();
  ib::SlToVlBlock map;
  for (std::size_t sl = 0; sl < 16; ++sl) map.vl_of_sl[sl] = static_cast<std::uint8_t>(sl % 2);
  for (const int node : {0, 1}) pair->Set(node, ib::MadAttribute::kSlToVlMappingTable, map);
  for (Hca& node : pair->nodes) {
    node.SetSlQuery([](std::uint16_t dlid, std::uint8_t) {
      return static_cast<std::uint8_t>(dlid == HcaPair::kLid[0] ? 3 : 5);
    });
  }
  Offer(0);
  Lose(40);
  pair->Run(kTimeout + 200);
  ASSERT_EQ(ledger().delivered.size(), 2U);
  EXPECT_EQ(ledger().delivered[0].sl, 5);
  EXPECT_EQ(ledger().delivered[1].sl, 3);
  EXPECT_EQ(ledger().delivered[1].vl, 1);
  ExpectAllDone();
}

TEST_F(ReliableHca, RefusesNonsense) {
  EXPECT_THROW(Hca(Config({.window = 0})), std::invalid_argument);
  EXPECT_THROW(Hca(Config({.reorder = -1})), std::invalid_argument);
}

}  // namespace
}  // namespace lanecut
