// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/rftr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sw/topology/families.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

constexpr int kLmc = 5;

RoutingTables TablesOf(const char* engine, const Topology& t, int vls, int lmc = kLmc,
                       int paths = 1) {
  RoutingRequest request{t, SequentialLids(t, lmc), vls, {}};
  request.lmc = lmc;
  request.paths = paths;
  return FindRoutingEngine(engine).Compute(request);
}

std::vector<int> CablesBetweenSwitches(const Topology& t) {
  std::vector<int> cables;
  for (int i = 0; i < static_cast<int>(t.cables().size()); ++i) {
    if (t.IsSwitch(t.cables()[i].a.node) && t.IsSwitch(t.cables()[i].b.node)) cables.push_back(i);
  }
  return cables;
}

using PairPaths = std::map<std::pair<int, int>, std::vector<std::vector<Hop>>>;

// Of all pairs, by all their records.
PairPaths TraceAll(const Topology& t, const RoutingTables& tables) {
  PairPaths all;
  for (const int source : t.hcas()) {
    for (const int destination : t.hcas()) {
      if (source == destination) continue;
      auto& paths = all[{source, destination}];
      for (int i = 0; i < tables.NumPaths(source, destination); ++i) {
        const Path path =
            TracePath(t, tables, source, destination, tables.PathOf(source, destination, i));
        EXPECT_EQ(path.end, PathEnd::kDelivered) << PathEndName(path.end);
        paths.push_back(path.hops);
      }
    }
  }
  return all;
}

bool Uses(const Topology& t, const std::vector<Hop>& hops, const std::set<int>& cables) {
  return std::ranges::any_of(hops, [&](const Hop& hop) {
    return cables.contains(t.PeerOf(hop.node, hop.out_port)->cable);
  });
}

using Pairs = std::set<std::pair<int, int>>;

Pairs SetOf(const std::vector<std::pair<int, int>>& pairs) { return {pairs.begin(), pairs.end()}; }

void ExpectChangeIsTheDifference(const Topology& t, const RoutingTables& before,
                                 const RoutingTables& after, const Rftr::Change& change) {
  RoutingTables patched = before;
  for (const Rftr::LftChange& entry : change.lft) patched.lft[entry.node][entry.lid] = entry.port;
  for (const Rftr::SlToVlChange& entry : change.sl2vl)
    patched.sl2vl[entry.node].At(entry.in_port, entry.out_port, entry.sl) = entry.vl;
  for (std::size_t node = 0; node < t.nodes().size(); ++node) {
    EXPECT_EQ(patched.lft[node], after.lft[node]);
    EXPECT_TRUE(patched.sl2vl[node] == after.sl2vl[node]);
  }
}

// One fault, and all that must hold after it.
Rftr::Change FailAndCheck(const Topology& t, Rftr& rftr, std::vector<int> cables,
                          const std::vector<int>& switches = {}) {
  const RoutingTables before = rftr.tables();
  const PairPaths old_paths = TraceAll(rftr.Remaining(), before);
  const Rftr::Change change = rftr.Fail(cables, switches);
  for (const int node : switches) {
    for (int port = 1; port <= t.node(node).num_ports; ++port) {
      if (const auto peer = t.PeerOf(node, port)) cables.push_back(peer->cable);
    }
  }
  const std::set<int> failed(cables.begin(), cables.end());
  const Topology left = rftr.Remaining();
  const PairPaths new_paths = TraceAll(left, rftr.tables());
  EXPECT_EQ(DescribeCycle(left, DependencyGraph(left, rftr.tables()).FindCycle()), "");
  ExpectChangeIsTheDifference(t, before, rftr.tables(), change);

  const Pairs rerouted = SetOf(change.rerouted);
  const Pairs fewer = SetOf(change.fewer);
  const Pairs cut_off = SetOf(change.cut_off);
  for (const auto& [pair, paths] : old_paths) {
    SCOPED_TRACE(fmt::format("{} to {}", t.node(pair.first).name, t.node(pair.second).name));
    const auto& now = new_paths.at(pair);
    std::vector<std::vector<Hop>> rest;
    for (const auto& hops : paths) {
      if (!Uses(t, hops, failed)) rest.push_back(hops);
    }
    const bool joined = left.HopsFrom(pair.first)[pair.second] >= 0;
    EXPECT_EQ(!now.empty(), joined);
    if (rest.size() == paths.size()) {
      EXPECT_EQ(now, paths);  // bit for bit
      EXPECT_FALSE(rerouted.contains(pair) || fewer.contains(pair) || cut_off.contains(pair));
    } else if (!rest.empty()) {
      EXPECT_EQ(now, rest);
      EXPECT_TRUE(fewer.contains(pair));
    } else {
      EXPECT_EQ(rerouted.contains(pair), joined);
      EXPECT_EQ(cut_off.contains(pair), !joined);
      EXPECT_EQ(now.size(), joined ? 1u : 0u);
    }
  }
  return change;
}

