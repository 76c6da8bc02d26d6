// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/table_pieces.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "sw/wire/compact.h"

namespace lanecut {
namespace {

using Words = std::vector<std::uint32_t>;

std::vector<std::uint8_t> Table(int size) {
  std::vector<std::uint8_t> table(static_cast<std::size_t>(size));
  std::iota(table.begin(), table.end(), std::uint8_t{0});
  return table;
}

std::vector<TableUpdate> Updates(int first, int last, const std::set<int>& wanted) {
  return MakeTableUpdates(Table(1000), first, last, [&](int lid) { return wanted.count(lid) > 0; });
}

TEST(TablePieces, OnePieceIsWholeWords) {
  const auto updates = Updates(1, 100, {6});
  ASSERT_EQ(updates.size(), 1U);
  EXPECT_EQ(updates[0].words, (Words{0x00040004, 0x04050607}));
  EXPECT_EQ(updates[0].lids, (std::vector<int>{4, 5, 6, 7}));
}

TEST(TablePieces, WithoutDifferencesThereIsAnEmptyOne) {
  const auto updates = Updates(1, 100, {});
  ASSERT_EQ(updates.size(), 1U);
  EXPECT_EQ(updates[0].words, (Words{0}));
  EXPECT_TRUE(updates[0].lids.empty());
}

TEST(TablePieces, AGapOfOneWordIsFilledAndALongerOneIsNot) {
  EXPECT_EQ(Updates(1, 100, {4, 12})[0].words,
            (Words{0x0004000C, 0x04050607, 0x08090A0B, 0x0C0D0E0F}));
  EXPECT_EQ(Updates(1, 100, {4, 16})[0].words,
            (Words{0x00040004, 0x04050607, 0x00100004, 0x10111213}));
}

TEST(TablePieces, OnlyWhatIsInTheRangeCounts) {
  EXPECT_EQ(Updates(8, 11, {4, 7, 8, 12})[0].lids, (std::vector<int>{8, 9, 10, 11}));
}

TEST(TablePieces, LidZeroAndWhatIsBeyondTheTableIsUnreachable) {
  const auto updates = MakeTableUpdates(Table(6), 1, 6, [](int) { return true; });
  EXPECT_EQ(updates[0].words, (Words{0x00000008, 0xFF010203, 0x0405FFFF}));
}

TEST(TablePieces, ATableOf128EndNodesIsOnePacketAndOneOf648IsThree) {
  const auto small = MakeTableUpdates(Table(193), 65, 192, [](int) { return true; });
  ASSERT_EQ(small.size(), 1U);
  EXPECT_EQ(small[0].words.size(), 34U);
  const auto large = MakeTableUpdates(Table(973), 325, 972, [](int) { return true; });
  ASSERT_EQ(large.size(), 3U);
  std::set<int> lids;
  for (const TableUpdate& update : large) {
    EXPECT_LE(update.words.size(), static_cast<std::size_t>(kCompactDataWords));
    lids.insert(update.lids.begin(), update.lids.end());
  }
  EXPECT_EQ(*lids.begin(), 324);
  EXPECT_EQ(*lids.rbegin(), 975);
  EXPECT_EQ(lids.size(), 652U);
}

}  // namespace
}  // namespace lanecut
