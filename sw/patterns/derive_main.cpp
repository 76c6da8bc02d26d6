// SPDX-License-Identifier: Apache-2.0
//
// derive-patterns: finds patterns of SPFTR, and writes the source that holds them, one of
// sw/routing/spftr_{4x4,2d,4x4x4,3d}_data.cpp.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "sw/patterns/derivation.h"

namespace lanecut {
namespace {

struct Shape {
  std::string_view name;
  std::string_view function;
  PatternRange range;
};
constexpr std::array<Shape, 4> kShapes = {{{"4x4", "SpftrPatterns4x4", {2, 4, 4, 4}},
                                           {"2d", "SpftrPatterns2d", {2, 5, 10, 12}},
                                           {"4x4x4", "SpftrPatterns4x4x4", {3, 4, 4, 4}},
                                           {"3d", "SpftrPatterns3d", {3, 5, 8, 9}}}};

int Run(const Shape& shape, int jobs) {
  const Derivation derivation = Derive(shape.range, jobs, [](int done, int classes) {
    if (done % 100 == 0 || done == classes) fmt::print(stderr, "\r{} of {}", done, classes);
  });
  fmt::print(stderr, "\n");
  for (const int pair_class : derivation.without)
    fmt::print(stderr, "derive-patterns: class {} of pairs has no pattern\n", pair_class);
  fmt::print("{}", FormatSource(derivation, shape.function,
                                fmt::format("derive-patterns {}", shape.name)));
  return derivation.without.empty() ? 0 : 1;
}

int RunCommandLine(int argc, char** argv) {
  CLI::App app{
      "Finds for every class of pairs in a torus as many disjoint paths as a switch has links, "
      "which\nhold for all sizes, and writes them to the terminal as a C++ source of the engine "
      "spftr.\nExit status: 0 found for all, 1 not for all, 2 bad arguments."};
  std::string name;
  int jobs = 1;
  app.add_option("SHAPE", name, "4x4, 4x4x4; 2d, 3d: all sides of 5 switches or more")
      ->required()
      ->check(CLI::IsMember({"4x4", "2d", "4x4x4", "3d"}));
  app.add_option("--jobs", jobs, "Threads, default 1; the result is the same")
      ->check(CLI::Range(1, 256));
  app.footer("example:\n  derive-patterns 4x4x4 > sw/routing/spftr_4x4x4_data.cpp");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return Run(*std::ranges::find(kShapes, name, &Shape::name), jobs);
}

}  // namespace
}  // namespace lanecut

int main(int argc, char** argv) {
  try {
    return lanecut::RunCommandLine(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "derive-patterns: %s\n", error.what());
    return 1;
  }
}
