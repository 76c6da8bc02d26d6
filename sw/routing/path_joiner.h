// SPDX-License-Identifier: Apache-2.0
//
// RFTR's choice of a path: of all that can be joined from two known parts, the one with the fewest
// forbidden turns, then the shortest, that fits the VLs of the SLtoVL entries. Private to
// sw/routing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sw/routing/rftr_state.h"
#include "sw/routing/switch_fabric.h"
#include "sw/routing/turn_rules.h"

namespace lanecut {

class PathJoiner {
 public:
  // VLs 0 to vls-1, all that paths use among them, and SLs 0 to sls-1, also such that no path uses
  // yet.
  struct Allowed {
    int vls = 1;
    int sls = 1;
  };

  // What a path must keep clear of, besides what has failed.
  struct Demands {
    std::vector<std::uint8_t> links;   // by link: not zero where it may not go
    std::vector<std::uint8_t> places;  // by switch
    std::function<bool(std::span<const std::int32_t> links)> accepts;  // the path as a whole
  };

  // With the rules that all rows of a state count forbidden turns by, the search goes no farther
  // than the VLs do; with other ones it cannot know.
  PathJoiner(const SwitchFabric& fabric, std::shared_ptr<const TurnRules> rules);

  // The path is then in links(), vls() and sl(). Tries `first_sl` before the others. False if there
  // is none.
  bool Find(const RftrState& state, int from, int to, int first_sl, Allowed allowed,
            const Demands* demands = nullptr);
  // Chooses SL and VLs for the links of the path found last.
  bool ChooseSl(const RftrState& state, int first_sl, Allowed allowed);

  // On the links of the whole topology.
  int HopsWithoutFaults(int from, int to) const {
    return hops_[to * fabric_.num_switches() + from];
  }

  const std::vector<std::int32_t>& links() const { return links_; }
  const std::vector<std::uint8_t>& vls() const { return vls_; }  // by link
  int sl() const { return sl_; }
  // Of the two parts.
  int direct_row() const { return joined_.direct; }
  int indirect_row() const { return joined_.indirect; }

 private:
  // A row of the direct table whose continuations are still to be looked at, or, with one of the
  // indirect table, a path.
  struct Candidate {
    std::int32_t direct = -1;
    std::int32_t indirect = -1;
  };

  // Fewer forbidden turns before fewer hops.
  std::size_t Rank(int transitions, int hops) const {
    return static_cast<std::size_t>(transitions) * span_ + hops;
  }
  // The same, without what ranks after the first candidate for a path if `bounded`.
  bool Search(const RftrState& state, int from, int to, bool bounded);
  void Push(std::size_t rank, Candidate candidate);
  // True if a path of this rank fits; other ones and what lies farther away are put in the queue.
  bool Expand(const RftrState& state, int from, int to, int direct, std::size_t rank);
  bool Try(const RftrState& state, int from, Candidate candidate);
  bool MayTake(int link) const;
  bool MeetsDemands() const;  // the path as joined
  // False if the path would come to a switch twice, or has no link.
  bool Join(const RftrState& state, int from, Candidate candidate);
  bool Fits(const RftrState& state, int sl, int vls);

  const SwitchFabric& fabric_;
  std::shared_ptr<const TurnRules> rules_;
  int span_;  // more than a path has hops
  // By destination, then switch. Faults make ways longer at most, so these are never too long.
  std::vector<std::uint16_t> hops_;
  std::vector<std::vector<Candidate>> queue_;  // by rank
  std::size_t last_rank_ = 0;                  // highest in the queue
  std::size_t bound_ = 0;                      // beyond which nothing is put there
  bool bounded_ = false;                       // lower it to that of a candidate for a path
  bool tried_ = false;                         // a path has been found, whether it fitted or not
  int first_sl_ = 0;
  Allowed allowed_;
  const Demands* demands_ = nullptr;  // of the search at hand
  Candidate joined_;
  std::vector<std::int32_t> links_;
  std::vector<int> turns_;
  std::vector<TurnRules::VlSet> possible_;  // by hop: VLs that a packet may have there
  std::vector<std::uint8_t> vls_;
  int sl_ = 0;
  std::vector<std::uint32_t> visited_;  // by switch: the number of the join that came there last
  std::uint32_t join_ = 0;
};

}  // namespace lanecut
