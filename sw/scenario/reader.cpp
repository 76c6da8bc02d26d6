// SPDX-License-Identifier: Apache-2.0
#include "sw/scenario/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>

#include "sw/scenario/schema.h"
#include "sw/scenario/toml_text.h"
#include "sw/scenario/validate.h"

namespace lanecut {
namespace {

ScenarioError Error(std::string_view origin, std::string_view what, std::string_view expected) {
  return ScenarioError(fmt::format("{}: {}; {}", origin, what, expected));
}

std::string Path(std::string_view table, std::string_view key) {
  return table.empty() ? std::string(key) : fmt::format("{}.{}", table, key);
}

////////////////////////////////////////////////////////////////////////////////////////////////////
// Typos
////////////////////////////////////////////////////////////////////////////////////////////////////

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

// The candidate that was probably meant, empty if none is near.
std::string_view Nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (std::string_view candidate : candidates) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string Join(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string_view> KeysOf(std::string_view table) {
  std::vector<std::string_view> keys;
  for (const auto& spec : ScenarioKeys()) {
    if (spec.table == table) keys.push_back(spec.key);
  }
  for (const auto& spec : ChangeKeys()) {
    if (spec.table == table) keys.push_back(spec.key);
  }
  for (const auto& spec : FaultKeys()) {
    if (spec.table == table) keys.push_back(spec.key);
  }
  return keys;
}

// The table that has this key, for keys put into the wrong one.
std::string_view TableWith(std::string_view key) {
  for (const auto& spec : ScenarioKeys()) {
    if (spec.key == key && !spec.table.empty()) return spec.table;
  }
  return {};
}

ScenarioError UnknownKey(std::string_view origin, std::string_view table, std::string_view key) {
  const auto keys = KeysOf(table);
  const std::string what = fmt::format("unknown key {}", Path(table, key));
  if (const std::string_view near = Nearest(key, keys); !near.empty()) {
    return Error(origin, what, fmt::format("did you mean {}?", Path(table, near)));
  }
  if (const std::string_view other = TableWith(key); !other.empty()) {
    return Error(origin, what, fmt::format("did you mean {}?", Path(other, key)));
  }
  return Error(origin, what, fmt::format("expected one of {}", Join(keys)));
}

ScenarioError UnknownTable(std::string_view origin, std::string_view table) {
  std::vector<std::string_view> tables;
  for (const TableDoc& doc : ScenarioTables()) {
    if (!doc.name.empty()) tables.push_back(doc.name);
  }
  const std::string what = fmt::format("unknown table [{}]", table);
  if (const std::string_view near = Nearest(table, tables); !near.empty()) {
    return Error(origin, what, fmt::format("did you mean [{}]?", near));
  }
  return Error(origin, what, fmt::format("expected one of {}", Join(tables)));
}

bool IsTable(std::string_view name) {
  return std::ranges::any_of(ScenarioTables(),
                             [name](const TableDoc& doc) { return doc.name == name; });
}

////////////////////////////////////////////////////////////////////////////////////////////////////
// One value
////////////////////////////////////////////////////////////////////////////////////////////////////

template <typename Owner>
class Assigner {
 public:
  using Binding = KeyBinding<Owner>;

  Assigner(const KeySpec<Owner>& spec, Owner& owner, std::string_view path, std::string_view origin,
           const TomlValue& value)
      : spec_(spec), owner_(owner), path_(path), origin_(origin), value_(value) {}

  void operator()(typename Binding::template Field<std::string> field) const {
    field.edit(owner_) = Text();
  }
  void operator()(typename Binding::template Field<std::uint64_t> field) const {
    field.edit(owner_) = Integer(Get<std::int64_t>());
  }
  void operator()(typename Binding::template Field<std::optional<std::uint64_t>> field) const {
    field.edit(owner_) = Integer(Get<std::int64_t>());
  }
  void operator()(typename Binding::template Field<double> field) const {
    const auto* integer = std::get_if<std::int64_t>(&value_.value);
    const double number = integer != nullptr ? static_cast<double>(*integer) : Get<double>();
    if (!(number >= spec_.min && number <= spec_.max)) throw OutOfRange(fmt::format("{}", number));
    field.edit(owner_) = number;
  }
  void operator()(typename Binding::template Field<bool> field) const {
    field.edit(owner_) = Get<bool>();
  }
  void operator()(typename Binding::template Field<std::vector<std::uint64_t>> field) const {
    std::vector<std::uint64_t> items;
    for (std::int64_t item : Get<std::vector<std::int64_t>>()) items.push_back(Integer(item));
    field.edit(owner_) = std::move(items);
  }
  void operator()(typename Binding::Choice choice) const {
    const auto index = std::ranges::find(spec_.choices, Text()) - spec_.choices.begin();
    choice.set(owner_, static_cast<std::size_t>(index));
  }

 private:
  template <typename T>
  const T& Get() const {
    const T* value = std::get_if<T>(&value_.value);
    if (value != nullptr) return *value;
    throw Error(origin_, fmt::format("{} is {}", path_, value_.type),
                "expected " + ExpectedText(spec_));
  }

  std::uint64_t Integer(std::int64_t number) const {
    const auto value = static_cast<double>(number);
    if (value < spec_.min || value > spec_.max ||
        static_cast<std::uint64_t>(number) % spec_.multiple_of != 0) {
      throw OutOfRange(fmt::format("{}", number));
    }
    return static_cast<std::uint64_t>(number);
  }

  const std::string& Text() const {
    const std::string& text = Get<std::string>();
    const bool control =
        std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (control || text.empty()) {
      throw Error(origin_, fmt::format("{} is {}", path_, control ? "not one line" : "empty"),
                  "expected " + ExpectedText(spec_));
    }
    if (!spec_.choices.empty() && std::ranges::find(spec_.choices, text) == spec_.choices.end()) {
      throw UnknownChoice(text);
    }
    return text;
  }

  ScenarioError OutOfRange(std::string_view number) const {
    return Error(origin_, fmt::format("{} = {} is out of range", path_, number),
                 "expected " + ExpectedText(spec_));
  }

  ScenarioError UnknownChoice(std::string_view text) const {
    const std::string_view near = Nearest(text, spec_.choices);
    std::string expected = "expected " + ExpectedText(spec_);
    if (!near.empty()) expected += fmt::format("; did you mean \"{}\"?", near);
    return Error(origin_, fmt::format("{} = \"{}\" is unknown", path_, text), expected);
  }

  const KeySpec<Owner>& spec_;
  Owner& owner_;
  std::string_view path_;
  std::string_view origin_;
  const TomlValue& value_;
};

template <typename Owner>
const KeySpec<Owner>* FindKey(std::span<const KeySpec<Owner>> keys, std::string_view table,
                              std::string_view key) {
  const auto found = std::ranges::find_if(
      keys, [=](const auto& spec) { return spec.table == table && spec.key == key; });
  return found == keys.end() ? nullptr : &*found;
}

////////////////////////////////////////////////////////////////////////////////////////////////////
// The whole
////////////////////////////////////////////////////////////////////////////////////////////////////

struct SplitPath {
  std::string_view table;
  std::string_view key;
  std::optional<std::size_t> index;  // in a list of tables
};

// "fault.0.link" -> fault, link, 0. "seed" -> "", seed. Deeper paths keep their rest in the key,
// which then is unknown.
SplitPath Split(std::string_view path) {
  SplitPath split;
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    split.key = path;
    return split;
  }
  split.table = path.substr(0, dot);
  split.key = path.substr(dot + 1);
  if (!IsList(split.table)) return split;
  std::size_t index = 0;
  const char* end = split.key.data() + split.key.size();
  const auto [rest, error] = std::from_chars(split.key.data(), end, index);
  if (error == std::errc() && (rest == end || *rest == '.')) {
    split.index = index;
    split.key =
        rest == end ? "" : std::string_view(rest + 1, static_cast<std::size_t>(end - rest - 1));
  }
  return split;
}

// A key that names a file, and what the results call the copy of that.
struct FileKey {
  std::string key;
  std::string* file;
  std::filesystem::path* path;
  std::string copy;
};

std::vector<FileKey> FileKeys(Scenario& s) {
  std::vector<FileKey> keys = {
      {"topology.file", &s.topology.file, &s.topology.path, "topology.net"},
      {"routing.file", &s.routing.file, &s.routing.path, "routing.lfts"},
      {"routing.sl2vl_file", &s.routing.sl2vl_file, &s.routing.sl2vl_path, "routing-sl2vl.txt"},
      {"routing.path_records_file", &s.routing.path_records_file, &s.routing.path_records_path,
       "routing-path-records.txt"},
      {"traffic.file", &s.traffic.file, &s.traffic.path, "traffic.txt"}};
  for (std::size_t i = 0; i < s.changes.size(); ++i) {
    keys.push_back({fmt::format("change.{}.file", i), &s.changes[i].file, &s.changes[i].path,
                    fmt::format("change-{}.lfts", i)});
  }
  return keys;
}

std::filesystem::path SeenFrom(const std::filesystem::path& scenario, const std::string& file) {
  return file.empty() ? std::filesystem::path() : scenario.parent_path() / file;
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) { scenario_.source = file; }

