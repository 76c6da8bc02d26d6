// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/on_off.h"

#include <utility>

namespace lanecut {

OnOff::OnOff(const OnOffConfig& config, Random random)
    : on_(1.0 / static_cast<double>(config.on)),
      off_(1.0 / static_cast<double>(config.off)),
      random_(random) {
  const auto period = static_cast<double>(config.on + config.off);
  constexpr double kTwoTo32 = 4294967296.0;
  const auto on = static_cast<std::uint64_t>(static_cast<double>(config.on) / period * kTwoTo32);
  // The rest of a geometric time is distributed like the whole.
  if (random_.Next() >> 32 >= on) wait_ = off_.Draw(&random_);
  on_left_ = on_.Draw(&random_);
}

Cycle OnOff::Stretch(Cycle gap) {
  Cycle elapsed = std::exchange(wait_, 0) + gap;
  while (gap > on_left_) {
    gap -= on_left_;
    elapsed += off_.Draw(&random_);
    on_left_ = on_.Draw(&random_);
  }
  on_left_ -= gap;
  return elapsed;
}

}  // namespace lanecut
