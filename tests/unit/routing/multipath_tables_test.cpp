// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/multipath_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sw/routing/switch_fabric.h"
#include "sw/topology/families.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

// What one LID's entries must be, found anew: those on paths that path records send to it lead
// along these, and all others to the nearest of them, of equals to the one that a breadth-first
// search meets first.
class EntriesOfLid {
 public:
  EntriesOfLid(const Topology& t, const RoutingTables& tables, int destination, Lid lid)
      : fabric_(t), port_(t.nodes().size(), kUnreachablePort) {
    const Peer at = *t.PeerOf(destination, 1);
    port_[at.node] = at.port;
    for (const int source : t.hcas()) {
      for (int i = 0; source != destination && i < tables.NumPaths(source, destination); ++i) {
        if (tables.PathOf(source, destination, i).dlid != lid) continue;
        int node = t.PeerOf(source, 1)->node;
        for (int hops = 0; node != at.node && hops < fabric_.num_switches(); ++hops) {
          port_[node] = tables.lft[node][lid];
          const auto peer = t.PeerOf(node, port_[node]);
          node = peer && t.IsSwitch(peer->node) ? peer->node : node;
        }
        EXPECT_EQ(node, at.node) << "LID " << lid << " from " << t.node(source).name;
      }
    }
    Search();
  }

  int PortAt(int node) const { return port_[node]; }

 private:
  void Search() {
    std::vector<int> queue;
    for (int place = 0; place < fabric_.num_switches(); ++place) {
      if (port_[fabric_.NodeOf(place)] != kUnreachablePort) queue.push_back(place);
    }
    for (std::size_t head = 0; head < queue.size(); ++head) {
      for (const int link : fabric_.LinksFrom(queue[head])) {
        const int peer = fabric_.NodeOf(fabric_.link(link).to);
        if (port_[peer] != kUnreachablePort) continue;
        port_[peer] = fabric_.link(link).in_port;
        queue.push_back(fabric_.link(link).to);
      }
    }
  }

  SwitchFabric fabric_;
  std::vector<int> port_;  // by node
};

// All entries of the LIDs that some path record names; the others are like the lowest LID's.
void ExpectEntries(const Topology& t, const RoutingTables& tables, int destination) {
  Lid last = tables.lids[destination];
  for (const int source : t.hcas()) {
    for (int i = 0; source != destination && i < tables.NumPaths(source, destination); ++i)
      last = std::max(last, tables.PathOf(source, destination, i).dlid);
  }
  for (int lid = tables.lids[destination]; lid < tables.lids[destination] + (1 << tables.lmc);
       ++lid) {
    const Lid like = lid <= last ? static_cast<Lid>(lid) : tables.lids[destination];
    const EntriesOfLid entries(t, tables, destination, like);
    for (const int node : t.switches())
      ASSERT_EQ(tables.lft[node][lid], entries.PortAt(node)) << t.node(node).name << " LID " << lid;
  }
}

TEST(MultipathTables, SwitchesOffTheWaysLeadToTheNearestOnThem) {
  struct Case {
    Topology topology;
    const char* engine;
    int paths;
  };
  for (const Case& each : {Case{BuildTorus(Sizes{6, 7}, 2), "spftr", 4},
                           {BuildTorus(Sizes{4, 4, 4}, 1), "spftr", 6},
                           {BuildTorus(Sizes{5, 5}, 1), "a-spftr", 4},
                           {BuildTorus(Sizes{4, 4}, 1).Without(Sizes{0, 9}), "tftr", 3}}) {
    const Topology& t = each.topology;
    const RoutingTables tables =
        FindRoutingEngine(each.engine)
            .Compute({t, SequentialLids(t, 5), 2, {}, kServiceLevels, 5, each.paths});
    for (const int destination : t.hcas()) ExpectEntries(t, tables, destination);
  }
}

// From switch 0 to switch 1 by way of each other one: no two of these paths can share a number.
RoutingTables ByAllOthers(const Topology& t, int lmc) {
  const SwitchFabric fabric(t);
  const auto link_to = [&](int from, int to) {
    for (const int link : fabric.LinksFrom(from)) {
      if (fabric.link(link).to == to) return link;
    }
    return -1;
  };
  const auto paths_to = [&](int to, std::vector<std::vector<SwitchPath>>& paths) {
    for (auto& each : paths) each.clear();
    for (int by = 2; to == 1 && by < fabric.num_switches(); ++by)
      paths[0].push_back({{link_to(0, by), link_to(by, 1)}, 0});
  };
  const TurnLanes lanes(1, std::vector<std::uint8_t>(fabric.num_turns(), 0));
  return MakeMultipathTables({t, SequentialLids(t, lmc), 1, {}, 1, lmc, fabric.num_switches() - 2},
                             fabric, paths_to, lanes, "test");
}

TEST(MultipathTables, MoreThanSixtyFourNumbers) {
  const Topology t = BuildFullMesh(70, 1);
  const RoutingTables tables = ByAllOthers(t, 7);
  const int source = t.hcas()[0];
  const int destination = t.hcas()[1];
  ASSERT_EQ(tables.NumPaths(source, destination), 68);
  for (int i = 0; i < 68; ++i)
    EXPECT_EQ(tables.PathOf(source, destination, i).dlid, tables.lids[destination] + i);
  ExpectEntries(t, tables, destination);
}

TEST(MultipathTables, SayWhatLmcWouldDo) {
  const auto message = [](int switches, int lmc) -> std::string {
    try {
      ByAllOthers(BuildFullMesh(switches, 1), lmc);
    } catch (const RoutingError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(70, 6),
            "test: LMC 6 gives 64 LIDs to an end node, and its paths need 68; expected LMC 7");
  EXPECT_EQ(message(132, 7),
            "test: LMC 7 gives 128 LIDs to an end node, and its paths need 130; expected fewer "
            "paths");
}

}  // namespace
}  // namespace lanecut