  void ReadFile(std::string_view text) {
    for (const TomlEntry& entry : Parse(text)) {
      const std::string origin = AtLine(entry.line);
      if (entry.is_table) {
        EnterTable(entry.path, origin);
      } else {
        Set(entry.path, origin, entry.value);
      }
    }
    for (const FileKey& key : FileKeys(scenario_))
      *key.path = SeenFrom(scenario_.source, *key.file);
  }

  void Override(const std::string& argument) {
    const std::string origin = "--set " + argument;
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(origin, "not an assignment", "expected key=value, like traffic.load=0.3");
    }
    const std::string path = argument.substr(0, equals);
    const std::string text = argument.substr(equals + 1);
    if (IsList(path) && text == "[]") {
      WithList(path, [](auto& list, auto) { list.clear(); });
      std::erase_if(scenario_.origins,
                    [&path](const auto& o) { return o.first.starts_with(path + "."); });
      return;
    }
    Set(path, origin, OverrideValue(path, text, origin));
    for (const FileKey& key : FileKeys(scenario_)) {
      if (key.key == path) *key.path = *key.file;
    }
  }

  Scenario Finish() {
    if (scenario_.name.empty()) scenario_.name = scenario_.source.stem().string();
    for (const auto& spec : ScenarioKeys()) {
      RequireKey(spec.required, Path(spec.table, spec.key), ExpectedText(spec));
    }
    for (const std::string_view table : {"change", "fault"}) {
      WithList(table, [this, table](const auto& list, auto keys) {
        for (std::size_t i = 0; i < list.size(); ++i) {
          for (const auto& spec : keys) {
            RequireKey(spec.required, fmt::format("{}.{}.{}", table, i, spec.key),
                       ExpectedText(spec));
          }
        }
      });
    }
    ValidateScenario(scenario_);
    return std::move(scenario_);
  }

