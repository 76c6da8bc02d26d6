// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/path_joiner.h"

#include <algorithm>
#include <bit>

namespace lanecut {

bool PathJoiner::Find(const RftrState& state, int from, int to, int first_sl, Allowed allowed) {
  Collect(state, from, to);
  // A heap, as one of the first does nearly always.
  const auto later = [](const Candidate& a, const Candidate& b) { return a.rank > b.rank; };
  std::make_heap(candidates_.begin(), candidates_.end(), later);
  for (auto end = candidates_.end(); end != candidates_.begin(); --end) {
    std::pop_heap(candidates_.begin(), end, later);
    if (Join(state, from, *(end - 1)) && ChooseSl(state, first_sl, allowed)) return true;
  }
  return false;
}

void PathJoiner::Collect(const RftrState& state, int from, int to) {
  candidates_.clear();
  for (int place = 0; place < fabric_.num_switches(); ++place) {
    const int first = state.direct.First(from, place);
    if (first < 0) continue;
    for (int b = state.indirect.First(to, place); b >= 0; b = state.indirect.row(b).next) {
      const ReachabilityTable::Row& second = state.indirect.row(b);
      if (second.failed) continue;
      for (int a = first; a >= 0; a = state.direct.row(a).next) {
        const ReachabilityTable::Row& row = state.direct.row(a);
        if (row.failed) continue;
        const bool is_turn = row.link >= 0 && second.link >= 0;
        const int transitions =
            row.transitions + second.transitions +
            (is_turn && rules_.IsForbidden(fabric_.Turn(row.link, second.link)) ? 1 : 0);
        candidates_.push_back(
            {static_cast<std::uint32_t>(transitions << 16 | (row.hops + second.hops)), a, b});
      }
    }
  }
}

bool PathJoiner::Join(const RftrState& state, int from, const Candidate& candidate) {
  ++join_;
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
      possible |= rules_.After(turns_[i], std::countr_zero(before));
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
           (rules_.After(turns_[i], std::countr_zero(possible)) >> vls_[i] & 1) == 0) {
      possible &= possible - 1;
    }
    vls_[i - 1] = static_cast<std::uint8_t>(std::countr_zero(possible));
  }
  return true;
}

}  // namespace lanecut
