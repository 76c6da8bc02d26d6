// SPDX-License-Identifier: Apache-2.0
//
// Shortest paths in layers, a VL for each: LASH (Skeie, Lysne, Theiss 2002) and DFSSSP (Domke,
// Hoefler, Nagel 2011).
//
// LASH gives all pairs of two switches one path and one layer. DFSSSP gives every destination LID
// paths of its own, weighing the links by the paths that are there already, and layers by source
// switch and LID. The paper then breaks cycles, one link after the other; here both put pairs into
// the first layer that they leave without a cycle, which takes fewer layers on all topologies
// tried.
//
// How many layers that takes depends on which of the shortest paths are taken. So they are
// balanced, and also taken by the first port, which on a grid is dimension order; whichever leaves
// less load on the busiest link is used if the VLs suffice, else the other one, else paths that
// keep to up*/down* where shortest ones do.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "sw/routing/forest.h"
#include "sw/routing/layers.h"
#include "sw/routing/legal_shortest_ways.h"
#include "sw/routing/table_builder.h"
#include "sw/routing/updown_order.h"

namespace lanecut {
namespace {

class LayeredEngine : public RoutingEngine {
 public:
  RoutingTables Compute(const RoutingRequest& request) const override {
    const int lanes = std::min(request.vls, request.sls);
    const auto try_forest = [&](const Forest& forest) -> std::optional<RoutingTables> {
      const Layers layers(forest, lanes);
      if (layers.count() > lanes) return std::nullopt;
      return Fill(request, forest, layers);
    };
    Forest first_port(request, by_switch());
    RouteShortest(first_port, Spread::kFirstPort);
    {
      Forest balanced(request, by_switch());
      RouteShortest(balanced, Spread::kWholeWays);
      const bool in_turn = balanced.BusiestLink() <= first_port.BusiestLink();
      for (const Forest* each :
           {in_turn ? &balanced : &first_port, in_turn ? &first_port : &balanced}) {
        if (auto tables = try_forest(*each)) return std::move(*tables);
      }
    }
    Forest legal(request, by_switch());
    LegalShortestWays ways(legal.graph(), UpDownOrder(request.topology, legal.graph(),
                                                      SpanningTree::kBreadthFirst, std::nullopt));
    legal.Route([&](int target, NextHops& hops) { ways.To(target, hops); }, Spread::kWholeWays);
    if (auto tables = try_forest(legal)) return std::move(*tables);
    const int fewest =
        std::min(Layers(legal, kDropVl).count(), Layers(first_port, kDropVl).count());
    throw RoutingError(Refusal(request, fewest));
  }

 protected:
  // Whether all end nodes at a switch have the same path.
  virtual bool by_switch() const = 0;

 private:
  static void RouteShortest(Forest& forest, Spread spread) {
    forest.Route([&](int target, NextHops& hops) { ShortestWays(forest.graph(), target, hops); },
                 spread);
  }

  std::string Refusal(const RoutingRequest& request, int fewest) const {
    const bool sls = request.sls < request.vls;
    const std::string have =
        sls ? fmt::format("{} SLs", request.sls) : fmt::format("{} data VLs", request.vls);
    if (fewest > kDropVl) {
      return fmt::format(
          "{}: more than {} layers are needed, but there are {}; expected engine updown, which "
          "needs 1",
          name(), kDropVl, have);
    }
    return fmt::format(
        "{}: {} layers are needed, but there are {}; expected {} data VLs and SLs, or engine "
        "updown, which needs 1",
        name(), fewest, have, fewest);
  }

  RoutingTables Fill(const RoutingRequest& request, const Forest& forest,
                     const Layers& layers) const {
    const std::vector<std::pair<int, int>> lanes =
        LanesOf(layers, std::min(request.vls, request.sls));
    RoutingTables tables = forest.Tables();
    SpreadOverVls(request, tables);
    const SwitchGraph& graph = forest.graph();
    const auto& hcas = request.topology.hcas();
    for (std::size_t i = 0; i < hcas.size(); ++i) {
      const int place = graph.PlaceOf(hcas[i]);
      for (std::size_t j = 0; j < hcas.size(); ++j) {
        const int tree = forest.TreeOf(hcas[j]);
        if (place < 0 || tree < 0 || place == forest.TargetOf(tree)) continue;
        const auto& [first, count] = lanes[layers.Of(tree, place)];
        tables.sl[hcas[i]][hcas[j]] = static_cast<std::uint8_t>(first + (i + j) % count);
      }
    }
    return tables;
  }

  // The first VL of every layer and how many it has: those left over go where most pairs share one.
  static std::vector<std::pair<int, int>> LanesOf(const Layers& layers, int lanes) {
    std::vector<std::pair<int, int>> result(layers.count(), {0, 1});
    for (int left = lanes - layers.count(); left > 0 && !result.empty(); --left) {
      std::size_t fullest = 0;
      for (std::size_t i = 1; i < result.size(); ++i) {
        if (layers.pairs_in()[i] * result[fullest].second >
            layers.pairs_in()[fullest] * result[i].second) {
          fullest = i;
        }
      }
      ++result[fullest].second;
    }
    for (std::size_t i = 1; i < result.size(); ++i) {
      result[i].first = result[i - 1].first + result[i - 1].second;
    }
    return result;
  }
};

class LashEngine : public LayeredEngine {
 public:
  std::string_view name() const override { return "lash"; }
  std::string_view summary() const override {
    return "LASH: shortest paths on any topology, in layers of switch pairs with a VL each";
  }

 protected:
  bool by_switch() const override { return true; }
};

class DfssspEngine : public LayeredEngine {
 public:
  std::string_view name() const override { return "dfsssp"; }
  std::string_view summary() const override {
    return "DFSSSP: balanced shortest paths on any topology, in layers with a VL each";
  }

 protected:
  bool by_switch() const override { return false; }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeLashEngine() { return std::make_unique<LashEngine>(); }
std::unique_ptr<RoutingEngine> MakeDfssspEngine() { return std::make_unique<DfssspEngine>(); }

}  // namespace lanecut
