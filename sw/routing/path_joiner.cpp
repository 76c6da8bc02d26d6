// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/path_joiner.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace lanecut {

PathJoiner::PathJoiner(const SwitchFabric& fabric, std::shared_ptr<const TurnRules> rules)
    : fabric_(fabric),
      rules_(std::move(rules)),
      span_(fabric.num_switches() + 1),
      visited_(fabric.num_switches(), 0) {
  for (int to = 0; to < fabric.num_switches(); ++to) {
    for (const int hops : fabric.HopsTo(to)) hops_.push_back(static_cast<std::uint16_t>(hops));
  }
}

bool PathJoiner::Find(const RftrState& state, int from, int to, int first_sl, Allowed allowed,
                      const Demands* demands) {
  first_sl_ = first_sl;
  allowed_ = allowed;
  demands_ = demands;
  if (Search(state, from, to, true)) return true;
  // Nothing has been left out if there was no path at all.
  return tried_ && Search(state, from, to, false);
}

// Best first: a row of the direct table ranks as the best path that could begin with it, with no
// more forbidden turns and the rest as short as the topology has it (the A* algorithm).
bool PathJoiner::Search(const RftrState& state, int from, int to, bool bounded) {
  last_rank_ = 0;
  bounded_ = bounded;
  tried_ = false;
  const bool vls_only_rise = state.rules == rules_ && !rules_->lowers();
  bound_ = vls_only_rise ? Rank(allowed_.vls, 0) - 1 : std::numeric_limits<std::size_t>::max();
  Push(Rank(0, hops_[to * fabric_.num_switches() + from]), {state.direct.Root(from), -1});
  bool found = false;
  std::size_t rank = 0;
  // What ranks above the bound has been put there before that was lowered; others have not.
  for (; rank <= std::min(last_rank_, bound_) && !found; ++rank) {
    // May grow meanwhile, and its place change.
    for (std::size_t i = 0; i < queue_[rank].size() && !found; ++i) {
      const Candidate candidate = queue_[rank][i];
      found = candidate.indirect >= 0 ? Try(state, from, candidate)
                                      : Expand(state, from, to, candidate.direct, rank);
    }
    queue_[rank].clear();
  }
  for (; rank <= last_rank_; ++rank) queue_[rank].clear();
  return found;
}

void PathJoiner::Push(std::size_t rank, Candidate candidate) {
  if (rank > bound_) return;
  if (candidate.indirect >= 0 && bounded_) bound_ = rank;
  if (rank >= queue_.size()) queue_.resize(rank + 1);
  queue_[rank].push_back(candidate);
  last_rank_ = std::max(last_rank_, rank);
}

bool PathJoiner::Expand(const RftrState& state, int from, int to, int direct, std::size_t rank) {
  const ReachabilityTable::Row& row = state.direct.row(direct);
  for (int id = state.indirect.First(to, row.place); id >= 0; id = state.indirect.row(id).next) {
    const ReachabilityTable::Row& rest = state.indirect.row(id);
    const bool is_turn = row.link >= 0 && rest.link >= 0;
    if (rest.failed || (is_turn && fabric_.link(row.link).reverse == rest.link)) continue;
    const bool is_forbidden =
        is_turn && state.rules->IsForbidden(fabric_.Turn(row.link, rest.link));
    const std::size_t path_rank =
        Rank(row.transitions + rest.transitions + (is_forbidden ? 1 : 0), row.hops + rest.hops);
    if (path_rank > rank) {
      Push(path_rank, {direct, id});
    } else if (Try(state, from, {direct, id})) {
      return true;
    }
  }
  for (int id = row.farther; id >= 0; id = state.direct.row(id).sibling) {
    const ReachabilityTable::Row& next = state.direct.row(id);
    if (next.failed || !MayTake(next.link)) continue;
    const int rest = hops_[to * fabric_.num_switches() + next.place];
    Push(Rank(next.transitions, next.hops + rest), {id, -1});
  }
  return false;
}

bool PathJoiner::Try(const RftrState& state, int from, Candidate candidate) {
  tried_ = true;
  return Join(state, from, candidate) && MeetsDemands() && ChooseSl(state, first_sl_, allowed_);
}

bool PathJoiner::MayTake(int link) const {
  return demands_ == nullptr ||
         (demands_->links[link] == 0 && demands_->places[fabric_.link(link).to] == 0);
}

bool PathJoiner::MeetsDemands() const {
  return demands_ == nullptr ||
         (std::ranges::all_of(links_, [this](int link) { return MayTake(link); }) &&
          demands_->accepts(links_));
}

bool PathJoiner::Join(const RftrState& state, int from, Candidate candidate) {
  ++join_;
  joined_ = candidate;
  links_.clear();
  for (int id = candidate.direct; state.direct.row(id).link >= 0;
       id = state.direct.row(id).nearer) {
    links_.push_back(state.direct.row(id).link);
  }
  std::ranges::reverse(links_);
  for (int id = candidate.indirect; state.indirect.row(id).link >= 0;
       id = state.indirect.row(id).nearer) {
    links_.push_back(state.indirect.row(id).link);
  }
  visited_[from] = join_;
  for (const std::int32_t link : links_) {
    std::uint32_t& visited = visited_[fabric_.link(link).to];
    if (visited == join_) return false;
    visited = join_;
  }
  return !links_.empty();
}

bool PathJoiner::ChooseSl(const RftrState& state, int first_sl, Allowed allowed) {
  turns_.resize(links_.size());
  turns_[0] = fabric_.Injection(links_[0]);
  for (std::size_t i = 1; i < links_.size(); ++i)
    turns_[i] = fabric_.Turn(links_[i - 1], links_[i]);
  for (int i = 0; i < allowed.sls; ++i) {
    sl_ = i == 0 ? first_sl : i - (i <= first_sl ? 1 : 0);
    if (Fits(state, sl_, allowed.vls)) return true;
  }
  return false;
}

bool PathJoiner::Fits(const RftrState& state, int sl, int vls) {
  const auto all = static_cast<TurnRules::VlSet>((1U << vls) - 1);
  const std::size_t first_entry = sl * static_cast<std::size_t>(fabric_.num_turns());
  possible_.resize(turns_.size());
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    TurnRules::VlSet possible = i == 0 ? all : 0;
    for (unsigned before = i == 0 ? 0 : possible_[i - 1]; before != 0; before &= before - 1)
      possible |= state.rules->After(turns_[i], std::countr_zero(before));
    const std::size_t entry = first_entry + turns_[i];
    const bool is_set = entry < state.entry_vl.size() && state.entry_vl[entry] != RftrState::kNoVl;
    possible &= is_set ? static_cast<TurnRules::VlSet>(1U << state.entry_vl[entry]) : all;
    if (possible == 0) return false;
    possible_[i] = possible;
  }
  // The lowest ones, from the last hop back.
  vls_.resize(turns_.size());
  for (std::size_t i = turns_.size(); i > 0; --i) {
    unsigned possible = possible_[i - 1];
    while (i < turns_.size() &&
           (state.rules->After(turns_[i], std::countr_zero(possible)) >> vls_[i] & 1) == 0) {
      possible &= possible - 1;
    }
    vls_[i - 1] = static_cast<std::uint8_t>(std::countr_zero(possible));
  }
  return true;
}

}  // namespace lanecut
