// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/cli/capture_option.h"
#include "sw/cli/commands.h"
#include "sw/cli/network.h"
#include "sw/scenario/reader.h"
#include "sw/scenario/schema.h"

namespace lanecut {
namespace {

constexpr const char* kRunExamples = R"(Examples:
  lanecut run scenarios/torus8x8-static.toml
  lanecut run scenarios/torus4x4-static.toml --set traffic.load=0.2 --seed 7 --out out/load20
  lanecut run scenarios/mesh4x4.toml --set topology.size=[3,5] --set fault=[]
  lanecut run scenarios/torus4x4-static.toml --json | jq .packets
  lanecut run scenarios/torus4x4-static.toml --capture S0_0:1,H0_0_0:1 --capture-window 100000..110000
  lanecut run scenarios/torus4x4-static.toml --dry-run
  lanecut run --schema

Exit status: 0 all went well; 1 the run failed (stall, packets lost without trace, a difference to the
reference model); 2 bad input.)";

struct RunArguments {
  std::string file;
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;
  std::string out;
  bool json = false;
  bool dry_run = false;
  std::vector<std::string> capture;
  std::string capture_window;
  std::string schema;  // "text" or "markdown" if asked for
};

int Run(const RunArguments& arguments, const RunFunction& run, bool progress, std::ostream& out) {
  if (!arguments.schema.empty()) {
    out << (arguments.schema == "markdown" ? SchemaMarkdown() : SchemaText());
    return kExitOk;
  }
  RunOptions options;
  options.scenario = ReadAndCheck("run", arguments.file, arguments.overrides, arguments.seed);
  options.capture =
      ParseCapture(arguments.capture, arguments.capture_window, BuildTopology(options.scenario));
  if (arguments.dry_run) {
    out << DumpScenario(options.scenario);
    return kExitOk;
  }
  options.out = arguments.out.empty() ? std::filesystem::path("out") / options.scenario.name
                                      : std::filesystem::path(arguments.out);
  options.json = arguments.json;
  options.progress = progress;
  return run(options);
}

}  // namespace

Scenario ReadAndCheck(std::string_view command, const std::string& file,
                      std::vector<std::string> overrides, std::optional<std::uint64_t> seed) {
  if (file.empty()) {
    throw UsageError(fmt::format(
        "{0}: SCENARIO is missing; expected a scenario file, see lanecut {0} --help", command));
  }
  if (seed) overrides.push_back(fmt::format("seed={}", *seed));
  Scenario scenario = ReadScenario(file, overrides);
  CheckAgainstTopology(scenario, BuildTopology(scenario));
  return scenario;
}

void AddRunCommand(CLI::App& app, const RunFunction& run, bool progress, Action& action) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Run a scenario and write its results");
  command->footer(kRunExamples);
  command->add_option("SCENARIO", arguments->file, "Scenario file (TOML)");
  command
      ->add_option("--set", arguments->overrides,
                   "KEY=VALUE: replace a value of the scenario, as in traffic.load=0.3; repeatable")
      ->allow_extra_args(false);
  command->add_option("--seed", arguments->seed, "Short for --set seed=N");
  command->add_option("--out", arguments->out,
                      "Folder for the results, default out/NAME. Earlier results are replaced, "
                      "anything else is refused");
  command
      ->add_option("--capture", arguments->capture,
                   "LINK[,LINK...] or all: write what crosses these links, both ways, into .erf "
                   "files for Wireshark, one per link. A link is a port at its end, like S0_0:1")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--capture-window", arguments->capture_window,
                      "A..B: only packets that start in these cycles, B not included; default is "
                      "everything, bring-up included");
  command->add_flag("--json", arguments->json, "Print summary.json instead of a table");
  command->add_flag("--dry-run", arguments->dry_run,
                    "Check everything, print the scenario with all defaults, do not run");
  command->add_option("--schema", arguments->schema, "Print all keys of a scenario: text, markdown")
      ->expected(0, 1)
      ->default_str("text")
      ->check(CLI::IsMember({"text", "markdown"}));
  command->callback([arguments, run, progress, &action] {
    action = [=](std::ostream& out) { return Run(*arguments, run, progress, out); };
  });
}

}  // namespace lanecut
