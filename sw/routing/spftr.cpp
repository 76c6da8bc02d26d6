// SPDX-License-Identifier: Apache-2.0
//
// SPFTR, scalable pattern-based fault-tolerant routing (Montanana, thesis UPV 2008, section 4.3 and
// appendix A): four disjoint paths for every pair of a two-dimensional torus of any size, on 2 VLs
// and 4 SLs, without a search. Where TFTR chooses paths first and SLtoVL entries after them, here
// the entries come first: a switch has one of four SLtoVL tables, by whether it is in the last
// column, the last row, both or neither (Table 4.2), and the paths are those of patterns that fit
// them, by where source and destination are.
//
// The printed patterns are for 7 x 7. Larger and smaller tori fold onto it.
#include <array>
#include <memory>

#include "sw/routing/pattern_torus.h"
#include "sw/routing/spftr_data.h"
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

using LaneBits = PatternScheme::LaneBits;

constexpr LaneBits Bits(const char (&lanes)[5]) {
  LaneBits bits = 0;
  for (int sl = 0; sl < 4; ++sl) bits |= (lanes[sl] == '1' ? 1U : 0U) << sl;
  return bits;
}

// Table 4.2: by in port, out port, then region: neither, last column, last row, both.
constexpr std::array<std::array<std::array<LaneBits, 4>, 4>, 4> kTurnLanes = {{
    {{{0, 0, 0, 0},
      {Bits("0100"), Bits("1111"), Bits("0100"), Bits("1111")},
      {Bits("0100"), Bits("0100"), Bits("1111"), Bits("1111")},
      {Bits("1111"), Bits("1111"), Bits("1111"), Bits("1111")}}},
    {{{Bits("1101"), Bits("1111"), Bits("1101"), Bits("1111")},
      {0, 0, 0, 0},
      {Bits("0101"), Bits("0101"), Bits("1101"), Bits("0101")},
      {Bits("1101"), Bits("1111"), Bits("1101"), Bits("1111")}}},
    {{{Bits("1101"), Bits("1101"), Bits("1111"), Bits("1111")},
      {Bits("0101"), Bits("1101"), Bits("0101"), Bits("0101")},
      {0, 0, 0, 0},
      {Bits("1101"), Bits("1101"), Bits("1111"), Bits("1111")}}},
    {{{Bits("1111"), Bits("1111"), Bits("1111"), Bits("1111")},
      {Bits("0100"), Bits("1111"), Bits("0100"), Bits("1111")},
      {Bits("0100"), Bits("0100"), Bits("1111"), Bits("1111")},
      {0, 0, 0, 0}}},
}};

constexpr PatternScheme kSpftr = {
    .engine = "spftr",
    .sls = 4,
    .smallest = 5,
    .regions = 4,
    .region_of = [](int x, int y, int width,
                    int height) { return (x == width - 1 ? 1 : 0) + (y == height - 1 ? 2 : 0); },
    .lanes = [](int in, int out, int region) { return kTurnLanes[in][out][region]; },
};

class SpftrEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return kSpftr.engine; }
  std::string_view summary() const override {
    return "four disjoint paths by patterns, torus of two dimensions, 2 VLs, 4 SLs and LMC";
  }
  bool needs_lid_ranges() const override { return true; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRequest(request);
    const PatternTorus torus(request, kSpftr);
    const std::vector<Movement> movements = ParseMovements(SpftrMovements());
    const auto find = [&](int from, int to, std::vector<SwitchPath>& paths) {
      const auto [source, destination] = torus.Fold(from, to);
      paths.resize(PatternTorus::kPaths);
      std::size_t found = 0;
      for (const int movement : SpftrPatterns()[SpftrCells()[source][destination]])
        found += torus.Walk(movements[movement], from, to, paths[found]) ? 1 : 0;
      paths.resize(found);
    };
    return torus.MakeTables(find, "sides of 6 or more, or two of 5, or engine a-spftr or tftr");
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeSpftrEngine() { return std::make_unique<SpftrEngine>(); }

}  // namespace lanecut
