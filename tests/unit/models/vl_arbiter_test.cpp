// SPDX-License-Identifier: Apache-2.0
//
// VL arbitration at an end node: sequences worked out by hand, and shares on the wire.
#include "models/hca/vl_arbiter.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using ib::MadAttribute;
using ib::MadStatus;
using ib::VlArbitrationEntry;
using Priority = VlArbiter::Priority;

using Entries = std::vector<VlArbitrationEntry>;

// So many choices with packets of these lengths always ready.
std::vector<int> Choices(VlArbiter& arbiter, const std::vector<int>& blocks, int count) {
  std::vector<int> choices;
  for (int i = 0; i < count; ++i) choices.push_back(arbiter.Next(blocks));
  return choices;
}

TEST(VlArbiter, AtFirstVlsTakeTurnsByPacket) {
  VlArbiter arbiter(8, 3);
  EXPECT_FALSE(arbiter.is_written());
  EXPECT_EQ(Choices(arbiter, {9, 1, 4}, 6), (std::vector{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(Choices(arbiter, {0, 1, 4}, 3), (std::vector{1, 2, 1}));
}

TEST(VlArbiter, AnEntrySendsUntilItsWeightIsUsedUp) {
  VlArbiter arbiter(8, 2);
  arbiter.Write(Priority::kLow, Entries{{0, 5}, {1, 2}});
  EXPECT_TRUE(arbiter.is_written());
  // 2 + 2 leave 1 of 5, by which a third packet goes; 1 + 1 use up 2.
  EXPECT_EQ(Choices(arbiter, {2, 1}, 8), (std::vector{0, 0, 0, 1, 1, 0, 0, 0}));
  // What is left of a turn is lost when there is nothing to send.
  arbiter.Write(Priority::kLow, Entries{{0, 5}, {1, 2}});
  EXPECT_EQ(Choices(arbiter, {0, 1}, 1), (std::vector{1}));
  EXPECT_EQ(Choices(arbiter, {2, 1}, 4), (std::vector{1, 0, 0, 0}));
}

TEST(VlArbiter, AVlMayStandInSeveralEntriesOrInNone) {
  VlArbiter arbiter(4, 3);
  arbiter.Write(Priority::kLow, Entries{{0, 1}, {1, 1}, {0, 1}, {2, 0}});
  EXPECT_EQ(Choices(arbiter, {1, 1, 1}, 6), (std::vector{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(Choices(arbiter, {0, 0, 1}, 1), (std::vector{-1}));
  arbiter.Write(Priority::kHigh, Entries{{2, 1}, {15, 9}});
  EXPECT_EQ(Choices(arbiter, {0, 0, 1}, 1), (std::vector{2}));
}

TEST(VlArbiter, TheLimitGivesTheOtherListItsTurn) {
  VlArbiter arbiter(8, 2);
  arbiter.Write(Priority::kHigh, Entries{{1, 255}});
  arbiter.Write(Priority::kLow, Entries{{0, 255}, {1, 0}});
  EXPECT_EQ(Choices(arbiter, {1, 1}, 4), (std::vector{1, 0, 1, 0}));
  arbiter.SetHighLimit(2);  // 128 blocks
  EXPECT_EQ(Choices(arbiter, {1, 50}, 8), (std::vector{1, 1, 1, 0, 1, 1, 1, 0}));
  // Its turn that it had nothing for is over.
  EXPECT_EQ(Choices(arbiter, {0, 50}, 4), (std::vector{1, 1, 1, 1}));
  EXPECT_EQ(Choices(arbiter, {1, 50}, 3), (std::vector{1, 1, 0}));
  arbiter.SetHighLimit(255);
  for (const int vl : Choices(arbiter, {1, 100}, 1000)) EXPECT_EQ(vl, 1);
}

TEST(HcaArbitration, TheAgentKeepsTheLists) {
  HcaPair pair;
  pair.Run(20);
  const ib::PortInfo info = ib::PortInfo::Decode(pair.Get(1, MadAttribute::kPortInfo));
  EXPECT_EQ(info.vl_arbitration_high_cap, 8);
  EXPECT_EQ(info.vl_arbitration_low_cap, 8);
  const auto get = [&](std::uint32_t block) {
    return ib::VlArbitrationBlock::Decode(
        pair.Get(1, MadAttribute::kVlArbitrationTable, ib::VlArbitrationModifier(block, 1)));
  };
  for (const std::uint8_t vl : {0, 1, 2}) {
    EXPECT_EQ(get(ib::kVlArbitrationLow).entries[vl],
              (VlArbitrationEntry{vl, static_cast<std::uint8_t>(vl < 2 ? 1 : 0)}));
    EXPECT_EQ(get(ib::kVlArbitrationHigh).entries[vl], (VlArbitrationEntry{vl, 0}));
  }
  ib::VlArbitrationBlock table;
  for (std::uint8_t i = 0; i < 32; ++i) table.entries[i] = {static_cast<std::uint8_t>(i % 16), i};
  pair.Set(1, MadAttribute::kVlArbitrationTable, table,
           ib::VlArbitrationModifier(ib::kVlArbitrationHigh, 1));
  std::fill(table.entries.begin() + 8, table.entries.end(), VlArbitrationEntry{});
  EXPECT_EQ(get(ib::kVlArbitrationHigh), table);
  EXPECT_EQ(get(ib::kVlArbitrationHigh + 1), ib::VlArbitrationBlock{});
  for (const std::uint32_t modifier : {0x00000u, 0x50000u, 0x10002u}) {
    EXPECT_EQ(pair.Get(1, MadAttribute::kVlArbitrationTable, modifier).status(),
              static_cast<std::uint16_t>(MadStatus::kInvalidField));
  }
}

TEST(HcaArbitration, WeightsShareTheLink) {
  HcaPair pair(5);
  pair.BringUp();
  ib::SlToVlBlock map;
  map.vl_of_sl[3] = 1;
  pair.Set(0, MadAttribute::kSlToVlMappingTable, map);
  ib::VlArbitrationBlock low;
  low.entries[0] = {0, 3};
  low.entries[1] = {1, 1};
  pair.Set(0, MadAttribute::kVlArbitrationTable, low, ib::VlArbitrationModifier(1, 0));
  pair.Run(50);
  // Behind one that is on its way when the others come.
  for (int i = 0; i < 25; ++i) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 0);
  for (int i = 0; i < 8; ++i) pair.a().Offer(pair.now, HcaPair::kLid[1], 32, 3);
  pair.Run(800);
  ASSERT_EQ(pair.ledger.delivered.size(), 33U);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(pair.ledger.delivered[i].vl, i % 4 == 3 ? 1 : 0) << i;
  }
}

}  // namespace
}  // namespace lanecut
