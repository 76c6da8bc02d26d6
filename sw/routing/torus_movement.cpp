// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/torus_movement.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lanecut {
namespace {

constexpr std::string_view kLetters = "RLDUFN";

TorusStep ParseStep(std::string_view text) {
  TorusStep step;
  step.direction = static_cast<int>(kLetters.find(text.back()));
  text.remove_suffix(1);
  if (text.empty()) return step;
  if (text.back() == 'H') {
    step.end = TorusStep::End::kHops;
    std::from_chars(text.data(), text.data() + text.size() - 1, step.value);
  } else if (text == "MAX") {
    step.end = TorusStep::End::kHighest;
  } else if (text.front() == '(') {  // (DST+n)
    const bool minus = text[4] == '-';
    std::from_chars(text.data() + 5, text.data() + text.size() - 1, step.value);
    if (minus) step.value = -step.value;
  } else {
    step.end = TorusStep::End::kCoordinate;
    std::from_chars(text.data(), text.data() + text.size(), step.value);
  }
  return step;
}

std::string FormatStep(const TorusStep& step) {
  const char letter = kLetters[step.direction];
  switch (step.end) {
    case TorusStep::End::kHops:
      return fmt::format("{}H{}", step.value, letter);
    case TorusStep::End::kCoordinate:
      return fmt::format("{}{}", step.value, letter);
    case TorusStep::End::kHighest:
      return fmt::format("MAX{}", letter);
    default:
      return step.value == 0 ? std::string(1, letter)
                             : fmt::format("(DST{:+}){}", step.value, letter);
  }
}

}  // namespace

Movement ParseMovement(std::string_view text) {
  Movement steps;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    steps.push_back(ParseStep(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return steps;
}

std::vector<Movement> ParseMovements(std::span<const std::string_view> texts) {
  std::vector<Movement> movements;
  movements.reserve(texts.size());
  for (const std::string_view text : texts) movements.push_back(ParseMovement(text));
  return movements;
}

std::string FormatMovement(const Movement& movement) {
  std::string text;
  for (const TorusStep& step : movement) {
    if (!text.empty()) text += ' ';
    text += FormatStep(step);
  }
  return text;
}

}  // namespace lanecut
