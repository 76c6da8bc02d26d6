// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/pair_class.h"

#include <algorithm>
#include <utility>

namespace lanecut {
namespace {

constexpr int kFour = 4;
constexpr int kPlaces = 5;  // first, second, between, last but one, last
constexpr int kFar = 2;     // switches further on that are as good as more
constexpr int kShapes = kPlaces * kPlaces * (2 * kFar + 1);

int PlaceOf(int at, int size) {
  if (at < 2) return at;
  return at >= size - 2 ? at - size + kPlaces : 2;
}

int ShapeOf(const AxisPair& pair) {
  const int ahead = std::clamp(pair.to - pair.from, -kFar, kFar) + kFar;
  return (PlaceOf(pair.from, pair.size) * kPlaces + PlaceOf(pair.to, pair.size)) * (2 * kFar + 1) +
         ahead;
}

struct ClassNumbers {
  std::array<int, kShapes> by_shape = {};
  int count = 0;
};

// Seven switches, three of them between, show all shapes that there are.
const ClassNumbers& Numbers() {
  static const ClassNumbers numbers = [] {
    constexpr int kSize = 7;
    ClassNumbers result;
    result.by_shape.fill(-1);
    for (int from = 0; from < kSize; ++from) {
      for (int to = 0; to < kSize; ++to) result.by_shape[ShapeOf({kSize, from, to})] = 0;
    }
    for (int& number : result.by_shape) {
      if (number == 0) number = result.count++;
    }
    return result;
  }();
  return numbers;
}

// Ways to choose `chosen` of `n`.
int Choose(int n, int chosen) {
  int ways = 1;
  for (int i = 0; i < chosen; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

}  // namespace

int NumAxisClasses(SideKind kind) {
  return kind == SideKind::kFour ? kFour * kFour : Numbers().count;
}

int AxisClassOf(const AxisPair& pair) {
  return pair.size == kFour ? pair.from * kFour + pair.to : Numbers().by_shape[ShapeOf(pair)];
}

int NumPairClasses(SideKind kind, int axes) {
  return Choose(NumAxisClasses(kind) + axes - 1, axes);
}

// Ascending classes c0 <= c1 <= ... are counted by the highest first: there are
// Choose(c + k, k + 1) ways for k + 1 classes that are all less than c.
std::vector<int> AxisClassesOf(int pair_class, int axes) {
  std::vector<int> classes(axes, 0);
  for (int k = axes - 1; k >= 0; --k) {
    int& highest = classes[k];
    while (Choose(highest + 1 + k, k + 1) <= pair_class) ++highest;
    pair_class -= Choose(highest + k, k + 1);
  }
  return classes;
}

PairClass PairClassOf(std::span<const AxisPair> axes) {
  std::vector<std::pair<int, int>> by_class;  // with the axis
  by_class.reserve(axes.size());
  for (int axis = 0; axis < static_cast<int>(axes.size()); ++axis)
    by_class.emplace_back(AxisClassOf(axes[axis]), axis);
  std::ranges::sort(by_class);
  PairClass result;
  for (int k = 0; k < static_cast<int>(axes.size()); ++k) {
    result.number += Choose(by_class[k].first + k, k + 1);
    result.order[k] = by_class[k].second;
  }
  return result;
}

Movement AlongAxes(const Movement& movement, const PairClass& pair_class) {
  Movement along = movement;
  for (TorusStep& step : along)
    step.direction = 2 * pair_class.order[AxisOf(step.direction)] + step.direction % 2;
  return along;
}

}  // namespace lanecut
