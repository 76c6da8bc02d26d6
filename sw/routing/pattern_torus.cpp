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
  exit_.resize(num_switches());
  for (int i = 0; i < num_switches(); ++i) {
    place_.push_back(grid.coordinates[fabric_.NodeOf(i)]);
    region_.push_back(scheme_.region_of(place_[i], sizes_));
  }
  for (int i = 0; i < num_switches(); ++i) {
    for (const int link : fabric_.LinksFrom(i)) {
      const int peer = fabric_.link(link).to;
      for (int direction = 0; direction < directions_; ++direction) {
        if (!IsNeighbour(i, direction, peer)) continue;
        exit_[i][direction] = {link, peer, {}};
      }
    }
    const auto exits = std::span(exit_[i]).first(directions_);
    if (std::ranges::count(exits, -1, &Exit::link) == 0) continue;
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
        turn_[region_[i]][heading][next] = {scheme_.lanes(heading, next, region_[i]),
                                            IsForbiddenTurn(heading, next, last)};
      }
    }
  }
  for (ByDirection<Exit>& exits : exit_) {
    for (int heading = 0; heading < directions_; ++heading) {
      Exit& exit = exits[heading];
      exit.straight_on = turn_[region_[exit.to]][heading][heading];
    }
  }
}

bool PatternTorus::IsNeighbour(int at, int direction, int peer) const {
  std::vector<int> place = place_[at];
  const int axis = AxisOf(direction);
  place[axis] = (place[axis] + (IsFalling(direction) ? sizes_[axis] - 1 : 1)) % sizes_[axis];
  return place == place_[peer];
}

bool PatternTorus::Walk(const Movement& movement, int from, int to, SwitchPath& path) const {
  path.links.clear();
  int at = from;
  int heading = -1;
  LaneWalk lanes;
  for (const TorusStep& step : movement) {
    const int axis = AxisOf(step.direction);
    int hops = HopsOf(step, place_[at][axis], place_[to][axis], sizes_[axis]);
    if (hops == 0) continue;
    if (heading >= 0) {
      if (step.direction == Opposite(heading)) return false;
      lanes.Turn(turn_[region_[at]][heading][step.direction]);
    }
    heading = step.direction;
    const Exit* exit = &exit_[at][heading];
    path.links.push_back(exit->link);
    for (; hops > 1; --hops) {
      lanes.Turn(exit->straight_on);
      exit = &exit_[exit->to][heading];
      path.links.push_back(exit->link);
    }
    at = exit->to;
  }
  path.sl = lanes.LowestSl(scheme_.sls);
  return at == to && path.sl < scheme_.sls;
}

void PatternTorus::KeepDisjoint(int from, std::vector<SwitchPath>& paths, Passed& passed) const {
  ++passed.pair;
  passed.last[from] = passed.pair;
  bool is_direct_taken = false;
  std::erase_if(paths, [&](const SwitchPath& path) {
    bool shares = path.links.size() == 1 && std::exchange(is_direct_taken, true);
    for (std::size_t i = 0; i + 1 < path.links.size(); ++i) {
      int& last = passed.last[fabric_.link(path.links[i]).to];
      shares |= last == passed.pair;
      last = passed.pair;
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
      const int incoming = fabric_.link(exit_[i][Opposite(heading)].link).reverse;
      for (int next = 0; next < directions_; ++next) {
        const int turn = fabric_.Turn(incoming, exit_[i][next].link);
        for (int sl = 0; sl < scheme_.sls; ++sl)
          lanes[sl][turn] = turn_[region_[i]][heading][next].lanes >> sl & 1U;
      }
    }
  }
  return lanes;
}

}  // namespace lanecut
