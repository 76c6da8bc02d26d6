// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/cli/commands.h"

namespace lanecut {
namespace {

constexpr const char* kServeExamples = R"(Examples:
  lanecut serve scenarios/torus4x4-static.toml
  lanecut serve scenarios/torus4x4-static.toml --set fault=[] --traffic --out out/served

Meanwhile, in another terminal:
  ibsim-run opensm -R minhop                 manages the fabric, from its first end node
  SIM_HOST=H1_0_0 ibsim-run ibnetdiscover    looks at it from another one

The clients' environment says where: IBSIM_SOCKNAME (default sim), or by UDP on the loopback
interface IBSIM_SERVER_NAME=localhost and IBSIM_SERVER_PORT (default 7070). The server reads the
same variables. Ends with SIGINT or SIGTERM.

Exit status: 0 it was ended; 1 the run failed; 2 bad input.)";

struct ServeArguments {
  std::string file;
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;
  std::string out;
  bool traffic = false;
};

int Serve(const ServeArguments& arguments, const ServeFunction& serve, bool progress) {
  ServeOptions options;
  options.scenario = ReadAndCheck("serve", arguments.file, arguments.overrides, arguments.seed);
  options.out = arguments.out;
  options.traffic = arguments.traffic;
  options.progress = progress;
  return serve(options);
}

}  // namespace

void AddServeCommand(CLI::App& app, const ServeFunction& serve, bool progress, Action& action) {
  auto arguments = std::make_shared<ServeArguments>();
  CLI::App* command =
      app.add_subcommand("serve", "Let real InfiniBand programs manage a scenario's fabric");
  command->footer(kServeExamples);
  command->add_option("SCENARIO", arguments->file, "Scenario file (TOML)");
  command
      ->add_option("--set", arguments->overrides,
                   "KEY=VALUE: replace a value of the scenario; repeatable")
      ->allow_extra_args(false);
  command->add_option("--seed", arguments->seed, "Short for --set seed=N");
  command->add_option("--out", arguments->out,
                      "Folder for the results, as of a run; default: none are kept");
  command->add_flag("--traffic", arguments->traffic,
                    "Start the scenario's traffic when all end nodes are Active");
  command->callback([arguments, serve, progress, &action] {
    action = [=](std::ostream&) { return Serve(*arguments, serve, progress); };
  });
}

}  // namespace lanecut
