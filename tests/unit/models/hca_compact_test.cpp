// SPDX-License-Identifier: Apache-2.0
//
// Compact requests and floods at an end node.
#include <gtest/gtest.h>

#include "models/hca/hca.h"
#include "sw/mad/compact_mad.h"
#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using ib::Mad;
using ib::MadAttribute;
using ib::MadClass;
using ib::MadMethod;
using ib::MadStatus;

Mad Injection(bool halted) {
  Mad mad =
      ib::MakeSmp(MadClass::kSubnDirected, MadMethod::kSet, MadAttribute::kVendorInjection, 0);
  ib::VendorInjection{halted}.Encode(&mad);
  return mad;
}

CompactPacket Request(const Mad& mad) {
  CompactPacket compact = ib::CompactRequest(mad);
  compact.path = CompactPath({});
  compact.number = 0x55;
  return compact;
}

CompactPacket Flood(const Mad& mad, std::uint32_t number) {
  CompactPacket compact = ib::CompactRequest(mad);
  compact.kind = CompactKind::kFlood;
  compact.slid = HcaPair::kLid[0];
  compact.number = number;
  return compact;
}

class HcaCompact : public testing::Test {
 protected:
  HcaCompact() { pair_.Run(20); }
  void Send(const CompactPacket& compact) {
    pair_.answers.clear();
    ASSERT_TRUE(pair_.a().SendCompact(compact));
    pair_.Run(200);
  }

  HcaPair pair_;
};

TEST_F(HcaCompact, ASetIsCarriedOutAndAcknowledged) {
  Send(Request(Injection(true)));
  EXPECT_TRUE(pair_.b().halted());
  EXPECT_FALSE(pair_.a().halted());
  ASSERT_EQ(pair_.answers.size(), 1U);
  EXPECT_EQ(pair_.answers[0].method(), MadMethod::kGetResp);
  EXPECT_EQ(pair_.answers[0].attribute(), MadAttribute::kVendorInjection);
  EXPECT_EQ(pair_.answers[0].transaction_id(), 0x55U);
  EXPECT_EQ(pair_.answers[0].status(), 0);
}

TEST_F(HcaCompact, AGetIsAnsweredWithWhatWasWanted) {
  Send(Request(
      ib::MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, MadAttribute::kVendorStatus, 0)));
  ASSERT_EQ(pair_.answers.size(), 1U);
  const auto status = ib::VendorStatus::Decode(pair_.answers[0], ib::NodeType::kChannelAdapter);
  EXPECT_FALSE(status.halted);
  EXPECT_EQ(status.data_blocks, 0);  // the fifth word was not wanted
}

TEST_F(HcaCompact, AnswerComesAsFastAsTheWire) {
  pair_.Run(100);
  const Cycle asked = pair_.now;
  Send(Request(Injection(true)));
  // 13 words there, 11 back, and the cable twice.
  EXPECT_EQ(pair_.answer_cycle - asked, 13 + 11 + 2 * 5U);
}

TEST_F(HcaCompact, TablesOfSwitchesAreUnsupported) {
  CompactPacket update = Request(Injection(true));
  update.attribute = static_cast<std::uint16_t>(MadAttribute::kVendorTableUpdate);
  Send(update);
  ASSERT_EQ(pair_.answers.size(), 1U);
  EXPECT_EQ(static_cast<MadStatus>(pair_.answers[0].status()), MadStatus::kUnsupportedAttribute);
}

TEST_F(HcaCompact, WhatHasNotArrivedOrMeansNothingIsDropped) {
  CompactPacket further = Request(Injection(true));
  further.path[0] = 3;
  Send(further);
  CompactPacket beyond = Request(Injection(true));
  beyond.hop_pointer = 24;
  Send(beyond);
  CompactPacket empty = Request(Injection(true));
  empty.data.clear();
  Send(empty);
  CompactPacket trap = Request(Injection(true));
  trap.method = 5;
  Send(trap);
  CompactPacket answer = Request(Injection(true));
  answer.kind = CompactKind::kAnswer;
  answer.hop_pointer = 1;
  Send(answer);
  EXPECT_FALSE(pair_.b().halted());
  EXPECT_TRUE(pair_.answers.empty());
  EXPECT_EQ(pair_.b().counters().mads_dropped, 5U);
}

TEST_F(HcaCompact, AFloodIsCarriedOutOnceAndNotAnswered) {
  Send(Flood(Injection(true), 10));
  EXPECT_TRUE(pair_.b().halted());
  Send(Flood(Injection(false), 10));
  Send(Flood(Injection(false), 9));
  EXPECT_TRUE(pair_.b().halted());
  Send(Flood(Injection(false), 11));
  EXPECT_FALSE(pair_.b().halted());
  EXPECT_TRUE(pair_.answers.empty());
  pair_.Run(kFloodForgotten);
  Send(Flood(Injection(true), 3));  // of a manager that was started again
  EXPECT_TRUE(pair_.b().halted());
}

TEST_F(HcaCompact, AFloodedGetIsDropped) {
  Send(Flood(ib::MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, MadAttribute::kVendorStatus, 0),
             1));
  EXPECT_EQ(pair_.b().counters().mads_dropped, 1U);
}

TEST_F(HcaCompact, NoRoomIsToldToTheManager) {
  int taken = 0;
  while (pair_.a().SendCompact(Request(Injection(true)))) ++taken;
  EXPECT_EQ(taken, 16);
  pair_.Run(100);
  EXPECT_TRUE(pair_.a().SendCompact(Request(Injection(true))));
}

}  // namespace
}  // namespace lanecut
