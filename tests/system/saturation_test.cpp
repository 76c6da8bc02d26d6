// SPDX-License-Identifier: Apache-2.0
//
// Throughput of the 8x8 torus with dimension-order routing and uniform traffic: at saturation at
// least 0.65 of capacity, and hardly less when twice as much is offered.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tb/bench/measure.h"
#include "tests/system/cases.h"

namespace lanecut::testing {
namespace {

constexpr std::array kLoadsAroundPeak = {0.8, 0.9, 1.0};  // of capacity
constexpr double kLeastAccepted = 0.65;                   // of capacity
constexpr double kLeastOfPeak = 0.95;                     // at twice the load of the peak
constexpr Window kWindow{.warmup = 10'000, .cycles = 20'000};

TEST(Saturation, Torus8x8HoldsItsThroughputAtTwiceTheLoad) {
  const TorusOptions torus;
  const double capacity = Capacity(torus);
  RunCases(MakeTorus(torus),
           {{"saturation", [=](Simulation& simulation, const Scenario& scenario) {
               const auto accepted = [&](double load) {
                 return Measure(&simulation, scenario, load * capacity, kWindow).accepted /
                        capacity;
               };
               // One after the other in one fabric: the last load finds it full.
               double peak = 0;
               for (const double load : kLoadsAroundPeak) peak = std::max(peak, accepted(load));
               const double at_twice = accepted(2 * kLoadsAroundPeak.back());
               fmt::print("accepted of capacity: {:.3f} at most, {:.3f} at load {}\n", peak,
                          at_twice, 2 * kLoadsAroundPeak.back());
               EXPECT_GE(peak, kLeastAccepted);
               EXPECT_GE(at_twice, kLeastOfPeak * peak);
             }}});
}

}  // namespace
}  // namespace lanecut::testing
