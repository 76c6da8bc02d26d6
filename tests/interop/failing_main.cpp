// SPDX-License-Identifier: Apache-2.0
//
// The program `lanecut` with a mistake planted in its switches: an assertion of S1_0 fails.
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "sw/cli/cli.h"
#include "tb/run/execute_run.h"
#include "tb/run/execute_sweep.h"
#include "tb/serve/execute_serve.h"
#include "tb/switch/registry.h"
#include "tb/wave/execute_wave.h"
#include "tests/system/planted_assertion.h"

namespace lanecut::testing {
namespace {

constexpr int kFailingEdge = 5000;

class FailingSwitch : public SwitchModel {
 public:
  FailingSwitch(std::unique_ptr<SwitchModel> model, std::string name)
      : model_(std::move(model)), name_(std::move(name)) {
    pins = model_->pins;
  }

  const SwitchKind& kind() const override { return model_->kind(); }
  void SetStraps(std::uint64_t guid, const std::string& name, bool four_lanes) override {
    model_->SetStraps(guid, name, four_lanes);
  }
  void ClockEdge() override {
    model_->pins = pins;
    model_->ClockEdge();
    pins = model_->pins;
    if (++edges_ != kFailingEdge || name_ != "S1_0") return;
    std::cerr << fmt::format("planted in {}, clock edge {}\n", name_, edges_);
    PlantFailedAssertion();
  }
  int RxDropReason(int index) const override { return model_->RxDropReason(index); }
  int InDropReason(int index) const override { return model_->InDropReason(index); }
  EpochNumbers InDropNumbers(int index) const override { return model_->InDropNumbers(index); }
  SwitchState State() const override { return model_->State(); }

 private:
  std::unique_ptr<SwitchModel> model_;
  std::string name_;
  int edges_ = 0;
};

void Plant() {
  for (const SwitchEntry& entry : BuiltKinds()) {
    AddSwitchKind(entry.kind, [make = entry.make](const SwitchKind& kind, const std::string& name) {
      return std::make_unique<FailingSwitch>(make(kind, name), name);
    });
  }
}

}  // namespace
}  // namespace lanecut::testing

int main(int argc, char** argv) {
  lanecut::testing::Plant();
  return lanecut::RunCli(
      argc, argv,
      {lanecut::ExecuteRun, lanecut::ExecuteSweep, lanecut::ExecuteServe, lanecut::ExecuteWave});
}
