// SPDX-License-Identifier: Apache-2.0
//
// The two halves of the end-to-end protocol, each for itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "models/hca/reliable_receiver.h"
#include "models/hca/reliable_sender.h"

namespace lanecut {
namespace {

constexpr std::uint16_t kPeer = 9;
constexpr std::uint32_t kNearWrap = 0xFFFFFD;

ReliableConfig Config() { return {.on = true, .window = 4, .reorder = 4, .retransmit = 100}; }

std::uint32_t Send(ReliableSender* sender, Cycle t, std::uint16_t dlid = kPeer) {
  return sender->Send({.dlid = dlid, .payload_bytes = 32, .generated = t}, t);
}

TEST(ReliableSender, WindowIsPerPeer) {
  ReliableSender sender(Config());
  EXPECT_FALSE(sender.Waiting());
  for (std::uint32_t psn = 0; psn < 4; ++psn) {
    EXPECT_TRUE(sender.MaySend(kPeer));
    EXPECT_EQ(Send(&sender, 1), psn);
  }
  EXPECT_FALSE(sender.MaySend(kPeer));
  EXPECT_TRUE(sender.MaySend(kPeer + 1));
  EXPECT_EQ(Send(&sender, 1, kPeer + 1), 0U);
  EXPECT_TRUE(sender.Acknowledge(kPeer, 1));
  EXPECT_EQ(sender.unacknowledged(), 3U);
  EXPECT_TRUE(sender.MaySend(kPeer));
}

TEST(ReliableSender, OldAndUnknownAcksAreIgnored) {
  ReliableSender sender(Config());
  EXPECT_FALSE(sender.Acknowledge(kPeer, 0));
  Send(&sender, 1);
  Send(&sender, 1);
  EXPECT_FALSE(sender.Acknowledge(kPeer, kPsnMask));  // of nothing yet
  EXPECT_FALSE(sender.Acknowledge(kPeer, 2));         // never sent
  EXPECT_TRUE(sender.Acknowledge(kPeer, 0));
  EXPECT_FALSE(sender.Acknowledge(kPeer, 0));
  EXPECT_FALSE(sender.Acknowledge(kPeer + 1, 1));
  EXPECT_TRUE(sender.Acknowledge(kPeer, 1));
  EXPECT_FALSE(sender.Waiting());
}

TEST(ReliableSender, PsnWraps) {
  ReliableConfig config = Config();
  config.first_psn = kNearWrap;
  ReliableSender sender(config);
  for (const std::uint32_t psn : {0xFFFFFDU, 0xFFFFFEU, 0xFFFFFFU, 0U}) {
    EXPECT_EQ(Send(&sender, 1), psn);
  }
  EXPECT_TRUE(sender.Acknowledge(kPeer, 0xFFFFFF));
  EXPECT_EQ(sender.unacknowledged(), 1U);
  EXPECT_EQ(Send(&sender, 2), 1U);
  EXPECT_TRUE(sender.Acknowledge(kPeer, 1));
  EXPECT_FALSE(sender.Waiting());
}

TEST(ReliableSender, TheOldestIsSentAgainAfterTheTimeout) {
  ReliableSender sender(Config());
  Send(&sender, 10);
  Send(&sender, 20);
  EXPECT_FALSE(sender.Expire(109));
  EXPECT_TRUE(sender.Expire(110));
  EXPECT_FALSE(sender.Expire(120));  // no second one of the flow
  ASSERT_EQ(sender.due(), 1U);
  EXPECT_EQ(sender.Due(0).psn, 0U);
  EXPECT_EQ(sender.Due(0).generated, 10U);
  sender.Resend(0, 130);
  EXPECT_EQ(sender.due(), 0U);
  EXPECT_FALSE(sender.Expire(229));
  EXPECT_TRUE(sender.Expire(230));
  // The next one has been out for long enough: it is due as soon as it is the oldest.
  EXPECT_TRUE(sender.Acknowledge(kPeer, 0));
  EXPECT_EQ(sender.due(), 0U);
  EXPECT_TRUE(sender.Expire(231));
  EXPECT_EQ(sender.Due(0).psn, 1U);
  EXPECT_TRUE(sender.Acknowledge(kPeer, 1));
  EXPECT_EQ(sender.due(), 0U);
  EXPECT_FALSE(sender.Expire(10000));
}

TEST(ReliableSender, EveryPeerHasItsTimer) {
  ReliableSender sender(Config());
  Send(&sender, 10, 1);
  Send(&sender, 50, 2);
  EXPECT_TRUE(sender.Expire(110));
  EXPECT_TRUE(sender.Expire(150));
  ASSERT_EQ(sender.due(), 2U);
  EXPECT_EQ(sender.Due(0).dlid, 1);
  sender.Resend(1, 150);
  EXPECT_EQ(sender.Due(0).dlid, 1);
  EXPECT_TRUE(sender.Acknowledge(1, 0));
  EXPECT_EQ(sender.due(), 0U);
}

class Receiver : public ReliableReceiver {
 public:
  using ReliableReceiver::ReliableReceiver;

