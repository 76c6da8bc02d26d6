// SPDX-License-Identifier: Apache-2.0
//
// A-SPFTR, asymmetric SPFTR (Montanana, thesis UPV 2008, section 4.3.7): the four disjoint paths of
// SPFTR on 2 VLs and 3 SLs, for two-dimensional tori only. Switches have one of ten SLtoVL tables
// (Table 4.3), by row (the first, the last, those between) and column.
//
// The thesis says that rows are added along regions 3 to 6 and columns along 1, 5 and 8, and shows
// in the table which turns are forbidden where (those that are on VL 1 on all SLs, both ways); the
// regions below follow from that. It does not print the patterns, which are "similar" to those of
// SPFTR. So they are found here: of SPFTR's movements and four more, a pair takes the four disjoint
// ones that are the shortest together. Pairs that fold onto the same pair of 7 x 7 switches take
// the same ones wherever they fit.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sw/routing/pattern_torus.h"
#include "sw/routing/spftr_data.h"
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

constexpr int kRegions = 10;

// The thesis's port for a direction: up, right, down, left.
constexpr int PortOf(int direction) {
  constexpr std::array<int, 4> kPorts = {1, 3, 2, 0};
  return kPorts[direction];
}

// Table 4.3: by in port, out port, then region; VLs of SLs 0, 1, 2.
using LanesByRegion = std::array<std::string_view, kRegions>;
constexpr LanesByRegion kNone = {};
constexpr LanesByRegion kForbidden = {"111", "111", "111", "111", "111",
                                      "111", "111", "111", "111", "111"};
constexpr std::array<std::array<LanesByRegion, 4>, 4> kRegionLanes = {{
    {{kNone,
      {"000", "000", "111", "001", "001", "001", "111", "001", "000", "111"},
      {"011", "010", "010", "001", "001", "001", "000", "111", "111", "111"},
      kForbidden}},
    {{{"111", "111", "111", "011", "101", "111", "111", "101", "101", "111"},
      kNone,
      {"001", "011", "001", "011", "011", "001", "010", "111", "011", "000"},
      {"001", "011", "111", "010", "011", "011", "111", "111", "111", "111"}}},
    {{{"011", "110", "111", "001", "101", "111", "111", "111", "111", "111"},
      {"001", "101", "101", "001", "101", "011", "111", "000", "000", "111"},
      kNone,
      {"011", "101", "111", "011", "001", "011", "011", "111", "111", "111"}}},
    {{kForbidden,
      {"100", "000", "111", "101", "001", "001", "111", "001", "001", "111"},
      {"001", "001", "000", "001", "001", "001", "001", "111", "111", "111"},
      kNone}},
}};

// Without these a few pairs, among them neighbours in column 1, have no four disjoint paths.
constexpr std::array<std::string_view, 4> kMoreMovements = {"1HU 0L MAXU R U", "MAXU R U",
                                                            "1HU MAXR U L", "1L 0U MAXL D L"};

constexpr PatternScheme kASpftr = {
    .engine = "a-spftr",
    .shape = "torus of two dimensions of 5 switches or more",
    .takes =
        [](std::span<const int> sizes) {
          return sizes.size() == 2 && *std::ranges::min_element(sizes) >= 5;
        },
    .sls = 3,
    .region_of =
        [](std::span<const int> at, std::span<const int> sizes) {
          const int x = at[0];
          const int y = at[1];
          const bool last_column = x == sizes[0] - 1;
          if (y == 0) return x == 0 ? 0 : last_column ? 2 : 1;
          if (y == sizes[1] - 1) return x == 0 ? 7 : last_column ? 9 : 8;
          if (last_column) return 6;
          return x < 2 ? 3 + x : 5;
        },
    .lanes =
        [](int heading, int next, int region) {
          LaneBits bits = 0;
          const std::string_view lanes =
              kRegionLanes[PortOf(Opposite(heading))][PortOf(next)][region];
          for (std::size_t sl = 0; sl < lanes.size(); ++sl)
            bits |= (lanes[sl] == '1' ? 1U : 0U) << sl;
          return bits;
        },
};

// A set of switches.
class PlaceSet {
 public:
  explicit PlaceSet(int count) : words_((count + 63) / 64, 0) {}
  void Clear() { std::ranges::fill(words_, 0); }
  // False if it is there already.
  bool Add(int place) {
    std::uint64_t& word = words_[place / 64];
    const std::uint64_t bit = std::uint64_t{1} << place % 64;
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }
  bool Meets(const PlaceSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  void Add(const PlaceSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }

 private:
  std::vector<std::uint64_t> words_;
};

class PatternChooser {
 public:
  explicit PatternChooser(const PatternTorus& torus)
      : torus_(torus), movements_(ParseMovements(SpftrMovements())), passed_(torus.num_switches()) {
    for (Movement& more : ParseMovements(kMoreMovements)) movements_.push_back(std::move(more));
  }