// The paths of its state are those of its tables, hop by hop, and within the limits.
void ExpectTablesFollowState(const Rftr& rftr, RftrLimits limits) {
  const SwitchFabric& fabric = rftr.paths().fabric();
  const PairPaths traced = TraceAll(rftr.Remaining(), rftr.tables());
  std::map<std::pair<int, int>, std::size_t> next;
  for (std::size_t flow = 0; flow < rftr.paths().flows().size(); ++flow) {
    const TracedPath& first = rftr.paths().flows()[flow];
    const RftrState::Route& route = rftr.state().routes[flow];
    if (!route.alive) continue;
    const std::pair pair(first.source, first.destination);
    ASSERT_LT(next[pair], traced.at(pair).size());
    const std::vector<Hop>& hops = traced.at(pair)[next[pair]++];
    ASSERT_EQ(hops.size(), route.length + 2u);
    for (std::size_t i = 0; i < route.length; ++i) {
      const SwitchFabric::Link& link = fabric.link(rftr.state().LinksOf(route)[i]);
      EXPECT_EQ(hops[i + 1].node, fabric.NodeOf(link.from));
      EXPECT_EQ(hops[i + 1].out_port, link.out_port);
      EXPECT_EQ(hops[i + 1].vl, rftr.state().VlsOf(route)[i]);
      EXPECT_LT(hops[i + 1].vl, rftr.state().vls);
    }
    EXPECT_LT(route.sl, rftr.state().sls);
  }
  EXPECT_LE(rftr.state().vls, limits.vls);
  EXPECT_LE(rftr.state().sls, limits.sls);
}

// Faults one after the other in random order, until there is no cable left.
void FailUntilNothingIsLeft(const Topology& t, const char* engine, int vls, RftrLimits limits,
                            std::uint32_t seed, int paths = 1, int most = 1000) {
  SCOPED_TRACE(fmt::format("{}, seed {}", engine, seed));
  Rftr rftr(t, TablesOf(engine, t, vls, kMaxLmc, paths), limits);
  std::vector<int> cables = CablesBetweenSwitches(t);
  std::mt19937 random(seed);
  std::ranges::shuffle(cables, random);
  for (const int cable : cables) {
    if (most-- == 0) break;
    FailAndCheck(t, rftr, {cable});
    ExpectTablesFollowState(rftr, limits);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Rftr, ToriUntilNothingIsLeft) {
  constexpr RftrLimits kPlenty = {8, kServiceLevels};
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    FailUntilNothingIsLeft(BuildTorus(Sizes{4, 4}, 1), "updown", 2, kPlenty, seed);
    FailUntilNothingIsLeft(BuildTorus(Sizes{3, 2}, 2), "updown", 1, kPlenty, seed);
    FailUntilNothingIsLeft(BuildMesh(Sizes{3, 4}, 1), "updown", 2, kPlenty, seed);
    FailUntilNothingIsLeft(BuildMesh(Sizes{4, 3}, 1), "dor", 2, kPlenty, seed);
  }
}

