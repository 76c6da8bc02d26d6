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
#include <algorithm>
#include <memory>
#include <span>

#include "sw/routing/pattern_torus.h"
#include "sw/routing/spftr_data.h"
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

constexpr PatternScheme kSpftr = {
    .engine = "spftr",
    .shape = "torus of two dimensions of 5 switches or more",
    .takes =
        [](std::span<const int> sizes) {
          return sizes.size() == 2 && *std::ranges::min_element(sizes) >= 5;
        },
    .sls = kSpftrSls,
    .region_of = [](std::span<const int> at,
                    std::span<const int> sizes) { return static_cast<int>(LastBitsOf(at, sizes)); },
    .lanes = [](int heading, int next,
                int region) { return SpftrLanes(heading, next, static_cast<LastBits>(region)); },
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
      paths.resize(torus.num_paths());
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
