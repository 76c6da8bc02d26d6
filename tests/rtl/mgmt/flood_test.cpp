// SPDX-License-Identifier: Apache-2.0
//
// Flooded commands at the agent: copies to all other ports that are up, once for each number, and
// then the command itself.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/rtl/mgmt/compact.h"
#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

template <typename Kind>
class FloodTest : public AgentTest<Kind> {
 protected:
  // EndNodePorts := `word`.
  static Compact Flood(uint32_t number, uint32_t word) {
    Compact flood;
    flood.opcode = 0xD0;
    flood.hop = 0;
    flood.number = number;
    flood.path.clear();
    flood.attribute = 0xFF06;
    flood.code = kSet;
    flood.contents = {0, word};
    return flood;
  }
  // The ports that get a copy, in order; each copy must be what was sent.
  std::vector<int> Copies(const Words& words, int port) {
    this->bench_.departures[0].clear();
    this->bench_.Send(0, {.words = words, .port = port});
    EXPECT_TRUE(this->bench_.Drain());
    std::vector<int> ports;
    for (const Departure& copy : this->bench_.departures[0]) {
      EXPECT_EQ(copy.words, words);
      ports.push_back(copy.port);
    }
    return ports;
  }
  std::vector<int> AllBut(std::vector<int> without) {
    std::vector<int> ports;
    for (int p = 1; p <= Kind::kPorts; ++p) {
      if (std::find(without.begin(), without.end(), p) == without.end()) ports.push_back(p);
    }
    return ports;
  }
  uint32_t Word() { return this->bench_.dut().end_node_ports_o; }
};
TYPED_TEST_SUITE(FloodTest, Kinds);

TYPED_TEST(FloodTest, GoesToAllOtherPortsThatAreUpAndIsCarriedOut) {
  for (int port = 1; port <= TypeParam::kPorts; ++port) {
    EXPECT_EQ(this->Copies(Build(this->Flood(port, 1U << port)), port), this->AllBut({port}));
    EXPECT_EQ(this->Word(), 1U << (port - 1));
  }
  this->bench_.SetPortState(3, 1);
  this->bench_.SetPortState(5, 1);
  EXPECT_EQ(this->Copies(Build(this->Flood(100, 2)), 1), this->AllBut({1, 3, 5}));
}

TYPED_TEST(FloodTest, OnceForEachNumber) {
  const Words first = Build(this->Flood(7, 2));
  EXPECT_EQ(this->Copies(first, 1), this->AllBut({1}));
  for (int port = 1; port <= TypeParam::kPorts; ++port) {
    EXPECT_TRUE(this->Copies(first, port).empty());
  }
  EXPECT_EQ(this->Copies(Build(this->Flood(8, 4)), 2), this->AllBut({2}));
  EXPECT_EQ(this->Word(), 2U);
  EXPECT_TRUE(this->Copies(first, 3).empty());  // late
  EXPECT_EQ(this->Word(), 2U);
}

TYPED_TEST(FloodTest, NumbersAreModulo24BitsAndHalfOfThemAreAhead) {
  EXPECT_FALSE(this->Copies(Build(this->Flood(0xFFFFFF, 2)), 1).empty());
  EXPECT_FALSE(this->Copies(Build(this->Flood(0, 2)), 1).empty());
  EXPECT_FALSE(this->Copies(Build(this->Flood(0x7FFFFF, 2)), 1).empty());
  EXPECT_TRUE(this->Copies(Build(this->Flood(0x7FFFFF + 0x800000, 2)), 1).empty());
  EXPECT_TRUE(this->Copies(Build(this->Flood(0, 2)), 1).empty());
}

TYPED_TEST(FloodTest, IsForgottenAfterSixteenTicks) {
  EXPECT_FALSE(this->Copies(Build(this->Flood(500, 2)), 1).empty());
  for (int tick = 0; tick < 15; ++tick) this->bench_.Tick();
  EXPECT_TRUE(this->Copies(Build(this->Flood(3, 2)), 1).empty());
  this->bench_.Tick();
  EXPECT_FALSE(this->Copies(Build(this->Flood(3, 2)), 1).empty());
}

TYPED_TEST(FloodTest, DamagedOnesGoNowhere) {
  Words words = Build(this->Flood(9, 2));
  words[8] ^= 1;
  EXPECT_TRUE(this->Copies(words, 1).empty());
  words[8] ^= 1;
  EXPECT_EQ(this->Copies(words, 1), this->AllBut({1}));
}

// What the switch itself has no use for is passed on all the same, and nobody answers.
TYPED_TEST(FloodTest, CommandsForOthersArePassedOn) {
  Compact flood = this->Flood(9, 2);
  flood.attribute = 0xFF01;
  EXPECT_EQ(this->Copies(Build(flood), 4), this->AllBut({4}));
  flood.attribute = 0xFFEE;
  flood.number = 10;
  flood.contents = {1, 2, 3, 4};
  EXPECT_EQ(this->Copies(Build(flood), 4), this->AllBut({4}));
  this->ExpectGet(0x0010, 0, {0x53335F34});
}

TYPED_TEST(FloodTest, RequestsBehindItAreServed) {
  this->bench_.grant_rate = 40;
  Compact get;
  get.attribute = 0x0010;
  get.code = 0x0100 | kGet;
  get.contents = {0};
  this->bench_.departures[0].clear();
  for (uint32_t i = 1; i <= 20; ++i) {
    this->bench_.Send(0, {.words = Build(this->Flood(i, 2)), .port = 2});
    this->bench_.Send(0, {.words = Build(get), .port = 2});
  }
  ASSERT_TRUE(this->bench_.Drain(100000));
  EXPECT_EQ(this->bench_.departures[0].size(), 20U * TypeParam::kPorts);
}

}  // namespace
}  // namespace lanecut::mgmt_test
