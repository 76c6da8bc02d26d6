// SPDX-License-Identifier: Apache-2.0
//
// General management packets between end nodes: performance management, and what programs behind
// the ports say to each other.
#include <gtest/gtest.h>

#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using ib::Mad;
using ib::MadClass;
using ib::MadMethod;

constexpr std::size_t kData = ib::kSmpDataOffset;
constexpr auto kPortCounters = static_cast<ib::MadAttribute>(0x0012);
constexpr auto kPortCountersExtended = static_cast<ib::MadAttribute>(0x001D);
constexpr std::size_t kXmitData = kData + 24;
constexpr std::size_t kRcvData = kData + 28;
constexpr std::size_t kXmitPackets = kData + 32;
constexpr std::size_t kRcvPackets = kData + 36;
constexpr std::uint32_t kPacketWords = 72;

Mad Performance(MadMethod method, ib::MadAttribute attribute, std::uint16_t select = 0) {
  Mad mad = ib::MakeSmp(MadClass::kPerformance, method, attribute, 0);
  mad.Set8(kData + 1, 1);  // the port
  mad.Set16(kData + 2, select);
  return mad;
}

struct GeneralPair : HcaPair {
  GeneralPair() { BringUp(); }
  Mad AskB(const Mad& mad) {
    answers.clear();
    EXPECT_TRUE(a().SendMad(mad.bytes, kLid[1]));
    Run(1000);
    EXPECT_EQ(answers.size(), 1U);
    return answers.empty() ? Mad{} : answers.front();
  }
};

TEST(HcaGeneral, CountersOfBothEndsAgree) {
  GeneralPair pair;
  const Mad first = pair.AskB(Performance(MadMethod::kGet, kPortCounters, 0xFFFF));
  EXPECT_EQ(first.method(), MadMethod::kGetResp);
  EXPECT_EQ(first.status(), 0);
  const Mad second = pair.AskB(Performance(MadMethod::kGet, kPortCounters));
  // One request came and one answer went between the two.
  EXPECT_EQ(second.Get32(kRcvPackets), first.Get32(kRcvPackets) + 1);
  EXPECT_EQ(second.Get32(kXmitPackets), first.Get32(kXmitPackets) + 1);
  EXPECT_EQ(second.Get32(kRcvData), second.Get32(kRcvPackets) * kPacketWords);
  EXPECT_EQ(second.Get32(kXmitData), second.Get32(kXmitPackets) * kPacketWords);
  const Mad extended = pair.AskB(Performance(MadMethod::kGet, kPortCountersExtended));
  EXPECT_EQ(extended.Get64(kData + 32), second.Get32(kRcvPackets) + 1U);
  EXPECT_EQ(extended.Get64(kData + 24), second.Get32(kXmitPackets) + 1U);
}

TEST(HcaGeneral, SetClearsWhatItSelects) {
  GeneralPair pair;
  const Mad before = pair.AskB(Performance(MadMethod::kGet, kPortCounters));
  pair.AskB(Performance(MadMethod::kSet, kPortCounters, 1U << 15));  // PortRcvPkts
  const Mad after = pair.AskB(Performance(MadMethod::kGet, kPortCounters));
  EXPECT_EQ(after.Get32(kRcvPackets), 1U);
  EXPECT_EQ(after.Get32(kXmitPackets), before.Get32(kXmitPackets) + 2);
  pair.AskB(Performance(MadMethod::kSet, kPortCountersExtended, 0x4));  // PortXmitPkts
  // The answer to the Set left after it had been carried out.
  EXPECT_EQ(pair.AskB(Performance(MadMethod::kGet, kPortCounters)).Get32(kXmitPackets), 1U);
}

TEST(HcaGeneral, AnotherPortOrAttributeIsRefused) {
  GeneralPair pair;
  Mad mad = Performance(MadMethod::kGet, kPortCounters);
  mad.Set8(kData + 1, 2);
  EXPECT_EQ(pair.AskB(mad).status(), 0x001C);
  EXPECT_EQ(pair.AskB(Performance(MadMethod::kGet, ib::MadAttribute::kPortInfo)).status(), 0x000C);
}

TEST(HcaGeneral, OtherClassesAreForThePrograms) {
  GeneralPair pair;
  std::vector<std::uint16_t> from;
  pair.b().SetMadHandler(
      [&](const MadBytes& bytes, std::uint16_t slid, Cycle) {
        from.push_back(slid);
        Mad answer{bytes};
        answer.set_method(MadMethod::kGetResp);
        EXPECT_TRUE(pair.b().SendMad(answer.bytes, slid));
      },
      Hca::Manager::kFull);
  Mad query = ib::MakeSmp(MadClass::kSubnAdm, MadMethod::kGet, ib::MadAttribute::kNodeInfo, 0);
  query.set_transaction_id(77);
  EXPECT_EQ(pair.AskB(query).transaction_id(), 77U);
  EXPECT_EQ(from, std::vector<std::uint16_t>{HcaPair::kLid[0]});
}

