// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/trace.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/temporary_folder.h"

namespace lanecut {
namespace {

class TraceTest : public testing::Test {
 protected:
  TraceTraffic Read(const std::string& text) {
    folder.Write("t.txt", text);
    return TraceTraffic(file, names, 256, 1000);
  }
  std::string ErrorOf(const std::string& text) {
    try {
      Read(text);
    } catch (const TrafficFileError& error) {
      return std::string(error.what()).substr(file.string().size());
    }
    return "";
  }

  TemporaryFolder folder;
  std::filesystem::path file = folder.path() / "t.txt";
  NodeNames names{{"H0", "2", "H2"}};
};

TEST_F(TraceTest, CountsFromTheStartAndSortsACycleBySource) {
  TraceTraffic trace =
      Read("# cycle source destination bytes\n0 H2 H0 32\n7 2 H0 20\n7 0 H2 256\n");
  const std::vector<TrafficEvent> expected = {
      {.cycle = 1000, .source = 2, .destination = 0, .payload_bytes = 32},
      {.cycle = 1007, .source = 0, .destination = 2, .payload_bytes = 256},
      {.cycle = 1007, .source = 1, .destination = 0, .payload_bytes = 20}};
  for (const TrafficEvent& event : expected) {
    EXPECT_EQ(trace.NextCycle(), event.cycle);
    EXPECT_EQ(trace.Pop(), event);
  }
  EXPECT_EQ(trace.NextCycle(), kNever);
  EXPECT_EQ(Read("# nothing\n").NextCycle(), kNever);
}

TEST_F(TraceTest, Errors) {
  EXPECT_EQ(ErrorOf("0 H0 H2\n"), ":1: 3 fields; expected 4: cycle, source, destination, bytes");
  EXPECT_EQ(ErrorOf("\n-1 H0 H2 32\n"), ":2: cycle is \"-1\"; expected a whole number");
  EXPECT_EQ(ErrorOf("5 0 1 32\n4 0 1 32\n"),
            ":2: cycle 4 after cycle 5; expected lines sorted by cycle");
  EXPECT_EQ(ErrorOf("5 H5 H0 32\n"),
            ":1: there is no end node \"H5\"; expected an end node by name, like H0, or number, 0 "
            "to 2");
  EXPECT_EQ(ErrorOf("5 H0 0 32\n"), ":1: H0 sends to itself; expected another destination");
  for (const char* bytes : {"16", "30", "260"}) {
    EXPECT_EQ(ErrorOf(std::string("5 H0 H2 ") + bytes + "\n"),
              std::string(":1: a payload of ") + bytes +
                  " bytes; expected a multiple of 4 from 20 to 256");
  }
  EXPECT_EQ(ErrorOf("1000000000001 H0 H2 32\n"),
            ":1: cycle 1000000000001; expected at most 1000000000000");
}

}  // namespace
}  // namespace lanecut
