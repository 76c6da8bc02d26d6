// SPDX-License-Identifier: Apache-2.0
//
// The switch kinds that this build has verilated for waves.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tb/switch/registry.h"
#include "tb/wave/traced_switch.h"

namespace lanecut {

// `name` is that of the scope of its raw signals.
using TracedSwitchMaker =
    std::function<std::unique_ptr<TracedSwitch>(const SwitchKind& kind, const std::string& name)>;

struct TracedEntry {
  SwitchKind kind;
  TracedSwitchMaker make;
};

// Written by rtl/CMakeLists.txt.
std::vector<TracedEntry> BuiltTracedKinds();

// Throws std::invalid_argument naming the kinds that exist if there is none for waves of `kind`.
void CheckTraceable(const SwitchKind& kind);

// A new instance of a kind that is traceable, after its reset. All are to be made before the first
// cycle of a fabric.
std::unique_ptr<TracedSwitch> MakeTracedSwitch(const SwitchKind& kind, const std::string& name);

}  // namespace lanecut
