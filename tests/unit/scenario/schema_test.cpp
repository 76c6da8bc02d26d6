// SPDX-License-Identifier: Apache-2.0
#include "sw/scenario/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sw/routing/routing.h"

namespace lanecut {
namespace {

// docs/scenario.md holds the generated tables between two marks.
TEST(SchemaTest, DocumentationIsTheGeneratedOne) {
  std::ifstream stream(LANECUT_ROOT "/docs/scenario.md");
  std::ostringstream text;
  text << stream.rdbuf();
  const std::string docs = text.str();
  const std::string begin = "<!-- begin: lanecut run --schema markdown -->\n";
  const std::string end = "<!-- end -->";
  const std::size_t from = docs.find(begin);
  const std::size_t to = docs.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(docs.substr(from + begin.size(), to - from - begin.size()), SchemaMarkdown())
      << "put the output of `lanecut run --schema markdown` between the marks";
}

// The scenario has all engines, and tables from a file.
TEST(SchemaTest, EnginesAreThoseThatThereAre) {
  std::vector<std::string_view> computing;
  for (const auto& engine : RoutingEngines()) computing.push_back(engine->name());
  std::vector<std::string_view> all = computing;
  all.emplace_back("file");
  for (const auto& spec : ScenarioKeys()) {
    const std::vector<std::string_view> choices(spec.choices.begin(), spec.choices.end());
    if (spec.table != "routing") continue;
    if (spec.key == "engine") {
      EXPECT_EQ(choices, all);
    } else if (spec.key == "after_fault_engine") {
      EXPECT_EQ(choices, computing);
    }
  }
}

TEST(SchemaTest, EveryKeyIsDocumentedOnce) {
  std::set<std::string> seen;
  const auto check = [&seen](const auto& spec) {
    const std::string path = std::string(spec.table) + "." + std::string(spec.key);
    EXPECT_TRUE(seen.insert(path).second) << path;
    EXPECT_TRUE(spec.doc.ends_with('.')) << path;
    EXPECT_TRUE(std::ranges::any_of(ScenarioTables(), [&spec](const TableDoc& table) {
      return table.name == spec.table;
    })) << path;
  };
  for (const auto& spec : ScenarioKeys()) check(spec);
  for (const auto& spec : ChangeKeys()) check(spec);
  for (const auto& spec : FaultKeys()) check(spec);
}

// The defaults stand in scenario.h and the ranges in the schema: they must agree.
TEST(SchemaTest, DefaultsAreInRange) {
  const Scenario defaults;
  for (const auto& spec : ScenarioKeys()) {
    using Number = KeyBinding<Scenario>::Field<std::uint64_t>;
    using Real = KeyBinding<Scenario>::Field<double>;
    double value = spec.min;
    if (const auto* field = std::get_if<Number>(&spec.field)) {
      value = static_cast<double>(field->get(defaults));
    }
    if (const auto* field = std::get_if<Real>(&spec.field)) value = field->get(defaults);
    EXPECT_GE(value, spec.min) << spec.table << "." << spec.key;
    EXPECT_LE(value, spec.max) << spec.table << "." << spec.key;
  }
}

TEST(SchemaTest, TextFitsATerminal) {
  std::istringstream lines(SchemaText());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_GT(count, 80);
}

}  // namespace
}  // namespace lanecut
