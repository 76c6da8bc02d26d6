// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/pair_class.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "sw/patterns/pair_instance.h"

namespace lanecut {
namespace {

constexpr int kAxes = 3;

// Calls visit(axes) for all pairs of different switches in a torus of such sides.
template <typename Visit>
void ForAllPairs(const std::array<int, kAxes>& sides, const Visit& visit) {
  std::array<AxisPair, kAxes> axes;
  const auto fill = [&](auto&& self, int axis) -> void {
    if (axis == kAxes) {
      if (std::ranges::any_of(axes, [](const AxisPair& a) { return a.from != a.to; })) visit(axes);
      return;
    }
    for (int from = 0; from < sides[axis]; ++from) {
      for (int to = 0; to < sides[axis]; ++to) {
        axes[axis] = {sides[axis], from, to};
        self(self, axis + 1);
      }
    }
  };
  fill(fill, 0);
}

TEST(PairClass, IsThatOfTheAxesInAnyOrder) {
  for (const std::array<int, kAxes>& sides :
       {std::array{4, 4, 4}, std::array{5, 5, 5}, std::array{5, 6, 7}}) {
    ForAllPairs(sides, [](const std::array<AxisPair, kAxes>& axes) {
      const PairClass pair_class = PairClassOf(axes);
      std::vector<int> classes;
      for (int k = 0; k < kAxes; ++k) classes.push_back(AxisClassOf(axes[pair_class.order[k]]));
      EXPECT_TRUE(std::ranges::is_sorted(classes));
      EXPECT_EQ(classes, AxisClassesOf(pair_class.number, kAxes));
      const std::array turned = {axes[2], axes[0], axes[1]};
      EXPECT_EQ(pair_class.number, PairClassOf(turned).number);
    });
  }
}

TEST(PairClass, AllNumbersAreInUse) {
  EXPECT_EQ(NumAxisClasses(SideKind::kFour), 16);
  EXPECT_EQ(NumAxisClasses(SideKind::kFiveOrMore), 33);
  const auto numbers = [](int side) {
    std::set<int> seen;
    ForAllPairs({side, side, side},
                [&](const auto& axes) { seen.insert(PairClassOf(axes).number); });
    return seen;
  };
  // But for those of a switch and itself: four, or five places, three times.
  EXPECT_EQ(NumPairClasses(SideKind::kFour, kAxes), 816);
  EXPECT_EQ(numbers(4).size(), 816U - 20U);
  EXPECT_EQ(NumPairClasses(SideKind::kFiveOrMore, kAxes), 6545);
  EXPECT_EQ(numbers(7).size(), 6545U - 35U);
  // Larger ones have no others.
  const std::set<int> known = numbers(7);
  EXPECT_TRUE(std::ranges::includes(known, numbers(9)));
}

TEST(PairClass, InstancesAreAllPairsOfTheClass) {
  int pairs = 0;
  for (int i = 0; i < NumPairClasses(SideKind::kFour, 2); ++i) {
    const auto instances = InstancesOf(i, 2, 4, 4, Sides::kEqual);
    for (const PairInstance& pair : instances)
      EXPECT_EQ(PairClassOf(std::array{pair.axis(0), pair.axis(1)}).number, i);
    // A pair and the one with its axes exchanged are one instance, if they are two pairs.
    const std::vector<int> classes = AxisClassesOf(i, 2);
    pairs += static_cast<int>(instances.size()) * (classes[0] == classes[1] ? 1 : 2);
  }
  EXPECT_EQ(pairs, 16 * 15);
}

TEST(PairClass, MovementsFollowTheAxes) {
  const PairClass pair_class = {.number = 0, .order = {2, 0, 1}};
  EXPECT_EQ(FormatMovement(AlongAxes(ParseMovement("1HR (DST-1)U MAXF L 0D 2HN"), pair_class)),
            "1HF (DST-1)L MAXD N 0R 2HU");
}

}  // namespace
}  // namespace lanecut
