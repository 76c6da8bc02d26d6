// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "sw/routing/forest.h"
#include "sw/routing/table_builder.h"
#include "sw/routing/updown_order.h"

namespace lanecut {
namespace {

class UpDownEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "updown"; }
  std::string_view summary() const override {
    return "up*/down* on a breadth-first or depth-first tree: any topology, any faults, one VL is "
           "enough";
  }

  bool takes(EngineOption /*option*/) const override { return true; }
  RoutingTables Compute(const RoutingRequest& request) const override {
    CheckRoot(request, name());
    Forest forest(request);
    const SwitchGraph& graph = forest.graph();
    std::optional<int> root = RootPlace(request, graph);
    if (!root && request.root_choice == RootChoice::kLeastLoad) root = BestRoot(request);
    Fill(request, root, forest);
    RoutingTables tables = forest.Tables();
    SpreadOverVls(request, tables);
    return tables;
  }

 private:
  static void Fill(const RoutingRequest& request, std::optional<int> root, Forest& forest) {
    const bool shorter = request.balance || request.tree == SpanningTree::kDepthFirst;
    UpDownWays ways(forest.graph(),
                    UpDownOrder(request.topology, forest.graph(), request.tree, root), shorter);
    forest.Route([&](int target, NextHops& hops) { ways.To(target, hops); },
                 request.balance ? Spread::kWholeWays : Spread::kOwnLinks);
  }

  static std::optional<int> BestRoot(const RoutingRequest& request) {
    std::optional<std::pair<std::int64_t, std::int64_t>> least;
    std::optional<int> best;
    const int switches = static_cast<int>(request.topology.switches().size());
    for (int root = 0; root < switches; ++root) {
      Forest forest(request);
      Fill(request, root, forest);
      const std::pair measure(forest.BusiestLink(), forest.TotalHops());
      if (least && measure >= *least) continue;
      least = measure;
      best = root;
    }
    return best;
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeUpDownEngine() { return std::make_unique<UpDownEngine>(); }

}  // namespace lanecut
