// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/pattern_torus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lanecut {
namespace {

constexpr int kPatternVls = 2;
constexpr int kFolded = 7;  // switches in a row or column of the torus that stands for all

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

}  // namespace

LastBits LastBitsOf(std::span<const int> at, std::span<const int> sizes) {
  LastBits last = 0;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis)
    last |= (at[axis] == sizes[axis] - 1 ? 1U : 0U) << axis;
  return last;
}

PatternTorus::PatternTorus(const RoutingRequest& request, const PatternScheme& scheme)
    : request_(request), scheme_(scheme), fabric_(request.topology) {
  if (request.topology.grid()) sizes_ = request.topology.grid()->sizes;
  directions_ = 2 * static_cast<int>(sizes_.size());
  CheckShape();
  FindLinks();
  FillTurns();
  FillStraights();
}

void PatternTorus::CheckShape() const {
  const auto& grid = request_.topology.grid();
  const bool fits = grid && std::ranges::count(grid->wraps, false) == 0 && scheme_.takes(sizes_);
  if (!fits) {
    throw RoutingError(fmt::format(
        "{}: the topology is no {}; expected one, or engine tftr, which takes any topology",
        scheme_.engine, scheme_.shape));
  }
  if (request_.vls < kPatternVls || request_.sls < scheme_.sls) {
    throw RoutingError(fmt::format("{}: {} data VLs and {} SLs; expected {} and {}", scheme_.engine,
                                   request_.vls, request_.sls, kPatternVls, scheme_.sls));
  }
  if (request_.paths > num_paths()) {
    throw RoutingError(fmt::format("{}: {} paths for each pair; expected at most {}",
                                   scheme_.engine, request_.paths, num_paths()));
  }
}

void PatternTorus::FindLinks() {
  const Grid& grid = *request_.topology.grid();
  constexpr auto kNoExits = [] {
    ByDirection<int> exits = {};
    exits.fill(-1);
    return exits;
  }();
  exit_.assign(num_switches(), kNoExits);
  for (int link = 0; link < fabric_.num_links(); ++link) to_.push_back(fabric_.link(link).to);
  for (int i = 0; i < num_switches(); ++i) {
    std::ranges::copy(grid.coordinates[fabric_.NodeOf(i)], place_.emplace_back().begin());
    region_.push_back(scheme_.region_of(place_[i], sizes_));
  }
  for (int i = 0; i < num_switches(); ++i) {
    for (const int link : fabric_.LinksFrom(i)) {
      for (int direction = 0; direction < directions_; ++direction) {
        if (IsNeighbour(i, direction, to_[link])) exit_[i][direction] = link;
      }
    }
    if (std::ranges::count(std::span(exit_[i]).first(directions_), -1) == 0) continue;
    throw RoutingError(fmt::format(
        "{}: \"{}\" has no link to a neighbour; expected a torus without faults, as a source "
        "goes round them by its other paths, or engine tftr",
        scheme_.engine, request_.topology.node(fabric_.NodeOf(i)).name));
  }
}

void PatternTorus::FillTurns() {
  turn_.resize(*std::ranges::max_element(region_) + 1);
  for (int i = 0; i < num_switches(); ++i) {
    const LastBits last = LastBitsOf(place_[i], sizes_);
    for (int heading = 0; heading < directions_; ++heading) {
      for (int next = 0; next < directions_; ++next) {
        if (next == Opposite(heading)) continue;
        turn_[region_[i]][heading][next] = PatternTurn{scheme_.lanes(heading, next, region_[i]),
                                                       IsForbiddenTurn(heading, next, last)};
      }
    }
  }
}

void PatternTorus::FillStraights() {
  longest_ = *std::ranges::max_element(sizes_);
  first_ahead_.resize(num_switches());
  turns_ahead_.resize(TurnsAhead(num_switches(), 0));
  for (int heading = 0; heading < directions_; ++heading) {
    for (int i = 0; i < num_switches(); ++i) {
      if (place_[i][AxisOf(heading)] == 0) FillRing(i, heading);
    }
  }
}

void PatternTorus::FillRing(int first, int heading) {
  const int size = sizes_[AxisOf(heading)];
  int at = first;
  for (int i = 0; i < 2 * size; ++i) {
    if (i < size) first_ahead_[at][heading] = static_cast<int>(ring_.size());
    ring_.push_back(exit_[at][heading]);
    at = to_[ring_.back()];
  }
  do {
    const int* const links = &ring_[first_ahead_[at][heading]];
    LaneTurns* const turns = &turns_ahead_[TurnsAhead(at, heading)];
    for (int hops = 2; hops < size; ++hops) {
      const LaneTurns& last = turn_[region_[to_[links[hops - 2]]]][heading][heading];
      turns[hops] = hops == 2 ? last : turns[hops - 1].And(last);
    }
    at = to_[links[0]];
  } while (at != first);
}

