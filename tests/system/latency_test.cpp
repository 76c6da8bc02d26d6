// SPDX-License-Identifier: Apache-2.0
//
// Zero-load latency to the cycle: switches x ROUTE_CYCLES + links x fly + serialization, for every
// pair of a 4x4 torus.
#include <gtest/gtest.h>

#include "sw/routing/dependency_graph.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr Cycle kGap = 512;       // between packets: each finds an empty network, credits returned
constexpr Cycle kQuiet = 20'000;  // the manager's last packets, and a trap or two
constexpr Cycle kOffset = 100;    // away from the tick, which sends flow-control packets

// All ordered pairs, one packet at a time.
class OneByOne : public TrafficSource {
 public:
  OneByOne(int num, Cycle start) : num_(num), cycle_((start / kGap + 1) * kGap + kOffset) {}

  Cycle NextCycle() const override { return source_ < num_ ? cycle_ : kNever; }
  TrafficEvent Pop() override {
    const TrafficEvent event{cycle_, source_, destination_, 32, 0};
    cycle_ += kGap;
    do {
      if (++destination_ == num_) {
        destination_ = 0;
        ++source_;
      }
    } while (destination_ == source_ && source_ < num_);
    return event;
  }

 private:
  int num_;
  Cycle cycle_;
  int source_ = 0;
  int destination_ = 1;
};

void ExpectLatencies(Simulation& simulation) {
  const Topology& known = simulation.manager().topology();
  const int num = simulation.fabric().num_hcas();
  int delivered = 0;
  simulation.ledger().SetDeliveryHook([&](int hca, const HcaPacket& packet) {
    ++delivered;
    const int source = known.hcas()[PacketSource(packet.id)];
    const Path path = TracePath(known, simulation.manager().tables(), source, known.hcas()[hca]);
    const Cycle links = path.hops.size();
    const Cycle expected = (links - 1) * 6 + links * 5 + 15;
    EXPECT_EQ(packet.tail + 1 - packet.injected, expected)
        << known.node(source).name << " to " << known.node(known.hcas()[hca]).name << ", " << links
        << " links";
  });
  simulation.Advance(simulation.fabric().clock().now() + kQuiet);
  const Cycle now = simulation.fabric().clock().now();
  simulation.StartTraffic(std::make_unique<OneByOne>(num, now));
  simulation.Advance(now + static_cast<Cycle>(num * num + 4) * kGap);
  EXPECT_EQ(delivered, num * (num - 1));
  EXPECT_FALSE(simulation.failure()) << simulation.failure().message();
}

TEST(Latency, EveryPairOfTorus4x4IsExact) {
  RunCases(
      MakeScenario("[topology]\nkind = \"torus\"\nsize = [4, 4]\n[manager]\nsweep_cycles = 0\n"),
      {{"every pair",
        [](Simulation& simulation, const Scenario&) { ExpectLatencies(simulation); }}});
}

}  // namespace
}  // namespace lanecut::testing
