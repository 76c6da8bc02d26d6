// SPDX-License-Identifier: Apache-2.0
//
// Throughput of the 8x8 torus with dimension-order routing and uniform traffic: at saturation at
// least 0.65 of capacity.
#include <gtest/gtest.h>

#include "tb/bench/measure.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr double kSaturationLoad = 0.8;  // of capacity: what is offered where the curve bends
constexpr double kLeastAccepted = 0.65;  // of capacity
constexpr Window kWindow{.warmup = 10'000, .cycles = 20'000};

TEST(Saturation, Torus8x8AcceptsTwoThirdsOfItsCapacity) {
  const TorusOptions torus;
  const double capacity = Capacity(torus);
  RunCases(MakeTorus(torus),
           {{"saturation", [=](Simulation& simulation, const Scenario& scenario) {
               const double accepted =
                   Measure(&simulation, scenario, kSaturationLoad * capacity, kWindow).accepted;
               EXPECT_GE(accepted / capacity, kLeastAccepted);
             }}});
}

}  // namespace
}  // namespace lanecut::testing
