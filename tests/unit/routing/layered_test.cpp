// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sw/routing/acyclic_layer.h"
#include "sw/routing/forest.h"
#include "sw/routing/layers.h"
#include "sw/routing/path_report.h"
#include "sw/topology/families.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

constexpr const char* kEngines[] = {"lash", "dfsssp"};

RoutingTables Compute(const char* engine, const Topology& t, int vls, int sls = kServiceLevels) {
  RoutingRequest request{t, SequentialLids(t), vls, {}};
  request.sls = sls;
  return FindRoutingEngine(engine).Compute(request);
}

void ExpectMinimal(const Topology& t, const RoutingTables& tables) {
  for (const int a : t.hcas()) {
    const std::vector<int> hops = t.HopsFrom(a);
    for (const int b : t.hcas()) {
      if (hops[b] < 0) continue;
      ASSERT_EQ(static_cast<int>(TracePath(t, tables, a, b).hops.size()), hops[b]);
    }
  }
}

void ExpectGood(const Topology& t, const RoutingTables& tables, int vls) {
  ExpectAllDelivered(t, tables);
  ExpectNoDeadlock(t, tables);
  ExpectMinimal(t, tables);
  const PathReport report = ReportPaths(t, tables);
  EXPECT_LE(report.vls, vls);
  EXPECT_LE(report.paths_by_transitions.size(), 1u);
}

TEST(Layered, ShortestPathsOnRandomFabricsAndFaults) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Topology t = RandomFabric(seed);
    for (const char* engine : kEngines) {
      ExpectGood(t, Compute(engine, t, 8), 8);
      const Topology faulty = WithRandomFaults(t, seed, 6);
      ExpectGood(faulty, Compute(engine, faulty, 15), 15);
    }
  }
}

TEST(Layered, RegularTopologies) {
  for (const Topology& t :
       {BuildTorus(Sizes{5, 5}, 2), BuildTorus(Sizes{2, 4, 3}, 1), BuildMesh(Sizes{4, 5}, 2),
        BuildHypercube(4, 1), BuildDragonfly({4, 1, std::nullopt}, 1), BuildXgft(KaryNtree(3, 3)),
        BuildMesh(Sizes{1}, 3), BuildFullMesh(6, 2)}) {
    for (const char* engine : kEngines) ExpectGood(t, Compute(engine, t, 4), 4);
  }
}

// The message names how many VLs would do, and they do.
TEST(Layered, TooFewVlsAreAnErrorThatNamesWhatSuffices) {
  int refused = 0;
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    const Topology t = RandomFabric(seed);
    for (const char* engine : kEngines) {
      for (const bool sls : {false, true}) {
        try {
          Compute(engine, t, sls ? 8 : 1, sls ? 1 : kServiceLevels);
        } catch (const RoutingError& error) {
          ++refused;
          const std::string text = error.what();
          const std::string have = sls ? "but there are 1 SLs" : "but there are 1 data VLs";
          EXPECT_NE(text.find(have), std::string::npos) << text;
          const std::size_t at = text.find("expected ");
          ASSERT_NE(at, std::string::npos) << text;
          const int enough = std::stoi(text.substr(at + 9));
          EXPECT_GT(enough, 1);
          ExpectGood(t, Compute(engine, t, enough, enough), enough);
        }
      }
    }
  }
  EXPECT_GT(refused, 20);
}

TEST(Layered, GridsInDimensionOrderNeedOneVl) {
  for (const char* engine : kEngines) {
    ExpectGood(BuildMesh(Sizes{6, 6}, 2), Compute(engine, BuildMesh(Sizes{6, 6}, 2), 1), 1);
    ExpectGood(BuildHypercube(5, 1), Compute(engine, BuildHypercube(5, 1), 1), 1);
  }
}

// OpenSM 3.3.23 needs 8 VLs with lash and more than 8 with dfsssp, with 320 and 396 pairs there.
TEST(Layered, FewerLayersAndLoadOnATorusThanOpenSm) {
  const Topology t = BuildTorus(Sizes{8, 8}, 2);
  for (const char* engine : kEngines) {
    const RoutingTables tables = Compute(engine, t, 4);
    ExpectNoDeadlock(t, tables);
    const PathReport report = ReportPaths(t, tables);
    EXPECT_LE(report.busiest_link, 320);
    EXPECT_LE(ReportPaths(t, Compute(engine, t, 8)).busiest_link, report.busiest_link);
  }
}

TEST(Layered, VlsLeftOverShareTheLoad) {
  const Topology t = BuildMesh(Sizes{4, 4}, 2);
  for (const char* engine : kEngines) {
    const PathReport report = ReportPaths(t, Compute(engine, t, 4));
    ASSERT_EQ(report.paths_by_sl.size(), 4u);
    for (const auto paths : report.paths_by_sl) EXPECT_NEAR(paths, report.paths / 4.0, 60);
  }
}

TEST(Layered, LashHasOnePathForTwoSwitches) {
  const Topology t = BuildTorus(Sizes{4, 4}, 2);
  const RoutingTables lash = Compute("lash", t, 4);
  const RoutingTables dfsssp = Compute("dfsssp", t, 4);
  bool differs = false;
  for (const int node : t.switches()) {
    for (std::size_t i = 0; i < t.hcas().size(); i += 2) {
      const int a = t.hcas()[i];
      const int b = t.hcas()[i + 1];
      if (t.PeerOf(a, 1)->node == node) continue;
      EXPECT_EQ(lash.lft[node][lash.lids[a]], lash.lft[node][lash.lids[b]]);
      differs |= dfsssp.lft[node][dfsssp.lids[a]] != dfsssp.lft[node][dfsssp.lids[b]];
    }
  }
  EXPECT_TRUE(differs);
}

