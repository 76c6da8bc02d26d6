// SPDX-License-Identifier: Apache-2.0
//
// The switch kinds that this build has verilated, and how to make one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tb/switch/switch_model.h"

namespace lanecut {

// All kinds of this build, smallest first.
std::vector<SwitchKind> SwitchKinds();

// The smallest kind with at least as many ports as `wanted`, and else equal to it.
// Throws std::invalid_argument naming the kinds that exist when there is none.
SwitchKind FindSwitchKind(const SwitchKind& wanted);

// A new instance of `kind`, which must be one of `SwitchKinds()`. `name` is its hierarchical name
// in messages.
std::unique_ptr<SwitchModel> MakeSwitchModel(const SwitchKind& kind, const std::string& name);

// True when an assertion of any instance in this process has failed; its message has been printed.
bool SwitchAssertionFailed();

}  // namespace lanecut
