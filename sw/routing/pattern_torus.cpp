// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/pattern_torus.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace lanecut {
namespace {

constexpr int kPatternVls = 2;
constexpr int kFolded = 7;  // switches in a row or column of the torus that stands for all

bool IsVertical(int direction) {
  return direction == PatternTorus::kUp || direction == PatternTorus::kDown;
}

bool IsForbiddenTurn(int in, int out, bool last_column, bool last_row) {
  using enum PatternTorus::Direction;
  const auto between = [&](int a, int b) { return (in == a && out == b) || (in == b && out == a); };
  return between(kUp, kLeft) || (last_column && (between(kUp, kRight) || between(kRight, kLeft))) ||
         (last_row && (between(kUp, kDown) || between(kDown, kLeft)));
}

// Where two coordinates of an axis of `size` switches are in the folded one.
std::pair<int, int> FoldAxis(int a, int b, int size) {
  const auto fold = [size](int at) {
    if (at < 3) return at;
    return at >= size - 2 ? at - size + kFolded : 3;
  };
  std::pair<int, int> folded = {fold(a), fold(b)};
  if (a != b && folded.first == 3 && folded.second == 3) (a > b ? folded.first : folded.second) = 4;
  return folded;
}

TorusStep ParseStep(std::string_view text) {
  constexpr std::string_view kLetters = "URDL";
  TorusStep step;
  step.direction = static_cast<int>(kLetters.find(text.back()));
  text.remove_suffix(1);
  if (text.empty()) return step;
  if (text == "1H") {
    step.end = TorusStep::End::kHop;
  } else if (text == "MAX") {
    step.end = TorusStep::End::kHighest;
  } else if (text.front() == '(') {  // (DST+n)
    const bool minus = text[4] == '-';
    std::from_chars(text.data() + 5, text.data() + text.size() - 1, step.value);
    if (minus) step.value = -step.value;
  } else {
    step.end = TorusStep::End::kCoordinate;
    std::from_chars(text.data(), text.data() + text.size(), step.value);
  }
  return step;
}

}  // namespace