// The SLs of packets on data VLs.
struct SlTap : LinkObserver {
  void OnPut(const Lane&, Cycle, Word word) override {
    if (word.ctrl == Ctrl::kStartData && word.data >> 28 != kVl15) {
      sls.push_back(static_cast<int>(word.data >> 20 & 0xF));
    }
  }
  void OnGet(const Lane&, Cycle, Word) override {}
  void OnCut(const Lane&, Cycle) override {}

  std::vector<int> sls;
};

// A query to the manager goes on MasterSMSL, its answer on the same; the rest on SL 0.
TEST(HcaGeneral, QueriesToTheManagerHaveItsSl) {
  SlTap tap;
  GeneralPair pair;
  ib::PortInfo info = ib::PortInfo::Decode(pair.Get(0, ib::MadAttribute::kPortInfo));
  info.port_state = ib::PortState::kNoChange;
  info.master_sm_lid = HcaPair::kLid[1];
  info.master_sm_sl = 3;
  ASSERT_EQ(pair.Set(0, ib::MadAttribute::kPortInfo, info).status(), 0);
  pair.b().SetMadHandler(
      [&](const MadBytes& bytes, std::uint16_t slid, Cycle) {
        Mad answer{bytes};
        if (answer.method() == MadMethod::kGetResp) return;
        answer.set_method(MadMethod::kGetResp);
        EXPECT_TRUE(pair.b().SendMad(answer.bytes, slid));
      },
      Hca::Manager::kFull);
  pair.link.SetObserver(&tap);
  pair.AskB(ib::MakeSmp(MadClass::kSubnAdm, MadMethod::kGet, ib::MadAttribute::kPathRecord, 0));
  EXPECT_EQ(tap.sls, (std::vector<int>{3, 3}));
  EXPECT_TRUE(
      pair.b().SendMad(Performance(MadMethod::kGet, kPortCounters).bytes, HcaPair::kLid[0]));
  pair.Run(500);
  EXPECT_EQ(tap.sls, (std::vector<int>{3, 3, 0, 0}));
}

TEST(HcaGeneral, TheNodeItselfNeedsNoLink) {
  GeneralPair pair;
  pair.answers.clear();
  EXPECT_TRUE(
      pair.a().SendMad(Performance(MadMethod::kGet, kPortCounters).bytes, HcaPair::kLid[0]));
  pair.Run(3);
  ASSERT_EQ(pair.answers.size(), 1U);
  EXPECT_EQ(pair.answers[0].method(), MadMethod::kGetResp);
}

TEST(HcaGeneral, OnlyWhileTheLinkIsActive) {
  HcaPair pair;
  pair.Run(20);
  ASSERT_EQ(pair.SetState(1, ib::PortState::kArmed), ib::MadStatus::kOk);
  ASSERT_EQ(pair.SetState(0, ib::PortState::kArmed), ib::MadStatus::kOk);
  pair.answers.clear();
  EXPECT_TRUE(
      pair.a().SendMad(Performance(MadMethod::kGet, kPortCounters).bytes, HcaPair::kLid[1]));
  pair.Run(500);
  EXPECT_TRUE(pair.answers.empty());
  ASSERT_EQ(pair.SetState(1, ib::PortState::kActive), ib::MadStatus::kOk);
  ASSERT_EQ(pair.SetState(0, ib::PortState::kActive), ib::MadStatus::kOk);
  pair.answers.clear();
  pair.Run(500);
  EXPECT_TRUE(pair.answers.empty()) << "it was not kept";
}

TEST(HcaGeneral, PartitionKeysAndGuid) {
  HcaPair pair;
  pair.Run(20);
  ib::PKeyBlock keys = ib::PKeyBlock::Decode(pair.Get(1, ib::MadAttribute::kPKeyTable));
  EXPECT_EQ(keys, ib::PKeyBlock{});
  keys.keys[31] = 0x8001;
  EXPECT_EQ(ib::PKeyBlock::Decode(pair.Set(1, ib::MadAttribute::kPKeyTable, keys)), keys);
  EXPECT_EQ(pair.Get(1, ib::MadAttribute::kPKeyTable, 1).status(), 0x001C);
  EXPECT_EQ(ib::GuidBlock::Decode(pair.Get(1, ib::MadAttribute::kGuidInfo)).guids[0],
            0x4c43000000020002U);
  EXPECT_EQ(pair.Get(1, ib::MadAttribute::kGuidInfo, 1).status(), 0x001C);
}

}  // namespace
}  // namespace lanecut
