// SPDX-License-Identifier: Apache-2.0
//
// The end node's agent and the subnet manager's port, with SMPs on the wire.
#include <gtest/gtest.h>

#include "models/hca/hca.h"
#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using ib::Mad;
using ib::MadAttribute;
using ib::MadClass;
using ib::MadMethod;
using ib::MadStatus;
using ib::PortState;

MadStatus StatusOf(const Mad& mad) { return static_cast<MadStatus>(mad.status()); }

TEST(HcaManagement, NodeInfoOverOneHop) {
  HcaPair pair;
  pair.Run(20);
  Mad request = ib::MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, MadAttribute::kNodeInfo, 0);
  request.set_transaction_id(0x123456789ABCDEF0);
  const Mad answer = pair.Ask(1, request);
  EXPECT_EQ(answer.method(), MadMethod::kGetResp);
  EXPECT_TRUE(answer.direction());
  EXPECT_EQ(answer.hop_pointer(), 0);
  EXPECT_EQ(answer.return_path(1), 1);
  EXPECT_EQ(answer.transaction_id(), 0x123456789ABCDEF0U);
  EXPECT_EQ(StatusOf(answer), MadStatus::kOk);
  const ib::NodeInfo info = ib::NodeInfo::Decode(answer);
  EXPECT_EQ(info.node_type, ib::NodeType::kChannelAdapter);
  EXPECT_EQ(info.num_ports, 1);
  EXPECT_EQ(info.local_port_num, 1);
  EXPECT_EQ(info.node_guid, 0x4c43000000020001U);
  EXPECT_EQ(info.port_guid, 0x4c43000000020002U);
}

TEST(HcaManagement, OwnNodeAnswersWithoutTheWire) {
  HcaPair pair;
  const Mad answer = pair.Get(0, MadAttribute::kNodeDescription);
  EXPECT_EQ(ib::NodeDescription::Decode(answer).text, "H0");
  EXPECT_EQ(answer.hop_pointer(), 0);
  EXPECT_TRUE(answer.direction());
  EXPECT_EQ(pair.a().counters().mads_sent, 0U);
}

TEST(HcaManagement, AnswerComesAsFastAsTheWire) {
  HcaPair pair(5);
  pair.Run(100);
  const Cycle asked = pair.now;
  pair.Get(1, MadAttribute::kNodeInfo);
  // 73 words and 5 cycles each way; every end takes the cycle of the last word to decide.
  EXPECT_EQ(pair.answer_cycle - asked, 2 * (73 + 5U));
}

TEST(HcaManagement, PortInfo) {
  HcaPair pair(5, {.buffer_blocks = 16, .four_lanes = true});
  pair.Run(20);
  ib::PortInfo info = ib::PortInfo::Decode(pair.Get(1, MadAttribute::kPortInfo, 1));
  EXPECT_EQ(info.port_state, PortState::kInitialize);
  EXPECT_EQ(info.port_phys_state, ib::PortPhysState::kLinkUp);
  EXPECT_EQ(info.local_port_num, 1);
  EXPECT_EQ(info.link_width_active, 2);
  EXPECT_EQ(info.vl_cap, 2);
  EXPECT_EQ(info.mtu_cap, 2);  // 512 bytes and headers fit in 1 KiB, 1024 do not
  EXPECT_EQ(info.lid, 0);
  info.lid = 0x20;
  info.lmc = 2;
  info.master_sm_lid = 7;
  info.port_state = PortState::kNoChange;
  ASSERT_EQ(StatusOf(pair.Set(1, MadAttribute::kPortInfo, info, 1)), MadStatus::kOk);
  const ib::PortInfo after = ib::PortInfo::Decode(pair.Get(1, MadAttribute::kPortInfo));
  EXPECT_EQ(after.lid, 0x20);
  EXPECT_EQ(after.lmc, 2);
  EXPECT_EQ(after.master_sm_lid, 7);
  EXPECT_EQ(after.port_state, PortState::kInitialize);
  EXPECT_EQ(pair.b().lid(), 0x20);
}

