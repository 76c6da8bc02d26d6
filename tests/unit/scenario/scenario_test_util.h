// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of sw/scenario.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "sw/scenario/reader.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {

// The smallest valid scenario.
inline constexpr std::string_view kMinimal = "[topology]\nkind = \"torus\"\n";

// The error's text, empty if there is none.
inline std::string ErrorOf(std::string_view text, const std::vector<std::string>& overrides = {}) {
  try {
    ParseScenario(text, "s.toml", overrides);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return {};
}

}  // namespace lanecut
