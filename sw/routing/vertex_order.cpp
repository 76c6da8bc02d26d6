// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/vertex_order.h"

#include <algorithm>
#include <numeric>

namespace lanecut {

VertexOrder::VertexOrder(int vertices) : rank_(vertices), visited_(vertices, 0) {
  std::iota(rank_.begin(), rank_.end(), 0);
}

void VertexOrder::Reorder() {
  const auto by_rank = [&](int a, int b) { return rank_[a] < rank_[b]; };
  std::ranges::sort(before_, by_rank);
  std::ranges::sort(after_, by_rank);
  ranks_.clear();
  for (const int vertex : before_) ranks_.push_back(rank_[vertex]);
  for (const int vertex : after_) ranks_.push_back(rank_[vertex]);
  std::ranges::sort(ranks_);
  std::size_t i = 0;
  for (const int vertex : before_) rank_[vertex] = ranks_[i++];
  for (const int vertex : after_) rank_[vertex] = ranks_[i++];
}

}  // namespace lanecut
