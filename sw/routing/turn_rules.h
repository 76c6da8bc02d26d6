// SPDX-License-Identifier: Apache-2.0
//
// Which turns a packet may make on which VLs without a deadlock, learnt from paths that have none.
//
// A channel is a link and a VL. The steps from channel to channel that some paths use make a graph
// without a cycle; this is that graph with as many more steps as it takes: a step on one VL, or
// to a higher one, is allowed unless it would close a cycle. So paths may be joined from parts of
// others wherever the step between them is allowed. Steps on one VL come first, those that are in
// use on another VL before all others, so that all VLs have the rules of the routing underneath;
// those that are left are its forbidden turns, at which a path needs a higher VL. Private to
// sw/routing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/routing/switch_fabric.h"

namespace lanecut {

class TurnRules {
 public:
  using VlSet = std::uint16_t;  // bit v = VL v

  struct Step {
    int link = -1;
    int vl = 0;
    int next = -1;
    int next_vl = 0;
  };

  // For VLs 0 to vls-1. Turns from or to failed links (by link; may be empty) are never allowed,
  // and leave room for others. Throws RoutingError if the steps in use close a cycle.
  TurnRules(const SwitchFabric& fabric, std::span<const Step> used, int vls,
            std::span<const std::uint8_t> failed = {});

  // The VLs on which a packet may go on that made the turn from a link on this VL.
  VlSet After(int turn, int vl) const { return after_[turn * vls_ + vl]; }
  // Allowed on no VL unless the VL changes.
  bool IsForbidden(int turn) const { return forbidden_[turn] != 0; }
  // Some turn from a link, or onto it, is forbidden.
  bool IsForbiddenAfter(int link) const { return forbidden_after_[link] != 0; }
  bool IsForbiddenBefore(int link) const { return forbidden_before_[link] != 0; }
  // Some step in use leads to a lower VL. If not, every forbidden turn takes a higher one.
  bool lowers() const { return lowers_; }
  int vls() const { return vls_; }

 private:
  int vls_;
  std::vector<VlSet> after_;                    // by turn, then VL
  std::vector<std::uint8_t> forbidden_;         // by turn
  std::vector<std::uint8_t> forbidden_after_;   // by link
  std::vector<std::uint8_t> forbidden_before_;  // by link
  bool lowers_ = false;
};

}  // namespace lanecut