TEST(HcaManagement, LmcGivesMoreLids) {
  HcaPair pair;
  pair.BringUp();
  ib::PortInfo info = ib::PortInfo::Decode(pair.Get(1, MadAttribute::kPortInfo));
  info.lmc = 1;
  info.port_state = PortState::kNoChange;
  pair.Set(1, MadAttribute::kPortInfo, info);
  for (const std::uint16_t dlid : {8, 9, 10, 7}) pair.a().Offer(pair.now, dlid, 32, 0);
  pair.Run(200);
  EXPECT_EQ(pair.ledger.delivered.size(), 2U);
  EXPECT_EQ(pair.ledger.Refusals(DropReason::kMisdelivered), 2);
}

TEST(HcaManagement, StatesGoInOrderOnly) {
  HcaPair pair;
  pair.Run(20);
  EXPECT_EQ(pair.SetState(1, PortState::kActive), MadStatus::kInvalidField);
  EXPECT_EQ(pair.SetState(1, PortState::kInitialize), MadStatus::kInvalidField);
  EXPECT_EQ(pair.b().port_state(), PortState::kInitialize);
  EXPECT_EQ(pair.b().lid(), 0);  // a refused Set changes nothing
  EXPECT_EQ(pair.SetState(1, PortState::kArmed), MadStatus::kOk);
  EXPECT_EQ(pair.SetState(1, PortState::kArmed), MadStatus::kOk);
  EXPECT_EQ(pair.SetState(1, PortState::kActive), MadStatus::kOk);
  EXPECT_EQ(pair.SetState(1, PortState::kArmed), MadStatus::kInvalidField);
  EXPECT_EQ(pair.b().port_state(), PortState::kActive);
  EXPECT_EQ(pair.SetState(1, PortState::kDown), MadStatus::kOk);
  EXPECT_EQ(pair.b().port_state(), PortState::kInitialize);
}

TEST(HcaManagement, TrafficGoesOnAfterAReinitialization) {
  HcaPair pair;
  pair.BringUp();
  for (int i = 0; i < 40; ++i) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  pair.Run(800);
  ASSERT_EQ(pair.SetState(1, PortState::kDown), MadStatus::kOk);
  ASSERT_EQ(pair.SetState(1, PortState::kArmed), MadStatus::kOk);
  for (int i = 0; i < 40; ++i) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  pair.Run(3 *
           kTickCycles);  // the credit count of one side was forgotten: the refresh tells it again
  EXPECT_EQ(pair.ledger.delivered.size(), 80U);
}

TEST(HcaManagement, SlToVl) {
  HcaPair pair;
  pair.Run(20);
  ib::SlToVlBlock map;
  for (std::size_t sl = 0; sl < 16; ++sl) map.vl_of_sl[sl] = static_cast<std::uint8_t>(sl % 2);
  ASSERT_EQ(StatusOf(pair.Set(1, MadAttribute::kSlToVlMappingTable, map)), MadStatus::kOk);
  const Mad answer = pair.Get(1, MadAttribute::kSlToVlMappingTable);
  EXPECT_EQ(ib::SlToVlBlock::Decode(answer), map);
  EXPECT_EQ(StatusOf(pair.Get(1, MadAttribute::kSlToVlMappingTable, 0x101)),
            MadStatus::kInvalidField);
}

TEST(HcaManagement, WhatItDoesNotHave) {
  HcaPair pair;
  pair.Run(20);
  for (const MadAttribute attribute :
       {MadAttribute::kSwitchInfo, MadAttribute::kLinearForwardingTable, MadAttribute::kVendorBank,
        static_cast<MadAttribute>(0x0FFF)}) {
    EXPECT_EQ(StatusOf(pair.Get(1, attribute)), MadStatus::kUnsupportedAttribute);
  }
  EXPECT_EQ(StatusOf(pair.Set(1, MadAttribute::kNodeInfo, ib::NodeInfo{})),
            MadStatus::kUnsupportedAttribute);
  EXPECT_EQ(StatusOf(pair.Get(1, MadAttribute::kPortInfo, 2)), MadStatus::kInvalidField);
}

