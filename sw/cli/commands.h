// SPDX-License-Identifier: Apache-2.0
//
// The subcommands. Each Add...() declares options and help on `app`, and sets `action` to what
// parsing that command selects. Private to sw/cli.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sw/cli/cli.h"

namespace CLI {
class App;
}

namespace lanecut {

// The scenario of a file with overrides (`seed` is one of them), checked against its topology.
// Throws as ReadScenario and CheckAgainstTopology, and UsageError without a file; `command` is for
// its text.
Scenario ReadAndCheck(std::string_view command, const std::string& file,
                      std::vector<std::string> overrides, std::optional<std::uint64_t> seed);

// The command that was chosen: writes to `out`, returns the exit status, throws what is wrong.
using Action = std::function<int(std::ostream& out)>;

// The command line asks for something that makes no sense; what() is one line. Exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void AddRunCommand(CLI::App& app, const RunFunction& run, bool progress, Action& action);
void AddSweepCommand(CLI::App& app, const SweepFunction& sweep, Action& action);
void AddServeCommand(CLI::App& app, const ServeFunction& serve, bool progress, Action& action);
void AddWaveCommand(CLI::App& app, const WaveFunction& wave, bool progress, Action& action);
void AddTopoCommand(CLI::App& app, Action& action);
void AddRouteCommand(CLI::App& app, Action& action);
void AddFaultsCommand(CLI::App& app, Action& action);

}  // namespace lanecut
