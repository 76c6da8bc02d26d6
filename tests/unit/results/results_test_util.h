// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of sw/results.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "sw/results/recorder.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {

inline std::string ReadText(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The rows of a query, columns joined by "|" and rows by newlines; NULL is "-".
inline std::string Query(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  std::string rows;
  EXPECT_EQ(sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  const auto append = [](void* text, int columns, char** values, char**) {
    auto& result = *static_cast<std::string*>(text);
    for (int i = 0; i < columns; ++i) {
      if (i > 0) result += '|';
      result += values[i] != nullptr ? values[i] : "-";
    }
    result += '\n';
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), append, &rows, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
  return rows;
}

inline RecorderOptions SmallOptions(const std::filesystem::path& folder) {
  RecorderOptions options;
  options.folder = folder;
  options.name = "small";
  options.seed = 3;
  options.links = 5;
  options.interval_cycles = 100;
  options.switches = {"S0", "S1"};
  options.end_nodes = {"H0", "H1", "H2"};
  options.config = {{"seed", "3"}, {"traffic.load", "0.1"}};
  return options;
}

inline PacketInfo SmallPacket(std::uint64_t id) { return {id, 0, 1, 0, 58, 15}; }

}  // namespace lanecut
