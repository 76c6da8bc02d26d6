// SPDX-License-Identifier: Apache-2.0
//
// Numbers of routing functions, as packets carry them in the LRH. Of the 5 bits on the wire 3 are
// used: numbers count modulo 8, and of two numbers the one that is up to 3 ahead is the newer one.
// Equals `lanecut_pkg::is_newer` in the RTL.
#pragma once

#include <cstdint>

namespace lanecut {

inline constexpr int kFunctionNumbers = 8;

// The number as it counts.
constexpr std::uint8_t FunctionNumber(std::uint32_t on_the_wire) {
  return static_cast<std::uint8_t>(on_the_wire % kFunctionNumbers);
}
constexpr std::uint8_t NextNumber(std::uint8_t number) { return FunctionNumber(number + 1U); }
// How many functions `number` is behind `newest`, 0..7.
constexpr int FunctionsBehind(std::uint8_t number, std::uint8_t newest) {
  return FunctionNumber(std::uint32_t{newest} - number);
}

// Is `b` newer than `a`? Numbers that are 4 apart are so far apart that neither is.
constexpr bool IsNewer(std::uint8_t b, std::uint8_t a) {
  const std::uint8_t ahead = FunctionNumber(std::uint32_t{b} - a);
  return ahead >= 1 && ahead <= 3;
}

}  // namespace lanecut
