// SPDX-License-Identifier: Apache-2.0
//
// An end node that changes its routing function: numbers of packets, tokens, and what it reports.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using ib::FunctionScheme;
using ib::MadAttribute;
using ib::MadStatus;
using ib::PortState;
using ib::VendorFunction;
using ib::VendorScheme;
using Token = PacketLedger::Token;

class HcaFunction : public ::testing::Test {
 protected:
  explicit HcaFunction(HcaConfig config = {}) : pair_(5, config) { pair_.BringUp(); }

  // Of node 0 (a) or 1 (b).
  MadStatus SetScheme(int node, FunctionScheme scheme) {
    return Status(pair_.Set(node, MadAttribute::kVendorScheme, VendorScheme{scheme}));
  }
  MadStatus Start(int node, std::uint8_t number) {
    VendorFunction function;
    function.start = true;
    function.number = number;
    return Status(pair_.Set(node, MadAttribute::kVendorFunction, function));
  }
  VendorFunction Function(int node) {
    return VendorFunction::Decode(pair_.Get(node, MadAttribute::kVendorFunction));
  }
  ib::VendorStatus NodeStatus(int node) {
    return ib::VendorStatus::Decode(pair_.Get(node, MadAttribute::kVendorStatus),
                                    ib::NodeType::kChannelAdapter);
  }
  static MadStatus Status(const ib::Mad& mad) { return static_cast<MadStatus>(mad.status()); }

  void BothUnderOsr() {
    ASSERT_EQ(SetScheme(0, FunctionScheme::kTokens), MadStatus::kOk);
    ASSERT_EQ(SetScheme(1, FunctionScheme::kTokens), MadStatus::kOk);
  }
  void Offer(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(pair_.a().Offer(pair_.now, HcaPair::kLid[1], 256, 0));
    }
  }
  Cycle AwaitTick() {
    while (pair_.now % kTickCycles != 1) pair_.Step();
    return pair_.now / kTickCycles;
  }
  std::vector<int> DeliveredNumbers() const {
    std::vector<int> numbers;
    for (const HcaPacket& packet : pair_.ledger.delivered) numbers.push_back(packet.number);
    return numbers;
  }

  HcaPair pair_;
};

// What is on its way out was built for the old function; what waits has not been built.
TEST_F(HcaFunction, PacketBeingSentIsOldAndThoseThatWaitAreNew) {
  BothUnderOsr();
  Offer(3);
  while (!pair_.a().SendingData()) pair_.Step();
  pair_.Run(3);
  ASSERT_EQ(Start(0, 1), MadStatus::kOk);
  ASSERT_TRUE(pair_.a().SendingData());  // still the first one
  EXPECT_TRUE(pair_.ledger.tokens_sent.empty());
  pair_.Run(1000);
  EXPECT_EQ(DeliveredNumbers(), (std::vector{0, 1, 1}));
  EXPECT_EQ(pair_.ledger.tokens_sent, (std::vector{Token{0, 0, 1}, Token{0, 1, 1}}));
  EXPECT_EQ(pair_.ledger.tokens_passed, (std::vector{Token{1, 0, 1}, Token{1, 1, 1}}));
  EXPECT_TRUE(pair_.ledger.stale.empty());
  EXPECT_EQ(pair_.b().counters().stale, 0U);
  EXPECT_EQ(pair_.b().counters().framing_errors, 0U);
}

TEST_F(HcaFunction, ChangeEndsWhenAllTokensHavePassed) {
  BothUnderOsr();
  ASSERT_EQ(Start(0, 1), MadStatus::kOk);
  pair_.Run(100);
  VendorFunction function = Function(0);
  EXPECT_EQ(function.epoch, 1);
  EXPECT_TRUE(function.start);  // b has sent none yet
  EXPECT_TRUE(NodeStatus(0).changing);
  EXPECT_EQ(NodeStatus(0).epoch, 1);
  EXPECT_FALSE(NodeStatus(1).changing);  // b has passed more than it sends
  EXPECT_EQ(NodeStatus(1).epoch, 0);
  ASSERT_EQ(Start(1, 1), MadStatus::kOk);
  pair_.Run(100);
  EXPECT_FALSE(Function(0).start);
  EXPECT_FALSE(Function(1).start);
  EXPECT_FALSE(NodeStatus(0).changing);
  EXPECT_EQ(pair_.ledger.tokens_passed.size(), 4U);
}

TEST_F(HcaFunction, RefusesWhatCannotFollow) {
  BothUnderOsr();
  EXPECT_EQ(Start(0, 2), MadStatus::kBusy);
  EXPECT_EQ(Start(0, 1), MadStatus::kOk);
  EXPECT_EQ(Start(0, 1), MadStatus::kOk);
  EXPECT_EQ(Start(0, 2), MadStatus::kBusy);
  EXPECT_EQ(Function(0).epoch, 1);
  EXPECT_EQ(VendorScheme::Decode(pair_.Get(0, MadAttribute::kVendorScheme)).scheme,
            FunctionScheme::kTokens);
  EXPECT_EQ(pair_.ledger.tokens_sent.size(), 2U);
}