  bool Get(std::uint32_t psn, Cycle t = 0, std::uint16_t source = 3) {
    std::vector<Message> in_order;
    const bool taken = Receive({.source = source,
                                .slid = static_cast<std::uint16_t>(source + 1),
                                .dlid = kPeer,
                                .psn = psn,
                                .generated = psn},
                               t, &in_order);
    for (const Message& message : in_order) {
      if (source == 3) numbers.push_back(message.number);
      psns.push_back(static_cast<std::uint32_t>(message.generated));
    }
    return taken;
  }

  std::vector<std::uint64_t> numbers;
  std::vector<std::uint32_t> psns;
};

TEST(ReliableReceiver, HandsOnInOrderWhateverTheOrderOfArrival) {
  std::vector<std::uint32_t> order(5);
  std::iota(order.begin(), order.end(), 0);
  do {
    Receiver receiver(Config());
    for (const std::uint32_t psn : order) EXPECT_TRUE(receiver.Get(psn));
    EXPECT_EQ(receiver.psns, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(receiver.numbers, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(ReliableReceiver, TakesEveryPacketOnce) {
  Receiver receiver(Config());
  EXPECT_TRUE(receiver.Get(0));
  EXPECT_FALSE(receiver.Get(0));  // before
  EXPECT_TRUE(receiver.Get(2));
  EXPECT_FALSE(receiver.Get(2));  // in the buffer
  EXPECT_TRUE(receiver.Get(1));
  EXPECT_EQ(receiver.psns, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(ReliableReceiver, DiscardsBeyondItsBuffer) {
  Receiver receiver(Config());
  EXPECT_FALSE(receiver.Get(5));
  EXPECT_TRUE(receiver.Get(4));
  EXPECT_TRUE(receiver.Get(0));
  EXPECT_TRUE(receiver.Get(5));
  EXPECT_EQ(receiver.psns, (std::vector<std::uint32_t>{0}));
  ReliableConfig config = Config();
  config.reorder = 0;
  Receiver none(config);
  EXPECT_FALSE(none.Get(1));
  EXPECT_TRUE(none.Get(0));
  EXPECT_TRUE(none.Get(1));
}

TEST(ReliableReceiver, PsnWraps) {
  ReliableConfig config = Config();
  config.first_psn = kNearWrap;
  Receiver receiver(config);
  for (const std::uint32_t psn : {0xFFFFFFU, 0U, 0xFFFFFDU, 0xFFFFFDU, 1U, 0xFFFFFEU}) {
    receiver.Get(psn);
  }
  EXPECT_EQ(receiver.psns, (std::vector<std::uint32_t>{0xFFFFFD, 0xFFFFFE, 0xFFFFFF, 0, 1}));
  EXPECT_FALSE(receiver.Get(0xFFFFFF));
  EXPECT_TRUE(receiver.Mature(ReliableReceiver::kAckDelay));
  EXPECT_EQ(receiver.Due(0).psn, 1U);
}

TEST(ReliableReceiver, OneAckForAllThatCameInItsDelay) {
  Receiver receiver(Config());
  constexpr Cycle kDelay = ReliableReceiver::kAckDelay;
  for (std::uint32_t psn = 0; psn < 20; ++psn) receiver.Get(psn, 100 + psn);
  receiver.Get(0, 120, 4);  // another source
  EXPECT_FALSE(receiver.Mature(100 + kDelay - 1));
  EXPECT_TRUE(receiver.Mature(100 + kDelay));
  ASSERT_EQ(receiver.due(), 1U);
  EXPECT_EQ(receiver.Due(0).psn, 19U);
  EXPECT_EQ(receiver.Due(0).dlid, 4);
  EXPECT_EQ(receiver.Due(0).slid, kPeer);
  receiver.Get(20, 140);  // takes the place of the one that waits
  EXPECT_EQ(receiver.Due(0).psn, 20U);
  EXPECT_TRUE(receiver.Mature(120 + kDelay));
  ASSERT_EQ(receiver.due(), 2U);
  receiver.Acknowledged(1);
  receiver.Acknowledged(0);
  EXPECT_FALSE(receiver.Owes());
}

TEST(ReliableReceiver, DuplicatesAreAcknowledgedAgainAndGapsAreNot) {
  Receiver receiver(Config());
  receiver.Get(1);
  EXPECT_FALSE(receiver.Owes());
  receiver.Get(1);
  EXPECT_TRUE(receiver.Mature(1000));
  EXPECT_EQ(receiver.Due(0).psn, kPsnMask);  // nothing is in order yet
  receiver.Acknowledged(0);
  receiver.Get(0);
  EXPECT_TRUE(receiver.Mature(1000));
  EXPECT_EQ(receiver.Due(0).psn, 1U);
  receiver.Acknowledged(0);
  receiver.Get(0);
  EXPECT_TRUE(receiver.Mature(2000));
  EXPECT_EQ(receiver.Due(0).psn, 1U);
  receiver.Acknowledged(0);
  receiver.Get(99);  // beyond
  EXPECT_FALSE(receiver.Owes());
}

}  // namespace
}  // namespace lanecut
