// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "sw/cli/commands.h"
#include "sw/results/recorder.h"
#include "sw/routing/routing.h"
#include "sw/topology/netlist.h"

namespace lanecut {
namespace {

constexpr const char* kExamples = R"(Examples:
  lanecut run scenarios/torus8x8-static.toml      simulate, print a summary, write results
  lanecut run --schema                            all keys of a scenario
  lanecut sweep scenarios/mesh4x4.toml --vary seed=1..5   many runs from one bring-up
  lanecut serve scenarios/torus4x4-static.toml    let OpenSM and infiniband-diags work on the fabric
  lanecut wave scenarios/mesh4x4.toml --around packet:42   the signals of switches for GTKWave
  lanecut topo torus:8x8:2                        what a topology looks like
  lanecut route torus:8x8:2 --engine dor --vls 2  tables without simulation, checked for deadlock
  lanecut faults torus:4x4 --vls 2 --most 3       how many combinations of failed links are tolerated
  lanecut run --help                              more, for every command)";

int Complain(std::ostream& err, std::string message, int status) {
  std::ranges::replace(message, '\n', ' ');
  err << message << '\n';
  return status;
}

int Perform(const Action& action, std::ostream& out, std::ostream& err) {
  try {
    return action(out);
  } catch (const UsageError& error) {
    return Complain(err, fmt::format("lanecut: {}", error.what()), kExitBadInput);
  } catch (const ScenarioError& error) {
    return Complain(err, error.what(), kExitBadInput);
  } catch (const NetlistError& error) {
    return Complain(err, error.what(), kExitBadInput);
  } catch (const ResultsError& error) {
    return Complain(err, error.what(), kExitBadInput);
  } catch (const RoutingError& error) {
    return Complain(err, error.what(), kExitBadInput);
  } catch (const std::exception& error) {
    return Complain(err, fmt::format("lanecut: {}", error.what()), kExitFailed);
  }
}

// What is wrong with the first argument, which must be a command or an option.
std::optional<std::string> CommandProblem(CLI::App& app, int argc, const char* const* argv) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const bool known =
      argc > 1 && (argv[1][0] == '-' || std::ranges::find(names, argv[1]) != names.end());
  if (known) return std::nullopt;
  const std::string what =
      argc > 1 ? fmt::format("unknown command \"{}\"", argv[1]) : "the command is missing";
  return fmt::format("lanecut: {}; expected one of {}, or --help", what, fmt::join(names, ", "));
}

int Main(int argc, const char* const* argv, const Simulators& simulators, bool progress,
         std::ostream& out, std::ostream& err) {
  CLI::App app(
      "Lanecut: InfiniBand-style networks of switches in RTL, simulated cycle by cycle while links "
      "fail and their routing is replaced.",
      "lanecut");
  app.footer(kExamples);
  Action action;
  AddRunCommand(app, simulators.run, progress, action);
  AddSweepCommand(app, simulators.sweep, action);
  AddServeCommand(app, simulators.serve, progress, action);
  AddWaveCommand(app, simulators.wave, progress, action);
  AddTopoCommand(app, action);
  AddRouteCommand(app, action);
  AddFaultsCommand(app, action);
  if (const auto problem = CommandProblem(app, argc, argv)) {
    return Complain(err, *problem, kExitBadInput);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto commands = app.get_subcommands();
    out << (commands.empty() ? app.help() : commands.front()->help("lanecut"));
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    const auto commands = app.get_subcommands();
    const std::string name = commands.empty() ? "" : " " + commands.front()->get_name();
    return Complain(err, fmt::format("lanecut{0}: {1}; see lanecut{0} --help", name, error.what()),
                    kExitBadInput);
  }
  return Perform(action, out, err);
}

}  // namespace

int RunCli(int argc, const char* const* argv, const Simulators& simulators, std::ostream& out,
           std::ostream& err) {
  return Main(argc, argv, simulators, false, out, err);
}

int RunCli(int argc, const char* const* argv, const Simulators& simulators) {
  return Main(argc, argv, simulators, isatty(STDERR_FILENO) != 0, std::cout, std::cerr);
}

}  // namespace lanecut
