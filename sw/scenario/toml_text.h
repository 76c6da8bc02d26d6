// SPDX-License-Identifier: Apache-2.0
//
// TOML as a flat list of keys and values with their lines. Hides toml++, which is slow to compile.
// Private to sw/scenario.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanecut {

struct TomlOther {};  // a date, a time, a list of anything but whole numbers

struct TomlValue {
  std::variant<std::string, std::int64_t, double, bool, std::vector<std::int64_t>, TomlOther> value;
  std::string_view type;  // for messages: "a text", "a list", "a table"
};

struct TomlEntry {
  std::string path;  // "traffic.load"; "fault.0.link" for the first element of [[fault]]
  int line = 0;
  bool is_table = false;  // the header of a table or of one element of a list of tables
  TomlValue value;        // meaningless for a table
};

struct TomlSyntaxError {
  int line = 0;
  std::string message;
};

// Entries in the order of the text. Throws TomlSyntaxError.
std::vector<TomlEntry> ParseToml(std::string_view text);

}  // namespace lanecut