// Only where a manager runs, which answers itself.
TEST(HcaManagement, SmInfoGoesToTheManager) {
  HcaPair pair;
  pair.Run(20);
  EXPECT_EQ(StatusOf(pair.Get(1, MadAttribute::kSmInfo)), MadStatus::kUnsupportedAttribute);
  EXPECT_EQ(ib::PortInfo::Decode(pair.Get(1, MadAttribute::kPortInfo)).capability_mask &
                ib::kCapabilityIsSm,
            0U);
  ib::SmInfo info;
  info.guid = 0x4c43000000020002;
  info.act_count = 0x01020304;
  info.priority = 9;
  info.state = ib::SmState::kMaster;
  pair.b().SetMadHandler([&](const MadBytes& bytes, std::uint16_t, Cycle) {
    Mad answer{bytes};
    info.Encode(&answer);
    ib::MakeResponse(&answer, MadStatus::kOk);
    EXPECT_TRUE(pair.b().SendMad(answer.bytes));
  });
  const Mad answer = pair.Get(1, MadAttribute::kSmInfo);
  EXPECT_EQ(StatusOf(answer), MadStatus::kOk);
  EXPECT_EQ(ib::SmInfo::Decode(answer), info);
  EXPECT_EQ(answer.Get32(ib::kSmpDataOffset + 16), 0x01020304U);
  EXPECT_EQ(answer.Get8(ib::kSmpDataOffset + 20), 0x93);
  EXPECT_NE(ib::PortInfo::Decode(pair.Get(1, MadAttribute::kPortInfo)).capability_mask &
                ib::kCapabilityIsSm,
            0U);
  EXPECT_EQ(StatusOf(pair.Set(1, MadAttribute::kSmInfo, info)), MadStatus::kUnsupportedAttribute);
}

TEST(HcaManagement, ManagerHearsOfItsLink) {
  HcaPair pair;
  std::vector<bool> changes;
  pair.a().SetLinkHandler([&](bool is_up, Cycle) { changes.push_back(is_up); });
  pair.Run(20);
  pair.link.Cut(pair.now);
  pair.Run(20);
  pair.link.Restore(pair.now);
  pair.Run(20);
  EXPECT_EQ(changes, (std::vector<bool>{true, false, true}));
}

TEST(HcaManagement, HaltHoldsWhatWaitsAndStatusTells) {
  HcaPair pair;
  pair.BringUp();
  const auto status = [&pair] {
    return ib::VendorStatus::Decode(pair.Get(1, MadAttribute::kVendorStatus),
                                    ib::NodeType::kChannelAdapter);
  };
  EXPECT_FALSE(status().busy);
  EXPECT_EQ(status().vl15_blocks, 32);
  EXPECT_EQ(status().data_blocks, 16);
  for (int i = 0; i < 64; ++i) pair.b().Offer(pair.now, HcaPair::kLid[0], 32, 0);
  EXPECT_TRUE(status().busy);
  ASSERT_EQ(StatusOf(pair.Set(1, MadAttribute::kVendorInjection, ib::VendorInjection{true})),
            MadStatus::kOk);
  EXPECT_TRUE(pair.b().halted());
  const ib::VendorStatus halted = status();
  EXPECT_TRUE(halted.halted);
  EXPECT_FALSE(halted.busy);  // what waits can not start
  EXPECT_GT(halted.data_sent, 0U);
  EXPECT_LT(halted.data_sent, 64U);
  for (int i = 0; i < 64; ++i) pair.b().Offer(pair.now, HcaPair::kLid[0], 32, 0);
  pair.Run(1000);
  EXPECT_EQ(status().data_sent, halted.data_sent);
  EXPECT_EQ(pair.b().QueuedPackets(), 64);
  EXPECT_TRUE(pair.b().Idle());
  pair.Set(1, MadAttribute::kVendorInjection, ib::VendorInjection{false});
  pair.Run(2000);
  EXPECT_EQ(pair.b().QueuedPackets(), 0);
  EXPECT_EQ(pair.ledger.Count(PacketLedger::Fate::kOnTheWay), 0);
  EXPECT_GT(pair.b().counters().source_drops, 0U);
  EXPECT_EQ(status().data_dropped, 0U);
}

