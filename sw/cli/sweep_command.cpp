// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sw/cli/commands.h"
#include "sw/cli/sweep.h"

namespace lanecut {
namespace {

constexpr const char* kSweepExamples = R"(Examples:
  lanecut sweep scenarios/torus4x4-static.toml --vary traffic.load=0.05,0.1,0.2 --vary seed=1..5
  lanecut sweep scenarios/torus4x4-static.toml --vary reconfiguration.scheme=static,osr-la,ebrd
  lanecut sweep scenarios/mesh4x4.toml --vary topology.size=[3,3],[4,4] --set results.packets=false

Runs every combination; each has a results folder of its own, named after its values, as if by lanecut run.
Prints a table: accepted load in words per cycle and end node, latency in cycles, packets dropped in the
network and refused by full source queues, cycles from the detection of a change until it is over.
Runs that differ only in traffic, faults, phases or seed share a fabric that is brought up once, so that
their results have no events of the bring-up.

Exit status: 0 all runs went well; 1 one failed; 2 bad input.)";

struct SweepArguments {
  std::string file;
  std::vector<std::string> overrides;
  std::vector<std::string> variations;
  std::string out;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
};

int Sweep(const SweepArguments& arguments, const SweepFunction& sweep) {
  SweepOptions options;
  options.groups = PlanSweep(arguments.file, arguments.overrides, arguments.variations);
  const std::string& name = options.groups.front().front().scenario.name;
  options.out = arguments.out.empty() ? std::filesystem::path("out") / (name + "-sweep")
                                      : std::filesystem::path(arguments.out);
  options.jobs = arguments.jobs;
  return sweep(options);
}

}  // namespace

void AddSweepCommand(CLI::App& app, const SweepFunction& sweep, Action& action) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command = app.add_subcommand("sweep", "Run a scenario with values varied");
  command->footer(kSweepExamples);
  command->add_option("SCENARIO", arguments->file, "Scenario file (TOML)")->required();
  command
      ->add_option("--vary", arguments->variations,
                   "KEY=VALUE,VALUE... or KEY=FIRST..LAST; repeatable: all combinations are run")
      ->allow_extra_args(false)
      ->required();
  command->add_option("--set", arguments->overrides, "KEY=VALUE for all runs; repeatable")
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out,
                      "Folder for the folders of the runs, default out/NAME-sweep");
  command->add_option("--jobs", arguments->jobs, "Simulations at a time, default one per core")
      ->check(CLI::Range(1U, 1024U));
  command->callback([arguments, sweep, &action] {
    action = [=](std::ostream&) { return Sweep(*arguments, sweep); };
  });
}

}  // namespace lanecut
