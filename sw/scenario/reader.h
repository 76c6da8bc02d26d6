// SPDX-License-Identifier: Apache-2.0
//
// Reads scenarios from TOML, applies `--set` overrides, and writes the effective scenario back.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/scenario/scenario.h"

namespace lanecut {

// Reads `file`, then applies `overrides` in order, each "key=value" with a dotted key:
// "traffic.load=0.3", "topology.kind=mesh", "fault.0.at_cycle=5000" (the first fault; one number
// beyond the last adds a fault), "fault=[]" (no faults). Values are TOML values; strings need no
// quotes. Relative paths in the file are seen from the file's folder, in an override from the
// current folder. Throws ScenarioError; nothing is returned unless everything is valid.
Scenario ReadScenario(const std::filesystem::path& file,
                      const std::vector<std::string>& overrides = {});

// The same for text in memory; `file` is the name that errors show and that relative paths are seen
// from.
Scenario ParseScenario(std::string_view text, const std::filesystem::path& file,
                       const std::vector<std::string>& overrides = {});

// Every key with its effective value in TOML, in schema order: {"traffic.load", "0.3"}. Optional
// keys that are unset are left out.
std::vector<std::pair<std::string, std::string>> ScenarioEntries(const Scenario& scenario);

// The effective scenario as TOML, every default spelled out. Reads back as the same scenario from
// the same folder.
std::string DumpScenario(const Scenario& scenario);

// The scenario as its results call it: a netlist is the file topology.net beside it, a traffic file
// traffic.txt, tables are routing.lfts and change-0.lfts. The files themselves still stand at
// `topology.path` and so on.
Scenario AsInResults(const Scenario& scenario);

// What it takes to repeat the run anywhere, by file name: scenario.toml and the files that it
// names.
std::vector<std::pair<std::string, std::string>> ScenarioFiles(const Scenario& scenario);

}  // namespace lanecut
