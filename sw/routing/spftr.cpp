// SPDX-License-Identifier: Apache-2.0
//
// SPFTR, scalable pattern-based fault-tolerant routing (Montanana, thesis UPV 2008, section 4.3 and
// appendix A): four disjoint paths for every pair of a two-dimensional torus of any size, on 2 VLs
// and 4 SLs, without a search. Where TFTR chooses paths first and SLtoVL entries after them, here
// the entries come first: a switch has one of four SLtoVL tables, by whether it is in the last
// column, the last row, both or neither (Table 4.2), and the paths are those of patterns that fit
// them, by where source and destination are.
//
// The routing underneath forbids few turns, everywhere those between up and left; in the last
// column also those between right and up or left (so a packet that has wrapped round to the right
// only turns down, or has come from there); in the last row those between down and up or left. A
// path crosses at most one of them, on VL 0 before and on VL 1 after it.
//
// The printed patterns are for 7 x 7. Larger and smaller tori fold onto it: rows and columns grow
// and shrink in the middle.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sw/routing/multipath_tables.h"
#include "sw/routing/spftr_data.h"
#include "sw/routing/switch_fabric.h"
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

constexpr int kSls = 4;
constexpr int kPaths = 4;
constexpr int kSmallest = 5;  // switches in a row or column
constexpr int kPrinted = 7;   // size of the torus of the printed patterns

enum Direction { kUp, kRight, kDown, kLeft, kLocal };  // ports, as the thesis counts them

// VLs after a turn, bit s for SL s.
using LaneBits = unsigned;

