// SPDX-License-Identifier: Apache-2.0
//
// Asks switches for SwitchInfo.PortStateChange, for the case that a trap was lost, or sent before
// anybody listened. The light sweep asks all of them, period after period.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/smp_batch.h"

namespace lanecut {

class Sweep {
 public:
  using OnAnswer = std::function<void(int node, bool has_changed)>;
  using Done = std::function<void(const StageResult&)>;

  Sweep(const SmConfig& config, const FabricMap& map, SmpEngine& engine);

  // The next sweep is due one period from `now`.
  void Schedule(Cycle now);
  bool IsDue(Cycle now) const { return now >= next_; }
  Cycle next() const { return next_; }

  // `on_answer` is called for every switch as its answer comes; for one that has been cut off
  // meanwhile, too. `done` is called at the end, which is the first switch that does not answer.
  void Run(const std::set<int>& switches, OnAnswer on_answer, Done done);
  void Abandon() { batch_.Abandon(); }
  bool IsRunning() const { return batch_.IsRunning(); }

 private:
  void Ask(int node);
  void Take(int node, const SmpReply& reply);

  const SmConfig& config_;
  const FabricMap& map_;
  SmpBatch batch_;
  OnAnswer on_answer_;
  Done done_;
  StageResult result_;
  Cycle next_;
};

}  // namespace lanecut
