// SPDX-License-Identifier: Apache-2.0
//
// A new SQLite file, written in one transaction. Private to sw/results.
//
// Same statements, same bytes: page size and encoding are fixed and nothing of the host enters the
// file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace lanecut {

// Marks a file as results of this program (PRAGMA application_id); "LCUT".
inline constexpr std::int32_t kResultsApplicationId = 0x4C435554;
// Number of the table layout (PRAGMA user_version).
inline constexpr std::int32_t kResultsVersion = 1;

class Database {
 public:
  // Creates the file and begins the transaction. Throws ResultsError, as all members do.
  explicit Database(const std::filesystem::path& file);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void Execute(const std::string& sql);
  // Commits and closes. All statements must be gone.
  void Commit();

 private:
  friend class Insert;
  sqlite3* handle_ = nullptr;
};

// A prepared INSERT. The referenced database must outlive it.
class Insert {
 public:
  Insert(Database& database, const std::string& sql);
  ~Insert();
  Insert(const Insert&) = delete;
  Insert& operator=(const Insert&) = delete;

  // Inserts one row of whole numbers and texts; an empty optional is NULL.
  template <typename... Values>
  void Row(Values... values) {
    int index = 0;
    (Bind(++index, values), ...);
    Step();
  }

 private:
  void Bind(int index, std::int64_t value);
  void Bind(int index, std::uint64_t value) { Bind(index, static_cast<std::int64_t>(value)); }
  void Bind(int index, std::uint32_t value) { Bind(index, static_cast<std::int64_t>(value)); }
  void Bind(int index, int value) { Bind(index, static_cast<std::int64_t>(value)); }
  void Bind(int index, std::string_view value);
  template <typename Value>
  void Bind(int index, const std::optional<Value>& value) {
    value ? Bind(index, *value) : BindNull(index);
  }
  void BindNull(int index);
  void Step();

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

// True if the file is a results.sqlite of this program, of any version.
bool IsResultsDatabase(const std::filesystem::path& file);

}  // namespace lanecut
