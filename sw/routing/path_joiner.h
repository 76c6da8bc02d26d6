// SPDX-License-Identifier: Apache-2.0
//
// RFTR's choice of a path: of all that can be joined from two known parts, the one with the fewest
// forbidden turns, then the shortest, that fits the VLs of the SLtoVL entries. Private to
// sw/routing.
//
// The tables know how good a path joined at a switch can be. So the best one is found rank by rank,
// from rows that fit each other, at switches that may have a path of the rank. Of equal ones the
// first is taken, in the order of switches, that of the source first, and of rows: the sooner it
// joins a way to the destination, the fewer LFTs change.
#pragma once

#include <bit>
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
  // than the VLs do; with other ones it cannot know. Allowed::sls is at most `sls`.
  PathJoiner(const SwitchFabric& fabric, std::shared_ptr<const TurnRules> rules, int sls);

  // To be called before Find() is, and again for another state, or when entries, rows or rules of
  // this one are others: all but what further paths add.
  void Begin(const RftrState& state);
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
  int direct_row() const { return direct_row_; }
  int indirect_row() const { return indirect_row_; }

 private:
  using VlSet = TurnRules::VlSet;
  using Row = ReachabilityTable::Row;

  // The pair at hand and what it may use.
  struct Query {
    int from = -1;
    int to = -1;
    int first_sl = 0;
    Allowed allowed;
    const Demands* demands = nullptr;
  };
  // The VLs that a packet may have at the end of a row where paths are joined.
  struct KnownVls {
    std::uint16_t begin = 0;  // known since that call of Begin(); 0 = not known
    VlSet vls = 0;
  };

  void MakeRoom(const RftrState& state);
  void Forget();
  int Rank(int transitions, int hops) const {
    return ReachabilityTable::Rank(fabric_.num_switches(), transitions, hops);
  }
  // Sets least_ and block_least_; returns the lowest of them.
  int AddLeastRanks(const RftrState& state);
  // Tries all paths of the rank. Raises least_ where none does, and sets next_rank_ to the lowest
  // rank beyond of all places that it looked at.
  bool TryRank(const RftrState& state, int rank);
  bool TryRankAt(const RftrState& state, int place, int rank);
  int RankOf(const RftrState& state, int direct, int indirect) const;
  bool MayFit(const RftrState& state, int direct, int indirect, int sl);
  // On the last link of a direct row and the first one of an indirect row; as they are, or were
  // when fewer entries were set.
  VlSet VlsBehind(const RftrState& state, int direct, int sl) {
    const KnownVls& known = behind_[sl * num_rows_ + direct];
    return known.begin == begin_ ? known.vls : FindVlsBehind(state, direct, sl);
  }
  VlSet VlsAhead(const RftrState& state, int indirect, int sl) {
    const KnownVls& known = ahead_[sl * num_rows_ + indirect];
    return known.begin == begin_ ? known.vls : FindVlsAhead(state, indirect, sl);
  }
  VlSet FindVlsBehind(const RftrState& state, int direct, int sl);
  VlSet FindVlsAhead(const RftrState& state, int indirect, int sl);
  VlSet VlsOfEntry(const RftrState& state, int sl, int turn, int vls) const {
    const std::size_t entry = sl * static_cast<std::size_t>(fabric_.num_turns()) + turn;
    return state.entry_vls[entry] & static_cast<VlSet>((1U << vls) - 1);
  }
  static VlSet After(const TurnRules& rules, int turn, VlSet before) {
    VlSet after = 0;
    for (unsigned vls = before; vls != 0; vls &= vls - 1)
      after |= rules.After(turn, std::countr_zero(vls));
    return after;
  }
  bool MayTakeAll(const ReachabilityTable& table, int row) const;
  bool MayTake(int link) const;

  bool Try(const RftrState& state, int direct, int indirect);
  // The i-th that is tried.
  static int SlAt(int i, int first_sl) { return i == 0 ? first_sl : i - (i <= first_sl ? 1 : 0); }
  // False if the path would come to a switch twice, or does not meet the demands.
  bool Join(const RftrState& state, int direct, int indirect);
  bool Fits(const RftrState& state, int sl, int vls);

  const SwitchFabric& fabric_;
  std::shared_ptr<const TurnRules> rules_;
  int sls_;
  // By destination, then switch. Faults make ways longer at most, so these are never too long.
  std::vector<std::uint16_t> hops_;
  std::uint16_t begin_ = 0;       // calls of Begin()
  int known_for_vls_ = 0;         // Allowed::vls of what is known
  std::size_t num_rows_ = 0;      // that there is room for
  std::vector<KnownVls> behind_;  // by SL, then direct row: on its last link
  std::vector<KnownVls> ahead_;   // by SL, then indirect row: on its first link
  Query query_;
  // By place, whole blocks: what a turn between two links costs of which both are in forbidden
  // ones. Under other rules than rules_ nothing is known.
  std::vector<std::int16_t> toll_;
  std::vector<std::int16_t> no_toll_;
  std::vector<std::int16_t> least_;  // by place: no path left that is joined there ranks lower
  std::vector<std::int16_t> block_least_;  // of so many places
  int next_rank_ = 0;
  int direct_row_ = -1;
  int indirect_row_ = -1;
  std::vector<std::int32_t> links_;
  std::vector<int> turns_;
  std::vector<VlSet> possible_;  // by hop: VLs that a packet may have there
  std::vector<std::uint8_t> vls_;
  int sl_ = 0;
  std::vector<std::uint32_t> visited_;  // by switch: the number of the join that came there last
  std::uint32_t join_ = 0;
};

}  // namespace lanecut
