// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/drop_reason.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace lanecut {
namespace {

TEST(DropReason, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (int i = 0; i < kDropReasons; ++i) names.insert(DropReasonName(static_cast<DropReason>(i)));
  EXPECT_EQ(names.size(), kDropReasons);
  EXPECT_FALSE(names.contains("unknown"));
  EXPECT_FALSE(names.contains(""));
}

TEST(DropReason, NamesStandByTheirValues) {
  EXPECT_EQ(DropReasonName(DropReason::kNone), "none");
  EXPECT_EQ(DropReasonName(DropReason::kUnreachable), "unreachable");
  EXPECT_EQ(DropReasonName(DropReason::kSourceQueue), "source_queue");
  EXPECT_EQ(DropReasonName(DropReason::kManagement), "management");
  EXPECT_EQ(DropReasonName(DropReason::kEpoch), "epoch");
  EXPECT_EQ(DropReasonName(DropReason::kStale), "stale");
  EXPECT_EQ(DropReasonName(DropReason::kNoFeeder), "no_feeder");
  EXPECT_EQ(static_cast<int>(DropReason::kEpoch), 12);
  EXPECT_EQ(DropReasonName(DropReason::kNoPath), "no_path");
  EXPECT_EQ(DropReasonName(DropReason::kLifeTime), "life_time");
  EXPECT_EQ(DropReasonName(DropReason::kHoqLife), "hoq_life");
  EXPECT_EQ(DropReasonName(DropReason::kUnknown), "unknown");
  EXPECT_EQ(DropReasonName(static_cast<DropReason>(kDropReasons)), "unknown");
}

}  // namespace
}  // namespace lanecut
