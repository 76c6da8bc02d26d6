// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths, and nothing done against deadlock: for comparison and for teaching.
#include "sw/routing/forest.h"
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

class MinHopEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "minhop"; }
  std::string_view summary() const override {
    return "shortest paths on any topology; may deadlock where there are rings";
  }

  bool takes(EngineOption option) const override { return option == EngineOption::kBalance; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    Forest forest(request);
    forest.Route([&](int target, NextHops& hops) { ShortestWays(forest.graph(), target, hops); },
                 request.balance ? Spread::kWholeWays : Spread::kOwnLinks);
    RoutingTables tables = forest.Tables();
    SpreadOverVls(request, tables);
    return tables;
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeMinHopEngine() { return std::make_unique<MinHopEngine>(); }

}  // namespace lanecut
