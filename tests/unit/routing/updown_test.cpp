// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <queue>
#include <vector>

#include "sw/routing/path_report.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

// An independent statement of the rule, for a given root: levels by breadth-first search, up =
// towards lower (level, index), and no hop up after one down. Shortest legal ways by a search over
// (switch, has gone down).
class LegalWays {
 public:
  LegalWays(const Topology& t, int root) : t_(t), level_(t.HopsFrom(root)) {}

  bool GoesUp(int from, int to) const {
    return level_[to] < level_[from] || (level_[to] == level_[from] && to < from);
  }

  bool IsLegal(const Path& path, int destination) const {
    bool down = false;
    for (std::size_t i = 0; i < path.hops.size(); ++i) {
      const int from = path.hops[i].node;
      const int to = i + 1 < path.hops.size() ? path.hops[i + 1].node : destination;
      if (!t_.IsSwitch(from) || !t_.IsSwitch(to)) continue;
      if (GoesUp(from, to) && down) return false;
      down = down || !GoesUp(from, to);
    }
    return true;
  }

  int Shortest(int from, int to) const {
    std::map<std::pair<int, bool>, int> hops = {{{from, false}, 0}};
    std::queue<std::pair<int, bool>> queue;
    queue.push({from, false});
    while (!queue.empty()) {
      const auto [node, down] = queue.front();
      queue.pop();
      if (node == to) return hops[{node, down}];
      for (int port = 1; port <= t_.node(node).num_ports; ++port) {
        const auto peer = t_.PeerOf(node, port);
        if (!peer || !t_.IsSwitch(peer->node)) continue;
        const bool up = GoesUp(node, peer->node);
        if (up && down) continue;
        const std::pair<int, bool> next = {peer->node, !up};
        if (hops.try_emplace(next, hops[{node, down}] + 1).second) queue.push(next);
      }
    }
    return -1;
  }

 private:
  const Topology& t_;
  std::vector<int> level_;
};

void ExpectUpDown(const Topology& t, int vls, int root) {
  const RoutingTables tables = ComputeRouting("updown", t, vls, root);
  ExpectAllDelivered(t, tables);
  ExpectNoDeadlock(t, tables);
  const LegalWays ways(t, root);
  const std::vector<int> reach = t.HopsFrom(root);
  for (int source = 0; source < static_cast<int>(t.nodes().size()); ++source) {
    for (int destination = 0; destination < static_cast<int>(t.nodes().size()); ++destination) {
      if (source == destination || reach[source] < 0 || reach[destination] < 0) continue;
      const Path path = TracePath(t, tables, source, destination);
      ASSERT_TRUE(ways.IsLegal(path, destination))
          << t.node(source).name << " to " << t.node(destination).name;
      if (!t.IsSwitch(source) || !t.IsSwitch(destination)) continue;
      ASSERT_GE(static_cast<int>(path.hops.size()), ways.Shortest(source, destination));
    }
  }
}

TEST(UpDown, GridsOfManySizes) {
  for (const Sizes& sizes :
       {Sizes{1}, Sizes{2}, Sizes{5}, Sizes{2, 2}, Sizes{4, 4}, Sizes{3, 7}, Sizes{2, 4},
        Sizes{1, 6}, Sizes{2, 3, 4}, Sizes{3, 3, 3}, Sizes{2, 2, 2, 2}}) {
    SCOPED_TRACE(::testing::PrintToString(sizes));
    for (int vls : {1, 2}) {
      ExpectUpDown(BuildTorus(sizes, 2), vls, 0);
      ExpectUpDown(BuildMesh(sizes, 1), vls, 0);
    }
  }
}

TEST(UpDown, RandomFabricsAndFaults) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Topology t = RandomFabric(seed);
    ExpectUpDown(t, 1 + seed % 4, t.switches()[seed % t.switches().size()]);
    ExpectUpDown(WithRandomFaults(t, seed, 6), 2, 0);
  }
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    ExpectUpDown(WithRandomFaults(BuildTorus(Sizes{4, 4}, 2), seed, 5), 2, 5);
  }
}

TEST(UpDown, EveryRootWorks) {
  const Topology t = RandomFabric(7);
  for (int root : t.switches()) ExpectUpDown(t, 2, root);
}

TEST(UpDown, ChoosesTheCentreAsRoot) {
  const Topology line = BuildMesh(Sizes{5}, 1);
  EXPECT_EQ(ComputeRouting("updown", line, 1), ComputeRouting("updown", line, 1, 2));
  // All of a torus are equal: the first.
  const Topology torus = BuildTorus(Sizes{4, 4}, 1);
  EXPECT_EQ(ComputeRouting("updown", torus, 1), ComputeRouting("updown", torus, 1, 0));
  EXPECT_NE(ComputeRouting("updown", torus, 1), ComputeRouting("updown", torus, 1, 5));
}

RoutingTables ComputeOnTree(const Topology& t, SpanningTree tree, RootChoice choice, bool balance,
                            std::optional<int> root = std::nullopt) {
  RoutingRequest request{t, SequentialLids(t), 2, root};
  request.tree = tree;
  request.root_choice = choice;
  request.balance = balance;
  return FindRoutingEngine("updown").Compute(request);
}

