// SPDX-License-Identifier: Apache-2.0
//
// Results appear whole or not at all, and nothing that is not ours is replaced.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sw/results/recorder.h"
#include "tests/unit/results/results_test_util.h"

namespace lanecut {
namespace {

namespace fs = std::filesystem;

std::string RefusalOf(const fs::path& folder) {
  try {
    Recorder recorder(SmallOptions(folder));
  } catch (const ResultsError& error) {
    return error.what();
  }
  return {};
}

void WriteResults(const fs::path& folder, std::uint64_t seed) {
  RecorderOptions options = SmallOptions(folder);
  options.seed = seed;
  Recorder(options).Finish(100, "ok", "", {});
}

TEST(ResultsFolderTest, AppearsWhenComplete) {
  const TemporaryFolder place;
  const fs::path folder = place.path() / "new" / "results";
  {
    Recorder recorder(SmallOptions(folder));
    recorder.Attach("scenario.toml", "seed = 3\n");
    std::ofstream(recorder.PartialFolder() / "waves.fst") << "waves";
    EXPECT_FALSE(fs::exists(folder));
    recorder.Finish(100, "ok", "", {});
  }
  for (const char* name :
       {"results.sqlite", "summary.json", "host.json", "scenario.toml", "waves.fst"}) {
    EXPECT_TRUE(fs::exists(folder / name)) << name;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.parent_path()), fs::directory_iterator()),
            1);
  EXPECT_EQ(RefusalOf(folder), "") << "the next run may replace it";
}

TEST(ResultsFolderTest, NothingIsLeftOfAnUnfinishedRun) {
  const TemporaryFolder place;
  {
    Recorder recorder(SmallOptions(place.path() / "r"));
    recorder.Generated(SmallPacket(1), 5);
    EXPECT_EQ(place.Entries(), 1);
  }
  EXPECT_EQ(place.Entries(), 0);
}

TEST(ResultsFolderTest, ReplacesEarlierResults) {
  const TemporaryFolder place;
  const fs::path folder = place.path() / "r/";  // with the slash that shells append
  WriteResults(folder, 1);
  std::ofstream(folder / "waves.fst") << "of the earlier run";
  WriteResults(folder, 2);
  EXPECT_EQ(place.Entries(), 1);
  EXPECT_NE(ReadText(folder / "summary.json").find("\"seed\": 2"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "waves.fst"));
}

TEST(ResultsFolderTest, AFailingRunKeepsEarlierResults) {
  const TemporaryFolder place;
  const fs::path folder = place.path() / "r";
  WriteResults(folder, 1);
  { Recorder recorder(SmallOptions(folder)); }
  EXPECT_NE(ReadText(folder / "summary.json").find("\"seed\": 1"), std::string::npos);
}

TEST(ResultsFolderTest, TakesAnEmptyFolder) {
  const TemporaryFolder place;
  fs::create_directory(place.path() / "r");
  WriteResults(place.path() / "r", 1);
  EXPECT_TRUE(fs::exists(place.path() / "r" / "summary.json"));
}

TEST(ResultsFolderTest, RefusesWhatIsNotOurs) {
  const TemporaryFolder place;
  const fs::path folder = place.path() / "r";
  fs::create_directory(folder);
  std::ofstream(folder / "summary.json") << "{}";
  EXPECT_EQ(RefusalOf(folder), folder.string() +
                                   ": holds something else than results; expected a new name, or "
                                   "a folder of earlier results to replace");
  std::ofstream(folder / "results.sqlite") << "not a database";
  EXPECT_NE(RefusalOf(folder), "");
  EXPECT_TRUE(fs::exists(folder / "summary.json"));

  const fs::path file = place.path() / "file";
  std::ofstream(file) << "text";
  EXPECT_EQ(RefusalOf(file), file.string() +
                                 ": is no folder; expected a new name, or a folder of earlier "
                                 "results to replace");
}

TEST(ResultsFolderTest, RefusesResultsWithNotesInThem) {
  const TemporaryFolder place;
  const fs::path folder = place.path() / "r";
  WriteResults(folder, 1);
  std::ofstream(folder / "notes.md") << "do not lose";
  EXPECT_NE(RefusalOf(folder), "");
  fs::remove(folder / "notes.md");
  fs::create_directory(folder / "mine.json");
  EXPECT_NE(RefusalOf(folder), "");
}

TEST(ResultsFolderTest, RefusesAPlaceThatCannotBe) {
  const TemporaryFolder place;
  std::ofstream(place.path() / "file") << "text";
  EXPECT_NE(RefusalOf(place.path() / "file" / "r"), "");
}

TEST(ResultsFolderTest, WithoutAFolderNothingIsWritten) {
  Recorder recorder(SmallOptions({}));
  EXPECT_TRUE(recorder.PartialFolder().empty());
  recorder.Attach("a.toml", "");
  EXPECT_TRUE(recorder.Finish(10, "ok", "", {}).ok());
}

}  // namespace
}  // namespace lanecut
