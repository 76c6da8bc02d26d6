// SPDX-License-Identifier: Apache-2.0
//
// Planned changes under traffic, on the RTL: another root, another engine, a link or a switch out
// of service or into it, by every scheme. Under static and OSR no packet is lost by them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sw/subnet_manager/sm_config.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr const char* kSwitch = "S1_1";
constexpr int kItsEndNode = 5;  // H1_1_0

const TimelineEntry* Find(const Summary& summary, std::string_view kind) {
  const auto found = std::ranges::find(summary.timeline, kind, &TimelineEntry::kind);
  return found == summary.timeline.end() ? nullptr : &*found;
}

// Packets that the switch's end node has got, and when it got the first and the last.
struct Arrivals {
  int count = 0;
  Cycle first = 0;
  Cycle last = 0;

  void Watch(Simulation& simulation) {
    simulation.ledger().SetDeliveryHook([this](int hca, const HcaPacket& packet) {
      if (hca != kItsEndNode) return;
      if (count++ == 0) first = packet.tail;
      last = packet.tail;
    });
  }
};

class Planned : public ::testing::TestWithParam<std::string_view> {
 protected:
  Scenario Torus(const std::string& engine, const std::string& changes = "") const {
    // Dimension order on a ring needs its VLs, which Double Scheme takes away during a change.
    const bool is_mesh = engine == "dor" && GetParam() == "double-scheme";
    return MakeScenario(
        std::string("[topology]\nkind = \"") + (is_mesh ? "mesh" : "torus") +
        "\"\nsize = [4, 4]\n[routing]\nengine = \"" + engine +
        "\"\n[traffic]\nload = 0.15\n[run]\nwarmup_packets = 300\nmeasure_cycles = 6000\n"
        "[reconfiguration]\nscheme = \"" +
        std::string(GetParam()) + "\"\n" + changes);
  }

  bool MayLose() const { return !KeepsOrder(*FindScheme(GetParam())); }

  void ExpectGood(const Summary& summary) const {
    EXPECT_EQ(summary.outcome, "ok") << summary.message;
    EXPECT_TRUE(summary.accounting.Balanced());
    EXPECT_GT(summary.accounting.delivered, 1000u);
    EXPECT_NE(Find(summary, "planned"), nullptr);
    EXPECT_EQ(Find(summary, "refused"), nullptr);
    EXPECT_NE(Find(summary, GetParam() == "static" ? "resumed" : "completed"), nullptr);
    EXPECT_TRUE(MayLose() || summary.accounting.dropped == 0) << summary.accounting.dropped;
  }

  Case Change(const std::string& kind, const std::vector<std::string>& values,
              std::function<void(const Summary&, const Arrivals&)> expect) const {
    return {kind, [=, this](Simulation& simulation, const Scenario& scenario) {
              std::vector<std::string> overrides = {"change=[]", "change.0.after_warmup=1000",
                                                    "change.0.kind=" + kind};
              overrides.insert(overrides.end(), values.begin(), values.end());
              Arrivals arrivals;
              arrivals.Watch(simulation);
              const Summary summary = simulation.Run(With(scenario, overrides));
              ExpectGood(summary);
              expect(summary, arrivals);
            }};
  }
};

void ExpectRemoved(const Summary& summary, const Arrivals&) {
  EXPECT_NE(Find(summary, "disabled"), nullptr);
  EXPECT_EQ(summary.accounting.refused_by.count("no_path"), 0u);
}

// Nobody sends to the end node any more, and what was on the way has arrived before the links are
// disabled.
void ExpectSwitchRemoved(const Summary& summary, const Arrivals& arrivals) {
  ASSERT_NE(Find(summary, "disabled"), nullptr);
  EXPECT_GT(summary.accounting.refused_by.at("no_path"), 100u);
  EXPECT_GT(arrivals.count, 0);
  EXPECT_LT(arrivals.last, Find(summary, "disabled")->cycle);
}

void ExpectSwitchAdded(const Summary& summary, const Arrivals& arrivals) {
  EXPECT_GT(arrivals.count, 10);
  EXPECT_GT(arrivals.first, Find(summary, "planned")->cycle);
}

TEST_P(Planned, RootAndRemoval) {
  RunCases(Torus("updown"),
           {Change("reroute", {"change.0.root=S3_2"}, [](const auto&, const auto&) {}),
            Change("remove", {"change.0.what=S2_2:1"}, ExpectRemoved),
            Change("remove", {std::string("change.0.what=") + kSwitch}, ExpectSwitchRemoved)});
}

TEST_P(Planned, Engine) {
  RunCases(Torus("dor"),
           {Change("reroute", {"change.0.engine=updown"}, [](const auto&, const auto&) {})});
}

// Packets that have waited for the end of the change go by the new tables, and so on their SLs.
TEST(PlannedUnderStatic, PacketsThatWaitTakeTheNewSls) {
  const Scenario start = MakeScenario(
      "[topology]\nkind = \"torus\"\nsize = [4, 4]\n[routing]\nengine = \"dor\"\n"
      "[traffic]\nload = 0.15\n[run]\nwarmup_packets = 300\nmeasure_cycles = 9000\n"
      "[[change]]\nkind = \"reroute\"\nengine = \"dfsssp\"\nafter_warmup = 1000\n");
  RunCases(start, {{"dfsssp", [](Simulation& simulation, const Scenario& scenario) {
                      std::vector<HcaPacket> packets;
                      simulation.ledger().SetDeliveryHook(
                          [&](int, const HcaPacket& packet) { packets.push_back(packet); });
                      const Summary summary = simulation.Run(scenario);
                      EXPECT_EQ(summary.outcome, "ok") << summary.message;
                      const TimelineEntry* resumed = Find(summary, "resumed");
                      ASSERT_NE(resumed, nullptr);
                      const PathRecords& paths = simulation.paths();
                      int waited = 0;
                      for (const HcaPacket& packet : packets) {
                        if (packet.injected <= resumed->cycle) continue;
                        const int from = paths.EndNodeOf(packet.slid);
                        const int to = paths.EndNodeOf(packet.dlid);
                        EXPECT_EQ(packet.sl, paths.Find(from, to).sl);
                        waited += packet.generated < resumed->cycle && packet.sl != 0 ? 1 : 0;
                      }
                      EXPECT_GT(waited, 10);
                    }}});
}

TEST_P(Planned, Addition) {
  const std::string out = std::string(
                              "[[change]]\nkind = \"add\"\nwhat = \"S3_3:1\"\nafter_warmup "
                              "= 1\n[[change]]\nkind = \"add\"\nwhat = \"") +
                          kSwitch + "\"\nafter_warmup = 1\n";
  RunCases(Torus("updown", out),
           {Change("add", {"change.0.what=S3_3:1"}, [](const auto&, const auto&) {}),
            Change("add", {std::string("change.0.what=") + kSwitch, "run.measure_cycles=40000"},
                   ExpectSwitchAdded)});
}

// Those that can replace tables.
std::vector<std::string_view> ReplacingSchemes() {
  std::vector<std::string_view> schemes(kSchemeNames.begin(), kSchemeNames.end());
  std::erase_if(schemes, [](std::string_view name) { return ChangesPaths(*FindScheme(name)); });
  return schemes;
}

INSTANTIATE_TEST_SUITE_P(Schemes, Planned, ::testing::ValuesIn(ReplacingSchemes()),
                         [](const auto& scheme) {
                           std::string name(scheme.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace lanecut::testing
