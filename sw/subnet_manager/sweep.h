// SPDX-License-Identifier: Apache-2.0
//
// The light sweep: asks every switch for SwitchInfo.PortStateChange, for the case that a trap was
// lost.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/smp_batch.h"

namespace lanecut {

class Sweep {
 public:
  struct Findings {
    std::set<int> changed;  // switches whose ports changed
    StageResult answers;    // incomplete if some switch did not answer
  };
  using Done = std::function<void(const Findings&)>;

  Sweep(const SmConfig& config, const FabricMap& map, SmpEngine& engine);

  // The next sweep is due one period from `now`.
  void Schedule(Cycle now);
  bool IsDue(Cycle now) const { return now >= next_; }
  Cycle next() const { return next_; }

  void Run(Done done);
  void Abandon() { batch_.Abandon(); }
  bool IsRunning() const { return batch_.IsRunning(); }

 private:
  const SmConfig& config_;
  const FabricMap& map_;
  SmpBatch batch_;
  Findings findings_;
  Cycle next_;
};

}  // namespace lanecut
