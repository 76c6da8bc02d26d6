// SPDX-License-Identifier: Apache-2.0
#include "sw/results/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <fstream>

#include "sw/results/recorder.h"

namespace lanecut {
namespace {

[[noreturn]] void Fail(sqlite3* handle) {
  throw ResultsError(fmt::format("results.sqlite: {}", sqlite3_errmsg(handle)));
}

}  // namespace

Database::Database(const std::filesystem::path& file) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(file.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const std::string reason = sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw ResultsError(fmt::format("{}: {}", file.string(), reason));
  }
  // No journal and no syncing: a file that is not complete never gets its final name.
  Execute(
      fmt::format("PRAGMA page_size=4096; PRAGMA encoding='UTF-8'; PRAGMA journal_mode=OFF;"
                  "PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
                  "PRAGMA application_id={}; PRAGMA user_version={}; BEGIN",
                  kResultsApplicationId, kResultsVersion));
}

Database::~Database() { sqlite3_close(handle_); }

void Database::Execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) Fail(handle_);
}

void Database::Commit() {
  Execute("COMMIT");
  if (sqlite3_close(handle_) != SQLITE_OK) Fail(handle_);
  handle_ = nullptr;
}

Insert::Insert(Database& database, const std::string& sql) : database_(database) {
  if (sqlite3_prepare_v2(database.handle_, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) {
    Fail(database.handle_);
  }
}

Insert::~Insert() { sqlite3_finalize(statement_); }

void Insert::Bind(int index, std::int64_t value) { sqlite3_bind_int64(statement_, index, value); }

void Insert::Bind(int index, std::string_view value) {
  // A null pointer would bind NULL, and an empty view may hold one. The text outlives Step(), so
  // SQLite need not copy it.
  const char* text = value.empty() ? "" : value.data();
  sqlite3_bind_text(statement_, index, text, static_cast<int>(value.size()), SQLITE_STATIC);
}

void Insert::BindNull(int index) { sqlite3_bind_null(statement_, index); }

void Insert::Step() {
  if (sqlite3_step(statement_) != SQLITE_DONE) Fail(database_.handle_);
  sqlite3_reset(statement_);
}

bool IsResultsDatabase(const std::filesystem::path& file) {
  // The file's header: a magic text of 16 bytes, and the application ID at offset 68, big endian.
  std::array<char, 72> header{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(header.data(), header.size())) return false;
  std::uint32_t id = 0;
  for (int i = 68; i < 72; ++i) id = id << 8 | static_cast<unsigned char>(header[i]);
  return std::string_view(header.data(), 15) == "SQLite format 3" &&
         id == static_cast<std::uint32_t>(kResultsApplicationId);
}

}  // namespace lanecut
