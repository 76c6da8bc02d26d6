// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/cli/commands.h"
#include "sw/cli/network.h"

namespace lanecut {
namespace {

constexpr const char* kWaveExamples = R"(Examples:
  lanecut wave scenarios/mesh4x4.toml --switch S1_1 --from 67000 --to 68000
  lanecut wave scenarios/mesh4x4.toml --around packet:0x500000000002a
  lanecut wave scenarios/torus4x4-static.toml --set reconfiguration.scheme=ebr --set traffic.load=0.3 --around epoch-drop
  gtkwave out/mesh4x4-wave.gtkw

Repeats the run of the scenario, or of a results folder's scenario.toml, and writes what happens inside the
switches in a window of it: NAME-wave.fst, and NAME-wave.gtkw for GTKWave. The run ends with the window.

With --around it is run twice, first to find the event, the first one of its kind:
  epoch-drop        EBR drops a packet
  token             a switch processes or sends a token (OSR)
  credit-stall:N    a packet stands at the head of an output queue for more than N cycles without credits
  packet:ID         the way of a data packet, by its id in the results and in messages
  assertion         an assertion of the RTL fails
  stall             the last packet that moved before the stall detector ended the run

Exit status: 0 the waves are written; 1 the event, or the window, is not in the run; 2 bad input.)";

constexpr const char* kEvents = "epoch-drop, token, credit-stall:N, packet:ID, assertion or stall";
constexpr std::size_t kMostNamed = 12;

struct WaveArguments {
  std::string file;
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> switches;
  std::optional<Cycle> from;
  std::optional<Cycle> to;
  std::string around;
  std::string out;
};

std::optional<std::uint64_t> Number(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<WaveEvent> ParseEvent(const std::string& text) {
  using Kind = WaveEvent::Kind;
  struct Form {
    std::string_view name;
    Kind kind;
    bool has_value;
  };
  constexpr std::array<Form, 6> kForms = {{{"epoch-drop", Kind::kEpochDrop, false},
                                           {"token", Kind::kToken, false},
                                           {"credit-stall", Kind::kCreditStall, true},
                                           {"packet", Kind::kPacket, true},
                                           {"assertion", Kind::kAssertion, false},
                                           {"stall", Kind::kStall, false}}};
  const std::size_t colon = text.find(':');
  const bool has_value = colon != std::string::npos;
  for (const Form& form : kForms) {
    if (text.substr(0, colon) != form.name || form.has_value != has_value) continue;
    if (!has_value) return WaveEvent{form.kind, 0, text};
    const auto value = Number(std::string_view(text).substr(colon + 1));
    if (value) return WaveEvent{form.kind, *value, text};
  }
  return std::nullopt;
}

std::string SwitchNames(const Topology& topology) {
  std::vector<std::string> names;
  for (const int node : topology.switches()) names.push_back(topology.node(node).name);
  const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more == 0 ? "" : fmt::format(" and {} more (lanecut topo)", more));
}

std::vector<int> FindSwitches(const std::vector<std::string>& names, const Topology& topology) {
  std::vector<int> nodes;
  for (const std::string& name : names) {
    const auto node = topology.FindNode(name);
    if (!node || topology.node(*node).kind != NodeKind::kSwitch) {
      throw UsageError(fmt::format("wave: --switch {}: no such switch; expected one of {}", name,
                                   SwitchNames(topology)));
    }
    if (std::ranges::find(nodes, *node) == nodes.end()) nodes.push_back(*node);
  }
  return nodes;
}

// Either an event, or a window and switches.
void ReadWindow(const WaveArguments& arguments, WaveOptions* options) {
  if (!arguments.around.empty()) {
    if (arguments.from || arguments.to) {
      throw UsageError("wave: --around together with --from or --to; expected one or the other");
    }
    options->around = ParseEvent(arguments.around);
    if (!options->around) {
      throw UsageError(
          fmt::format("wave: --around {}: no such event; expected {}", arguments.around, kEvents));
    }
    return;
  }
  if (!arguments.from || !arguments.to || options->switches.empty()) {
    throw UsageError(
        "wave: what is to be seen is missing; expected --around EVENT, or --switch, --from and "
        "--to");
  }
  options->first = *arguments.from;
  options->last = *arguments.to;
  if (options->first > options->last) {
    throw UsageError(fmt::format(
        "wave: --from {} --to {}: expected the first cycle and the last one of a window",
        options->first, options->last));
  }
}

int Wave(const WaveArguments& arguments, const WaveFunction& wave, bool progress) {
  WaveOptions options;
  options.scenario = ReadAndCheck("wave", arguments.file, arguments.overrides, arguments.seed);
  options.switches = FindSwitches(arguments.switches, BuildTopology(options.scenario));
  ReadWindow(arguments, &options);
  options.out = arguments.out.empty()
                    ? std::filesystem::path("out") / (options.scenario.name + "-wave")
                    : std::filesystem::path(arguments.out);
  options.progress = progress;
  return wave(options);
}

}  // namespace

void AddWaveCommand(CLI::App& app, const WaveFunction& wave, bool progress, Action& action) {
  auto arguments = std::make_shared<WaveArguments>();
  CLI::App* command =
      app.add_subcommand("wave", "Repeat a run and write the signals of switches for GTKWave");
  command->footer(kWaveExamples);
  command->add_option("SCENARIO", arguments->file, "Scenario file (TOML)");
  command
      ->add_option("--set", arguments->overrides,
                   "KEY=VALUE: replace a value of the scenario, as for the run; repeatable")
      ->allow_extra_args(false);
  command->add_option("--seed", arguments->seed, "Short for --set seed=N");
  command
      ->add_option("--switch", arguments->switches,
                   "NAME[,NAME...]: the switches to look into. With --around, an event at one of "
                   "them; default is where the event is")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--from", arguments->from, "First cycle of the waves");
  command->add_option("--to", arguments->to, "Last cycle of the waves");
  command->add_option("--around", arguments->around,
                      fmt::format("EVENT instead of --from and --to: {}", kEvents));
  command->add_option("--out", arguments->out,
                      "Write OUT.fst and OUT.gtkw, default out/NAME-wave; earlier ones are "
                      "replaced");
  command->callback([arguments, wave, progress, &action] {
    action = [=](std::ostream&) { return Wave(*arguments, wave, progress); };
  });
}

}  // namespace lanecut
