// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/path_joiner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace lanecut {
namespace {

constexpr int kNoRank = std::numeric_limits<int>::max();

}  // namespace

PathJoiner::PathJoiner(const SwitchFabric& fabric, std::shared_ptr<const TurnRules> rules, int sls)
    : fabric_(fabric), rules_(std::move(rules)), sls_(sls), visited_(fabric.num_switches(), 0) {
  for (int to = 0; to < fabric.num_switches(); ++to) {
    for (const int hops : fabric.HopsTo(to)) hops_.push_back(static_cast<std::uint16_t>(hops));
  }
  constexpr int kBlock = ReachabilityTable::kBlock;
  block_least_.resize((fabric.num_switches() + kBlock - 1) / kBlock);
  least_.resize(block_least_.size() * kBlock);
  no_toll_.assign(least_.size(), 0);
  toll_.assign(least_.size(),
               static_cast<std::int16_t>(std::min<int>(ReachabilityTable::kFar, Rank(1, 0))));
  for (int link = 0; link < fabric.num_links(); ++link) {
    const SwitchFabric::Link& ends = fabric.link(link);
    for (const int next : fabric.LinksFrom(ends.to)) {
      if (next != ends.reverse && rules_->IsForbiddenAfter(link) &&
          rules_->IsForbiddenBefore(next) && !rules_->IsForbidden(fabric.Turn(link, next))) {
        toll_[ends.to] = 0;
      }
    }
  }
}

void PathJoiner::Begin(const RftrState& state) {
  MakeRoom(state);
  Forget();
}

// For the rows that there are, and what further paths add.
void PathJoiner::MakeRoom(const RftrState& state) {
  const std::size_t rows = std::max(state.direct.end_row(), state.indirect.end_row());
  if (rows <= num_rows_) return;
  num_rows_ = rows * 3 / 2;
  behind_.assign(num_rows_ * sls_, {});
  ahead_.assign(num_rows_ * sls_, {});
}

void PathJoiner::Forget() {
  if (++begin_ != 0) return;
  behind_.assign(behind_.size(), {});
  ahead_.assign(ahead_.size(), {});
  begin_ = 1;
}

bool PathJoiner::Find(const RftrState& state, int from, int to, int first_sl, Allowed allowed,
                      const Demands* demands) {
  if (from == to) return false;
  const bool vls_only_rise = state.rules == rules_ && !rules_->lowers();
  query_ = {from, to, first_sl, allowed, demands};
  const int end_rank = vls_only_rise ? Rank(allowed.vls, 0) : kNoRank;  // VLs do not suffice
  if (allowed.vls != known_for_vls_) Forget();
  known_for_vls_ = allowed.vls;
  MakeRoom(state);
  for (int rank = AddLeastRanks(state); rank < end_rank; rank = next_rank_) {
    if (TryRank(state, rank)) return true;
  }
  return false;
}

int PathJoiner::AddLeastRanks(const RftrState& state) {
  constexpr int kBlock = ReachabilityTable::kBlock;
  constexpr std::int16_t kFar = ReachabilityTable::kFar;
  std::int16_t least = kFar;
  const std::int16_t* first = state.direct.Least(query_.from).data();
  const std::int16_t* first_free = state.direct.LeastFree(query_.from).data();
  const std::int16_t* rest = state.indirect.Least(query_.to).data();
  const std::int16_t* rest_free = state.indirect.LeastFree(query_.to).data();
  const std::int16_t* toll = (state.rules == rules_ ? toll_ : no_toll_).data();
  for (std::size_t block = 0; block < block_least_.size(); ++block) {
    std::array<std::int16_t, kBlock> sums;
    std::int16_t lowest = kFar;
    for (int i = 0; i < kBlock; ++i) {
      const auto by_free = static_cast<std::int16_t>(first_free[i] + rest[i]);
      const auto to_free = static_cast<std::int16_t>(first[i] + rest_free[i]);
      const auto any = static_cast<std::int16_t>(first[i] + rest[i] + toll[i]);
      sums[i] = std::min(std::min(kFar, any), std::min(by_free, to_free));
      lowest = std::min(lowest, sums[i]);
    }
    std::ranges::copy(sums, least_.begin() + block * kBlock);
    block_least_[block] = lowest;
    least = std::min(least, lowest);
    first += kBlock;
    first_free += kBlock;
    rest += kBlock;
    rest_free += kBlock;
    toll += kBlock;
  }
  return least;
}

