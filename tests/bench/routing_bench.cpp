// SPDX-License-Identifier: Apache-2.0
//
// How long the routing engines take. Sizes are switches per dimension of a 3-D torus, or end nodes
// at a leaf switch of a fat tree of three levels.
#include <benchmark/benchmark.h>

#include <vector>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/routing.h"
#include "sw/topology/families.h"

namespace lanecut {
namespace {

Topology Torus(int side) { return BuildTorus(std::vector<int>{side, side, side}, 1); }
Topology FatTree(int arity) { return BuildXgft(KaryNtree(arity, 3)); }

void Route(benchmark::State& state, const char* engine, Topology (*build)(int), bool balance) {
  const Topology topology = build(static_cast<int>(state.range(0)));
  RoutingRequest request{topology, SequentialLids(topology), 8, {}};
  request.balance = balance;
  for (auto _ : state) {
    benchmark::DoNotOptimize(FindRoutingEngine(engine).Compute(request));
  }
  state.counters["end_nodes"] = static_cast<double>(topology.hcas().size());
}

void Check(benchmark::State& state) {
  const Topology topology = Torus(static_cast<int>(state.range(0)));
  const RoutingTables tables =
      FindRoutingEngine("lash").Compute({topology, SequentialLids(topology), 8, {}});
  for (auto _ : state) {
    benchmark::DoNotOptimize(DependencyGraph(topology, tables).FindCycle().empty());
  }
}

BENCHMARK_CAPTURE(Route, updown_torus, "updown", Torus, false)->Arg(4)->Arg(8)->Arg(16);
BENCHMARK_CAPTURE(Route, updown_balanced_torus, "updown", Torus, true)->Arg(4)->Arg(8);
BENCHMARK_CAPTURE(Route, lash_torus, "lash", Torus, false)->Arg(4)->Arg(8)->Arg(16);
BENCHMARK_CAPTURE(Route, dfsssp_torus, "dfsssp", Torus, false)->Arg(4)->Arg(8)->Arg(16);
BENCHMARK_CAPTURE(Route, mroots_torus, "mroots", Torus, false)->Arg(4)->Arg(8);
BENCHMARK_CAPTURE(Route, tor_torus, "tor", Torus, false)->Arg(4)->Arg(6);
BENCHMARK_CAPTURE(Route, updown_fat_tree, "updown", FatTree, false)->Arg(4)->Arg(16);
BENCHMARK_CAPTURE(Route, lash_fat_tree, "lash", FatTree, false)->Arg(4)->Arg(16);
BENCHMARK_CAPTURE(Route, dfsssp_fat_tree, "dfsssp", FatTree, false)->Arg(4)->Arg(16);
BENCHMARK_CAPTURE(Route, ftree_fat_tree, "ftree", FatTree, false)->Arg(4)->Arg(16);
BENCHMARK(Check)->Arg(4)->Arg(8);

}  // namespace
}  // namespace lanecut

BENCHMARK_MAIN();
