// SPDX-License-Identifier: Apache-2.0
//
// Directions in a torus, and movements: ways that are told in steps, whatever the size of the
// torus. Private to sw/routing and sw/patterns.
//
// A movement is one way to the destination, in steps one after the other. The last letter of a step
// is its direction: R(ight) and L(eft) along the first axis, D(own) and U(p) along the second,
// F(ar) and N(ear) along the third; to the right, down and far coordinates grow. Before it stands
// where the step ends: "1H" and "2H" after one or two hops, "0" and "1" at that coordinate, "MAX"
// at the highest one, "(DST+n)", "(DST-n)" at n more or less than the destination's, nothing at the
// destination's. All coordinates are modulo the size of the torus; a step that ends where it begins
// takes no hop.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanecut {

// A direction is twice its axis, and one more if coordinates fall.
constexpr int kMaxTorusAxes = 3;
constexpr int kMaxDirections = 2 * kMaxTorusAxes;
enum TorusDirection { kRight, kLeft, kDown, kUp, kFar, kNear };
constexpr int AxisOf(int direction) { return direction / 2; }
constexpr bool IsFalling(int direction) { return direction % 2 != 0; }
constexpr int Opposite(int direction) { return direction ^ 1; }

struct TorusStep {
  enum class End { kHops, kCoordinate, kHighest, kDestination };
  End end = End::kDestination;
  int value = 0;  // hops, the coordinate, or what to add to the destination's
  int direction = 0;
  friend bool operator==(const TorusStep&, const TorusStep&) = default;
};
using Movement = std::vector<TorusStep>;

Movement ParseMovement(std::string_view text);
std::vector<Movement> ParseMovements(std::span<const std::string_view> texts);
std::string FormatMovement(const Movement& movement);

// The coordinate, along its axis of `size` switches, at which a step ends that is not told in hops.
inline int EndOf(const TorusStep& step, int destination, int size) {
  if (step.end == TorusStep::End::kCoordinate) return step.value;
  if (step.end == TorusStep::End::kHighest) return size - 1;
  const int end = destination + step.value;
  return end < 0 ? end + size : end >= size ? end - size : end;
}

// Hops of a step from this coordinate.
inline int HopsOf(const TorusStep& step, int from, int destination, int size) {
  if (step.end == TorusStep::End::kHops) return step.value;
  const int end = EndOf(step, destination, size);
  const int rise = end - from + (end < from ? size : 0);
  return !IsFalling(step.direction) || rise == 0 ? rise : size - rise;
}

}  // namespace lanecut
