// SPDX-License-Identifier: Apache-2.0
//
// The switch kinds that this build has verilated, and how to make one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tb/switch/switch_model.h"

class VerilatedContext;

namespace lanecut {

// Makes an instance of a kind; `name` is its hierarchical name in messages.
using SwitchMaker =
    std::function<std::unique_ptr<SwitchModel>(const SwitchKind& kind, const std::string& name)>;

struct SwitchEntry {
  SwitchKind kind;
  SwitchMaker make;
};

// The kinds of this build, those before others that are to be preferred. Written by
// rtl/CMakeLists.txt.
std::vector<SwitchEntry> BuiltKinds();

// A kind that only this program has; it goes before those that are there. See MakerOf() in
// verilated_switch.h.
void AddSwitchKind(const SwitchKind& kind, SwitchMaker make);

// One context for the process: instances share its time and its error state.
VerilatedContext* SwitchContext();

// For messages: "6 ports, 2 data VLs, ...".
std::string DescribeSwitchKind(const SwitchKind& kind);

// All kinds of this program.
std::vector<SwitchKind> SwitchKinds();

// The first kind with at least as many ports and LIDs as `wanted`, and else equal to it, whichever
// rule for numbers it has; it may have HOQLife and LifeTimeValue without need.
// Throws std::invalid_argument naming the kinds that exist when there is none.
SwitchKind FindSwitchKind(const SwitchKind& wanted);

// A new instance of `kind`, which must be one of `SwitchKinds()`. `name` is its hierarchical name
// in messages.
std::unique_ptr<SwitchModel> MakeSwitchModel(const SwitchKind& kind, const std::string& name);

// True when an assertion of any instance in this process has failed; its message has been printed.
bool SwitchAssertionFailed();

}  // namespace lanecut