bool PatternTorus::IsNeighbour(int at, int direction, int peer) const {
  Place place = place_[at];
  const int axis = AxisOf(direction);
  place[axis] = (place[axis] + (IsFalling(direction) ? sizes_[axis] - 1 : 1)) % sizes_[axis];
  return place == place_[peer];
}

bool PatternTorus::Walk(const Movement& movement, int from, int to, SwitchPath& path) const {
  path.links.clear();
  int at = from;
  int heading = -1;
  LaneWalk lanes;
  const Place destination = place_[to];
  const int* const sizes = sizes_.data();
  for (const TorusStep& step : movement) {
    const int axis = AxisOf(step.direction);
    const int hops = HopsOf(step, place_[at][axis], destination[axis], sizes[axis]);
    if (hops == 0) continue;
    if (heading >= 0) {
      if (step.direction == Opposite(heading)) return false;
      lanes.Turn(turn_[region_[at]][heading][step.direction]);
    }
    heading = step.direction;
    if (hops > 1) lanes.Turn(turns_ahead_[TurnsAhead(at, heading) + hops]);
    const int* const links = &ring_[first_ahead_[at][heading]];
    path.links.insert(path.links.end(), links, links + hops);
    at = to_[links[hops - 1]];
  }
  path.sl = lanes.LowestSl(scheme_.sls);
  return at == to && path.sl < scheme_.sls;
}

void PatternTorus::KeepDisjoint(int from, std::vector<SwitchPath>& paths, Passed& passed) const {
  ++passed.pair;
  passed.last[from] = passed.pair;
  bool is_direct_taken = false;
  int* const last = passed.last.data();
  const int* const to = to_.data();
  std::erase_if(paths, [&, pair = passed.pair](const SwitchPath& path) {
    bool shares = path.links.size() == 1 && std::exchange(is_direct_taken, true);
    for (const int link : std::span(path.links).first(path.links.size() - 1)) {
      shares |= last[to[link]] == pair;
      last[to[link]] = pair;
    }
    return shares;
  });
}

std::pair<int, int> PatternTorus::Fold(int from, int to) const {
  const auto [from_x, to_x] = FoldAxis(place_[from][0], place_[to][0], sizes_[0]);
  const auto [from_y, to_y] = FoldAxis(place_[from][1], place_[to][1], sizes_[1]);
  return {from_y * kFolded + from_x, to_y * kFolded + to_x};
}

int PatternTorus::WrapsBetween(int from, int to) const {
  const bool row = 2 * std::abs(place_[from][0] - place_[to][0]) > sizes_[0];
  const bool column = 2 * std::abs(place_[from][1] - place_[to][1]) > sizes_[1];
  return (row ? 1 : 0) + (column ? 2 : 0);
}

RoutingTables PatternTorus::MakeTables(const PathFinder& find, std::string_view expected) const {
  const int count = num_switches();
  const std::vector<bool> wanted = WantedPairs(request_, fabric_);
  Passed passed = {std::vector<int>(count, 0)};
  const auto find_all = [&](int from, int to, std::vector<SwitchPath>& paths) {
    find(from, to, paths);
    KeepDisjoint(from, paths, passed);
    if (static_cast<int>(paths.size()) < num_paths()) {
      const auto name = [&](int place) {
        return request_.topology.node(fabric_.NodeOf(place)).name;
      };
      throw RoutingError(fmt::format(
          "{}: its patterns have only {} paths from {} to {} on a torus of {}; expected {}",
          scheme_.engine, paths.size(), name(from), name(to), fmt::join(sizes_, " x "), expected));
    }
    // Stable, and for so few without the memory that stable_sort asks for.
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
    for (int heading = 0; heading < directions_; ++heading) {
      const int incoming = fabric_.link(exit_[i][Opposite(heading)]).reverse;
      for (int next = 0; next < directions_; ++next) {
        const int turn = fabric_.Turn(incoming, exit_[i][next]);
        for (int sl = 0; sl < scheme_.sls; ++sl)
          lanes[sl][turn] = turn_[region_[i]][heading][next].lanes() >> sl & 1U;
      }
    }
  }
  return lanes;
}

}  // namespace lanecut