bool PathJoiner::TryRank(const RftrState& state, int rank) {
  next_rank_ = kNoRank;
  const std::size_t own = query_.from / ReachabilityTable::kBlock;
  for (std::size_t n = 0; n < block_least_.size(); ++n) {
    const std::size_t block = (own + n) % block_least_.size();
    if (block_least_[block] > rank) {
      next_rank_ = std::min<int>(next_rank_, block_least_[block]);
      continue;
    }
    std::int16_t* least = least_.data() + block * ReachabilityTable::kBlock;
    for (int i = 0; i < ReachabilityTable::kBlock; ++i) {
      const int place = static_cast<int>(block) * ReachabilityTable::kBlock + i;
      if (least[i] <= rank && TryRankAt(state, place, rank)) return true;
    }
    std::int16_t lowest = ReachabilityTable::kFar;
    for (int i = 0; i < ReachabilityTable::kBlock; ++i) lowest = std::min(lowest, least[i]);
    block_least_[block] = lowest;
    if (lowest > rank) next_rank_ = std::min<int>(next_rank_, lowest);  // not from kFar on
  }
  return false;
}

bool PathJoiner::TryRankAt(const RftrState& state, int place, int rank) {
  const int least_rest = state.indirect.Least(query_.to)[place];
  int next_rank = kNoRank;
  for (int id = state.direct.First(query_.from, place); id >= 0; id = state.direct.row(id).next) {
    const Row& row = state.direct.row(id);
    const int least = state.direct.RankOf(row) + least_rest;
    if (least > rank) {
      next_rank = std::min(next_rank, least);
      continue;
    }
    for (int rest = state.indirect.First(query_.to, place); rest >= 0;
         rest = state.indirect.row(rest).next) {
      const int path_rank = RankOf(state, id, rest);
      if (path_rank > rank) {
        next_rank = std::min(next_rank, path_rank);
      } else if (path_rank == rank && Try(state, id, rest)) {
        return true;
      }
    }
  }
  next_rank_ = std::min(next_rank_, next_rank);
  least_[place] = static_cast<std::int16_t>(std::min<int>(next_rank, ReachabilityTable::kFar));
  return false;
}

// kNoRank if the two cannot be joined.
int PathJoiner::RankOf(const RftrState& state, int direct, int indirect) const {
  const Row& row = state.direct.row(direct);
  const Row& rest = state.indirect.row(indirect);
  const int rank = state.direct.RankOf(row) + state.indirect.RankOf(rest);
  if (row.link < 0 || rest.link < 0) return rank;
  if (fabric_.link(row.link).reverse == rest.link) return kNoRank;
  const bool is_forbidden = state.rules->IsForbidden(fabric_.Turn(row.link, rest.link));
  return rank + (is_forbidden ? Rank(1, 0) : 0);
}

bool PathJoiner::MayFit(const RftrState& state, int direct, int indirect, int sl) {
  const int first = state.direct.row(direct).link;
  const int next = state.indirect.row(indirect).link;
  if (next < 0) return VlsBehind(state, direct, sl) != 0;
  const int turn = first < 0 ? fabric_.Injection(next) : fabric_.Turn(first, next);
  VlSet vls = VlsOfEntry(state, sl, turn, query_.allowed.vls) & VlsAhead(state, indirect, sl);
  if (vls != 0 && first >= 0) vls &= After(*state.rules, turn, VlsBehind(state, direct, sl));
  return vls != 0;
}

PathJoiner::VlSet PathJoiner::FindVlsBehind(const RftrState& state, int direct, int sl) {
  const Row& row = state.direct.row(direct);
  const int before = state.direct.row(row.nearer).link;
  VlSet vls = 0;
  if (before < 0) {
    vls = VlsOfEntry(state, sl, fabric_.Injection(row.link), query_.allowed.vls);
  } else {
    const int turn = fabric_.Turn(before, row.link);
    vls = After(*state.rules, turn, VlsBehind(state, row.nearer, sl));
    if (vls != 0) vls &= VlsOfEntry(state, sl, turn, query_.allowed.vls);
  }
  behind_[sl * num_rows_ + direct] = {begin_, vls};
  return vls;
}