 private:
  std::string AtLine(int line) const {
    return fmt::format("{}:{}", scenario_.source.string(), line);
  }

  std::vector<TomlEntry> Parse(std::string_view text) const {
    try {
      return ParseToml(text);
    } catch (const TomlSyntaxError& error) {
      throw Error(AtLine(error.line), "not TOML: " + error.message,
                  "expected key = value or [table]");
    }
  }

  void RequireKey(bool required, const std::string& path, const std::string& expected) const {
    if (required && !scenario_.origins.contains(path)) {
      throw ErrorAt(scenario_, path, path + " is missing", expected);
    }
  }

  template <typename Visit>
  void WithList(std::string_view table, Visit visit) {
    if (table == "change") {
      visit(scenario_.changes, ChangeKeys());
    } else {
      visit(scenario_.faults, FaultKeys());
    }
  }

  void EnterTable(const std::string& path, const std::string& origin) {
    const SplitPath split = Split(path);
    if (split.index && split.key.empty()) {
      WithList(split.table, [&](auto& list, auto) { AddElement(list, split, origin); });
      scenario_.origins.emplace(path + ".", origin);
      return;
    }
    if (IsList(path)) {
      throw Error(origin, fmt::format("[{}] is one table", path),
                  fmt::format("expected [[{}]], as there may be several", path));
    }
    if (!split.table.empty()) {
      if (!IsTable(split.table)) throw UnknownTable(origin, split.table);
      throw UnknownKey(origin, split.table, split.key);
    }
    if (!IsTable(path)) {
      const auto keys = KeysOf("");
      if (std::ranges::find(keys, path) != keys.end()) {
        throw Error(origin, path + " is a table", "expected a value");
      }
      throw UnknownTable(origin, path);
    }
    scenario_.origins.emplace(path + ".", origin);
  }

