// SPDX-License-Identifier: Apache-2.0
//
// A torus of two dimensions as SPFTR and A-SPFTR see it (Montanana, thesis UPV 2008, section 4.3):
// a switch has one of a few SLtoVL tables, by the region that it is in, and a path is a movement,
// steps along rows and columns one after the other.
//
// The routing underneath forbids few turns, everywhere those between up and left; in the last
// column also those between right and up or left (so a packet that has wrapped round to the right
// only turns down, or has come from there); in the last row those between down and up or left. A
// path crosses at most one of them, on VL 0 before and on VL 1 after it. Private to sw/routing.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/routing/multipath_tables.h"
#include "sw/routing/routing.h"
#include "sw/routing/switch_fabric.h"

namespace lanecut {

// One step of a movement, as it is written in spftr_data.h.
struct TorusStep {
  enum class End { kHop, kCoordinate, kHighest, kDestination };
  End end = End::kDestination;
  int value = 0;  // the coordinate, or what to add to the destination's
  int direction = 0;
};
using Movement = std::vector<TorusStep>;
Movement ParseMovement(std::string_view text);
std::vector<Movement> ParseMovements(std::span<const std::string_view> texts);

// What distinguishes the two.
struct PatternScheme {
  using LaneBits = unsigned;  // VLs after a turn, bit s for SL s

  std::string_view engine;
  int sls = 0;
  int smallest = 0;  // switches in a row or column
  int regions = 0;
  int (*region_of)(int x, int y, int width, int height);
  // In port and out port are directions; not asked for packets that turn back.
  LaneBits (*lanes)(int in, int out, int region);
};

class PatternTorus {
 public:
  // Ports, as the thesis counts them. y grows downwards.
  enum Direction { kUp, kRight, kDown, kLeft };
  static constexpr int kPaths = 4;  // of every pair

  // Throws RoutingError if the topology is no such torus without faults, or if VLs, SLs or paths
  // are asked for that the scheme has not.
  PatternTorus(const RoutingRequest& request, const PatternScheme& scheme);

  int num_switches() const { return fabric_.num_switches(); }
  const SwitchFabric& fabric() const { return fabric_; }
  int DirectionOf(int link) const {
    const auto& links = link_[fabric_.link(link).from];
    return static_cast<int>(std::ranges::find(links, link) - links.begin());
  }

  // The way of a movement from one switch to another, on the lowest SL that it fits; false if it
  // does not arrive or fits none.
  bool Walk(const Movement& movement, int from, int to, SwitchPath& path) const;

  // Where the coordinates of two switches are on the torus of 7 x 7 that stands for every size:
  // rows and columns grow and shrink in the middle. As 7 y + x.
  std::pair<int, int> Fold(int from, int to) const;
  // In which dimensions the shorter way is the one that wraps round: bit 0 along rows, 1 columns.
  int WrapsBetween(int from, int to) const;

  // Finds the paths from one switch to another, kPaths or as many as there are.
  using PathFinder = std::function<void(int from, int to, std::vector<SwitchPath>& paths)>;
  // Tables with as many of a pair's paths as the request wants, shortest first. Throws RoutingError
  // if a pair has less than kPaths; `expected` says what would do.
  RoutingTables MakeTables(const PathFinder& find, std::string_view expected) const;

 private:
  static constexpr int kLocal = 4;  // in port of a packet that the switch's end nodes send

  struct Place {
    int x = 0;
    int y = 0;
  };
  struct Turn {
    PatternScheme::LaneBits lanes = 0;
    bool is_forbidden = false;
  };

  void CheckShape() const;
  void FindLinks();
  void FillTurns();
  Place Neighbour(Place at, int direction) const;
  // The coordinate at which a step ends.
  int TargetOf(const TorusStep& step, Place destination) const;
  TurnLanes Lanes() const;

  const RoutingRequest& request_;
  PatternScheme scheme_;
  SwitchFabric fabric_;
  int width_ = 0;
  int height_ = 0;
  std::vector<Place> place_;                              // by switch
  std::vector<int> region_;                               // by switch
  std::vector<std::array<int, 4>> link_;                  // by switch and direction
  std::vector<std::array<int, 4>> neighbour_;             // by switch and direction
  std::vector<std::array<std::array<Turn, 4>, 4>> turn_;  // by region, in port, out port
};

}  // namespace lanecut
