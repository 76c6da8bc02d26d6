// SPDX-License-Identifier: Apache-2.0
//
// A two-state Markov source: on and off in turn, both for geometrically distributed times. It
// stands in front of a steady source, whose time passes only while it is on.
#pragma once

#include <cstdint>

#include "models/geometric.h"
#include "models/random.h"
#include "sw/wire/word.h"

namespace lanecut {

// Mean lengths in cycles, at least 1; `off` = 0 means always on.
struct OnOffConfig {
  Cycle on = 0;
  Cycle off = 0;

  bool steady() const { return off == 0; }
  // Load while on over mean load.
  double Peak() const {
    return steady() ? 1 : static_cast<double>(on + off) / static_cast<double>(on);
  }
};

class OnOff {
 public:
  // Starts in either state with the probability that it has in the long run.
  OnOff(const OnOffConfig& config, Random random);

  // Cycles that pass until the source has been on for `gap` more.
  Cycle Stretch(Cycle gap);

 private:
  GeometricGap on_;
  GeometricGap off_;
  Random random_;
  Cycle on_left_ = 0;  // of the present time on
  Cycle wait_ = 0;     // until it begins
};

}  // namespace lanecut
