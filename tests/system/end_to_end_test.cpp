// SPDX-License-Identifier: Apache-2.0
//
// The end-to-end protocol on a fabric: every message is handed on once and in order, whatever is
// lost, and every copy is accounted for. The reference model watches each run.
#include <gtest/gtest.h>

#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

void ExpectEveryMessage(const Summary& summary) {
  EXPECT_EQ(summary.outcome, "ok") << summary.message;
  EXPECT_TRUE(summary.accounting.Balanced());
  EXPECT_EQ(summary.accounting.in_flight, 0u);
  ASSERT_TRUE(summary.end_to_end);
  EXPECT_GT(summary.end_to_end->messages, 500u);
  EXPECT_EQ(summary.end_to_end->delivered, summary.end_to_end->messages);
  EXPECT_GT(summary.end_to_end->acks, 0u);
}

Case NoLoss() {
  return {"no loss", [](Simulation& simulation, const Scenario& scenario) {
            const Summary summary = simulation.Run(With(scenario, {"fault=[]"}));
            ExpectEveryMessage(summary);
            EXPECT_EQ(summary.accounting.dropped, 0u);
            EXPECT_EQ(summary.end_to_end->retransmissions, 0u);
          }};
}

Case BitErrors() {
  return {"bit errors", [](Simulation& simulation, const Scenario& scenario) {
            const Summary summary = simulation.Run(scenario);
            ExpectEveryMessage(summary);
            EXPECT_GT(summary.accounting.dropped, 50u);
            EXPECT_GE(summary.end_to_end->retransmissions, 50u);
          }};
}

// Past saturation, with acknowledgements among the data on full lanes.
Case Saturated() {
  return {"saturated", [](Simulation& simulation, const Scenario& scenario) {
            const Summary summary =
                simulation.Run(With(scenario, {"traffic.load=1.0", "run.measure_cycles=8000",
                                               "fault.0.rate=1e-4", "fault.0.after_warmup=1000"}));
            ExpectEveryMessage(summary);
            EXPECT_GT(summary.accounting.refused, 0u);
          }};
}

Case Cut() {
  return {"cut", [](Simulation& simulation, const Scenario& scenario) {
            const Summary summary = simulation.Run(
                With(scenario, {"fault=[]", "traffic.load=0.3", "run.measure_cycles=10000",
                                "fault.0.kind=cut", "fault.0.after_warmup=1000"}));
            ExpectEveryMessage(summary);
            EXPECT_GT(summary.accounting.dropped, 0u);
          }};
}

Scenario LossyTorus(const std::string& engine) {
  return MakeScenario(R"(
[topology]
kind = "torus"
size = [4, 4]
[node]
reliable = true
retransmit_cycles = 2000
[traffic]
load = 0.2
[run]
warmup_cycles = 500
measure_cycles = 10000
[[fault]]
kind = "bit-errors"
link = "all"
rate = 1e-3
after_warmup = 500
)",
                      {"routing.engine=" + engine});
}

TEST(EndToEnd, EveryMessageOnce) {
  RunCases(LossyTorus("updown"), {NoLoss(), BitErrors(), Saturated(), Cut()});
}

// Acknowledgements need the SL of the way back: with dimension-order routing it is another one.
TEST(EndToEnd, OnTwoServiceLevels) {
  RunCases(LossyTorus("dor"), {NoLoss(), BitErrors(), Saturated()});
}

}  // namespace
}  // namespace lanecut::testing
