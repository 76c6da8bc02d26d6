// SPDX-License-Identifier: Apache-2.0
//
// Traced switches beside some of a fabric's, which they follow; nothing in the fabric depends on
// them, so that a run with them is the run without.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "tb/fabric/fabric.h"
#include "tb/wave/switch_view.h"
#include "tb/wave/traced_switch.h"

namespace lanecut {

// One traced switch, and what stands in its queues.
class Shadow {
 public:
  Shadow(const SwitchKind& kind, const std::string& name);

  TracedSwitch& model() { return *model_; }
  const SwitchView& view() const { return view_; }
  // The cycle in which it stands.
  Cycle now() const { return now_; }

  // Into cycle `t`, in which the switch it follows has these pins. std::logic_error if it has other
  // outputs than that one.
  void Follow(const SwitchPins& pins, Cycle t);
  // Into cycle `t`, if it is not there yet; the switch that it follows was idle since.
  void FollowIdle(Cycle t);

 private:
  std::string name_;
  std::unique_ptr<TracedSwitch> model_;
  SwitchView view_;
  Cycle now_ = 0;
};

class Shadows : public EdgeObserver {
 public:
  // Of these switches of the fabric, before its first cycle. They are its edge observers.
  // std::invalid_argument if this build cannot trace their kind.
  Shadows(const Scenario& scenario, Fabric* fabric, const std::vector<int>& nodes);

  Shadow& at(int node) { return *shadows_.at(node); }
  // Told of each cycle of one of them that has been followed.
  using Watch = std::function<void(int node, const SwitchView& view, Cycle t)>;
  void SetWatch(Watch watch) { watch_ = std::move(watch); }

  void OnEdge(int node, const SwitchModel& model, Cycle t) override;

 private:
  std::map<int, std::unique_ptr<Shadow>> shadows_;
  Watch watch_;
};

}  // namespace lanecut