Movement ParseMovement(std::string_view text) {
  Movement steps;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    steps.push_back(ParseStep(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return steps;
}

std::vector<Movement> ParseMovements(std::span<const std::string_view> texts) {
  std::vector<Movement> movements;
  movements.reserve(texts.size());
  for (const std::string_view text : texts) movements.push_back(ParseMovement(text));
  return movements;
}

PatternTorus::PatternTorus(const RoutingRequest& request, const PatternScheme& scheme)
    : request_(request), scheme_(scheme), fabric_(request.topology) {
  CheckShape();
  width_ = request.topology.grid()->sizes[0];
  height_ = request.topology.grid()->sizes[1];
  FindLinks();
  FillTurns();
}

void PatternTorus::CheckShape() const {
  const auto& grid = request_.topology.grid();
  const bool fits = grid && grid->sizes.size() == 2 && grid->wraps[0] && grid->wraps[1] &&
                    *std::ranges::min_element(grid->sizes) >= scheme_.smallest;
  if (!fits) {
    throw RoutingError(fmt::format(
        "{}: the topology is no torus of two dimensions of {} switches or more; expected one, "
        "or engine tftr, which takes any topology",
        scheme_.engine, scheme_.smallest));
  }
  if (request_.vls < kPatternVls || request_.sls < scheme_.sls) {
    throw RoutingError(fmt::format("{}: {} data VLs and {} SLs; expected {} and {}", scheme_.engine,
                                   request_.vls, request_.sls, kPatternVls, scheme_.sls));
  }
  if (request_.paths > kPaths) {
    throw RoutingError(fmt::format("{}: {} paths for each pair; expected at most {}",
                                   scheme_.engine, request_.paths, kPaths));
  }
}

void PatternTorus::FindLinks() {
  const Grid& grid = *request_.topology.grid();
  place_.resize(num_switches());
  region_.resize(num_switches());
  link_.assign(num_switches(), {-1, -1, -1, -1});
  neighbour_.assign(num_switches(), {-1, -1, -1, -1});
  for (int i = 0; i < num_switches(); ++i) {
    const auto& at = grid.coordinates[fabric_.NodeOf(i)];
    place_[i] = {at[0], at[1]};
    region_[i] = scheme_.region_of(at[0], at[1], width_, height_);
  }
  for (int i = 0; i < num_switches(); ++i) {
    for (const int link : fabric_.LinksFrom(i)) {
      const int peer = fabric_.link(link).to;
      for (const Direction direction : {kUp, kRight, kDown, kLeft}) {
        const Place next = Neighbour(place_[i], direction);
        if (next.x != place_[peer].x || next.y != place_[peer].y) continue;
        link_[i][direction] = link;
        neighbour_[i][direction] = peer;
      }
    }
    if (std::ranges::count(link_[i], -1) == 0) continue;
    throw RoutingError(fmt::format(
        "{}: \"{}\" has no link to a neighbour; expected a torus without faults, as a source "
        "goes round them by its other paths, or engine tftr",
        scheme_.engine, request_.topology.node(fabric_.NodeOf(i)).name));
  }
}

void PatternTorus::FillTurns() {
  turn_.resize(scheme_.regions);
  for (int i = 0; i < num_switches(); ++i) {
    const bool last_column = place_[i].x == width_ - 1;
    const bool last_row = place_[i].y == height_ - 1;
    for (int in = kUp; in <= kLeft; ++in) {
      for (int out = kUp; out <= kLeft; ++out) {
        if (in == out) continue;
        turn_[region_[i]][in][out] = {scheme_.lanes(in, out, region_[i]),
                                      IsForbiddenTurn(in, out, last_column, last_row)};
      }
    }
  }
}

PatternTorus::Place PatternTorus::Neighbour(Place at, int direction) const {
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

int PatternTorus::TargetOf(const TorusStep& step, Place destination) const {
  const bool vertical = IsVertical(step.direction);
  const int size = vertical ? height_ : width_;
  if (step.end == TorusStep::End::kCoordinate) return step.value;
  if (step.end == TorusStep::End::kHighest) return size - 1;
  return ((vertical ? destination.y : destination.x) + step.value + size) % size;
}

bool PatternTorus::Walk(const Movement& movement, int from, int to, SwitchPath& path) const {
  path.sl = 0;
  // As many as there can be; what is too much goes at the end.
  const int side = width_ + height_;
  path.links.resize(movement.size() * side);
  int* const links = path.links.data();
  std::size_t length = 0;
  const Place* const places = place_.data();
  const int* const regions = region_.data();
  const auto* const link_at = link_.data();
  const auto* const neighbour_at = neighbour_.data();
  const auto* const turns = turn_.data();
  const Place destination = places[to];
  int at = from;
  int in = kLocal;
  PatternScheme::LaneBits lanes = 0;
  PatternScheme::LaneBits unfit = 0;
  for (const TorusStep& step : movement) {
    const int direction = step.direction;
    const bool vertical = IsVertical(direction);
    const int target = TargetOf(step, destination);
    const bool one_hop = step.end == TorusStep::End::kHop;
    int hops = one_hop ? 1 : side;
    while (hops-- > 0) {
      if (!one_hop && (vertical ? places[at].y : places[at].x) == target) break;
      if (in == direction) return false;  // back to where it came from
      if (in != kLocal) {
        const Turn turn = turns[regions[at]][in][direction];
        unfit |= lanes & ~turn.lanes;
        if (turn.is_forbidden) unfit |= lanes | ~turn.lanes;
        lanes = turn.lanes;
      }
      links[length++] = link_at[at][direction];
      at = neighbour_at[at][direction];
      in = (direction + 2) % 4;
    }
  }
  path.links.resize(length);
  if (at != to) return false;
  while (path.sl < scheme_.sls && (unfit >> path.sl & 1U) != 0) ++path.sl;
  return path.sl < scheme_.sls;
}

std::pair<int, int> PatternTorus::Fold(int from, int to) const {
  const auto [from_x, to_x] = FoldAxis(place_[from].x, place_[to].x, width_);
  const auto [from_y, to_y] = FoldAxis(place_[from].y, place_[to].y, height_);
  return {from_y * kFolded + from_x, to_y * kFolded + to_x};
}

int PatternTorus::WrapsBetween(int from, int to) const {
  const bool row = 2 * std::abs(place_[from].x - place_[to].x) > width_;
  const bool column = 2 * std::abs(place_[from].y - place_[to].y) > height_;
  return (row ? 1 : 0) + (column ? 2 : 0);
}

RoutingTables PatternTorus::MakeTables(const PathFinder& find, std::string_view expected) const {
  const int count = num_switches();
  const std::vector<bool> wanted = WantedPairs(request_, fabric_);
  const auto find_all = [&](int from, int to, std::vector<SwitchPath>& paths) {
    find(from, to, paths);
    if (static_cast<int>(paths.size()) < kPaths) {
      const auto name = [&](int place) {
        return request_.topology.node(fabric_.NodeOf(place)).name;
      };
      throw RoutingError(fmt::format(
          "{}: its patterns have only {} paths from {} to {} on a torus of {} x {}; "
          "expected {}",
          scheme_.engine, paths.size(), name(from), name(to), width_, height_, expected));
    }
    // Stable, and for four without the memory that stable_sort asks for.
    for (std::size_t i = 1; i < paths.size(); ++i) {
      for (std::size_t j = i; j > 0 && paths[j].links.size() < paths[j - 1].links.size(); --j)
        std::swap(paths[j], paths[j - 1]);
    }
    paths.resize(request_.paths);
  };
  const auto paths_to = [&](int to, std::vector<std::vector<SwitchPath>>& by_source) {
    for (int from = 0; from < count; ++from) {
      if (wanted[static_cast<std::size_t>(from) * count + to]) {
        find_all(from, to, by_source[from]);
      } else {
        by_source[from].clear();
      }
    }
  };
  return MakeMultipathTables(request_, fabric_, paths_to, Lanes(), scheme_.engine);
}

TurnLanes PatternTorus::Lanes() const {
  TurnLanes lanes(scheme_.sls, std::vector<std::uint8_t>(fabric_.num_turns(), 0));
  for (int i = 0; i < num_switches(); ++i) {
    for (int in = kUp; in <= kLeft; ++in) {
      const int incoming = fabric_.link(link_[i][in]).reverse;
      for (int out = kUp; out <= kLeft; ++out) {
        const int turn = fabric_.Turn(incoming, link_[i][out]);
        for (int sl = 0; sl < scheme_.sls; ++sl)
          lanes[sl][turn] = turn_[region_[i]][in][out].lanes >> sl & 1U;
      }
    }
  }
  return lanes;
}

}  // namespace lanecut
