// SPDX-License-Identifier: Apache-2.0
//
// M_Key of an end node, and its traps.
#include <gtest/gtest.h>

#include "models/hca/m_key.h"
#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using ib::Mad;
using ib::MadAttribute;
using ib::MadClass;
using ib::MadMethod;

constexpr std::uint64_t kKey = 0x0123456789ABCDEF;
constexpr Cycle kSecond = 1000;

Mad Request(MadMethod method, std::uint64_t key,
            MadAttribute attribute = MadAttribute::kNodeDescription) {
  Mad mad = ib::MakeSmp(MadClass::kSubnDirected, method, attribute, 0);
  mad.set_m_key(key);
  return mad;
}

ib::PortInfo Read(const MKey& m_key, const Mad& request) {
  ib::PortInfo info;
  m_key.Read(request, &info);
  return info;
}

TEST(MKey, ProtectionAsTheStandardHasIt) {
  MKey m_key(kSecond);
  EXPECT_TRUE(m_key.Admits(Request(MadMethod::kSet, 5), 0));
  for (const std::uint8_t protect : {0, 1, 2, 3}) {
    m_key.Write({.m_key = kKey, .m_key_protect_bits = protect});
    EXPECT_TRUE(m_key.Admits(Request(MadMethod::kGet, kKey), 0));
    EXPECT_TRUE(m_key.Admits(Request(MadMethod::kSet, kKey), 0));
    EXPECT_EQ(m_key.Admits(Request(MadMethod::kGet, 5), 0), protect < 2);
    EXPECT_FALSE(m_key.Admits(Request(MadMethod::kSet, 5), 0));
    EXPECT_FALSE(m_key.Admits(Request(MadMethod::kTrapRepress, 0), 0));
    const ib::PortInfo own = Read(m_key, Request(MadMethod::kGet, kKey));
    EXPECT_EQ(own.m_key, kKey);
    EXPECT_EQ(own.m_key_protect_bits, protect);
    EXPECT_EQ(own.m_key_violations, protect < 2 ? 2 : 3);
    EXPECT_EQ(Read(m_key, Request(MadMethod::kGet, 5)).m_key, protect == 1 ? 0 : kKey);
  }
  m_key.Write({.m_key = kKey, .m_key_violations = 0xFFFF});
  EXPECT_FALSE(m_key.Admits(Request(MadMethod::kSet, 5), 0));
  EXPECT_EQ(Read(m_key, Request(MadMethod::kGet, 5)).m_key_violations, 0xFFFF);
}

