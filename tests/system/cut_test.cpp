// SPDX-License-Identifier: Apache-2.0
//
// The only cable between two switches is cut while word 0, 1, ... 14 of a packet is on the sender's
// pins. Which packets still arrive is known to the word; the others are accounted for.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/hca/hca.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr int kWords = 15;  // of a packet
constexpr Cycle kFly = 5;   // of a link
constexpr int kVictim = 3;  // the packet that is cut, the fourth of a row from one end node to one
// From the cycle of the offer to the one in which the header is on the switch's pins to the cable:
// the end node takes one, then come a link and a switch.
constexpr Cycle kToCable = 1 + kFly + 6;

class Burst : public TrafficSource {
 public:
  Burst(Cycle cycle, int packets, int source, int destination)
      : cycle_(cycle), left_(packets), source_(source), destination_(destination) {}

  Cycle NextCycle() const override { return left_ > 0 ? cycle_ : kNever; }
  TrafficEvent Pop() override {
    --left_;
    return {cycle_, source_, destination_, 32, 0};
  }

 private:
  Cycle cycle_;
  int left_;
  int source_;
  int destination_;
};

int EndNode(const Topology& topology, const std::string& name) {
  const auto& hcas = topology.hcas();
  return static_cast<int>(std::ranges::find(hcas, *topology.FindNode(name)) - hcas.begin());
}

struct Row {
  std::string from;
  std::string to;
  int packets = kVictim + 1;
};

void CutAtWord(int word, const Row& row, Simulation& simulation, const Scenario& scenario) {
  // The manager has settled, and flow-control packets are far.
  const Cycle burst = (simulation.fabric().clock().now() / kTickCycles + 6) * kTickCycles + 1000;
  const Cycle cut = burst + kToCable + kVictim * kWords + word;
  Cycle expected = burst + 1;
  simulation.ledger().SetDeliveryHook([&expected](int, const HcaPacket& packet) {
    EXPECT_EQ(packet.injected, expected);  // else another word was hit
    expected += kWords;
  });
  const Topology& topology = simulation.fabric().topology();
  const Summary summary = simulation.Run(
      With(scenario, {"run.measure_cycles=60000", "fault.0.kind=cut", "fault.0.link=S0:1",
                      "fault.0.at_cycle=" + std::to_string(cut)}),
      std::make_unique<Burst>(burst, row.packets, EndNode(topology, row.from),
                              EndNode(topology, row.to)));
  EXPECT_EQ(summary.outcome, "ok") << summary.message;
  EXPECT_TRUE(summary.accounting.Balanced());
  EXPECT_EQ(summary.accounting.sent, static_cast<std::uint64_t>(row.packets));
  // What is still under way on the cable is lost: the end of the packet before, too.
  const int arrived = word < static_cast<int>(kFly) ? kVictim - 1 : kVictim;
  EXPECT_EQ(summary.accounting.delivered, static_cast<std::uint64_t>(arrived));
  EXPECT_EQ(summary.accounting.dropped, static_cast<std::uint64_t>(row.packets - arrived));
}

std::vector<Case> EveryWord(const Row& row) {
  std::vector<Case> cases;
  for (int word = 0; word < kWords; ++word) {
    cases.push_back(
        {"word " + std::to_string(word), [=](Simulation& simulation, const Scenario& scenario) {
           CutAtWord(word, row, simulation, scenario);
         }});
  }
  return cases;
}

class Cut : public ::testing::Test {
 protected:
  const Scenario pair_ =
      MakeScenario("[topology]\nkind = \"netlist\"\nfile = \"netlists/pair.net\"\n");
};

TEST_F(Cut, AtEveryWordOfAPacketFromTheManagersSide) {
  RunCases(pair_, EveryWord({"H0_1", "H1_0"}));
}

TEST_F(Cut, AtEveryWordOfAPacketTowardsTheManagersSide) {
  RunCases(pair_, EveryWord({"H1_0", "H0_1"}));
}

// The packet behind is dropped at its start while the one that is cut ends: two drops, not one.
TEST_F(Cut, AtEveryWordOfAPacketWithOthersBehindIt) {
  RunCases(pair_, EveryWord({"H0_1", "H1_0", 8}));
}

}  // namespace
}  // namespace lanecut::testing