PathJoiner::VlSet PathJoiner::FindVlsAhead(const RftrState& state, int indirect, int sl) {
  const Row& row = state.indirect.row(indirect);
  const int next = state.indirect.row(row.nearer).link;
  auto vls = static_cast<VlSet>((1U << query_.allowed.vls) - 1);
  if (next >= 0) {
    const int turn = fabric_.Turn(row.link, next);
    const VlSet then =
        VlsOfEntry(state, sl, turn, query_.allowed.vls) & VlsAhead(state, row.nearer, sl);
    for (int vl = 0; vl < query_.allowed.vls; ++vl) {
      if ((state.rules->After(turn, vl) & then) == 0) vls &= ~(1U << vl);
    }
  }
  ahead_[sl * num_rows_ + indirect] = {begin_, vls};
  return vls;
}

bool PathJoiner::MayTakeAll(const ReachabilityTable& table, int row) const {
  if (query_.demands == nullptr) return true;
  for (int id = row; table.row(id).link >= 0; id = table.row(id).nearer) {
    if (!MayTake(table.row(id).link)) return false;
  }
  return true;
}

bool PathJoiner::MayTake(int link) const {
  return query_.demands->links[link] == 0 && query_.demands->places[fabric_.link(link).to] == 0;
}

bool PathJoiner::Try(const RftrState& state, int direct, int indirect) {
  if (!MayTakeAll(state.direct, direct) || !MayTakeAll(state.indirect, indirect)) return false;
  bool is_joined = false;
  for (int i = 0; i < query_.allowed.sls; ++i) {
    sl_ = SlAt(i, query_.first_sl);
    if (!MayFit(state, direct, indirect, sl_)) continue;
    if (!is_joined && !Join(state, direct, indirect)) return false;
    is_joined = true;
    if (Fits(state, sl_, query_.allowed.vls)) return true;
  }
  return false;
}

bool PathJoiner::Join(const RftrState& state, int direct, int indirect) {
  ++join_;
  direct_row_ = direct;
  indirect_row_ = indirect;
  visited_[query_.from] = join_;
  const auto visit = [&](int place) { return std::exchange(visited_[place], join_) != join_; };
  const std::size_t hops = state.direct.row(direct).hops;
  links_.resize(hops + state.indirect.row(indirect).hops);
  int id = direct;
  for (std::size_t i = hops; i > 0; --i) {
    const Row& row = state.direct.row(id);
    if (!visit(fabric_.link(row.link).to)) return false;
    links_[i - 1] = row.link;
    id = row.nearer;
  }
  id = indirect;
  for (std::size_t i = hops; i < links_.size(); ++i) {
    const Row& row = state.indirect.row(id);
    links_[i] = row.link;
    id = row.nearer;
    if (!visit(fabric_.link(row.link).to)) return false;
  }
  if (query_.demands != nullptr && !query_.demands->accepts(links_)) return false;
  turns_.resize(links_.size());
  turns_[0] = fabric_.Injection(links_[0]);
  for (std::size_t i = 1; i < links_.size(); ++i)
    turns_[i] = fabric_.Turn(links_[i - 1], links_[i]);
  return true;
}

bool PathJoiner::ChooseSl(const RftrState& state, int first_sl, Allowed allowed) {
  for (int i = 0; i < allowed.sls; ++i) {
    sl_ = SlAt(i, first_sl);
    if (Fits(state, sl_, allowed.vls)) return true;
  }
  return false;
}

bool PathJoiner::Fits(const RftrState& state, int sl, int vls) {
  const TurnRules& rules = *state.rules;
  const auto hops = static_cast<int>(turns_.size());
  possible_.resize(hops);
  VlSet possible = VlsOfEntry(state, sl, turns_[0], vls);
  possible_[0] = possible;
  for (int i = 1; i < hops && possible != 0; ++i) {
    possible = After(rules, turns_[i], possible) & VlsOfEntry(state, sl, turns_[i], vls);
    possible_[i] = possible;
  }
  if (possible == 0) return false;
  // The lowest ones, from the last hop back.
  vls_.resize(hops);
  vls_[hops - 1] = static_cast<std::uint8_t>(std::countr_zero(possible));
  for (int i = hops - 2; i >= 0; --i) {
    possible = possible_[i];
    while ((rules.After(turns_[i + 1], std::countr_zero(possible)) >> vls_[i + 1] & 1) == 0)
      possible &= possible - 1;
    vls_[i] = static_cast<std::uint8_t>(std::countr_zero(possible));
  }
  return true;
}

}  // namespace lanecut