// With as few VLs as this, pairs need turns that only links which have failed had forbidden.
TEST(Rftr, RulesAreMadeAnewWhereVlsAreShort) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  int renewed = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    std::vector<int> cables = CablesBetweenSwitches(t);
    std::mt19937 random(seed);
    std::ranges::shuffle(cables, random);
    Rftr rftr(t, TablesOf("updown", t, 1, kMaxLmc), {1, kServiceLevels});
    const auto first = rftr.state().rules;
    try {
      for (const int cable : cables) {
        FailAndCheck(t, rftr, {cable});
        ExpectTablesFollowState(rftr, {1, kServiceLevels});
      }
    } catch (const RoutingError&) {
    }
    renewed += rftr.state().rules != first ? 1 : 0;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(renewed, 0);
}

TEST(Rftr, IrregularFabricsUntilNothingIsLeft) {
  for (std::uint32_t seed = 0; seed < 8; ++seed)
    FailUntilNothingIsLeft(RandomFabric(seed), "updown", 1 + seed % 2, {8, kServiceLevels}, seed);
}

TEST(Rftr, AnyEngineUnderneath) {
  constexpr RftrLimits kPlenty = {6, kServiceLevels};
  FailUntilNothingIsLeft(BuildTorus(Sizes{5, 4}, 1), "dor", 2, kPlenty, 1, 1, 4);
  FailUntilNothingIsLeft(BuildXgft(KaryNtree(2, 3)), "minhop", 1, kPlenty, 1, 1, 6);
  FailUntilNothingIsLeft(BuildHypercube(3, 2), "dor", 1, kPlenty, 1, 1, 6);
  // Several paths for each pair: the last one is replaced.
  FailUntilNothingIsLeft(BuildTorus(Sizes{4, 4}, 1), "tftr", 2, kPlenty, 1, 4, 12);
  FailUntilNothingIsLeft(BuildTorus(Sizes{5, 5}, 1), "spftr", 2, kPlenty, 1, 4, 10);
}

TEST(Rftr, SwitchesFailWithTheirEndNodes) {
  const Topology t = BuildTorus(Sizes{4, 4}, 2);
  Rftr rftr(t, TablesOf("updown", t, 2), {4, kServiceLevels});
  std::size_t left = t.hcas().size();
  for (const int node : {t.switches()[5], t.switches()[6], t.switches()[0]}) {
    const Rftr::Change change = FailAndCheck(t, rftr, {}, {node});
    // Both end nodes lose all others, and each other.
    EXPECT_EQ(change.cut_off.size(), 2 * 2 * (left - 2) + 2);
    left -= 2;
    EXPECT_FALSE(change.rerouted.empty());
  }
}

TEST(Rftr, SeveralFaultsAtOnce) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  Rftr rftr(t, TablesOf("updown", t, 2), {3, 8});
  const std::vector<int> cables = CablesBetweenSwitches(t);
  FailAndCheck(t, rftr, {cables[0], cables[1], cables[9]});
  FailAndCheck(t, rftr, {cables[9], cables[17]}, {t.switches()[7]});
  const Rftr::Change nothing = FailAndCheck(t, rftr, {cables[0]}, {t.switches()[7]});
  EXPECT_TRUE(nothing.rerouted.empty() && nothing.cut_off.empty() && nothing.lft.empty());
}

TEST(Rftr, SameFaultsSameTables) {
  const Topology t = BuildTorus(Sizes{4, 5}, 2);
  const std::vector<int> cables = CablesBetweenSwitches(t);
  const auto run = [&] {
    Rftr rftr(t, TablesOf("updown", t, 2), {3, 8});
    for (const int i : {3, 17, 8}) rftr.Fail({{cables[i]}});
    return rftr.tables();
  };
  EXPECT_EQ(run(), run());
}

