// SPDX-License-Identifier: Apache-2.0
#include "sw/capture/link_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sw/results/recorder.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {
namespace {

using namespace std::string_literals;

class LinkFileTest : public testing::Test {
 protected:
  LinkFile Open(CaptureWindow window = {}) { return {path_, 4, window}; }

  // Consecutive words of 0xAABBCCDD from cycle t on.
  static void Words(LinkFile* file, int direction, Cycle t, const std::vector<Ctrl>& ctrls) {
    for (const Ctrl ctrl : ctrls) file->OnWord(direction, t++, {0xAABBCCDD, ctrl});
  }

  std::string Contents() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  static std::string Record(ErfRecord record) {
    std::string text;
    AppendErf(record, &text);
    return text;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "link.erf";
};

const std::string kWord = "\xAA\xBB\xCC\xDD";
const std::string kLastWord = "\xAA\xBB";

TEST_F(LinkFileTest, NothingIsAnEmptyFile) {
  Open().Finish();
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_EQ(Contents(), "");
}

// The longer packet that began first comes first, though it ends last.
TEST_F(LinkFileTest, RecordsAreInTheOrderOfTheirStarts) {
  LinkFile file = Open();
  file.OnWord(0, 10, {0xAABBCCDD, Ctrl::kStartData});
  Words(&file, 1, 10, {Ctrl::kStartLink, Ctrl::kGoodEnd});
  Words(&file, 0, 11, {Ctrl::kBody, Ctrl::kGoodEnd});
  file.Finish();
  EXPECT_EQ(Contents(), Record({.ns = 40, .interface = 0, .bytes = kWord + kWord + kLastWord}) +
                            Record({.type = ErfType::kInfinibandLink,
                                    .ns = 40,
                                    .interface = 1,
                                    .bytes = kWord + kLastWord}));
}

TEST_F(LinkFileTest, WhatEndsBadlyIsWrittenAsItCame) {
  LinkFile file = Open();
  Words(&file, 0, 1, {Ctrl::kStartData, Ctrl::kBadEnd});
  Words(&file, 0, 3, {Ctrl::kStartData, Ctrl::kBody});  // another start
  Words(&file, 0, 5, {Ctrl::kStartData});               // idle
  Words(&file, 0, 7, {Ctrl::kBody});                    // of nothing
  Words(&file, 0, 8, {Ctrl::kStartData, Ctrl::kBody});  // a cut
  file.OnCut(0);
  file.OnCut(0);
  Words(&file, 0, 20, {Ctrl::kStartData});  // the end
  file.Finish();
  EXPECT_EQ(Contents(), Record({.ns = 4, .rx_error = true, .bytes = kWord + kLastWord}) +
                            Record({.ns = 12, .rx_error = true, .bytes = kWord + kWord}) +
                            Record({.ns = 20, .rx_error = true, .bytes = kWord}) +
                            Record({.ns = 32, .rx_error = true, .bytes = kWord + kWord}) +
                            Record({.ns = 80, .rx_error = true, .bytes = kWord}));
}

TEST_F(LinkFileTest, TheWindowTakesPacketsByTheirFirstWord) {
  LinkFile file = Open({.begin = 10, .end = 12});
  Words(&file, 0, 9, {Ctrl::kStartLink, Ctrl::kGoodEnd});
  Words(&file, 0, 11, {Ctrl::kStartLink, Ctrl::kGoodEnd});
  Words(&file, 1, 12, {Ctrl::kStartLink, Ctrl::kGoodEnd});
  file.Finish();
  EXPECT_EQ(Contents(),
            Record({.type = ErfType::kInfinibandLink, .ns = 44, .bytes = kWord + kLastWord}));
}

TEST_F(LinkFileTest, AFileThatCannotBeMadeIsAnError) {
  EXPECT_THROW(LinkFile(folder_.path() / "none" / "link.erf", 4, {}), ResultsError);
}

}  // namespace
}  // namespace lanecut
