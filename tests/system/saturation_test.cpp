// SPDX-License-Identifier: Apache-2.0
//
// Throughput of the 8x8 torus with dimension-order routing and uniform traffic: at saturation at
// least 0.65 of capacity, and no less when twice as much is offered.
#include <gtest/gtest.h>

#include "tb/bench/measure.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr double kSaturationLoad = 0.8;  // of capacity: what is offered where the curve bends
constexpr double kLeastAccepted = 0.65;  // of capacity
constexpr double kMostLoss = 0.05;       // of the accepted load, at twice the offered load
constexpr Window kWindow{.warmup = 10'000, .cycles = 20'000};

TEST(Saturation, Torus8x8KeepsItsThroughputAtTwiceTheLoad) {
  const TorusOptions torus;
  const double capacity = Capacity(torus);
  const auto accepted_at = [=](Simulation& simulation, const Scenario& scenario, double offered) {
    return Measure(&simulation, scenario, offered * capacity, kWindow).accepted / capacity;
  };
  RunCases(MakeTorus(torus),
           {{"both loads", [=](Simulation& simulation, const Scenario& scenario) {
               const double once = accepted_at(simulation, scenario, kSaturationLoad);
               const double twice = accepted_at(simulation, scenario, 2 * kSaturationLoad);
               EXPECT_GE(once, kLeastAccepted);
               EXPECT_NEAR(twice, once, kMostLoss * once);
             }}});
}

}  // namespace
}  // namespace lanecut::testing
