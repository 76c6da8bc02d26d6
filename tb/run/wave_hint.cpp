// SPDX-License-Identifier: Apache-2.0
#include "tb/run/wave_hint.h"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>

namespace lanecut {
namespace {

bool IsPlain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         std::string_view("_-./+,:@%").find(c) != std::string_view::npos;
}

// As one word of a shell's command line.
std::string ShellWord(const std::string& text) {
  if (!text.empty() && std::ranges::all_of(text, IsPlain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string WaveHint(const Failure& failure, const std::filesystem::path& results) {
  if (failure.waves().empty()) return "";
  return fmt::format("lanecut: to see it in waves: {} wave {} {}\n",
                     ShellWord(program_invocation_name),
                     ShellWord((results / "scenario.toml").string()), failure.waves());
}

}  // namespace lanecut
