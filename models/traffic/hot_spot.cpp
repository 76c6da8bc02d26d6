// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/hot_spot.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "models/traffic/streams.h"

namespace lanecut {
namespace {

std::vector<int> AllNodes(int nodes) {
  std::vector<int> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

HotSpot::HotSpot(int nodes, double fraction, std::uint64_t seed)
    : uniform_(AllNodes(nodes)), hot_(static_cast<std::size_t>(nodes)) {
  Random random(seed, kHotSpotStream);
  spot_ = static_cast<int>(random.Below(static_cast<std::uint32_t>(nodes)));
  std::vector<int> others = AllNodes(nodes);
  others.erase(others.begin() + spot_);
  const auto wanted = static_cast<std::size_t>(std::max(1L, std::lround(fraction * nodes)));
  const std::size_t count = std::min(wanted, others.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t pick = i + random.Below(static_cast<std::uint32_t>(others.size() - i));
    std::swap(others[i], others[pick]);
    hot_[static_cast<std::size_t>(others[i])] = true;
  }
}

int HotSpot::Draw(int source, Random* random) const {
  return hot_[static_cast<std::size_t>(source)] ? spot_ : uniform_.Draw(source, random);
}

}  // namespace lanecut
