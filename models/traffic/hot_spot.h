// SPDX-License-Identifier: Apache-2.0
//
// Hot spot: a part of the sources sends everything to one node, the rest is uniform. The seed
// chooses the node and, of the others, the sources.
#pragma once

#include <cstdint>
#include <vector>

#include "models/traffic/pattern.h"
#include "models/traffic/uniform.h"

namespace lanecut {

class HotSpot : public Pattern {
 public:
  // Of `nodes` nodes, fraction x nodes are such sources, rounded; at least 1 and all but the hot
  // spot at most. 2 nodes or more.
  HotSpot(int nodes, double fraction, std::uint64_t seed);
  bool Sends(int source) const override { return uniform_.Sends(source); }
  int Draw(int source, Random* random) const override;

  int spot() const { return spot_; }

 private:
  UniformPattern uniform_;
  int spot_;
  std::vector<bool> hot_;  // by source
};

}  // namespace lanecut
