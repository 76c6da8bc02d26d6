// SPDX-License-Identifier: Apache-2.0
#include "sw/scenario/toml_text.h"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>

namespace lanecut {
namespace {

std::optional<std::vector<std::int64_t>> IntegerList(const toml::array& array) {
  std::vector<std::int64_t> items;
  for (const toml::node& item : array) {
    if (!item.is_integer()) return std::nullopt;
    items.push_back(item.as_integer()->get());
  }
  return items;
}

TomlValue Convert(const toml::node& node) {
  if (const auto* text = node.as_string()) return {text->get(), "a text"};
  if (const auto* integer = node.as_integer()) return {integer->get(), "a whole number"};
  if (const auto* real = node.as_floating_point()) return {real->get(), "a fractional number"};
  if (const auto* boolean = node.as_boolean()) return {boolean->get(), "true or false"};
  if (const auto* array = node.as_array()) {
    if (auto items = IntegerList(*array)) return {*std::move(items), "a list"};
    return {TomlOther{}, "a list of something else"};
  }
  return {TomlOther{}, "a date or time"};
}

void Flatten(const toml::table& table, const std::string& prefix, std::vector<TomlEntry>& entries);

void FlattenNode(const toml::node& node, const std::string& path, std::vector<TomlEntry>& entries) {
  const int line = static_cast<int>(node.source().begin.line);
  if (const toml::table* table = node.as_table()) {
    entries.push_back({path, line, true, {}});
    Flatten(*table, path + ".", entries);
    return;
  }
  const toml::array* array = node.as_array();
  if (array != nullptr && !array->empty() && array->is_homogeneous(toml::node_type::table)) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      FlattenNode(*array->get(i), path + "." + std::to_string(i), entries);
    }
    return;
  }
  entries.push_back({path, line, false, Convert(node)});
}

void Flatten(const toml::table& table, const std::string& prefix, std::vector<TomlEntry>& entries) {
  for (const auto& [key, node] : table) {
    FlattenNode(node, prefix + std::string(key.str()), entries);
  }
}

}  // namespace

std::vector<TomlEntry> ParseToml(std::string_view text) {
  std::vector<TomlEntry> entries;
  try {
    Flatten(toml::parse(text), "", entries);
  } catch (const toml::parse_error& error) {
    std::string message(error.description());
    std::ranges::replace(message, '\n', ' ');
    throw TomlSyntaxError{static_cast<int>(error.source().begin.line), message};
  }
  std::ranges::stable_sort(entries, {}, &TomlEntry::line);
  return entries;
}

}  // namespace lanecut
