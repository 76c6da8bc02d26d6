// SPDX-License-Identifier: Apache-2.0
#include "tb/wave/shadow.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tb/wave/readable_switch.h"
#include "tb/wave/traced_kinds.h"

namespace lanecut {

Shadow::Shadow(const SwitchKind& kind, const std::string& name)
    : name_(name), model_(MakeTracedSwitch(kind, name)), view_(kind.ports * (kind.vls + 1)) {}

void Shadow::Follow(const SwitchPins& pins, Cycle t) {
  model_->Step(pins);
  if (!model_->HasOutputs(pins)) {
    throw std::logic_error(fmt::format(
        "cycle {}: the traced switch {} differs from the one that it follows", t, name_));
  }
  view_.Follow(model_->Look());
  now_ = t;
}

void Shadow::FollowIdle(Cycle t) {
  if (now_ == t) return;
  model_->StepIdle();
  view_.Follow(model_->Look());
  now_ = t;
}

Shadows::Shadows(const Scenario& scenario, Fabric* fabric, const std::vector<int>& nodes) {
  const Topology& topology = fabric->topology();
  for (const int node : nodes) {
    const Node& info = topology.node(node);
    auto shadow = std::make_unique<Shadow>(fabric->switch_kind(), ScopeName(topology, node));
    shadow->model().SetStraps(info.guid, info.name, scenario.link.rate == LinkRate::k4xSdr);
    shadows_.emplace(node, std::move(shadow));
    fabric->SetEdgeObserver(node, this);
  }
}

void Shadows::OnEdge(int node, const SwitchModel& model, Cycle t) {
  Shadow& shadow = at(node);
  shadow.Follow(model.pins, t);
  if (watch_) watch_(node, shadow.view(), t);
}

}  // namespace lanecut