TEST(UpDown, DepthFirstTreesOnRandomFabricsAndFaults) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Topology whole = RandomFabric(seed);
    for (const Topology& t : {whole, WithRandomFaults(whole, seed, 6)}) {
      const int root = t.switches()[seed % t.switches().size()];
      const RoutingTables tables = ComputeOnTree(t, SpanningTree::kDepthFirst,
                                                 RootChoice::kLowestMeanDistance, seed % 2, root);
      ExpectAllDelivered(t, tables);
      ExpectNoDeadlock(t, tables);
    }
  }
}

TEST(UpDown, DepthFirstTreesGiveToriShorterPaths) {
  const auto hops = [](const Topology& t, SpanningTree tree) {
    const auto tables = ComputeOnTree(t, tree, RootChoice::kLowestMeanDistance, false);
    return ReportPaths(t, tables).MeanLength();
  };
  for (const Sizes& sizes : {Sizes{6, 6}, Sizes{7, 7}}) {
    const Topology t = BuildTorus(sizes, 1);
    EXPECT_LT(hops(t, SpanningTree::kDepthFirst), hops(t, SpanningTree::kBreadthFirst));
  }
}

TEST(UpDown, TheBestRootIsThatWithTheLeastLoadOnItsBusiestLink) {
  for (const SpanningTree tree : {SpanningTree::kBreadthFirst, SpanningTree::kDepthFirst}) {
    const Topology t = RandomFabric(11);
    std::pair<std::int64_t, std::int64_t> least(1 << 30, 0);
    for (const int root : t.switches()) {
      const PathReport report =
          ReportPaths(t, ComputeOnTree(t, tree, RootChoice::kLowestMeanDistance, false, root));
      least = std::min(least, {report.busiest_link, report.total_length});
    }
    const PathReport best = ReportPaths(t, ComputeOnTree(t, tree, RootChoice::kLeastLoad, false));
    EXPECT_EQ(std::pair(best.busiest_link, best.total_length), least);
  }
}

TEST(UpDown, BalancingEvensLoadsAndLengthensNothing) {
  for (const Topology& t :
       {BuildTorus(Sizes{6, 6}, 2), BuildMesh(Sizes{5, 5}, 2), RandomFabric(3)}) {
    PathReport reports[2];
    for (const bool balance : {false, true}) {
      const RoutingTables tables =
          ComputeOnTree(t, SpanningTree::kBreadthFirst, RootChoice::kLowestMeanDistance, balance);
      ExpectAllDelivered(t, tables);
      ExpectNoDeadlock(t, tables);
      reports[balance] = ReportPaths(t, tables);
    }
    EXPECT_LE(reports[1].total_length, reports[0].total_length);
    EXPECT_LE(reports[1].busiest_link, reports[0].busiest_link);
  }
}

TEST(UpDown, TreesAreRoutedMinimally) {
  const Topology mesh = BuildMesh(Sizes{7}, 2);
  const RoutingTables tables = ComputeRouting("updown", mesh, 1);
  for (int a : mesh.hcas()) {
    const std::vector<int> hops = mesh.HopsFrom(a);
    for (int b : mesh.hcas()) {
      EXPECT_EQ(static_cast<int>(TracePath(mesh, tables, a, b).hops.size()), hops[b]);
    }
  }
}

TEST(UpDown, EachPartOfASplitFabricIsRouted) {
  const Topology line = BuildMesh(Sizes{6}, 2);
  const Topology split = line.Without(std::vector<int>{line.PeerOf(2, 1)->cable});
  const RoutingTables tables = ComputeRouting("updown", split, 2);
  ExpectAllDelivered(split, tables);
  const DependencyGraph graph(split, tables);
  EXPECT_TRUE(graph.FindCycle().empty());
  EXPECT_EQ(graph.faults().size(), 2u * 6 * 6);
  EXPECT_EQ(graph.faults().front().end, PathEnd::kUnreachable);
}

TEST(UpDown, ParallelCablesShareDestinations) {
  Topology t;
  const int a = t.AddNode(NodeKind::kSwitch, "A", 20);
  const int b = t.AddNode(NodeKind::kSwitch, "B", 20);
  for (int port = 1; port <= 3; ++port) t.AddCable({a, port}, {b, port});
  for (int k = 0; k < 12; ++k) {
    const int hca = t.AddNode(NodeKind::kHca, fmt::format("H{}", k), 1);
    t.AddCable({k < 6 ? a : b, 10 + k % 6}, {hca, 1});
  }
  const RoutingTables tables = ComputeRouting("updown", t, 1);
  std::map<int, int> destinations;
  for (int k = 6; k < 12; ++k) ++destinations[tables.lft[a][tables.lids[t.hcas()[k]]]];
  EXPECT_EQ(destinations, (std::map<int, int>{{1, 2}, {2, 2}, {3, 2}}));
}

TEST(UpDown, RefusesARootThatIsNoSwitch) {
  const Topology t = BuildMesh(Sizes{2}, 1);
  for (int root : {-1, 2, 99}) {
    try {
      ComputeRouting("updown", t, 1, root);
      ADD_FAILURE() << root;
    } catch (const RoutingError& error) {
      EXPECT_NE(std::string(error.what()).find("expected a switch"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace lanecut
