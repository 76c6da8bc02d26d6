// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/pattern_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "sw/routing/acyclic_graph.h"

namespace lanecut {
namespace {

// Calls visit(heading, next, last) for all turns at all kinds of switches of three axes.
template <typename Visit>
void ForAllTurns(const Visit& visit) {
  for (int heading = 0; heading < kMaxDirections; ++heading) {
    for (int next = 0; next < kMaxDirections; ++next) {
      if (next == Opposite(heading)) continue;
      for (LastBits last = 0; last < 8; ++last) visit(heading, next, last);
    }
  }
}

TEST(PatternTurns, EveryPlaneHasTheSameTable) {
  std::array<int, kMaxTorusAxes> axes = {0, 1, 2};
  do {
    const auto turned = [&](int direction) { return 2 * axes[AxisOf(direction)] + direction % 2; };
    ForAllTurns([&](int heading, int next, LastBits last) {
      LastBits turned_last = 0;
      for (int axis = 0; axis < kMaxTorusAxes; ++axis)
        turned_last |= (last >> axis & 1U) << axes[axis];
      const int to_heading = turned(heading);
      const int to_next = turned(next);
      EXPECT_EQ(SpftrLanes(heading, next, last), SpftrLanes(to_heading, to_next, turned_last));
      EXPECT_EQ(IsForbiddenTurn(heading, next, last),
                IsForbiddenTurn(to_heading, to_next, turned_last));
    });
  } while (std::ranges::next_permutation(axes).found);
}

TEST(PatternTurns, AxesOutsideAPlaneDoNotMatter) {
  ForAllTurns([](int heading, int next, LastBits last) {
    const LastBits plane = 1U << AxisOf(heading) | 1U << AxisOf(next);
    EXPECT_EQ(SpftrLanes(heading, next, last), SpftrLanes(heading, next, last & plane));
  });
}

TEST(PatternTurns, OnVl1AfterAForbiddenTurn) {
  ForAllTurns([](int heading, int next, LastBits last) {
    if (IsForbiddenTurn(heading, next, last)) {
      EXPECT_EQ(SpftrLanes(heading, next, last), 15U);
    }
  });
}

// Channels of a cubic torus, and what a packet that obeys the rules may do at any switch.
class Channels {
 public:
  Channels(int axes, int size) : axes_(axes), size_(size) {
    for (int axis = 0; axis < axes; ++axis) switches_ *= size;
  }

  // Whether all dependencies that some path on some SL might have close no cycle.
  bool AreAcyclic() const {
    AcyclicGraph graph(switches_ * 2 * axes_ * 2);
    for (int at = 0; at < switches_; ++at) {
      for (int heading = 0; heading < 2 * axes_; ++heading) {
        for (int next = 0; next < 2 * axes_; ++next) {
          if (next != Opposite(heading) && !AddTurns(graph, at, heading, next)) return false;
        }
      }
    }
    return true;
  }

 private:
  int StrideOf(int axis) const {
    int stride = 1;
    while (axis-- > 0) stride *= size_;
    return stride;
  }
  int Coordinate(int at, int axis) const { return at / StrideOf(axis) % size_; }
  int Before(int at, int heading) const {
    const int axis = AxisOf(heading);
    const int from = Coordinate(at, axis);
    const int to = (from + (IsFalling(heading) ? 1 : size_ - 1)) % size_;
    return at + (to - from) * StrideOf(axis);
  }
  int ChannelOf(int from, int direction, unsigned vl) const {
    return (from * 2 * axes_ + direction) * 2 + static_cast<int>(vl);
  }
  // False if a cycle closes.
  bool AddTurns(AcyclicGraph& graph, int at, int heading, int next) const {
    LastBits last = 0;
    for (int axis = 0; axis < axes_; ++axis)
      last |= (Coordinate(at, axis) == size_ - 1 ? 1U : 0U) << axis;
    const PatternTurn turn = SpftrTurn(heading, next, last);
    for (int sl = 0; sl < kSpftrSls; ++sl) {
      const unsigned after = turn.lanes >> sl & 1U;
      for (unsigned before = 0; before <= after; ++before) {
        if (turn.is_forbidden && before == after) continue;
        if (!graph.Add(ChannelOf(Before(at, heading), heading, before), ChannelOf(at, next, after)))
          return false;
      }
    }
    return true;
  }

  int axes_;
  int size_;
  int switches_ = 1;
};

TEST(PatternTurns, NoCycleWhateverPathsAreTaken) {
  for (int size = 3; size <= 8; ++size) {
    EXPECT_TRUE(Channels(2, size).AreAcyclic()) << size;
    EXPECT_TRUE(Channels(3, size).AreAcyclic()) << size;
  }
}

// SLs on which a packet from these VLs on cannot make the turns, by the rule as it is told, one SL
// and one turn after the other.
unsigned UnfitOneByOne(LaneBits lanes, const std::vector<PatternTurn>& turns) {
  unsigned unfit = 0;
  for (int sl = 0; sl < kSpftrSls; ++sl) {
    unsigned vl = lanes >> sl & 1U;
    for (const PatternTurn& turn : turns) {
      const unsigned after = turn.lanes >> sl & 1U;
      if (turn.is_forbidden ? after != vl + 1 : after < vl) unfit |= 1U << sl;
      vl = after;
    }
  }
  return unfit;
}

TEST(PatternTurns, SeveralInARowAreAsOneByOne) {
  constexpr LaneBits kLanes = (1U << kSpftrSls) - 1;
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::vector<PatternTurn> turns(1 + random() % 4);
    for (PatternTurn& turn : turns)
      turn = {static_cast<LaneBits>(random() & kLanes), random() % 4 == 0};
    LaneTurns all = turns.front();
    for (std::size_t k = 1; k < turns.size(); ++k) all = all.And(turns[k]);
    const auto before = static_cast<LaneBits>(random() & kLanes);
    EXPECT_EQ(all.UnfitFrom(before) & kLanes, UnfitOneByOne(before, turns));
    EXPECT_EQ(all.lanes(), turns.back().lanes);
  }
}

}  // namespace
}  // namespace lanecut
