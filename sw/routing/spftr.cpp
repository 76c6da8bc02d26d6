// SPDX-License-Identifier: Apache-2.0
//
// SPFTR, scalable pattern-based fault-tolerant routing (Montanana, thesis UPV 2008, section 4.3 and
// appendix A): as many disjoint paths for every pair as a switch has links, in a torus of two or
// three dimensions and of any size, on 2 VLs and 4 SLs, without a search. Where TFTR chooses paths
// first and SLtoVL entries after them, here the entries come first: a switch has one of four or
// eight SLtoVL tables, by the axes along which it is the last one (Table 4.2), and the paths are
// those of patterns that fit them, by where source and destination are.
//
// The printed patterns, of two dimensions, are for 7 x 7, and larger and smaller tori fold onto it.
// Those of three dimensions are not printed: derive-patterns has found them (sw/patterns). It has
// also found shorter ones of two dimensions, which the engine spftr-derived takes.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sw/routing/pair_class.h"
#include "sw/routing/pattern_table.h"
#include "sw/routing/pattern_torus.h"
#include "sw/routing/spftr_data.h"
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

bool AreFours(std::span<const int> sizes) {
  return std::ranges::count(sizes, 4) == std::ssize(sizes);
}

bool HaveClasses(std::span<const int> sizes) {
  if (sizes.size() != 2 && sizes.size() != 3) return false;
  return *std::ranges::min_element(sizes) >= 5 || AreFours(sizes);
}

constexpr PatternScheme kDerived = {
    .engine = "spftr-derived",
    .shape = "torus of two or three dimensions of 5 switches or more, nor one of 4x4 or 4x4x4",
    .takes = HaveClasses,
    .sls = kSpftrSls,
    .region_of = [](std::span<const int> at,
                    std::span<const int> sizes) { return static_cast<int>(LastBitsOf(at, sizes)); },
    .lanes = [](int heading, int next,
                int region) { return SpftrLanes(heading, next, static_cast<LastBits>(region)); },
};

constexpr PatternScheme kSpftr = [] {
  PatternScheme scheme = kDerived;
  scheme.engine = "spftr";
  scheme.shape = "torus of two or three dimensions of 5 switches or more, nor one of 4x4x4";
  scheme.takes = [](std::span<const int> sizes) {
    return HaveClasses(sizes) && (sizes.size() == 3 || !AreFours(sizes));
  };
  return scheme;
}();

const PatternTable& DerivedPatterns(std::span<const int> sizes) {
  if (sizes.size() == 2) return AreFours(sizes) ? SpftrPatterns4x4() : SpftrPatterns2d();
  return AreFours(sizes) ? SpftrPatterns4x4x4() : SpftrPatterns3d();
}

// A table's movements along the axes of pairs, made once for every order of axes.
class MovementsByOrder {
 public:
  explicit MovementsByOrder(std::vector<Movement> movements) : movements_(std::move(movements)) {}

  const std::vector<Movement>& Along(const PairClass& pair_class) {
    std::size_t order = 0;
    for (const int axis : pair_class.order) order = order * kAxes + axis;
    std::vector<Movement>& along = along_[order];
    if (along.empty()) {
      for (const Movement& each : movements_) along.push_back(AlongAxes(each, pair_class));
    }
    return along;
  }

 private:
  static constexpr std::size_t kAxes = kMaxTorusAxes;
  std::vector<Movement> movements_;
  std::array<std::vector<Movement>, kAxes * kAxes * kAxes> along_;
};

// Walks all movements of a pair's pattern; `movement_of` gives the i-th.
template <typename MovementOf>
void WalkAll(const PatternTorus& torus, int from, int to, const MovementOf& movement_of,
             std::vector<SwitchPath>& paths) {
  paths.resize(torus.num_paths());
  std::size_t found = 0;
  for (int i = 0; i < torus.num_paths(); ++i)
    found += torus.Walk(movement_of(i), from, to, paths[found]) ? 1 : 0;
  paths.resize(found);
}

RoutingTables ComputePrinted(const PatternTorus& torus) {
  const std::vector<Movement> movements = ParseMovements(SpftrMovements());
  const auto find = [&](int from, int to, std::vector<SwitchPath>& paths) {
    const auto [source, destination] = torus.Fold(from, to);
    const auto& pattern = SpftrPatterns()[SpftrCells()[source][destination]];
    WalkAll(
        torus, from, to, [&](int i) -> const Movement& { return movements[pattern[i]]; }, paths);
  };
  return torus.MakeTables(
      find, "sides of 6 or more, or two of 5, or engine spftr-derived, a-spftr or tftr");
}

RoutingTables ComputeDerived(const PatternTorus& torus) {
  const PatternTable& table = DerivedPatterns(torus.sizes());
  MovementsByOrder movements(ParseMovements(table.movements));
  std::vector<AxisPair> axes(torus.sizes().size());
  const auto find = [&](int from, int to, std::vector<SwitchPath>& paths) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      axes[axis] = {torus.sizes()[axis], torus.PlaceOf(from)[axis], torus.PlaceOf(to)[axis]};
    const PairClass pair_class = PairClassOf(axes);
    const int first = table.cells[pair_class.number] * torus.num_paths();
    const auto pattern = table.patterns.subspan(first);
    WalkAll(
        torus, from, to,
        [&, &along = movements.Along(pair_class)](int i) -> const Movement& {
          return along[pattern[i]];
        },
        paths);
  };
  return torus.MakeTables(find, "engine tftr");
}

class SpftrEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return kSpftr.engine; }
  std::string_view summary() const override {
    return "four or six disjoint paths by patterns, torus of two or three dimensions, 2 VLs, 4 SLs "
           "and LMC";
  }
  bool needs_lid_ranges() const override { return true; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRequest(request);
    const PatternTorus torus(request, kSpftr);
    return torus.sizes().size() == 2 ? ComputePrinted(torus) : ComputeDerived(torus);
  }
};

class DerivedSpftrEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return kDerived.engine; }
  std::string_view summary() const override {
    return "the same with patterns of its own in two dimensions too, whose paths are shorter";
  }
  bool needs_lid_ranges() const override { return true; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRequest(request);
    return ComputeDerived(PatternTorus(request, kDerived));
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeSpftrEngine() { return std::make_unique<SpftrEngine>(); }
std::unique_ptr<RoutingEngine> MakeDerivedSpftrEngine() {
  return std::make_unique<DerivedSpftrEngine>();
}

}  // namespace lanecut
