// SPDX-License-Identifier: Apache-2.0
#include "sw/mad/compact_mad.h"

#include <gtest/gtest.h>

#include "sw/mad/attributes.h"

namespace lanecut::ib {
namespace {

TEST(CompactMad, SetHasTheWordsOfItsAttribute) {
  Mad mad = MakeSmp(MadClass::kSubnDirected, MadMethod::kSet, MadAttribute::kVendorFunction, 0);
  VendorFunction function;
  function.start = true;
  function.number = 3;
  function.Encode(&mad);
  const CompactPacket compact = CompactRequest(mad);
  EXPECT_EQ(compact.kind, CompactKind::kRequest);
  EXPECT_EQ(compact.attribute, 0xFF08);
  EXPECT_EQ(compact.method, 2);
  EXPECT_EQ(compact.data, (std::vector<std::uint32_t>{0x40000003}));
  Mad back = MadOf(compact);
  EXPECT_EQ(VendorFunction::Decode(back), function);
  EXPECT_EQ(back.method(), MadMethod::kSet);
}

TEST(CompactMad, PathsHaveTheEntriesThereAre) {
  Mad mad = MakeSmp(MadClass::kSubnDirected, MadMethod::kSet, MadAttribute::kVendorPaths, 0);
  VendorPaths paths;
  for (std::size_t i = 0; i < 3; ++i)
    paths.entries[i] = {static_cast<std::uint16_t>(8 + i), true, 1, 2};
  paths.Encode(&mad);
  const CompactPacket compact = CompactRequest(mad);
  EXPECT_EQ(compact.data.size(), 3U);
  EXPECT_EQ(VendorPaths::Decode(MadOf(compact)), paths);
  VendorPaths{}.Encode(&mad);
  EXPECT_EQ(CompactRequest(mad).data.size(), 1U);  // a Set has some data
}

TEST(CompactMad, GetWantsTheWordsOfItsAttribute) {
  const CompactPacket compact = CompactRequest(
      MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, MadAttribute::kVendorStatus, 5));
  EXPECT_EQ(compact.wanted, 4);
  EXPECT_EQ(compact.modifier, 5U);
  EXPECT_TRUE(compact.data.empty());
}

TEST(CompactMad, AnswerGoesBackByThePathWithStatusAndData) {
  CompactPacket request = CompactRequest(
      MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, MadAttribute::kVendorStatus, 0));
  request.path = CompactPath(std::vector<std::uint8_t>{1, 2});
  request.hop_pointer = 2;
  request.number = 99;
  Mad answer = MadOf(request);
  VendorStatus status;
  status.busy = true;
  status.data_sent = 17;
  status.vl15_blocks = 32;
  status.Encode(&answer);
  MakeResponse(&answer, MadStatus::kOk);
  const CompactPacket compact = CompactAnswer(request, answer);
  EXPECT_EQ(compact.kind, CompactKind::kAnswer);
  EXPECT_EQ(compact.path, request.path);
  EXPECT_EQ(compact.hop_pointer, 2);
  EXPECT_EQ(compact.data.size(), 4U);
  const Mad got = MadOf(compact);
  EXPECT_EQ(got.method(), MadMethod::kGetResp);
  EXPECT_TRUE(got.direction());
  EXPECT_EQ(got.transaction_id(), 99U);
  EXPECT_EQ(VendorStatus::Decode(got, NodeType::kSwitch).data_sent, 17U);

  MakeResponse(&answer, MadStatus::kBusy);
  const CompactPacket refused = CompactAnswer(request, answer);
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(refused.data.empty());
  EXPECT_EQ(MadOf(refused).status(), 1);
}

TEST(CompactMad, DiscoveryIsStandard) {
  const auto has_form = [](MadAttribute attribute) {
    return HasCompactForm(MakeSmp(MadClass::kSubnDirected, MadMethod::kGet, attribute, 0));
  };
  EXPECT_FALSE(has_form(MadAttribute::kNodeInfo));
  EXPECT_FALSE(has_form(MadAttribute::kPortInfo));
  EXPECT_FALSE(has_form(MadAttribute::kSwitchInfo));
  EXPECT_TRUE(has_form(MadAttribute::kVendorStatus));
  EXPECT_TRUE(has_form(MadAttribute::kVendorTableUpdate));
}

}  // namespace
}  // namespace lanecut::ib
