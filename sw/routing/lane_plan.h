// SPDX-License-Identifier: Apache-2.0
//
// Puts paths that change to a higher VL at every forbidden turn on service levels, each on the
// first on which the VLs of all its turns can be had together with those of the paths that are
// there (lane_order.h). Private to sw/routing.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sw/routing/forest.h"
#include "sw/routing/lane_order.h"
#include "sw/routing/multipath_tables.h"
#include "sw/routing/routing.h"
#include "sw/routing/switch_fabric.h"

namespace lanecut {

class LanePlanner {
 public:
  // `permitted` by turn of a SwitchGraph of the same topology; without a cycle.
  LanePlanner(const RoutingRequest& request, const std::vector<std::uint8_t>& permitted);

  // Every pair's path and SL, and what VLs the turns of every SL may have.
  struct Plan {
    PathSets paths;
    std::vector<LaneOrder> levels;
    std::vector<std::vector<int>> weight;  // by SL, then turn: pairs that make it
  };
  // The paths of a forest with a tree for every switch, from switches with end nodes to such.
  // Nothing if VLs or SLs do not suffice.
  std::optional<Plan> MakePlan(const Forest& forest, int vls, int sls) const;

  // Tables for one path of each pair to its lowest LID, about as many on each VL of a link.
  RoutingTables Write(const Plan& plan, std::string_view engine) const;

 private:
  std::vector<int> WayOf(const Forest& forest, int tree, int place) const;
  int FirstLevel(Plan& plan, const std::vector<int>& turns, int vls, int sls) const;

  const RoutingRequest& request_;
  SwitchFabric fabric_;
  std::vector<bool> forbidden_;  // by turn of the fabric
};

}  // namespace lanecut