  // Nothing if there are none.
  void Find(int from, int to, std::vector<SwitchPath>& paths) {
    paths.resize(kPaths);
    std::vector<Pattern>& known = patterns_[{torus_.Fold(from, to), torus_.WrapsBetween(from, to)}];
    for (const Pattern& pattern : known) {
      if (Take(pattern, from, to, paths)) return;
    }
    const std::optional<Pattern> chosen = Choose(from, to);
    if (chosen && Take(*chosen, from, to, paths)) {
      known.push_back(*chosen);
    } else {
      paths.clear();
    }
  }

 private:
  static constexpr int kPaths = 4;
  using Pattern = std::array<int, kPaths>;  // movements, by first port

  struct Candidate {
    int movement = 0;
    int hops = 0;
    PlaceSet passed;  // switches between source and destination
  };
  struct Choice {
    std::array<std::vector<Candidate>, kPaths> candidates;  // by first port, shortest first
    Pattern pattern = {};
    std::optional<Pattern> best;
    int fewest = std::numeric_limits<int>::max();  // hops of its paths together
  };

  // Adds the switches between the ends of a path; false if one of them is there already or an end.
  bool Pass(const SwitchPath& path, int from, int to, PlaceSet& passed) const {
    for (std::size_t i = 0; i + 1 < path.links.size(); ++i) {
      const int next = torus_.fabric().link(path.links[i]).to;
      if (next == from || next == to || !passed.Add(next)) return false;
    }
    return true;
  }

  // The paths of a pattern; false if one does not arrive or two share a switch.
  bool Take(const Pattern& pattern, int from, int to, std::vector<SwitchPath>& paths) {
    passed_.Clear();
    for (int i = 0; i < kPaths; ++i) {
      if (!torus_.Walk(movements_[pattern[i]], from, to, paths[i])) return false;
      if (!Pass(paths[i], from, to, passed_)) return false;
    }
    return true;
  }

  std::optional<Pattern> Choose(int from, int to) const {
    Choice choice;
    SwitchPath path;
    for (std::size_t i = 0; i < movements_.size(); ++i) {
      if (!torus_.Walk(movements_[i], from, to, path)) continue;
      Candidate candidate{static_cast<int>(i), static_cast<int>(path.links.size()),
                          PlaceSet(torus_.num_switches())};
      if (!Pass(path, from, to, candidate.passed)) continue;
      choice.candidates[PortOf(torus_.DirectionOf(path.links.front()))].push_back(
          std::move(candidate));
    }
    for (auto& each : choice.candidates) std::ranges::stable_sort(each, {}, &Candidate::hops);
    Extend(choice, 0, 0, PlaceSet(torus_.num_switches()));
    return choice.best;
  }

  // Tries all candidates that begin at this port, after those that have been taken.
  static void Extend(Choice& choice, int port, int hops, const PlaceSet& taken) {
    if (port == kPaths) {
      choice.best = choice.pattern;
      choice.fewest = hops;
      return;
    }
    for (const Candidate& candidate : choice.candidates[port]) {
      if (hops + candidate.hops >= choice.fewest) return;
      if (candidate.passed.Meets(taken)) continue;
      choice.pattern[port] = candidate.movement;
      PlaceSet more = taken;
      more.Add(candidate.passed);
      Extend(choice, port + 1, hops + candidate.hops, more);
    }
  }

  const PatternTorus& torus_;
  std::vector<Movement> movements_;
  // By folded source and destination, and the dimensions in which to wrap round.
  std::map<std::pair<std::pair<int, int>, int>, std::vector<Pattern>> patterns_;
  PlaceSet passed_;  // scratch
};

class ASpftrEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return kASpftr.engine; }
  std::string_view summary() const override {
    return "four disjoint paths by patterns, torus of two dimensions, 2 VLs, 3 SLs and LMC";
  }
  bool needs_lid_ranges() const override { return true; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRequest(request);
    const PatternTorus torus(request, kASpftr);
    PatternChooser chooser(torus);
    return torus.MakeTables(
        [&](int from, int to, std::vector<SwitchPath>& paths) { chooser.Find(from, to, paths); },
        "engine tftr");
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeASpftrEngine() { return std::make_unique<ASpftrEngine>(); }

}  // namespace lanecut
