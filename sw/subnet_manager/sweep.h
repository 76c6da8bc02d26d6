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
  using OnChange = std::function<void(int node)>;
  using Done = std::function<void(const StageResult&)>;

  Sweep(const SmConfig& config, const FabricMap& map, SmpEngine& engine);

  // The next sweep is due one period from `now`.
  void Schedule(Cycle now);
  bool IsDue(Cycle now) const { return now >= next_; }
  Cycle next() const { return next_; }

  // `on_change` is called for every switch whose ports changed, as its answer comes; `done` at the
  // end, which is the first switch that does not answer.
  void Run(OnChange on_change, Done done);
  void Abandon() { batch_.Abandon(); }
  bool IsRunning() const { return batch_.IsRunning(); }

 private:
  void Ask(int node);
  void OnAnswer(int node, const SmpReply& reply);

  const SmConfig& config_;
  const FabricMap& map_;
  SmpBatch batch_;
  OnChange on_change_;
  Done done_;
  StageResult result_;
  Cycle next_;
};

}  // namespace lanecut
