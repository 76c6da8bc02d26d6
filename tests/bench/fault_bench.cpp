// SPDX-License-Identifier: Apache-2.0
//
// How long RFTR takes for a fault, and SPFTR for its tables.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sw/routing/rftr_paths.h"
#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {
namespace {

Topology TorusOf(const benchmark::State& state) {
  const std::vector<int> sizes(state.range(1), static_cast<int>(state.range(0)));
  return BuildTorus(sizes, 1);
}

// Faults at random links of a torus of range(0) switches in each of range(1) dimensions, each the
// range(2)-th of a sequence. Counts the paths that it replaces.
void BM_RftrFault(benchmark::State& state) {
  const Topology topology = TorusOf(state);
  const RoutingTables tables =
      FindRoutingEngine("updown").Compute({topology, SequentialLids(topology), 2, {}});
  RftrPaths paths(topology, tables, {3, 8});
  std::vector<int> links(paths.fabric().num_links());
  std::mt19937 random(1);
  RftrState before = paths.initial();
  RftrState after = before;
  std::int64_t replaced = 0;
  for (auto _ : state) {
    state.PauseTiming();
    for (int& link : links) link = static_cast<int>(random() % links.size());
    before = paths.initial();
    for (int i = 1; i < state.range(2); ++i) paths.Fail(before, {&links[i], 1});
    after = before;
    state.ResumeTiming();
    replaced += static_cast<std::int64_t>(paths.Fail(after, {&links[0], 1}).rerouted.size());
  }
  state.counters["paths"] =
      benchmark::Counter(static_cast<double>(replaced), benchmark::Counter::kAvgIterations);
}
BENCHMARK(BM_RftrFault)
    ->ArgNames({"size", "dimensions", "fault"})
    ->Args({4, 2, 1})
    ->Args({7, 2, 1})
    ->Args({7, 2, 8})
    ->Args({10, 2, 1})
    ->Args({14, 2, 1})
    ->Args({14, 2, 8})
    ->Args({4, 3, 1})
    ->Args({6, 3, 1})
    ->Iterations(200)
    ->Unit(benchmark::kMicrosecond);

void BM_Spftr(benchmark::State& state) {
  const Topology topology = TorusOf(state);
  constexpr int kLmc = 5;
  const RoutingRequest request{topology, SequentialLids(topology, kLmc), 2, {}, 4, kLmc, 4};
  const RoutingEngine& engine = FindRoutingEngine("spftr");
  for (auto _ : state) benchmark::DoNotOptimize(engine.Compute(request));
}
BENCHMARK(BM_Spftr)
    ->ArgNames({"size", "dimensions"})
    ->Args({8, 2})
    ->Args({20, 2})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lanecut

BENCHMARK_MAIN();
