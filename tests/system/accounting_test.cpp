// SPDX-License-Identifier: Apache-2.0
//
// Every copy sent is delivered or dropped for a reason, on every kind of fabric: at low load, past
// saturation, with links cut and flapping under traffic. The reference model watches each run.
#include <gtest/gtest.h>

#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

void ExpectClean(const Summary& summary) {
  EXPECT_EQ(summary.outcome, "ok") << summary.message;
  EXPECT_TRUE(summary.accounting.Balanced());
  EXPECT_EQ(summary.accounting.in_flight, 0u);
  EXPECT_GT(summary.accounting.delivered, 0u);
}

Case LowLoad() {
  return {
      "low load", [](Simulation& simulation, const Scenario& scenario) {
        const Summary summary = simulation.Run(With(
            scenario, {"traffic.load=0.05", "run.warmup_cycles=500", "run.measure_cycles=3000"}));
        ExpectClean(summary);
        EXPECT_EQ(summary.accounting.dropped, 0u);
        EXPECT_EQ(summary.accounting.refused, 0u);
      }};
}

Case PastSaturation() {
  return {
      "past saturation", [](Simulation& simulation, const Scenario& scenario) {
        const Summary summary = simulation.Run(With(
            scenario, {"traffic.load=1.0", "run.warmup_cycles=500", "run.measure_cycles=12000"}));
        ExpectClean(summary);
        EXPECT_EQ(summary.accounting.dropped, 0u);
        EXPECT_GT(summary.accounting.refused, 0u);
      }};
}

// Past saturation every link is busy, so the cut is in the middle of packets.
Case Cut(int seed, double load, const std::string& link = "random") {
  return {
      "cut, seed " + std::to_string(seed), [=](Simulation& simulation, const Scenario& scenario) {
        const Summary summary = simulation.Run(With(
            scenario,
            {"seed=" + std::to_string(seed), "traffic.load=" + std::to_string(load),
             "run.warmup_cycles=500", "run.measure_cycles=6000", "fault.0.kind=cut",
             "fault.0.link=" + link, "fault.0.after_warmup=" + std::to_string(1000 + 137 * seed)}));
        ExpectClean(summary);
        if (load >= 1.0) {
          EXPECT_GT(summary.accounting.dropped, 0u);
        }
      }};
}

Case Flap(int duration, const std::string& link = "random") {
  return {
      "flap of " + std::to_string(duration), [=](Simulation& simulation, const Scenario& scenario) {
        const Summary summary = simulation.Run(With(
            scenario,
            {"traffic.load=0.3", "run.warmup_cycles=500", "run.measure_cycles=6000",
             "fault.0.kind=flap", "fault.0.link=" + link,
             "fault.0.duration_cycles=" + std::to_string(duration), "fault.0.after_warmup=1500"}));
        ExpectClean(summary);
      }};
}

// The first end node that is not the manager's loses its only link.
Case Unreachable() {
  return {"unreachable end node", [](Simulation& simulation, const Scenario& scenario) {
            const Topology& topology = simulation.fabric().topology();
            const std::string lost = topology.node(topology.hcas()[1]).name;
            const Summary summary = simulation.Run(With(
                scenario,
                {"traffic.load=0.2", "run.warmup_cycles=500", "run.measure_cycles=60000",
                 "fault.0.kind=cut", "fault.0.link=" + lost + ":1", "fault.0.after_warmup=1000"}));
            ExpectClean(summary);
            EXPECT_GT(summary.accounting.dropped_by.at("unreachable"), 0u);
          }};
}

// Packets are discarded for their time, too.
Case LimitedTime() {
  return {
      "limited time", [](Simulation& simulation, const Scenario& scenario) {
        const Summary summary = simulation.Run(With(
            scenario, {"traffic.load=1.0", "run.warmup_cycles=500", "run.measure_cycles=6000",
                       "fault.0.kind=cut", "fault.0.link=random", "fault.0.after_warmup=1137"}));
        ExpectClean(summary);
        EXPECT_GT(summary.accounting.dropped_by.at("life_time"), 0u);
      }};
}

std::vector<Case> AllCases() {
  return {LowLoad(), PastSaturation(), Cut(1, 0.3),  Cut(2, 1.0),
          Flap(40),  Flap(3000),       Unreachable()};
}

TEST(Accounting, Torus4x4) {
  RunCases(MakeScenario("[topology]\nkind = \"torus\"\nsize = [4, 4]\nnodes_per_switch = 2\n"),
           AllCases());
}

TEST(Accounting, LimitedTime) {
  for (const std::string rate : {"1x-sdr", "4x-sdr"}) {
    RunCases(MakeScenario("[topology]\nkind = \"torus\"\nsize = [4, 4]\nnodes_per_switch = 2\n",
                          {"link.rate=" + rate, "switch.life_time=1", "switch.hoq_life=0"}),
             {LimitedTime()});
  }
}

TEST(Accounting, Mesh4x4) {
  RunCases(MakeScenario("[topology]\nkind = \"mesh\"\nsize = [4, 4]\n"), AllCases());
}

TEST(Accounting, Torus2x4) {
  RunCases(MakeScenario("[topology]\nkind = \"torus\"\nsize = [2, 4]\nnodes_per_switch = 2\n"),
           AllCases());
}

TEST(Accounting, NetlistPair) {
  // One cable between the switches: no random cut leaves the fabric whole, this one halves it.
  const std::string only = "S0:1";
  RunCases(MakeScenario("[topology]\nkind = \"netlist\"\nfile = \"netlists/pair.net\"\n"),
           {LowLoad(), PastSaturation(), Cut(1, 0.3, only), Cut(2, 1.0, only), Flap(40, only),
            Flap(3000, only), Unreachable()});
}

TEST(Accounting, NetlistQuadParallel) {
  RunCases(MakeScenario("[topology]\nkind = \"netlist\"\nfile = \"netlists/quad-parallel.net\"\n"),
           AllCases());
}

TEST(Accounting, NetlistIrregular16) {
  RunCases(MakeScenario("[topology]\nkind = \"netlist\"\nfile = \"netlists/irregular16.net\"\n"),
           AllCases());
}

TEST(Accounting, Torus3x3x3) {
  RunCases(MakeScenario("[topology]\nkind = \"torus\"\nsize = [3, 3, 3]\n"), AllCases());
}

TEST(Accounting, Torus8x8) {
  RunCases(
      MakeScenario("[topology]\nkind = \"torus\"\nsize = [8, 8]\nnodes_per_switch = 2\n"),
      {LowLoad(), PastSaturation(), Cut(3, 0.2), Cut(4, 1.0), Flap(40), Flap(3000), Unreachable()});
}

}  // namespace
}  // namespace lanecut::testing