TEST_F(HcaFunction, WithoutStartNothingChanges) {
  BothUnderOsr();
  VendorFunction ready;
  ready.ready = true;
  ready.number = 1;
  EXPECT_EQ(Status(pair_.Set(0, MadAttribute::kVendorFunction, ready)), MadStatus::kOk);
  EXPECT_EQ(Function(0).epoch, 0);
}

TEST_F(HcaFunction, EpochsNeedNoTokens) {
  ASSERT_EQ(SetScheme(0, FunctionScheme::kEpochs), MadStatus::kOk);
  ASSERT_EQ(Start(0, 3), MadStatus::kOk);
  Offer(1);
  pair_.Run(500);
  EXPECT_EQ(DeliveredNumbers(), std::vector{3});
  EXPECT_TRUE(pair_.ledger.tokens_sent.empty());
  EXPECT_FALSE(Function(0).start);
  EXPECT_FALSE(NodeStatus(0).changing);
  EXPECT_TRUE(pair_.a().Idle());
}

// b does not know tokens, so that a's are lost.
TEST_F(HcaFunction, TokenIsRepeatedWithEveryTickAndNothingBetween) {
  ASSERT_EQ(SetScheme(0, FunctionScheme::kTokens), MadStatus::kOk);
  ASSERT_EQ(Start(0, 1), MadStatus::kOk);
  pair_.Run(200);
  for (int tick = 0; tick < 3; ++tick) {
    while (pair_.now % kTickCycles != 0) {
      ASSERT_FALSE(pair_.a().NeedsStep(pair_.now)) << pair_.now;
      pair_.Step();
    }
    pair_.Run(100);
  }
  EXPECT_TRUE(Function(0).start);
  EXPECT_TRUE(pair_.ledger.tokens_passed.empty());
  ASSERT_EQ(SetScheme(1, FunctionScheme::kTokens), MadStatus::kOk);
  pair_.Run(kTickCycles + 100);
  EXPECT_EQ(pair_.ledger.tokens_passed.size(), 2U);
  EXPECT_EQ(pair_.ledger.tokens_sent.size(), 2U);  // a repetition is no other token
}

TEST_F(HcaFunction, TokenWaitsForTheLinkAndGoesWhenItIsActive) {
  BothUnderOsr();
  const Cycle tick = AwaitTick();
  pair_.link.Cut(pair_.now);
  pair_.Run(20);
  ASSERT_EQ(Start(0, 1), MadStatus::kOk);
  pair_.Run(100);
  EXPECT_TRUE(pair_.ledger.tokens_sent.empty());
  pair_.link.Restore(pair_.now);
  pair_.BringUp();
  pair_.Run(100);
  ASSERT_EQ(pair_.now / kTickCycles, tick);  // no tick has repeated it
  EXPECT_EQ(pair_.ledger.tokens_passed.size(), 2U);
}

TEST_F(HcaFunction, TokenThatIsLostWithItsLinkIsRepeatedWhenActive) {
  BothUnderOsr();
  const Cycle tick = AwaitTick();
  ASSERT_EQ(Start(0, 1), MadStatus::kOk);
  while (pair_.ledger.tokens_sent.size() < 2) pair_.Step();
  pair_.link.Cut(pair_.now);
  pair_.Run(50);
  EXPECT_TRUE(pair_.ledger.tokens_passed.empty());
  pair_.link.Restore(pair_.now);
  pair_.BringUp();
  pair_.Run(100);
  ASSERT_EQ(pair_.now / kTickCycles, tick);
  EXPECT_EQ(pair_.ledger.tokens_passed.size(), 2U);
  EXPECT_FALSE(pair_.a().function().Due());
}

// a breaks the rules: it goes back to the old number behind its token.
TEST_F(HcaFunction, OldPacketBehindItsTokenIsReportedAndDelivered) {
  BothUnderOsr();
  ASSERT_EQ(Start(0, 1), MadStatus::kOk);
  pair_.Run(100);
  ASSERT_EQ(SetScheme(0, FunctionScheme::kNone), MadStatus::kOk);
  ASSERT_EQ(Start(0, 0), MadStatus::kOk);
  Offer(2);
  pair_.Run(500);
  EXPECT_EQ(pair_.ledger.stale.size(), 2U);
  EXPECT_EQ(pair_.ledger.stale_after, 1);
  EXPECT_EQ(pair_.b().counters().stale, 2U);
  EXPECT_EQ(DeliveredNumbers(), (std::vector{0, 0}));
}

class ReliableHcaFunction : public HcaFunction {
 protected:
  ReliableHcaFunction() : HcaFunction({.reliable = {.on = true}}) {}
};

TEST_F(ReliableHcaFunction, AcknowledgementsAreNumberedToo) {
  BothUnderOsr();
  ASSERT_EQ(Start(1, 1), MadStatus::kOk);
  Offer(1);
  pair_.Run(1000);
  EXPECT_EQ(DeliveredNumbers(), (std::vector{0, 1}));  // the packet at b, its ACK at a
}

}  // namespace
}  // namespace lanecut