TEST(Rftr, LocalPathsComeFirst) {
  // In a ring of six, one cable less leaves one way: round the other side.
  const Topology t = BuildRing(6, 1);
  Rftr rftr(t, TablesOf("updown", t, 1, kLmc), {2, 4});
  const Rftr::Change change = FailAndCheck(t, rftr, {CablesBetweenSwitches(t)[0]});
  for (const auto& [source, destination] : change.rerouted) {
    const Path path = TracePath(t, rftr.tables(), source, destination);
    const Topology left = rftr.Remaining();
    EXPECT_EQ(static_cast<int>(path.hops.size()), left.HopsFrom(source)[destination]);
  }
}

std::string RefusalOf(const Topology& t, RoutingTables tables, RftrLimits limits,
                      const std::vector<int>& cables) {
  try {
    Rftr rftr(t, std::move(tables), limits);
    for (const int cable : cables) rftr.Fail({{cable}});
  } catch (const RoutingError& error) {
    return error.what();
  }
  return "none";
}

TEST(Rftr, SaysWhatIsMissing) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  const std::vector<int> cables = CablesBetweenSwitches(t);
  const std::string vls = RefusalOf(t, TablesOf("updown", t, 1), {1, 8}, cables);
  EXPECT_NE(vls.find("paths that have failed cannot be replaced with 1 VLs and 8 SLs, the first: "),
            std::string::npos)
      << vls;
  EXPECT_NE(vls.find("; expected 2 VLs and "), std::string::npos) << vls;
  const std::string sls = RefusalOf(t, TablesOf("updown", t, 2), {2, 2}, cables);
  EXPECT_NE(sls.find("; expected 2 VLs and 3 SLs"), std::string::npos) << sls;
  EXPECT_EQ(RefusalOf(t, TablesOf("updown", t, 2, 0), {2, 8}, cables),
            "rftr: LMC 0 gives 1 LIDs to an end node, and its paths need 2; expected LMC 1");
  EXPECT_EQ(RefusalOf(t, TablesOf("updown", t, 2), {1, 8}, {}),
            "rftr: the tables to begin with use VL 1 and SL 1, and 1 VLs and 8 SLs are allowed; "
            "expected at least as many as the engine uses");
  EXPECT_EQ(RefusalOf(t, TablesOf("updown", t, 1), {2, 8}, {t.PeerOf(t.hcas()[0], 1)->cable}),
            "rftr: the cable from S0_0 to H0_0_0 is one of an end node; expected one between "
            "switches");
  const Topology ring = BuildRing(5, 1);
  EXPECT_EQ(RefusalOf(ring, TablesOf("minhop", ring, 1), {4, 8}, {}),
            "rftr: the tables to begin with can deadlock; expected those of an engine that rules "
            "it out");
}

TEST(Rftr, AfterARefusalTheTablesAreThoseOfBefore) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  for (const auto& [lmc, limits] : {std::pair{0, RftrLimits{3, 8}}, {kLmc, RftrLimits{1, 8}}}) {
    Rftr rftr(t, TablesOf("updown", t, 1, lmc), limits);
    RoutingTables before;
    int refused = -1;
    for (const int cable : CablesBetweenSwitches(t)) {
      before = rftr.tables();
      try {
        rftr.Fail({{cable}});
      } catch (const RoutingError&) {
        refused = cable;
        break;
      }
    }
    ASSERT_GE(refused, 0);
    EXPECT_EQ(rftr.tables(), before);
    EXPECT_THROW(rftr.Fail({{refused}}), RoutingError);
  }
}