TEST(HcaManagement, LidRoutedToTheOtherAndToItself) {
  HcaPair pair;
  pair.BringUp();
  for (const int node : {0, 1}) {
    Mad mad = ib::MakeSmp(MadClass::kSubnLid, MadMethod::kGet, MadAttribute::kNodeDescription, 0);
    pair.answers.clear();
    ASSERT_TRUE(pair.a().SendMad(mad.bytes, HcaPair::kLid[node]));
    pair.Run(300);
    ASSERT_EQ(pair.answers.size(), 1U);
    EXPECT_EQ(pair.answers[0].method(), MadMethod::kGetResp);
    EXPECT_EQ(ib::NodeDescription::Decode(pair.answers[0]).text, node == 0 ? "H0" : "H1");
  }
}

TEST(HcaManagement, TrapsGoToTheManager) {
  HcaPair pair;
  pair.BringUp();
  Mad trap = ib::MakeSmp(MadClass::kSubnLid, MadMethod::kTrap, MadAttribute::kNotice, 0);
  ib::Notice{}.Encode(&trap);
  pair.answers.clear();
  ASSERT_TRUE(pair.b().SendMad(trap.bytes, HcaPair::kLid[0]));
  pair.Run(300);
  ASSERT_EQ(pair.answers.size(), 1U);
  EXPECT_EQ(pair.answers[0], trap);
  EXPECT_EQ(pair.b().counters().mads_received, 4U);  // the Sets and Gets of the bring-up
}

TEST(HcaManagement, SendQueueIsFinite) {
  HcaPair pair(5, {.mad_queue = 4});
  const Mad mad = [] {
    Mad request = ib::MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, MadAttribute::kNodeInfo, 0);
    request.set_hop_count(1);
    request.set_initial_path(1, 1);
    return request;
  }();
  EXPECT_FALSE(pair.a().SendMad(mad.bytes));  // the link is down
  pair.Run(20);
  int taken = 0;
  while (pair.a().SendMad(mad.bytes)) ++taken;
  EXPECT_EQ(taken, 4);
  pair.Run(73);
  EXPECT_TRUE(pair.a().SendMad(mad.bytes));
  pair.Run(1000);
  EXPECT_EQ(pair.answers.size(), 5U);
}

TEST(HcaManagement, PathsThatLeadNowhereAreDropped) {
  HcaPair pair;
  pair.Run(20);
  Mad mad = ib::MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, MadAttribute::kNodeInfo, 0);
  mad.set_hop_count(1);
  mad.set_initial_path(1, 2);  // no such port
  EXPECT_TRUE(pair.a().SendMad(mad.bytes));
  EXPECT_EQ(pair.a().counters().mads_dropped, 1U);
  mad.set_initial_path(1, 1);
  mad.set_hop_count(2);  // through an end node
  EXPECT_TRUE(pair.a().SendMad(mad.bytes));
  pair.Run(300);
  EXPECT_EQ(pair.b().counters().mads_dropped, 1U);
  EXPECT_TRUE(pair.answers.empty());
}

TEST(HcaManagement, ManagementGoesBeforeData) {
  HcaPair pair;
  pair.BringUp();
  for (int i = 0; i < 64; ++i) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  pair.Run(10);
  const Cycle asked = pair.now;
  pair.Get(1, MadAttribute::kNodeInfo);
  EXPECT_LE(pair.answer_cycle - asked, 2 * (73 + 5) + 15 + 2 * 4U);
  EXPECT_GT(pair.a().QueuedPackets(), 40);
}

}  // namespace
}  // namespace lanecut
