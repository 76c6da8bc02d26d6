// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "sw/cli/commands.h"
#include "sw/cli/engine_options.h"
#include "sw/cli/output_file.h"
#include "sw/cli/topology_argument.h"
#include "sw/routing/fault_tolerance.h"

namespace lanecut {
namespace {

constexpr const char* kFaultsExamples = R"(Examples:
  lanecut faults torus:4x4 --vls 2 --spare-vls 1 --most 3
  lanecut faults torus:4x4 --engine tftr --vls 2 --paths 4 --recovery paths --most 3
  lanecut faults torus:8x8 --vls 2 --most 8 --samples 20 --seed 7

A combination is tolerated if every pair of end nodes that the topology still joins has a path. VLs
and SLs are the most that one of them uses. Exit status: 0 it worked, 2 bad input.)";

struct FaultsArguments {
  std::string topology;
  EngineOptions engine;
  std::string recovery = "rftr";
  bool switches = false;
  int spare_vls = 0;
  int most = 1;
  std::int64_t samples = 0;
  std::uint64_t seed = 1;
  std::string out;
};

std::unique_ptr<FaultModel> MakeModel(const Topology& topology, const FaultsArguments& arguments) {
  const FailingPart kind = arguments.switches ? FailingPart::kSwitches : FailingPart::kCables;
  const RoutingTables tables = ComputeTables(topology, arguments.engine, false);
  if (arguments.recovery == "paths") return MakeAlternatesModel(topology, tables, kind);
  return MakeRftrModel(
      topology, tables,
      {arguments.engine.vls.value_or(1) + arguments.spare_vls, arguments.engine.sls}, kind);
}

int CountFaults(const FaultsArguments& arguments, std::ostream& out) {
  const Topology topology = ReadTopologyArgument(arguments.topology).topology;
  const std::unique_ptr<FaultModel> model = MakeModel(topology, arguments);
  if (arguments.most > model->num_parts()) {
    throw UsageError(fmt::format("--most {}: there are {} {}; expected no more", arguments.most,
                                 model->num_parts(),
                                 arguments.switches ? "switches" : "cables between switches"));
  }
  const std::vector<FaultCount> counts =
      arguments.samples > 0
          ? CountSamples(*model, arguments.most, arguments.samples, arguments.seed)
          : CountCombinations(*model, arguments.most);
  std::string text = fmt::format("{:>6}  {:>14}  {:>14}  {:>11}  {:>3}  {:>3}\n", "faults",
                                 arguments.samples > 0 ? "samples" : "combinations", "tolerated",
                                 "not, %", "VLs", "SLs");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const FaultCount& count = counts[i];
    const auto lost = static_cast<double>(count.combinations - count.tolerated);
    text +=
        fmt::format("{:>6}  {:>14}  {:>14}  {:>11.4f}  {:>3}  {:>3}\n", i + 1, count.combinations,
                    count.tolerated, 100.0 * lost / static_cast<double>(count.combinations),
                    count.vls, count.sls);
  }
  WriteOutput(arguments.out, text, out);
  return kExitOk;
}

}  // namespace

void AddFaultsCommand(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<FaultsArguments>();
  CLI::App* command = app.add_subcommand(
      "faults", "Count the combinations of failed links or switches that a routing tolerates");
  command->footer(kFaultsExamples);
  command->add_option("TOPOLOGY", arguments->topology, std::string(kTopologyArgumentHelp))
      ->required();
  AddEngineOptions(*command, arguments->engine);
  command
      ->add_option("--recovery", arguments->recovery,
                   "What pairs do whose path fails, default rftr:\n"
                   "rftr - get a new path, fault by fault\n"
                   "paths - change to another one of the paths that they have (--paths)")
      ->check(CLI::IsMember({"rftr", "paths"}));
  command
      ->add_option("--spare-vls", arguments->spare_vls,
                   "VLs beyond --vls that new paths may use, default 0")
      ->check(CLI::Range(0, 14));
  command->add_flag("--switches", arguments->switches, "Switches fail instead of links");
  command->add_option("--most", arguments->most, "Faults, from 1 up to this, default 1")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--samples", arguments->samples,
                   "Take this many random sequences instead of all combinations")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  command->add_option("--seed", arguments->seed, "Of the samples, default 1");
  command->add_option("--out", arguments->out, "Write to this file instead of the terminal");
  command->callback([arguments, &action] {
    action = [arguments](std::ostream& out) { return CountFaults(*arguments, out); };
  });
}

}  // namespace lanecut
