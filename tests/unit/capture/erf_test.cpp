// SPDX-License-Identifier: Apache-2.0
#include "sw/capture/erf.h"

#include <gtest/gtest.h>

#include <string>

namespace lanecut {
namespace {

using namespace std::string_literals;

TEST(Erf, HeaderAndBytesOfAPacket) {
  std::string file;
  AppendErf({.type = ErfType::kInfiniband, .ns = 1'500'000'000, .interface = 1, .bytes = "packet"},
            &file);
  EXPECT_EQ(file,
            "\x00\x00\x00\x80\x01\x00\x00\x00"
            "\x15\x05\x00\x16\x00\x00\x00\x06packet"s);
}

TEST(Erf, LinkPacketsArePadded) {
  std::string file = "before";
  AppendErf(
      {.type = ErfType::kInfinibandLink, .rx_error = true, .bytes = "\x01\x02\x03\x04\x05\x06"},
      &file);
  EXPECT_EQ(file,
            "before\x00\x00\x00\x00\x00\x00\x00\x00"
            "\x19\x14\x00\x50\x00\x00\x00\x40\x01\x02\x03\x04\x05\x06"s +
                std::string(58, '\0'));
}

// A reader who rounds down gets every time back.
TEST(Erf, TimesAreExactToTheNanosecond) {
  for (const std::uint64_t ns : {1ULL, 16ULL, 999'999'999ULL, 1'000'000'000ULL, 5'067'696'123ULL}) {
    std::string file;
    AppendErf({.ns = ns}, &file);
    std::uint64_t time = 0;
    for (int i = 7; i >= 0; --i) {
      time = time << 8 | static_cast<unsigned char>(file[static_cast<std::size_t>(i)]);
    }
    EXPECT_EQ((time >> 32) * 1'000'000'000 + ((time & 0xFFFFFFFF) * 1'000'000'000 >> 32), ns);
  }
}

}  // namespace
}  // namespace lanecut
