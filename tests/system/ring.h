// SPDX-License-Identifier: Apache-2.0
//
// Four switches in a ring, an end node at each, and packets to the opposite end node alone: the
// smallest fabric in which two routing functions without a cycle have one together. A 2x2 mesh is
// one, too.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "sw/scenario/scenario.h"

namespace lanecut::testing {

// By switch: packets from there to the opposite one go clockwise (port 1) or not (port 2).
using RingFunction = std::array<bool, 4>;

struct RingChange {
  std::array<std::string, 4> names;  // of the switches, clockwise: S0
  RingFunction before;
  RingFunction after;
  // The manager's end node HM_0 is at a switch SM of its own, joined to the second and the fourth
  // switch: these get their tables before the others. Else it is at the first.
  bool manager_apart = false;
};

// From A to C, from B to D and so on: each function leaves one of the four clockwise turns out.
inline const RingChange kRingChange{
    {"SA", "SB", "SC", "SD"}, {true, true, true, false}, {true, true, false, true}};
// A 2x2 mesh, from X first to Y first.
inline const RingChange kMeshChange{
    {"S0_0", "S1_0", "S1_1", "S0_1"}, {true, false, true, false}, {false, true, false, true}, true};

// Writes netlist, tables and flows into the folder and returns the scenario: EBR, links full, from
// one function to the other while they are.
Scenario MakeRing(const std::filesystem::path& folder, const RingChange& change,
                  const std::vector<std::string>& overrides = {});

}  // namespace lanecut::testing