  template <typename Element>
  void AddElement(std::vector<Element>& list, const SplitPath& split, const std::string& origin) {
    if (*split.index > list.size()) {
      throw Error(origin, fmt::format("there is no {} {}", split.table, *split.index),
                  fmt::format("expected at most {}, which adds one", list.size()));
    }
    if (*split.index == list.size()) list.emplace_back();
  }

  void Set(const std::string& path, const std::string& origin, const TomlValue& value) {
    const SplitPath split = Split(path);
    if (split.index) {
      WithList(split.table, [&](auto& list, auto keys) {
        AddElement(list, split, origin);
        Assign(keys, split, path, origin, value, list[*split.index]);
      });
    } else {
      Assign(ScenarioKeys(), split, path, origin, value, scenario_);
    }
    scenario_.origins[path] = origin;
  }

  template <typename Owner>
  void Assign(std::span<const KeySpec<Owner>> keys, const SplitPath& split, std::string_view path,
              std::string_view origin, const TomlValue& value, Owner& owner) {
    const KeySpec<Owner>* spec = FindKey(keys, split.table, split.key);
    if (spec == nullptr) throw NoSuchKey(split, value, origin);
    std::visit(Assigner<Owner>(*spec, owner, path, origin, value), spec->field);
  }

  static ScenarioError NoSuchKey(const SplitPath& split, const TomlValue& value,
                                 std::string_view origin) {
    if (split.table.empty() && IsTable(split.key)) {
      return Error(origin, fmt::format("{} is {}", split.key, value.type),
                   "expected a table, " + Heading(split.key));
    }
    if (IsList(split.table) && !split.index) {
      return Error(origin, fmt::format("{0}.{1} does not say which {0}", split.table, split.key),
                   fmt::format("expected a number, like {}.0.{}", split.table, split.key));
    }
    if (!split.table.empty() && !IsTable(split.table)) return UnknownTable(origin, split.table);
    return UnknownKey(origin, split.table, split.key);
  }

  // Texts may come without quotes, as shells eat them.
  static TomlValue OverrideValue(std::string_view path, const std::string& text,
                                 const std::string& origin) {
    TomlValue bare{text, "a text"};
    const SplitPath split = Split(path);
    const bool quoted = text.starts_with('"') || text.starts_with('\'');
    if (!quoted && TakesText(split)) return bare;
    try {
      const auto entries = ParseToml("value = " + text);
      if (entries.size() == 1 && !entries[0].is_table) return entries[0].value;
    } catch (const TomlSyntaxError&) {
      if (quoted) throw Error(origin, "the quotes do not match", "expected a text");
    }
    return bare;
  }

  template <typename Owner>
  static bool IsText(const KeySpec<Owner>* spec) {
    return spec != nullptr &&
           (!spec->choices.empty() ||
            std::holds_alternative<typename KeyBinding<Owner>::template Field<std::string>>(
                spec->field));
  }

