// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "sw/cli/commands.h"
#include "sw/cli/network.h"
#include "sw/scenario/reader.h"

namespace lanecut {
namespace {

constexpr std::int64_t kMaxRange = 1000;

std::optional<std::int64_t> WholeNumber(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "1..5"; nothing if it is something else.
std::optional<std::vector<std::string>> Range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto first = WholeNumber(text.substr(0, dots));
  const auto last = WholeNumber(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  if (*last < *first || *last - *first >= kMaxRange) {
    throw UsageError(fmt::format("sweep: {} is no range; expected up to {} numbers, FIRST..LAST",
                                 text, kMaxRange));
  }
  std::vector<std::string> numbers;
  for (std::int64_t i = *first; i <= *last; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == ',' && depth == 0 && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// What a fabric that has been brought up can still take from another scenario.
bool TakenByRun(std::string_view key) {
  constexpr std::array<std::string_view, 3> kBuilt = {"run.checks", "run.skip_idle",
                                                      "run.stall_cycles"};
  if (std::ranges::find(kBuilt, key) != kBuilt.end()) return false;
  constexpr std::array<std::string_view, 5> kTaken = {"seed", "traffic.", "run.", "fault",
                                                      "results."};
  return std::ranges::any_of(kTaken, [&](std::string_view part) { return key.starts_with(part); });
}

std::string FabricOf(const Scenario& scenario) {
  std::string text;
  for (const auto& [key, value] : ScenarioEntries(scenario)) {
    if (!TakenByRun(key)) text += fmt::format("{}={}\n", key, value);
  }
  return text;
}

// Name of a results folder.
std::string RunName(const std::vector<std::string>& choice) {
  std::string name = fmt::format("{}", fmt::join(choice, ","));
  std::ranges::replace(name, '/', '_');
  return name;
}

}  // namespace

std::vector<std::string> ParseVariation(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
    throw UsageError(
        fmt::format("sweep: --vary {}: expected KEY=VALUE,VALUE... or KEY=FIRST..LAST", text));
  }
  const std::string key = text.substr(0, equals);
  const std::string values = text.substr(equals + 1);
  std::vector<std::string> settings;
  for (const std::string& value : Range(values).value_or(Split(values))) {
    settings.push_back(fmt::format("{}={}", key, value));
  }
  return settings;
}

std::vector<SweepGroup> PlanSweep(const std::string& file,
                                  const std::vector<std::string>& overrides,
                                  const std::vector<std::string>& variations) {
  std::vector<std::vector<std::string>> choices(1);
  for (const std::string& variation : variations) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& choice : choices) {
      for (const std::string& setting : ParseVariation(variation)) {
        longer.push_back(choice);
        longer.back().push_back(setting);
      }
    }
    choices = std::move(longer);
  }

  std::vector<SweepGroup> groups;
  std::map<std::string, std::size_t> group_of;
  for (const auto& choice : choices) {
    std::vector<std::string> settings = overrides;
    settings.insert(settings.end(), choice.begin(), choice.end());
    SweepRun run{RunName(choice), ReadScenario(file, settings)};
    CheckAgainstTopology(run.scenario, BuildTopology(run.scenario));
    const auto [group, is_new] = group_of.try_emplace(FabricOf(run.scenario), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(std::move(run));
  }
  return groups;
}

}  // namespace lanecut