TEST(MKey, LeaseBeginsWithAViolationAndIsStoppedByTheKey) {
  MKey m_key(kSecond);
  m_key.Write({.m_key = kKey, .m_key_lease_period = 3, .m_key_protect_bits = 2});
  const Mad wrong = Request(MadMethod::kGet, 5);
  EXPECT_FALSE(m_key.Admits(wrong, 10'000));
  EXPECT_FALSE(m_key.Admits(wrong, 12'999));
  EXPECT_TRUE(m_key.Admits(Request(MadMethod::kGet, kKey), 12'999));
  EXPECT_FALSE(m_key.Admits(wrong, 20'000));
  EXPECT_FALSE(m_key.Admits(wrong, 22'999));
  EXPECT_TRUE(m_key.Admits(wrong, 23'000));
  EXPECT_FALSE(m_key.Admits(Request(MadMethod::kSet, 5), 23'001));
  EXPECT_EQ(Read(m_key, wrong).m_key, kKey);
}

// Node b knows node a as its manager, and has the M_Key.
class HcaKey : public testing::Test {
 protected:
  void SetUp() override {
    pair_.BringUp();
    ib::PortInfo info;
    info.lid = HcaPair::kLid[1];
    info.master_sm_lid = HcaPair::kLid[0];
    info.m_key = kKey;
    info.m_key_protect_bits = 2;
    ASSERT_EQ(pair_.Set(1, MadAttribute::kPortInfo, info).status(), 0);
    pair_.answers.clear();
  }
  void Send(Mad mad) {
    mad.set_hop_count(1);
    mad.set_initial_path(1, 1);
    ASSERT_TRUE(pair_.a().SendMad(mad.bytes));
  }
  void Repress(Mad trap, std::uint64_t key) {
    trap.set_method(MadMethod::kTrapRepress);
    trap.set_m_key(key);
    ASSERT_TRUE(pair_.a().SendMad(trap.bytes, HcaPair::kLid[1]));
  }

  HcaPair pair_;
};

TEST_F(HcaKey, WhatIsDeniedGetsATrapInsteadOfAnAnswer) {
  Send(Request(MadMethod::kSet, 0x77, MadAttribute::kPKeyTable));
  pair_.Run(1000);
  ASSERT_EQ(pair_.answers.size(), 1U);
  const Mad trap = pair_.answers[0];
  EXPECT_EQ(trap.method(), MadMethod::kTrap);
  EXPECT_EQ(trap.mad_class(), MadClass::kSubnLid);
  const ib::Notice notice = ib::Notice::Decode(trap);
  EXPECT_EQ(notice.trap_number, ib::kTrapBadMKey);
  EXPECT_EQ(notice.type, ib::kNoticeSecurity);
  EXPECT_EQ(notice.producer_type, 1U);
  EXPECT_EQ(notice.issuer_lid, HcaPair::kLid[1]);
  // LID, DrSLID, method, attribute, modifier, M_Key; of the return path that it is left out.
  const std::array<std::uint32_t, 6> details{0xFFFFFFFF, 0x02000016, 0, 0, 0x77, 0x00C00000};
  for (std::size_t i = 0; i < details.size(); ++i) {
    EXPECT_EQ(trap.Get32(ib::kSmpDataOffset + 12 + 4 * i), details[i]) << i;
  }
  // Another one meanwhile is counted only.
  Send(Request(MadMethod::kGet, 1));
  pair_.Run(1000);
  EXPECT_EQ(pair_.answers.size(), 1U);
  const Mad info = pair_.Ask(1, Request(MadMethod::kGet, kKey, MadAttribute::kPortInfo));
  EXPECT_EQ(ib::PortInfo::Decode(info).m_key_violations, 2);
}

TEST_F(HcaKey, TrapsAreRepeatedUntilRepressed) {
  Send(Request(MadMethod::kGet, 1));
  pair_.Run(1000);
  pair_.Run(16 * kTickCycles);
  ASSERT_EQ(pair_.answers.size(), 2U);
  EXPECT_EQ(pair_.answers[1], pair_.answers[0]);
  Repress(pair_.answers[0], kKey);
  pair_.Run(40 * kTickCycles);
  EXPECT_EQ(pair_.answers.size(), 2U);
  // With another M_Key a TrapRepress silences nothing.
  Send(Request(MadMethod::kGet, 1));
  pair_.Run(1000);
  ASSERT_EQ(pair_.answers.size(), 3U);
  EXPECT_NE(pair_.answers[2].transaction_id(), pair_.answers[0].transaction_id());
  Repress(pair_.answers[2], 1);
  pair_.Run(17 * kTickCycles);
  EXPECT_EQ(pair_.answers.size(), 4U);
}

TEST_F(HcaKey, WithoutAManagerThereIsNoTrap) {
  ib::PortInfo info;
  info.lid = HcaPair::kLid[1];
  info.m_key = kKey;
  Mad set = ib::MakeSmp(MadClass::kSubnDirected, MadMethod::kSet, MadAttribute::kPortInfo, 0);
  info.Encode(&set);
  set.set_m_key(kKey);
  ASSERT_EQ(pair_.Ask(1, set).status(), 0);
  pair_.answers.clear();
  Send(Request(MadMethod::kSet, 1, MadAttribute::kPKeyTable));
  pair_.Run(20 * kTickCycles);
  EXPECT_TRUE(pair_.answers.empty());
}

TEST_F(HcaKey, AManagerThatComesIsNews) {
  pair_.b().SetMadHandler([](const MadBytes&, std::uint16_t, Cycle) {});
  pair_.Run(300);
  ASSERT_EQ(pair_.answers.size(), 1U);
  const ib::Notice notice = ib::Notice::Decode(pair_.answers[0]);
  EXPECT_EQ(notice.trap_number, ib::kTrapPortChange);
  EXPECT_EQ(notice.type, ib::kNoticeUrgent);
  EXPECT_EQ(pair_.answers[0].Get32(ib::kSmpDataOffset + 12), std::uint32_t{HcaPair::kLid[1]} << 16);
  EXPECT_EQ(pair_.answers[0].Get32(ib::kSmpDataOffset + 16) & ib::kCapabilityIsSm,
            ib::kCapabilityIsSm);
  // Nothing has changed.
  pair_.b().SetMadHandler([](const MadBytes&, std::uint16_t, Cycle) {});
  pair_.Run(300);
  EXPECT_EQ(pair_.answers.size(), 1U);
}

}  // namespace
}  // namespace lanecut