// Dependencies of links that may become cyclic.
class Dependencies {
 public:
  explicit Dependencies(int links) : after_(links) {}
  bool Has(int link, int next) const { return after_[link].contains(next); }
  void Add(int link, int next) { after_[link].insert(next); }
  void Remove(int link, int next) { after_[link].erase(next); }
  bool Reaches(int from, int to) const {
    std::vector<bool> seen(after_.size(), false);
    std::vector<int> stack = {from};
    while (!stack.empty()) {
      const int here = stack.back();
      stack.pop_back();
      if (here == to) return true;
      if (seen[here]) continue;
      seen[here] = true;
      stack.insert(stack.end(), after_[here].begin(), after_[here].end());
    }
    return false;
  }

 private:
  std::vector<std::set<int>> after_;
};

// Adds a way of links, or nothing if that closes a cycle.
bool AddWay(Dependencies& layer, const std::vector<int>& way) {
  std::vector<std::pair<int, int>> added;
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    if (layer.Has(way[i], way[i + 1])) continue;
    layer.Add(way[i], way[i + 1]);
    added.emplace_back(way[i], way[i + 1]);
    if (!layer.Reaches(way[i + 1], way[i])) continue;
    for (const auto& [link, next] : added) layer.Remove(link, next);
    return false;
  }
  return true;
}

// The layer of every pair, by tree, then place: pair by pair the first that has no cycle then; -1
// if there is none to give.
std::vector<std::vector<int>> FirstFit(const Forest& forest, int most) {
  const SwitchGraph& graph = forest.graph();
  std::vector<Dependencies> layers(most, Dependencies(graph.num_links()));
  std::vector<std::vector<int>> result(forest.num_trees(),
                                       std::vector<int>(graph.num_switches(), -1));
  for (int tree = 0; tree < forest.num_trees(); ++tree) {
    for (int place = 0; place < graph.num_switches(); ++place) {
      if (forest.EndNodesOf(tree) == 0 || graph.EndNodesAt(place) == 0) continue;
      std::vector<int> way;
      for (int at = place; forest.LinkTo(tree, at) >= 0; at = graph.link(way.back()).to)
        way.push_back(forest.LinkTo(tree, at));
      if (way.empty()) continue;
      for (int i = 0; i < most && result[tree][place] < 0; ++i) {
        if (AddWay(layers[i], way)) result[tree][place] = i;
      }
    }
  }
  return result;
}

// Also where the layers do not suffice, which is then all that is known.
TEST(Layers, EveryPairIsInTheFirstThatItFits) {
  int refused = 0;
  std::vector<Topology> fabrics = {BuildTorus(Sizes{7, 7}, 2), BuildTorus(Sizes{5, 5, 3}, 1),
                                   BuildRandomRegular(32, 4, 2, 7)};
  for (std::uint32_t seed = 0; seed < 20; ++seed) fabrics.push_back(RandomFabric(seed));
  for (const Topology& t : fabrics) {
    const RoutingRequest request{t, SequentialLids(t), 1, {}};
    Forest forest(request);
    const auto shortest = [&](int target, NextHops& hops) {
      ShortestWays(forest.graph(), target, hops);
    };
    forest.Route(shortest, Spread::kWholeWays);
    for (const int most : {1, 2, 8}) {
      const Layers layers(forest, most);
      const auto expected = FirstFit(forest, most);
      int last = -1;
      int missing = 0;
      for (int tree = 0; tree < forest.num_trees(); ++tree) {
        for (int place = 0; place < forest.graph().num_switches(); ++place) {
          last = std::max(last, expected[tree][place]);
          const bool is_pair = forest.EndNodesOf(tree) > 0 && forest.LinkTo(tree, place) >= 0 &&
                               forest.graph().EndNodesAt(place) > 0;
          missing += is_pair && expected[tree][place] < 0 ? 1 : 0;
        }
      }
      refused += missing > 0 ? 1 : 0;
      ASSERT_EQ(layers.count(), missing > 0 ? most + 1 : last + 1);
      for (int tree = 0; missing == 0 && tree < forest.num_trees(); ++tree) {
        for (int place = 0; place < forest.graph().num_switches(); ++place) {
          if (expected[tree][place] < 0) continue;
          ASSERT_EQ(layers.Of(tree, place), expected[tree][place]);
        }
      }
    }
  }
  EXPECT_GT(refused, 0);
}

// Against a search of the whole graph after every turn.
TEST(AcyclicLayer, RefusesExactlyWhatClosesACycle) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const SwitchGraph graph(RandomFabric(seed));
    if (graph.num_links() == 0) continue;
    AcyclicLayer layer(graph);
    Dependencies all(graph.num_links());
    for (int i = 0; i < 400; ++i) {
      const int link = static_cast<int>(random() % graph.num_links());
      const int at = graph.link(link).to;
      const int next = graph.FirstLink(at) + static_cast<int>(random() % graph.Degree(at));
      if (layer.Has(link, next)) {
        if (random() % 2) continue;
        layer.Remove(link, next);
        all.Remove(link, next);
        continue;
      }
      const bool fits = !all.Reaches(next, link);
      ASSERT_EQ(layer.Add(link, next), fits);
      ASSERT_EQ(layer.Has(link, next), fits);
      if (fits) all.Add(link, next);
    }
  }
}

}  // namespace
}  // namespace lanecut
