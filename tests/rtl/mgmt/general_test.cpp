// SPDX-License-Identifier: Apache-2.0
//
// General management packets: requests of performance management on data VLs, and what becomes of
// all others.
#include <cstdint>

#include "tests/rtl/mgmt/general_packet.h"
#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

constexpr uint16_t kClassPortInfo = 0x0001;
constexpr uint16_t kPortCounters = 0x0012;
constexpr uint16_t kPortCountersExtended = 0x001D;
constexpr int kRequesterPort = 3;

template <typename Kind>
class GeneralTest : public AgentTest<Kind> {
 protected:
  void SetUp() override { this->AssignLids(5, 9, kRequesterPort); }

  static Smp Request(uint8_t method, uint16_t attribute, uint32_t port = 1, uint32_t select = 0) {
    Smp request;
    request.mgmt_class = kPerformance;
    request.method = method;
    request.attribute = attribute;
    request.slid = 9;
    request.dlid = 5;
    request.sl = 2;
    request.data[0] = port << 16 | select;
    return request;
  }

  Departure AskGeneral(const Smp& request) {
    return this->bench_.Ask(BuildGeneral(request), 2, /*vl15=*/false);
  }

  void ExpectData(const Smp& request, const Data& data, uint16_t status = 0) {
    const Departure answer = AskGeneral(request);
    Smp expected = request;
    expected.method = kGetResp;
    expected.slid = request.dlid;
    expected.dlid = request.slid;
    expected.status = status;
    if (status == 0) expected.data = data;
    EXPECT_EQ(answer.port, kRequesterPort) << "by the forwarding table";
    EXPECT_EQ(answer.words, BuildGeneral(expected));
  }

  // The SLtoVL table of port 0 towards the requester.
  void SetVls(uint32_t first_word) {
    this->bench_.Ask(
        Build(AgentTest<Kind>::Request(kSet, 0x0017, kRequesterPort, {first_word, 0})));
  }

  uint32_t Word(int port, int index) { return this->bench_.Counter(port, 16 + index); }
};
TYPED_TEST_SUITE(GeneralTest, Kinds);

TYPED_TEST(GeneralTest, ClassPortInfoTellsOfExtendedCounters) {
  this->ExpectData(this->Request(kGet, kClassPortInfo), {0x01010200, 8});
}

TYPED_TEST(GeneralTest, PortCountersOfEveryPort) {
  for (int port = 1; port <= TypeParam::kPorts; ++port) {
    Data expected{};
    expected[0] = static_cast<uint32_t>(port) << 16 | 0xFFFF;
    for (int i = 1; i < 16; ++i) expected[i] = this->Word(port, i);
    this->ExpectData(this->Request(kGet, kPortCounters, port, 0xFFFF), expected);
  }
  EXPECT_TRUE(this->bench_.cleared.empty());
}

TYPED_TEST(GeneralTest, ExtendedCountersAreTheLowHalves) {
  Data expected{};
  expected[0] = 2 << 16;
  const auto none = this->Word(2, 0);
  expected.fill(none);
  expected[0] = 2 << 16;
  expected[3] = this->Word(2, 6);
  expected[5] = this->Word(2, 7);
  expected[7] = expected[11] = this->Word(2, 8);
  expected[9] = expected[13] = this->Word(2, 9);
  this->ExpectData(this->Request(kGet, kPortCountersExtended, 2), expected);
}

TYPED_TEST(GeneralTest, SetClearsWhatItSelects) {
  this->AskGeneral(this->Request(kSet, kPortCounters, 4, 0xF00C));
  this->AskGeneral(this->Request(kSet, kPortCountersExtended, 5, 0x3));
  const std::vector<std::pair<int, int>> expected = {{4, 0xF00C}, {5, 0x3000}};
  EXPECT_EQ(this->bench_.cleared, expected);
}

TYPED_TEST(GeneralTest, AnswerLeavesOnTheVlOfItsSl) {
  EXPECT_EQ(this->AskGeneral(this->Request(kGet, kClassPortInfo)).vl, 0);
  this->SetVls(0x00100000);  // SL 2 to VL 1
  EXPECT_EQ(this->AskGeneral(this->Request(kGet, kClassPortInfo)).vl, 1);
  this->SetVls(0x00F00000);
  EXPECT_TRUE(this->AskGeneral(this->Request(kGet, kClassPortInfo)).words.empty());
  this->SetVls(0x00E00000);  // a VL that the switch does not have
  EXPECT_TRUE(this->AskGeneral(this->Request(kGet, kClassPortInfo)).words.empty());
  this->SetVls(0);
  EXPECT_EQ(this->AskGeneral(this->Request(kGet, kClassPortInfo)).vl, 0);
}

TYPED_TEST(GeneralTest, WhatThereIsNotIsRefused) {
  this->ExpectData(this->Request(kGet, 0x0015), {}, 0x000C);  // an attribute of subnet management
  this->ExpectData(this->Request(kSet, kClassPortInfo), {}, 0x000C);
  for (const uint8_t method : {kGet, kSet}) {
    this->ExpectData(this->Request(method, kPortCounters, TypeParam::kPorts + 1, 0xFFFF), {},
                     0x001C);
    this->ExpectData(this->Request(method, kPortCounters, 0xFF), {}, 0x001C);
  }
  EXPECT_TRUE(this->bench_.cleared.empty());
}

// Other classes and methods, another queue pair, a wrong ICRC, management's own lane.
TYPED_TEST(GeneralTest, OthersVanish) {
  const Smp good = this->Request(kGet, kClassPortInfo);
  const auto vanishes = [this](const Words& words, bool vl15 = false) {
    return this->bench_.Ask(words, 2, vl15).words.empty();
  };
  EXPECT_FALSE(vanishes(BuildGeneral(good)));
  for (const uint8_t other : {kClassLid, kClassDirected, uint8_t{0x03}, uint8_t{0x21}}) {
    Smp smp = good;
    smp.mgmt_class = other;
    EXPECT_TRUE(vanishes(BuildGeneral(smp))) << int{other};
  }
  for (const uint8_t method : {kGetResp, kTrapRepress, kTrap}) {
    Smp smp = good;
    smp.method = method;
    EXPECT_TRUE(vanishes(BuildGeneral(smp))) << int{method};
  }
  EXPECT_TRUE(vanishes(BuildGeneral(good, 2)));
  EXPECT_TRUE(vanishes(BuildGeneral(good, 0)));
  EXPECT_TRUE(vanishes(Build(good), /*vl15=*/true));
  Words damaged = BuildGeneral(good);
  damaged[20] ^= 1;
  EXPECT_TRUE(vanishes(damaged));
  EXPECT_FALSE(vanishes(BuildGeneral(good)));
}

// Subnet management goes on beside them.
TYPED_TEST(GeneralTest, ManyOfBothKindsAreAnswered) {
  this->bench_.grant_rate = 100;
  this->bench_.deliver_rate = 100;
  for (int i = 0; i < 20; ++i) {
    this->bench_.Send(
        0, {.words = BuildGeneral(this->Request(kGet, kPortCounters)), .port = 2, .vl15 = false});
    this->bench_.Send(0, {.words = Build(AgentTest<TypeParam>::Request(kGet, 0x0011))});
  }
  this->bench_.departures[0].clear();
  ASSERT_TRUE(this->bench_.Drain());
  ASSERT_EQ(this->bench_.departures[0].size(), 40u);
  int general = 0;
  for (const Departure& answer : this->bench_.departures[0]) general += answer.vl != 15;
  EXPECT_EQ(general, 20);
}

}  // namespace
}  // namespace lanecut::mgmt_test
