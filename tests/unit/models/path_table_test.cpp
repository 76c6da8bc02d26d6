// SPDX-License-Identifier: Apache-2.0
#include "models/hca/path_table.h"

#include <gtest/gtest.h>

namespace lanecut {
namespace {

using Path = PathTable::Path;

TEST(PathTable, WhatIsNotKnownIsTakenAsAsked) {
  PathTable table;
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.PathFor({7, 3}), (Path{7, 3}));
  EXPECT_EQ(table.DestinationOf(7), 7);
  EXPECT_FALSE(table.Migrate(7));
  EXPECT_TRUE(table.TakeChanges().empty());
}

TEST(PathTable, PathsAreUsedInTheirOrder) {
  PathTable table;
  table.Load(16, {{17, 1}, {19, 0}, {16, 2}});
  EXPECT_EQ(table.PathFor({16, 5}), (Path{17, 1}));  // by whatever LID and SL is asked for
  EXPECT_EQ(table.PathFor({19, 0}), (Path{17, 1}));
  EXPECT_EQ(table.DestinationOf(19), 16);
  for (const Path& next : {Path{19, 0}, {16, 2}, {17, 1}}) {
    EXPECT_TRUE(table.Migrate(16));
    EXPECT_EQ(table.PathFor({17, 1}), next);
  }
  EXPECT_EQ(table.TakeChanges().size(), 3U);
  EXPECT_TRUE(table.TakeChanges().empty());
}

TEST(PathTable, TheManagerChoosesAmongThemOrAddsOne) {
  PathTable table;
  table.Load(16, {{17, 1}, {19, 0}});
  table.Use(16, Path{19, 0});
  EXPECT_EQ(table.PathFor({16, 0}), (Path{19, 0}));
  EXPECT_TRUE(table.Migrate(16));
  EXPECT_EQ(table.PathFor({16, 0}), (Path{17, 1}));  // no third one has come to be
  table.Use(16, Path{20, 3});
  EXPECT_EQ(table.PathFor({16, 0}), (Path{20, 3}));
  EXPECT_EQ(table.DestinationOf(20), 16);
  table.Use(16, std::nullopt);
  EXPECT_EQ(table.PathFor({16, 0}), std::nullopt);
  EXPECT_FALSE(table.Migrate(16));
}

TEST(PathTable, ChangesAreTold) {
  PathTable table;
  table.Load(16, {{17, 1}});
  EXPECT_TRUE(table.TakeChanges().empty());  // nothing was used before
  table.Load(16, {{17, 1}, {18, 0}});
  EXPECT_TRUE(table.TakeChanges().empty());
  table.Load(16, {});
  table.Use(32, Path{33, 0});  // until then as asked: the lowest LID
  const auto changes = table.TakeChanges();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].lid, 16);
  EXPECT_EQ(changes[0].from, (Path{17, 1}));
  EXPECT_EQ(changes[0].to, std::nullopt);
  EXPECT_EQ(changes[1].from, (Path{32, 0}));
  EXPECT_EQ(changes[1].to, (Path{33, 0}));
}

}  // namespace
}  // namespace lanecut
