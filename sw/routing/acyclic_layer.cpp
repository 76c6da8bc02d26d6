// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/acyclic_layer.h"

#include <algorithm>
#include <numeric>

namespace lanecut {

AcyclicLayer::AcyclicLayer(const SwitchGraph& graph)
    : graph_(&graph),
      rank_(graph.num_links()),
      present_(graph.num_turns(), 0),
      visited_(graph.num_links(), 0) {
  std::iota(rank_.begin(), rank_.end(), 0);
}

bool AcyclicLayer::Add(int link, int next) {
  if (rank_[link] > rank_[next]) {
    if (Reaches(next, link)) return false;
    ++stamp_;
    CollectBefore(link, rank_[next]);
    Reorder();
  }
  present_[graph_->Turn(link, next)] = 1;
  return true;
}

// Whether a way of present turns leads from one link to another that is not before it; collects the
// links on all ways that stay between the two.
bool AcyclicLayer::Reaches(int from, int to) {
  ++stamp_;
  after_.assign(1, from);
  visited_[from] = stamp_;
  for (std::size_t head = 0; head < after_.size(); ++head) {
    const int here = after_[head];
    if (here == to) return true;
    const int at = graph_->link(here).to;
    const int first = graph_->FirstLink(at);
    for (int next = first; next < first + graph_->Degree(at); ++next) {
      if (!Has(here, next) || visited_[next] == stamp_ || rank_[next] > rank_[to]) continue;
      visited_[next] = stamp_;
      after_.push_back(next);
    }
  }
  return false;
}

void AcyclicLayer::CollectBefore(int link, int lowest) {
  before_.assign(1, link);
  visited_[link] = stamp_;
  for (std::size_t head = 0; head < before_.size(); ++head) {
    const int here = before_[head];
    for (const DirectedLink& back : graph_->LinksFrom(graph_->link(here).from)) {
      const int previous = back.reverse;
      if (visited_[previous] == stamp_ || rank_[previous] < lowest || !Has(previous, here))
        continue;
      visited_[previous] = stamp_;
      before_.push_back(previous);
    }
  }
}

// All links before the new turn take the lowest ranks that the two sets had, those after it the
// others.
void AcyclicLayer::Reorder() {
  const auto by_rank = [&](int a, int b) { return rank_[a] < rank_[b]; };
  std::ranges::sort(before_, by_rank);
  std::ranges::sort(after_, by_rank);
  ranks_.clear();
  for (const int link : before_) ranks_.push_back(rank_[link]);
  for (const int link : after_) ranks_.push_back(rank_[link]);
  std::ranges::sort(ranks_);
  std::size_t i = 0;
  for (const int link : before_) rank_[link] = ranks_[i++];
  for (const int link : after_) rank_[link] = ranks_[i++];
}

}  // namespace lanecut
