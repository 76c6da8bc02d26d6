// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <thread>

namespace lanecut {
namespace {

TEST(ProgressTest, Line) {
  EXPECT_EQ(ProgressLine("warm-up", 250'000, 16, 9876.4, 125.9),
            "warm-up: cycle 250000, 4000.0 us, 9876 cycles/s, 2:05 to go");
  EXPECT_EQ(ProgressLine("bring-up", 100, 4, 10, -1), "bring-up: cycle 100, 0.4 us, 10 cycles/s");
}

TEST(ProgressTest, SilentWhereThereIsNoTerminal) {
  std::ostringstream err;
  {
    Progress progress(err, false, 16);
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    progress.Update("run", 1000, 2000);
  }
  EXPECT_EQ(err.str(), "");
}

TEST(ProgressTest, WritesSeldomAndCleansUp) {
  std::ostringstream err;
  {
    Progress progress(err, true, 16);
    progress.Update("run", 1000, 2000);
    EXPECT_EQ(err.str(), "") << "too early";
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    for (Cycle cycle = 1000; cycle < 1010; ++cycle) progress.Update("run", cycle, 2000);
  }
  const std::string text = err.str();
  EXPECT_NE(text.find("run: cycle 1000,"), std::string::npos) << text;
  EXPECT_NE(text.find(" to go"), std::string::npos) << text;
  EXPECT_EQ(text.find("cycle 1009"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\033[K")) << "the line is erased in the end";
}

}  // namespace
}  // namespace lanecut
