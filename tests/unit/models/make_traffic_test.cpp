// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/make_traffic.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/traffic/uniform.h"
#include "sw/scenario/reader.h"
#include "sw/topology/families.h"
#include "tests/unit/temporary_folder.h"

namespace lanecut {
namespace {

Scenario Torus(const std::vector<std::string>& overrides) {
  return ParseScenario("[topology]\nkind = \"torus\"\n", "s.toml", overrides);
}

Topology Switches(int x, int y) { return BuildTorus(std::vector<int>{x, y}, 1); }

std::string ErrorOf(const Scenario& scenario, const Topology& topology) {
  try {
    MakeTraffic(scenario, topology, 0);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

TEST(MakeTraffic, UniformIsTheDefault) {
  const auto traffic = MakeTraffic(Torus({}), Switches(4, 4), 50);
  UniformTrafficConfig config;
  for (int i = 0; i < 16; ++i) config.sources.push_back(i);
  config.destinations = config.sources;
  config.load = 0.1;
  config.start = 50;
  UniformTraffic expected(config);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(traffic->Pop(), expected.Pop());
}

TEST(MakeTraffic, EveryPatternStartsInTime) {
  for (const char* pattern : {"uniform", "bit-reversal", "bit-complement", "transpose", "shuffle",
                              "tornado", "nearest-neighbour", "hot-spot", "permutation"}) {
    for (const char* off : {"0", "300"}) {
      const Scenario s =
          Torus({std::string("traffic.pattern=") + pattern, std::string("traffic.on_cycles=") + off,
                 std::string("traffic.off_cycles=") + off});
      const auto traffic = MakeTraffic(s, Switches(4, 4), 700);
      EXPECT_GE(traffic->NextCycle(), 700U);
      EXPECT_LT(traffic->NextCycle(), 2000U);
    }
  }
}

TEST(MakeTraffic, PatternsSayWhatTheyNeed) {
  const auto error_of = [](const std::string& pattern, const Topology& topology) {
    const std::string text = ErrorOf(Torus({"traffic.pattern=" + pattern}), topology);
    return text.substr(std::min(text.size(), text.find("with ")));
  };
  EXPECT_EQ(error_of("bit-complement", Switches(3, 4)), "with 12 end nodes; expected a power of 2");
  EXPECT_EQ(error_of("shuffle", Switches(3, 4)), "with 12 end nodes; expected a power of 2");
  EXPECT_EQ(error_of("transpose", Switches(4, 8)), "with 32 end nodes; expected a power of 4");
  const Topology mesh = BuildFullMesh(6, 1);
  for (const char* pattern : {"tornado", "nearest-neighbour"}) {
    EXPECT_EQ(error_of(pattern, mesh),
              "with 6 end nodes; expected a torus, mesh, ring or hypercube with end nodes at every "
              "switch");
  }
  // Half way round a ring of two is nowhere.
  EXPECT_EQ(error_of("tornado", Switches(2, 2)),
            "with 4 end nodes; expected more of them: all would send to themselves");
}

TEST(MakeTraffic, TornadoGoesAlmostHalfWayRoundEveryDimension) {
  const Topology t = BuildTorus(std::vector<int>{5, 8}, 2);
  const auto traffic = MakeTraffic(Torus({"traffic.pattern=tornado"}), t, 0);
  for (int i = 0; i < 500; ++i) {
    const TrafficEvent event = traffic->Pop();
    const auto at = [&](int node) {
      return t.grid()->coordinates[t.PeerOf(t.hcas()[node], 1)->node];
    };
    EXPECT_EQ((at(event.source)[0] + 2) % 5, at(event.destination)[0]);
    EXPECT_EQ((at(event.source)[1] + 3) % 8, at(event.destination)[1]);
    EXPECT_EQ(event.source % 2, event.destination % 2);
  }
}

TEST(MakeTraffic, BitReversalNeedsAPowerOfTwo) {
  EXPECT_EQ(ErrorOf(Torus({"traffic.pattern=bit-reversal"}), Switches(3, 4)),
            "--set traffic.pattern=bit-reversal: traffic.pattern = \"bit-reversal\" with 12 end "
            "nodes; expected a power of 2");
}

TEST(MakeTraffic, NamesTheLineOfATrace) {
  const TemporaryFolder folder;
  folder.Write("t.txt", "0 H0_0_0 H1_0_0 64\n1 H0_0_0 H9_0_0 64\n");
  const std::string file = (folder.path() / "t.txt").string();
  const std::vector<std::string> overrides = {"traffic.pattern=trace", "traffic.file=" + file};
  EXPECT_EQ(ErrorOf(Torus(overrides), Switches(4, 4)),
            file +
                ":2: there is no end node \"H9_0_0\"; expected an end node by name, like "
                "H0_0_0, or number, 0 to 15");
  std::vector<std::string> small = overrides;
  small.emplace_back("switch.buffer_bytes=64");
  EXPECT_EQ(ErrorOf(Torus(small), Switches(4, 4)),
            file + ":1: a payload of 64 bytes; expected a multiple of 4 from 20 to 36");
}

}  // namespace
}  // namespace lanecut
