// SPDX-License-Identifier: Apache-2.0
//
// A pair of switches of one class, in a torus of given sides. Switches are numbered with the first
// axis running fastest.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/routing/pair_class.h"

namespace lanecut {

class PairInstance {
 public:
  using Place = std::array<int, kMaxTorusAxes>;

  explicit PairInstance(std::span<const AxisPair> axes);

  int axes() const { return static_cast<int>(axes_.size()); }
  const AxisPair& axis(int axis) const { return axes_[axis]; }
  int num_switches() const { return static_cast<int>(is_near_.size()); }
  int source() const { return source_; }
  int destination() const { return destination_; }
  Place SourcePlace() const;

  int NumberOf(const Place& place) const;
  // Moves it by a hop.
  void Step(Place& place, int direction) const;
  // One bit for each axis along which it is the last switch.
  unsigned LastBits(const Place& place) const;
  // Hops from there to the destination, if any way would do.
  int Distance(const Place& place) const;
  int Distance() const { return Distance(SourcePlace()); }
  bool IsNearSource(int number) const { return (is_near_[number] & 1U) != 0; }
  bool IsNearDestination(int number) const { return (is_near_[number] & 2U) != 0; }

 private:
  void MarkNeighbours(const Place& place, std::uint8_t mark);

  std::vector<AxisPair> axes_;
  int source_ = 0;
  int destination_ = 0;
  std::vector<std::uint8_t> is_near_;  // by switch: 1 a neighbour of the source, 2 destination
};

// All pairs of a class in tori with sides from the least to the most switches; on cubes only, or
// with sides that differ as well.
enum class Sides { kEqual, kAny };
std::vector<PairInstance> InstancesOf(int pair_class, int axes, int least, int most, Sides sides);

}  // namespace lanecut
