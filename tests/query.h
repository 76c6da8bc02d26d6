// SPDX-License-Identifier: Apache-2.0
//
// Looks into a results.sqlite.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

namespace lanecut {

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

}  // namespace lanecut
