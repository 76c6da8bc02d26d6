// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of sw/scenario.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "sw/scenario/reader.h"

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

// A folder that goes when the test does.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lanecut-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void Write(const std::filesystem::path& name, std::string_view text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace lanecut
