// SPDX-License-Identifier: Apache-2.0
#include "sw/patterns/derivation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace lanecut {
namespace {

std::string Read(const std::string& name) {
  std::ifstream file(LANECUT_ROUTING "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Derivation, MakesTheSourceOf4x4x4AgainByteForByte) {
  for (const int jobs : {1, 2}) {
    int steps = 0;
    const Derivation derivation =
        Derive({3, 4, 4, 4}, jobs, [&](int done, int) { EXPECT_EQ(done, ++steps); });
    EXPECT_EQ(steps, 816);
    EXPECT_TRUE(derivation.without.empty());
    EXPECT_EQ(FormatSource(derivation, "SpftrPatterns4x4x4", "derive-patterns 4x4x4"),
              Read("spftr_4x4x4_data.cpp"));
  }
}

TEST(Derivation, MakesTheSourceOf4x4AgainByteForByte) {
  const auto none = [](int, int) {};
  EXPECT_EQ(FormatSource(Derive({2, 4, 4, 4}, 1, none), "SpftrPatterns4x4", "derive-patterns 4x4"),
            Read("spftr_4x4_data.cpp"));
}

}  // namespace
}  // namespace lanecut
