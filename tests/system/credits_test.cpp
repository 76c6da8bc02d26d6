// SPDX-License-Identifier: Apache-2.0
//
// Flow control on a whole fabric: 10^6 cycles at saturation while flow-control packets are lost and
// words corrupted. The reference model watches that no sender lacks credit and no buffer overflows;
// afterwards every credit must be back.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "sw/wire/link_packet.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr int kBufferBlocks = 16;

// Remembers the last flow-control packet of every lane and VL.
class LastFlowControl : public LinkObserver {
 public:
  void OnPut(const Lane&, Cycle, Word) override {}
  void OnCut(const Lane&, Cycle) override {}
  void OnGet(const Lane& lane, Cycle, Word word) override {
    if (word.ctrl == Ctrl::kStartLink) {
      first_[lane.id()] = word.data;
    } else if (word.ctrl == Ctrl::kGoodEnd && first_.contains(lane.id())) {
      const auto packet = DecodeLinkPacket(first_[lane.id()], word.data);
      first_.erase(lane.id());
      if (packet) last_[{lane.id(), packet->vl}] = *packet;
    }
  }

  const std::map<std::pair<int, int>, LinkPacket>& last() const { return last_; }

 private:
  std::map<int, std::uint32_t> first_;
  std::map<std::pair<int, int>, LinkPacket> last_;
};

// What a lane's sender may send in all equals what it has sent plus a whole buffer.
void ExpectAllCreditsBack(Simulation& simulation) {
  Fabric& fabric = simulation.fabric();
  LastFlowControl watch;
  for (std::size_t i = 0; i < fabric.topology().cables().size(); ++i) {
    fabric.SetLinkFaults(static_cast<int>(i), {});
  }
  fabric.SetLinkObserver(&watch);
  simulation.Advance(fabric.clock().now() + 3 * kTickCycles);
  ASSERT_EQ(watch.last().size(), fabric.topology().cables().size() * 2 * 2);
  for (const auto& [key, packet] : watch.last()) {
    const auto& [lane, vl] = key;
    const LinkPacket& back = watch.last().at({lane ^ 1, vl});
    EXPECT_EQ((back.fccl - packet.fctbs) & kCreditMask, kBufferBlocks)
        << "lane " << lane << " VL " << vl;
  }
}

TEST(Credits, NoneIsLostInAMillionCyclesOfLossAndCorruption) {
  const Scenario scenario = MakeScenario(
      "[topology]\nkind = \"torus\"\nsize = [4, 4]\n[routing]\nengine = \"dor\"\n"
      "[results]\npackets = false\n");
  const Case loss = {
      "loss", [](Simulation& simulation, const Scenario& base) {
        const Summary summary = simulation.Run(
            With(base, {"traffic.load=1.0", "run.warmup_cycles=500", "run.measure_cycles=1000000",
                        "fault.0.kind=fc-loss", "fault.0.link=all", "fault.0.rate=0.01",
                        "fault.0.after_warmup=0", "fault.1.kind=bit-errors", "fault.1.link=all",
                        "fault.1.rate=0.0001", "fault.1.after_warmup=0"}));
        EXPECT_EQ(summary.outcome, "ok") << summary.message;
        EXPECT_TRUE(summary.accounting.Balanced());
        EXPECT_GT(summary.accounting.dropped_by.at("bad"), 1000u);
        ExpectAllCreditsBack(simulation);
      }};
  RunCases(scenario, {loss});
}

}  // namespace
}  // namespace lanecut::testing