// Table 5.1 of the thesis: paths A-B-C and C-D-E; here C is passed on to by links of a line.
TEST(ReachabilityTable, RowsOfPathsThatShareThem) {
  const Topology t = BuildMesh(Sizes{4}, 1);  // S0 - S1 - S2 - S3
  const SwitchFabric fabric(t);
  const TurnRules rules(fabric, {}, 1);
  const auto link = [&](int from, int to) {
    for (const int each : fabric.LinksFrom(from)) {
      if (fabric.link(each).to == to) return each;
    }
    return -1;
  };
  ReachabilityTable direct(ReachabilityTable::Kind::kDirect, 4);
  ReachabilityTable indirect(ReachabilityTable::Kind::kIndirect, 4);
  const auto add = [&](ReachabilityTable& table, int place, const std::vector<int>& links) {
    int row = table.Root(place);
    for (const int each : links) row = table.Extend(fabric, rules, place, row, each);
    table.Use(row);
    return row;
  };
  // S0 to S2 and S0 to S3, from the table's switch outwards.
  const int near = add(direct, 0, {link(0, 1), link(1, 2)});
  const int far = add(direct, 0, {link(0, 1), link(1, 2), link(2, 3)});
  add(indirect, 2, {link(1, 2), link(0, 1)});
  const int back = add(indirect, 3, {link(2, 3), link(1, 2), link(0, 1)});
  EXPECT_EQ(direct.num_rows(), 4u + 3u);    // both begin alike
  EXPECT_EQ(indirect.num_rows(), 4u + 5u);  // they end at different switches
  EXPECT_EQ(direct.row(near).hops, 2);
  EXPECT_EQ(direct.row(near).link, link(1, 2));
  EXPECT_EQ(direct.row(far).nearer, near);
  EXPECT_EQ(indirect.row(indirect.First(3, 1)).link, link(1, 2));
  EXPECT_EQ(indirect.First(3, 0), back);
  EXPECT_EQ(indirect.First(0, 3), -1);
  std::vector<std::uint8_t> failed(fabric.num_links(), 0);
  failed[link(2, 3)] = 1;
  direct.MarkFailed(far, failed);
  indirect.MarkFailed(back, failed);
  EXPECT_FALSE(direct.row(near).failed);
  EXPECT_TRUE(direct.row(far).failed);
  EXPECT_TRUE(indirect.row(back).failed);
  EXPECT_TRUE(indirect.row(indirect.First(3, 2)).failed);
  EXPECT_FALSE(indirect.row(indirect.First(2, 0)).failed);
  direct.Drop(0, far);
  EXPECT_EQ(direct.num_rows(), 4u + 2u);
  direct.Drop(0, near);
  EXPECT_EQ(direct.num_rows(), 4u);
  indirect.Drop(3, back);
  EXPECT_EQ(indirect.First(3, 1), -1);
  EXPECT_EQ(indirect.num_rows(), 4u + 2u);
}

// What its paths show is what up*/down* forbids: to go down to a switch and up from it.
TEST(TurnRules, OfUpDownOnEveryVl) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  const Rftr rftr(t, TablesOf("updown", t, 2), {3, 8});
  const SwitchFabric& fabric = rftr.paths().fabric();
  const TurnRules& rules = *rftr.state().rules;
  const std::vector<int> level = fabric.HopsTo(0);
  const auto is_up = [&](int link) {
    const SwitchFabric::Link& ends = fabric.link(link);
    return std::pair(level[ends.to], ends.to) < std::pair(level[ends.from], ends.from);
  };
  int forbidden = 0;
  int by_levels = 0;
  for (int link = 0; link < fabric.num_links(); ++link) {
    for (const int next : fabric.LinksFrom(fabric.link(link).to)) {
      if (next == fabric.link(link).reverse) continue;
      const int turn = fabric.Turn(link, next);
      for (int vl = 0; vl < 3; ++vl) {
        const unsigned higher = 7U << (vl + 1) & 7U;
        EXPECT_EQ(rules.After(turn, vl) & higher, higher);
        EXPECT_EQ(rules.After(turn, vl) >> vl & 1, rules.IsForbidden(turn) ? 0 : 1);
      }
      forbidden += rules.IsForbidden(turn) ? 1 : 0;
      by_levels += !is_up(link) && is_up(next) ? 1 : 0;
    }
  }
  EXPECT_EQ(forbidden, by_levels);
}

}  // namespace
}  // namespace lanecut
