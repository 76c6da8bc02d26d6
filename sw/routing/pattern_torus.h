// SPDX-License-Identifier: Apache-2.0
//
// A torus as SPFTR and A-SPFTR see it (Montanana, thesis UPV 2008, section 4.3): a switch has one
// of a few SLtoVL tables, by the region that it is in, and a path is a movement, steps along the
// axes one after the other. The routing underneath forbids few turns (pattern_turns.h). Private to
// sw/routing.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/routing/multipath_tables.h"
#include "sw/routing/pattern_turns.h"
#include "sw/routing/routing.h"
#include "sw/routing/switch_fabric.h"
#include "sw/routing/torus_movement.h"

namespace lanecut {

// What distinguishes the two.
struct PatternScheme {
  std::string_view engine;
  std::string_view shape;  // the tori that it takes, for messages
  bool (*takes)(std::span<const int> sizes);
  int sls = 0;
  int (*region_of)(std::span<const int> at, std::span<const int> sizes);  // from 0
  // From one heading to the next; not asked for packets that turn back.
  LaneBits (*lanes)(int heading, int next, int region);
};

// For each axis whether this is the last switch along it.
LastBits LastBitsOf(std::span<const int> at, std::span<const int> sizes);

class PatternTorus {
 public:
  // Throws RoutingError if the topology is no such torus without faults, or if VLs, SLs or paths
  // are asked for that the scheme has not.
  PatternTorus(const RoutingRequest& request, const PatternScheme& scheme);

  int num_switches() const { return fabric_.num_switches(); }
  const SwitchFabric& fabric() const { return fabric_; }
  const std::vector<int>& sizes() const { return sizes_; }
  // Coordinates of a switch, by axis; 0 for axes that the torus has not.
  using Place = std::array<int, kMaxTorusAxes>;
  const Place& PlaceOf(int at) const { return place_[at]; }
  int num_paths() const { return directions_; }  // of every pair
  int DirectionOf(int link) const {
    const auto& exits = exit_[fabric_.link(link).from];
    return static_cast<int>(std::ranges::find(exits, link) - exits.begin());
  }

  // The way of a movement from one switch to another, on the lowest SL that it fits; false if it
  // does not arrive or fits none.
  bool Walk(const Movement& movement, int from, int to, SwitchPath& path) const;

  // In two dimensions, where the coordinates of two switches are on the torus of 7 x 7 that stands
  // for every size: rows and columns grow and shrink in the middle. As 7 y + x.
  std::pair<int, int> Fold(int from, int to) const;
  // In which dimensions the shorter way is the one that wraps round: bit 0 along rows, 1 columns.
  int WrapsBetween(int from, int to) const;

  // Finds the paths from one switch to another, num_paths() or as many as there are.
  using PathFinder = std::function<void(int from, int to, std::vector<SwitchPath>& paths)>;
  // Tables with as many of a pair's paths as the request wants, shortest first. Throws RoutingError
  // if a pair has less than num_paths() disjoint ones; `expected` says what would do.
  RoutingTables MakeTables(const PathFinder& find, std::string_view expected) const;

 private:
  template <typename T>
  using ByDirection = std::array<T, kMaxDirections>;

  void CheckShape() const;
  void FindLinks();
  void FillTurns();
  void FillStraights();
  void FillRing(int first, int heading);
  std::size_t TurnsAhead(int at, int heading) const {
    return (static_cast<std::size_t>(at) * directions_ + heading) * longest_;
  }
  bool IsNeighbour(int at, int direction, int peer) const;
  // Which switches the paths of the pair at hand have passed.
  struct Passed {
    std::vector<int> last;  // by switch: the last pair whose paths have
    int pair = 0;
  };
  // Removes paths from one switch that come back to a switch, or share one between the ends, or the
  // one link, with a path before them.
  void KeepDisjoint(int from, std::vector<SwitchPath>& paths, Passed& passed) const;
  TurnLanes Lanes() const;

  const RoutingRequest& request_;
  PatternScheme scheme_;
  SwitchFabric fabric_;
  std::vector<int> sizes_;
  int directions_ = 0;
  std::vector<Place> place_;                               // by switch
  std::vector<int> region_;                                // by switch
  std::vector<ByDirection<int>> exit_;                     // by switch: the link
  std::vector<int> to_;                                    // by link
  std::vector<ByDirection<ByDirection<LaneTurns>>> turn_;  // by region, heading, next
  // The ways straight on, which the steps of movements are pieces of. Every ring, in each
  // direction, stands here twice over, so that the links ahead of any switch lie in a row.
  std::vector<int> ring_;                      // links
  std::vector<ByDirection<int>> first_ahead_;  // by switch: in ring_
  // By switch, heading and hops from 2 on: the turns at the switches between.
  std::vector<LaneTurns> turns_ahead_;
  std::size_t longest_ = 0;  // side
};

}  // namespace lanecut
