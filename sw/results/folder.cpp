// SPDX-License-Identifier: Apache-2.0
#include "sw/results/folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <system_error>

#include "sw/results/database.h"
#include "sw/results/recorder.h"

namespace lanecut {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 11> kOwnExtensions = {
    ".sqlite", ".json", ".toml", ".net", ".lfts", ".html", ".fst", ".vcd", ".erf", ".pcap", ".txt"};

bool IsOwnFile(const fs::directory_entry& entry) {
  return entry.is_regular_file() &&
         std::ranges::find(kOwnExtensions, entry.path().extension().string()) !=
             kOwnExtensions.end();
}

void CheckReplaceable(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder)) {
    throw ResultsError(
        fmt::format("{}: is no folder; expected a new name, or a folder of earlier "
                    "results to replace",
                    folder.string()));
  }
  const fs::directory_iterator begin(folder);
  if (begin == fs::directory_iterator()) return;
  const bool own = IsResultsDatabase(folder / "results.sqlite") &&
                   std::all_of(fs::begin(begin), fs::end(begin), IsOwnFile);
  if (!own) {
    throw ResultsError(
        fmt::format("{}: holds something else than results; expected a new name, or "
                    "a folder of earlier results to replace",
                    folder.string()));
  }
}

fs::path WithoutTrailingSlash(const fs::path& folder) {
  const fs::path normal = fs::absolute(folder).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

fs::path WithSuffix(fs::path path, std::string_view suffix) {
  path += fmt::format(".{}-{}", suffix, getpid());
  return path;
}

}  // namespace

ResultsFolder::ResultsFolder(const fs::path& folder)
    : folder_(WithoutTrailingSlash(folder)), partial_(WithSuffix(folder_, "partial")) {
  try {
    CheckReplaceable(folder_);
    fs::remove_all(partial_);  // of a killed process that had the same number
    fs::create_directories(partial_);
  } catch (const fs::filesystem_error& error) {
    throw ResultsError(fmt::format("{}: {}; expected a folder that can be written", folder.string(),
                                   error.code().message()));
  }
}

ResultsFolder::~ResultsFolder() {
  std::error_code ignored;
  if (!published_) fs::remove_all(partial_, ignored);
}

void ResultsFolder::WriteFile(std::string_view name, std::string_view contents) const {
  const fs::path path = partial_ / name;
  std::ofstream stream(path, std::ios::binary);
  stream << contents;
  stream.close();
  if (!stream) throw ResultsError(fmt::format("{}: cannot be written", path.string()));
}

void ResultsFolder::Publish() {
  const fs::path old = WithSuffix(folder_, "old");
  try {
    CheckReplaceable(folder_);  // again: the run took its time
    const bool replaces = fs::exists(folder_);
    if (replaces) fs::rename(folder_, old);
    fs::rename(partial_, folder_);
    published_ = true;
    if (replaces) fs::remove_all(old);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    if (!published_ && fs::exists(old)) fs::rename(old, folder_, ignored);
    throw ResultsError(fmt::format("{}: {}", folder_.string(), error.code().message()));
  }
}

}  // namespace lanecut
