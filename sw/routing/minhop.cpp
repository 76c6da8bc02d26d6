// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths, and nothing done against deadlock: for comparison and for teaching.
#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

class MinHopEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "minhop"; }
  std::string_view summary() const override {
    return "shortest paths on any topology; may deadlock where there are rings";
  }

  RoutingTables Compute(const RoutingRequest& request) const override {
    TableBuilder builder(request);
    for (int destination = 0; destination < static_cast<int>(request.lids.size()); ++destination) {
      const int target = builder.SwitchOf(destination);
      if (target < 0) continue;
      builder.Route(destination, request.topology.HopsFrom(target), [](int, int) { return true; });
    }
    SpreadOverVls(request, builder.tables);
    return std::move(builder.tables);
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeMinHopEngine() { return std::make_unique<MinHopEngine>(); }

}  // namespace lanecut