constexpr LaneBits Bits(const char (&lanes)[5]) {
  LaneBits bits = 0;
  for (int sl = 0; sl < kSls; ++sl) bits |= (lanes[sl] == '1' ? 1U : 0U) << sl;
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

bool IsForbidden(int in, int out, int region) {
  const auto between = [&](int a, int b) { return (in == a && out == b) || (in == b && out == a); };
  const bool last_column = region % 2 == 1;
  const bool last_row = region >= 2;
  return between(kUp, kLeft) || (last_column && (between(kUp, kRight) || between(kRight, kLeft))) ||
         (last_row && (between(kUp, kDown) || between(kDown, kLeft)));
}

struct Step {
  enum class End { kHop, kCoordinate, kHighest, kDestination };
  End end = End::kDestination;
  int value = 0;  // the coordinate, or what to add to the destination's
  Direction direction = kUp;
};

Step ParseStep(std::string_view text) {
  constexpr std::string_view kLetters = "URDL";
  Step step;
  step.direction = static_cast<Direction>(kLetters.find(text.back()));
  text.remove_suffix(1);
  if (text.empty()) return step;
  if (text == "1H") {
    step.end = Step::End::kHop;
  } else if (text == "MAX") {
    step.end = Step::End::kHighest;
  } else if (text.front() == '(') {  // (DST+n)
    const bool minus = text[4] == '-';
    std::from_chars(text.data() + 5, text.data() + text.size() - 1, step.value);
    if (minus) step.value = -step.value;
  } else {
    step.end = Step::End::kCoordinate;
    std::from_chars(text.data(), text.data() + text.size(), step.value);
  }
  return step;
}

std::vector<std::vector<Step>> ParseMovements() {
  std::vector<std::vector<Step>> movements;
  for (std::string_view text : SpftrMovements()) {
    std::vector<Step>& steps = movements.emplace_back();
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      steps.push_back(ParseStep(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  return movements;
}

// Where two coordinates of an axis of `size` switches are in the printed one.
std::pair<int, int> Fold(int a, int b, int size) {
  const auto fold = [size](int at) {
    if (at < 3) return at;
    return at >= size - 2 ? at - size + kPrinted : 3;
  };
  std::pair<int, int> folded = {fold(a), fold(b)};
  if (a != b && folded.first == 3 && folded.second == 3) (a > b ? folded.first : folded.second) = 4;
  return folded;
}

struct Place {
  int x = 0;
  int y = 0;
};

class Spftr {
 public:
  explicit Spftr(const RoutingRequest& request)
      : request_(request), fabric_(request.topology), movements_(ParseMovements()) {
    CheckShape();
    FindLinks();
  }

  RoutingTables Compute() const {
    const int count = fabric_.num_switches();
    const std::vector<bool> wanted = WantedPairs(request_, fabric_);
    const auto paths = [&](int to, std::vector<std::vector<SwitchPath>>& by_source) {
      for (int from = 0; from < count; ++from) {
        if (wanted[static_cast<std::size_t>(from) * count + to]) {
          FindPaths(from, to, by_source[from]);
        } else {
          by_source[from].clear();
        }
      }
    };
    return MakeMultipathTables(request_, fabric_, paths, Lanes(), "spftr");
  }

 private:
  void CheckShape() {
    const auto& grid = request_.topology.grid();
    const bool fits = grid && grid->sizes.size() == 2 && grid->wraps[0] && grid->wraps[1] &&
                      *std::ranges::min_element(grid->sizes) >= kSmallest;
    if (!fits) {
      throw RoutingError(fmt::format(
          "spftr: the topology is no torus of two dimensions of {} switches or more; expected one, "
          "or engine tftr, which takes any topology",
          kSmallest));
    }
    if (request_.vls < 2 || request_.sls < kSls) {
      throw RoutingError(fmt::format("spftr: {} data VLs and {} SLs; expected 2 and {}",
                                     request_.vls, request_.sls, kSls));
    }
    if (request_.paths > kPaths) {
      throw RoutingError(fmt::format("spftr: {} paths for each pair; expected at most {}",
                                     request_.paths, kPaths));
    }
    width_ = grid->sizes[0];
    height_ = grid->sizes[1];
  }

  void FindLinks() {
    const Grid& grid = *request_.topology.grid();
    place_.resize(fabric_.num_switches());
    link_.assign(fabric_.num_switches(), {-1, -1, -1, -1});
    at_.resize(fabric_.num_switches());
    for (int i = 0; i < fabric_.num_switches(); ++i) {
      const auto& at = grid.coordinates[fabric_.NodeOf(i)];
      place_[i] = {at[0], at[1]};
      at_[at[1] * width_ + at[0]] = i;
    }
    for (int i = 0; i < fabric_.num_switches(); ++i) {
      for (const int link : fabric_.LinksFrom(i)) {
        const Place peer = place_[fabric_.link(link).to];
        for (const Direction direction : {kUp, kRight, kDown, kLeft}) {
          const Place next = Neighbour(place_[i], direction);
          if (next.x == peer.x && next.y == peer.y) link_[i][direction] = link;
        }
      }
      if (std::ranges::count(link_[i], -1) == 0) continue;
      throw RoutingError(fmt::format(
          "spftr: \"{}\" has no link to a neighbour; expected a torus without faults, as a source "
          "goes round them by its other paths, or engine tftr",
          request_.topology.node(fabric_.NodeOf(i)).name));
    }
  }

  Place Neighbour(Place at, Direction direction) const {
    switch (direction) {
      case kUp:
        return {at.x, at.y == 0 ? height_ - 1 : at.y - 1};
      case kDown:
        return {at.x, at.y == height_ - 1 ? 0 : at.y + 1};
      case kLeft:
        return {at.x == 0 ? width_ - 1 : at.x - 1, at.y};
      default:
        return {at.x == width_ - 1 ? 0 : at.x + 1, at.y};
    }
  }

  int RegionOf(Place at) const {
    return (at.x == width_ - 1 ? 1 : 0) + (at.y == height_ - 1 ? 2 : 0);
  }

  // The coordinate at which a step ends.
  int TargetOf(const Step& step, Place destination) const {
    const bool vertical = step.direction == kUp || step.direction == kDown;
    const int size = vertical ? height_ : width_;
    if (step.end == Step::End::kCoordinate) return step.value;
    if (step.end == Step::End::kHighest) return size - 1;
    return ((vertical ? destination.y : destination.x) + step.value + size) % size;
  }

  // The way of a movement, on the lowest SL that it fits; false if it does not arrive or fits none.
  bool Walk(const std::vector<Step>& steps, int from, int to, SwitchPath& path) const {
    path.sl = 0;
    path.links.clear();
    Place at = place_[from];
    int in = kLocal;
    LaneBits lanes = 0;
    LaneBits unfit = 0;
    for (const Step& step : steps) {
      const bool vertical = step.direction == kUp || step.direction == kDown;
      const int target = TargetOf(step, place_[to]);
      int hops = step.end == Step::End::kHop ? 1 : width_ + height_;
      while (hops-- > 0) {
        if (step.end != Step::End::kHop && (vertical ? at.y : at.x) == target) break;
        const int region = RegionOf(at);
        if (in == step.direction) return false;  // back to where it came from
        if (in != kLocal) {
          const LaneBits next = kTurnLanes[in][step.direction][region];
          unfit |= lanes & ~next;
          if (IsForbidden(in, step.direction, region)) unfit |= lanes | ~next;
          lanes = next;
        }
        path.links.push_back(link_[at_[at.y * width_ + at.x]][step.direction]);
        at = Neighbour(at, step.direction);
        in = (step.direction + 2) % 4;
      }
    }
    if (at_[at.y * width_ + at.x] != to) return false;
    while (path.sl < kSls && (unfit >> path.sl & 1U) != 0) ++path.sl;
    return path.sl < kSls;
  }

  void FindPaths(int from, int to, std::vector<SwitchPath>& paths) const {
    const auto [from_x, to_x] = Fold(place_[from].x, place_[to].x, width_);
    const auto [from_y, to_y] = Fold(place_[from].y, place_[to].y, height_);
    const int pattern = SpftrCells()[from_y * kPrinted + from_x][to_y * kPrinted + to_x];
    paths.resize(kPaths);
    std::size_t found = 0;
    for (const int movement : SpftrPatterns()[pattern])
      found += Walk(movements_[movement], from, to, paths[found]) ? 1 : 0;
    paths.resize(found);
    if (static_cast<int>(paths.size()) < kPaths) {
      const auto name = [&](int place) {
        return request_.topology.node(fabric_.NodeOf(place)).name;
      };
      throw RoutingError(
          fmt::format("spftr: its patterns have only {} paths from {} to {} on a torus of {} x {}; "
                      "expected sides "
                      "of 6 or more, or two of 5, or engine tftr",
                      paths.size(), name(from), name(to), width_, height_));
    }
    // Stable, and for four without the memory that stable_sort asks for.
    for (std::size_t i = 1; i < paths.size(); ++i) {
      for (std::size_t j = i; j > 0 && paths[j].links.size() < paths[j - 1].links.size(); --j)
        std::swap(paths[j], paths[j - 1]);
    }
    paths.resize(request_.paths);
  }

  TurnLanes Lanes() const {
    TurnLanes lanes(kSls, std::vector<std::uint8_t>(fabric_.num_turns(), 0));
    for (int i = 0; i < fabric_.num_switches(); ++i) {
      const int region = RegionOf(place_[i]);
      for (int in = kUp; in <= kLeft; ++in) {
        const int incoming = fabric_.link(link_[i][in]).reverse;
        for (int out = kUp; out <= kLeft; ++out) {
          const int turn = fabric_.Turn(incoming, link_[i][out]);
          for (int sl = 0; sl < kSls; ++sl)
            lanes[sl][turn] = kTurnLanes[in][out][region] >> sl & 1U;
        }
      }
    }
    return lanes;
  }

  const RoutingRequest& request_;
  SwitchFabric fabric_;
  std::vector<std::vector<Step>> movements_;
  int width_ = 0;
  int height_ = 0;
  std::vector<Place> place_;              // by switch
  std::vector<int> at_;                   // switch, by width * y + x
  std::vector<std::array<int, 4>> link_;  // by switch and direction
};

class SpftrEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "spftr"; }
  std::string_view summary() const override {
    return "four disjoint paths by patterns, torus of two dimensions, 2 VLs, 4 SLs and LMC";
  }
  bool needs_lid_ranges() const override { return true; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRequest(request);
    return Spftr(request).Compute();
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeSpftrEngine() { return std::make_unique<SpftrEngine>(); }

}  // namespace lanecut
