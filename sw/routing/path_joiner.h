// SPDX-License-Identifier: Apache-2.0
//
// RFTR's choice of a path: of all that can be joined from two known parts, the one with the fewest
// forbidden turns, then the shortest, that fits the VLs of the SLtoVL entries. Private to
// sw/routing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/routing/rftr_state.h"
#include "sw/routing/switch_fabric.h"
#include "sw/routing/turn_rules.h"

namespace lanecut {

class PathJoiner {
 public:
  // VLs 0 to vls-1 and SLs 0 to sls-1, also such that no path uses yet.
  struct Allowed {
    int vls = 1;
    int sls = 1;
  };

  PathJoiner(const SwitchFabric& fabric, const TurnRules& rules)
      : fabric_(fabric), rules_(rules), visited_(fabric.num_switches(), 0) {}

  // The path is then in links(), vls() and sl(). Tries `first_sl` before the others. False if there
  // is none.
  bool Find(const RftrState& state, int from, int to, int first_sl, Allowed allowed);
  // Chooses SL and VLs for the links of the path found last.
  bool ChooseSl(const RftrState& state, int first_sl, Allowed allowed);

  const std::vector<std::int32_t>& links() const { return links_; }
  const std::vector<std::uint8_t>& vls() const { return vls_; }  // by link
  int sl() const { return sl_; }

 private:
  struct Candidate {
    std::uint32_t rank = 0;  // forbidden turns, then hops
    std::int32_t direct = -1;
    std::int32_t indirect = -1;
  };

  void Collect(const RftrState& state, int from, int to);
  // False if the path would come to a switch twice, or has no link.
  bool Join(const RftrState& state, int from, const Candidate& candidate);
  bool Fits(const RftrState& state, int sl, int vls);

  const SwitchFabric& fabric_;
  const TurnRules& rules_;
  std::vector<Candidate> candidates_;
  std::vector<std::int32_t> links_;
  std::vector<int> turns_;
  std::vector<TurnRules::VlSet> possible_;  // by hop: VLs that a packet may have there
  std::vector<std::uint8_t> vls_;
  int sl_ = 0;
  std::vector<std::uint32_t> visited_;  // by switch: the number of the join that came there last
  std::uint32_t join_ = 0;
};

}  // namespace lanecut
