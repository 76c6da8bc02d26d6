// SPDX-License-Identifier: Apache-2.0
#include "sw/patterns/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

namespace lanecut {
namespace {

// Calls work(i) for all i from 0, on several threads.
void ForAll(int count, int jobs, const std::function<void(int)>& work) {
  std::atomic<int> next = 0;
  std::vector<std::jthread> threads;
  threads.reserve(jobs);
  for (int job = 0; job < jobs; ++job) {
    threads.emplace_back([&] {
      for (int i = next++; i < count; i = next++) work(i);
    });
  }
}

// In an order that does not depend on that of the classes.
std::vector<Pattern> DifferentOnes(const std::vector<ClassPattern>& found) {
  std::map<std::string, Pattern> by_text;
  for (const ClassPattern& each : found) {
    if (each.pattern.empty()) continue;
    std::string text;
    for (const Movement& movement : each.pattern)
      text += fmt::format("{}, ", FormatMovement(movement));
    by_text.emplace(text, each.pattern);
  }
  std::vector<Pattern> patterns;
  patterns.reserve(by_text.size());
  for (const auto& [text, pattern] : by_text) patterns.push_back(pattern);
  return patterns;
}

// The pattern that most of the open classes may take, the first of equals.
int MostWanted(const std::vector<std::vector<int>>& takers, const std::vector<bool>& is_open) {
  int best = 0;
  std::ptrdiff_t most = -1;
  for (int i = 0; i < static_cast<int>(takers.size()); ++i) {
    if (std::ssize(takers[i]) <= most) continue;
    const auto count = std::ranges::count_if(takers[i], [&](int each) { return is_open[each]; });
    if (count <= most) continue;
    best = i;
    most = count;
  }
  return best;
}

// Items in lines.
template <typename T>
std::string FormatArray(std::string_view type, std::string_view name, const std::vector<T>& items) {
  constexpr std::size_t kColumns = 98;
  std::string text =
      fmt::format("  static constexpr std::array<{}, {}> {} = {{{{\n", type, items.size(), name);
  const std::string indent(3, ' ');
  std::string line = indent;
  for (const T& item : items) {
    const std::string next = fmt::format(" {},", item);
    if (line.size() + next.size() > kColumns) {
      text += fmt::format("{}\n", line);
      line = indent;
    }
    line += next;
  }
  return fmt::format("{}{}\n  }}}};\n", text, line);
}

}  // namespace

Derivation Derive(const PatternRange& range, int jobs, const Progress& progress) {
  const SideKind kind = range.least == 4 ? SideKind::kFour : SideKind::kFiveOrMore;
  const int classes = NumPairClasses(kind, range.axes);
  std::vector<ClassPattern> found(classes);
  std::mutex mutex;
  int done = 0;
  ForAll(classes, jobs, [&](int i) {
    found[i] = FindClassPattern(i, range);
    const std::lock_guard lock(mutex);
    progress(++done, classes);
  });

  Derivation derivation;
  derivation.cells.assign(classes, -1);
  std::vector<bool> is_open(classes, false);
  for (int i = 0; i < classes; ++i) {
    is_open[i] = !found[i].pattern.empty();
    if (!is_open[i] && !found[i].pairs.empty()) derivation.without.push_back(i);
  }
  const std::vector<Pattern> patterns = DifferentOnes(found);
  std::vector<std::vector<int>> takers(patterns.size());  // classes by pattern
  ForAll(static_cast<int>(patterns.size()), jobs, [&](int pattern) {
    for (int i = 0; i < classes; ++i) {
      if (!found[i].pattern.empty() && IsAsGood(patterns[pattern], i, found[i], range))
        takers[pattern].push_back(i);
    }
  });

  while (std::ranges::find(is_open, true) != is_open.end()) {
    const int pattern = MostWanted(takers, is_open);
    for (const int each : takers[pattern]) {
      if (!is_open[each]) continue;
      derivation.cells[each] = static_cast<int>(derivation.patterns.size());
      is_open[each] = false;
    }
    derivation.patterns.push_back(patterns[pattern]);
  }
  return derivation;
}

std::string FormatSource(const Derivation& derivation, std::string_view function,
                         std::string_view command) {
  std::map<std::string, int> uses;
  for (const Pattern& pattern : derivation.patterns) {
    for (const Movement& movement : pattern) ++uses[FormatMovement(movement)];
  }
  // Often used ones first, so that their numbers are short.
  std::vector<std::string> movements;
  movements.reserve(uses.size());
  for (const auto& [text, count] : uses) movements.push_back(text);
  std::ranges::stable_sort(movements, std::greater(), [&](const auto& text) { return uses[text]; });
  std::map<std::string, int> number_of;
  for (const std::string& text : movements)
    number_of.emplace(text, static_cast<int>(number_of.size()));

  std::string source = fmt::format(
      "// SPDX-License-Identifier: Apache-2.0\n//\n// Written by: {}\n"
      "#include <array>\n\n#include \"sw/routing/pattern_table.h\"\n\n"
      "namespace lanecut {{\n\n// clang-format off\nconst PatternTable& {}() {{\n",
      command, function);
  std::vector<std::string> quoted;
  quoted.reserve(movements.size());
  for (const std::string& text : movements) quoted.push_back(fmt::format("\"{}\"", text));
  std::vector<int> patterns;
  for (const Pattern& pattern : derivation.patterns) {
    for (const Movement& movement : pattern)
      patterns.push_back(number_of.at(FormatMovement(movement)));
  }
  source += FormatArray("std::string_view", "kMovements", quoted);
  source += FormatArray("std::uint16_t", "kPatterns", patterns);
  source += FormatArray("std::int16_t", "kCells", derivation.cells);
  return source +
         "  static constexpr PatternTable kTable = {kMovements, kPatterns, kCells};\n"
         "  return kTable;\n}\n// clang-format on\n\n}  // namespace lanecut\n";
}

}  // namespace lanecut
