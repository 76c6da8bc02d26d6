// SPDX-License-Identifier: Apache-2.0
//
// The one table of scenario keys. The reader, `lanecut run --schema`, the dump and docs/scenario.md
// all come from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sw/scenario/scenario.h"

namespace lanecut {

// Where a key's value lives in its owner (Scenario, or ChangeScenario or FaultScenario for the keys
// of
// [[change]] and [[fault]]).
template <typename Owner>
struct KeyBinding {
  struct Choice {  // an enumerator, as an index into KeySpec::choices
    std::size_t (*get)(const Owner&);
    void (*set)(Owner&, std::size_t);
  };
  template <typename T>
  struct Field {
    const T& (*get)(const Owner&);
    T& (*edit)(Owner&);
  };
  using Any =
      std::variant<Field<std::string>, Field<std::uint64_t>, Field<std::optional<std::uint64_t>>,
                   Field<double>, Field<bool>, Field<std::vector<std::uint64_t>>, Choice>;
};

template <typename Owner>
struct KeySpec {
  std::string_view table;  // "" for the top level, "fault" for [[fault]]
  std::string_view key;
  typename KeyBinding<Owner>::Any field;
  double min = 0;  // numbers, and each element of an array
  double max = 0;
  std::uint64_t multiple_of = 1;                   // integers
  std::span<const std::string_view> choices = {};  // strings and enumerators; empty: any text
  bool required = false;
  std::string_view unset =
      {};  // what it means when an optional number or an empty string is not given
  std::string_view unit = {};
  std::string_view doc = {};  // one line
};

std::span<const KeySpec<Scenario>> ScenarioKeys();
std::span<const KeySpec<ChangeScenario>> ChangeKeys();
std::span<const KeySpec<FaultScenario>> FaultKeys();

// There may be several tables of this name.
constexpr bool IsList(std::string_view table) { return table == "change" || table == "fault"; }

struct TableDoc {
  std::string_view name;
  std::string_view doc;  // a sentence or two; more in docs/scenario.md
};
std::span<const TableDoc> ScenarioTables();

// How a table begins in a scenario: "[run]", "[[fault]]".
std::string Heading(std::string_view table);

// The schema for a terminal.
std::string SchemaText();

// The generated part of docs/scenario.md: one table per scenario table.
std::string SchemaMarkdown();

// What a key accepts, for messages and documentation: "a whole number from 1 to 8", "one of
// \"cut\", \"flap\"".
template <typename Owner>
std::string ExpectedText(const KeySpec<Owner>& spec);

// The value as TOML, nothing if it is unset.
template <typename Owner>
std::optional<std::string> ValueText(const KeySpec<Owner>& spec, const Owner& owner);

}  // namespace lanecut