  static bool TakesText(const SplitPath& split) {
    if (!split.index) return IsText(FindKey(ScenarioKeys(), split.table, split.key));
    return split.table == "change" ? IsText(FindKey(ChangeKeys(), split.table, split.key))
                                   : IsText(FindKey(FaultKeys(), split.table, split.key));
  }

  Scenario scenario_;
};

std::string ReadWholeFile(const std::filesystem::path& file) {
  const ScenarioError missing = Error(file.string(), "cannot be read", "expected a scenario file");
  if (!std::filesystem::is_regular_file(file)) throw missing;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw missing;
  return text.str();
}

// False for keys that another one displaces; giving both would be an error.
bool Applies(const Scenario& scenario, std::string_view path) {
  if (path.starts_with("topology.")) return TakesKey(scenario.topology.kind, path);
  if (path == "node.retransmit_cycles" || path == "node.window_packets" ||
      path == "node.reorder_packets") {
    return scenario.node.reliable;
  }
  if (path == "traffic.hot_fraction") return scenario.traffic.pattern == "hot-spot";
  if (path == "traffic.load" || path == "traffic.packet_bytes" || path == "traffic.on_cycles" ||
      path == "traffic.off_cycles") {
    return scenario.traffic.pattern != "trace";
  }
  if (path == "link.cable_m" || path == "link.fly_ns_per_m") return !scenario.link.fly_cycles;
  return true;
}

template <typename Element>
void AddListEntries(std::string_view table, const std::vector<Element>& list,
                    std::span<const KeySpec<Element>> keys,
                    std::vector<std::pair<std::string, std::string>>& entries) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const auto& spec : keys) {
      if (auto value = ValueText(spec, list[i])) {
        entries.emplace_back(fmt::format("{}.{}.{}", table, i, spec.key), *std::move(value));
      }
    }
  }
}

}  // namespace

Scenario ReadScenario(const std::filesystem::path& file,
                      const std::vector<std::string>& overrides) {
  return ParseScenario(ReadWholeFile(file), file, overrides);
}

Scenario ParseScenario(std::string_view text, const std::filesystem::path& file,
                       const std::vector<std::string>& overrides) {
  Reader reader(file);
  reader.ReadFile(text);
  for (const std::string& argument : overrides) reader.Override(argument);
  return reader.Finish();
}

std::vector<std::pair<std::string, std::string>> ScenarioEntries(const Scenario& scenario) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& spec : ScenarioKeys()) {
    const std::string path = Path(spec.table, spec.key);
    if (auto value = ValueText(spec, scenario); value && Applies(scenario, path)) {
      entries.emplace_back(path, *std::move(value));
    }
  }
  AddListEntries("change", scenario.changes, ChangeKeys(), entries);
  AddListEntries("fault", scenario.faults, FaultKeys(), entries);
  return entries;
}

std::string DumpScenario(const Scenario& scenario) {
  std::string text;
  std::string open_table;
  for (const auto& [path, value] : ScenarioEntries(scenario)) {
    const std::size_t dot = path.rfind('.');
    const std::string table = dot == std::string::npos ? "" : path.substr(0, dot);
    if (table != open_table) {
      text += fmt::format("\n{}\n", Heading(std::string_view(table).substr(0, table.find('.'))));
      open_table = table;
    }
    text += fmt::format("{} = {}\n", dot == std::string::npos ? path : path.substr(dot + 1), value);
  }
  return text;
}

Scenario AsInResults(const Scenario& scenario) {
  Scenario moved = scenario;
  for (const FileKey& key : FileKeys(moved)) {
    if (!key.file->empty()) *key.file = key.copy;
  }
  return moved;
}

std::vector<std::pair<std::string, std::string>> ScenarioFiles(const Scenario& scenario) {
  std::vector<std::pair<std::string, std::string>> files = {
      {"scenario.toml", DumpScenario(AsInResults(scenario))}};
  Scenario named = scenario;
  for (const FileKey& key : FileKeys(named)) {
    if (!key.file->empty()) files.emplace_back(key.copy, ReadWholeFile(*key.path));
  }
  return files;
}

}  // namespace lanecut
