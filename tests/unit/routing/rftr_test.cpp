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

// All but the first and the last switch and the cables to end nodes are theirs alone.
bool AreDisjoint(const Topology& t, const std::vector<Hop>& a, const std::vector<Hop>& b) {
  std::set<int> switches;
  std::set<int> cables;
  for (std::size_t i = 1; i + 1 < a.size(); ++i) {
    if (i > 1) switches.insert(a[i].node);
    cables.insert(t.PeerOf(a[i].node, a[i].out_port)->cable);
  }
  for (std::size_t i = 1; i + 1 < b.size(); ++i) {
    if (i > 1 && switches.contains(b[i].node)) return false;
    if (cables.contains(t.PeerOf(b[i].node, b[i].out_port)->cable)) return false;
  }
  return true;
}

// Some way over what is left shares nothing with these paths.
bool HasAnotherWay(const Topology& left, std::pair<int, int> ends,
                   const std::vector<std::vector<Hop>>& paths) {
  std::vector<int> cables;
  for (const std::vector<Hop>& hops : paths) {
    for (std::size_t i = 1; i + 1 < hops.size(); ++i) {
      cables.push_back(left.PeerOf(hops[i].node, hops[i].out_port)->cable);
      for (int port = 1; i > 1 && port <= left.node(hops[i].node).num_ports; ++port) {
        if (const auto peer = left.PeerOf(hops[i].node, port)) cables.push_back(peer->cable);
      }
    }
  }
  return left.Without(cables).HopsFrom(ends.first)[ends.second] >= 0;
}

// The records of before and of now, as while packets of both are about.
RoutingTables WithBoth(const RoutingTables& before, const RoutingTables& now) {
  RoutingTables both = now;
  for (std::size_t source = 0; source < before.alternatives.size(); ++source) {
    for (std::size_t to = 0; to < before.alternatives[source].size(); ++to) {
      auto& list = both.alternatives[source][to];
      for (const auto& record : before.alternatives[source][to]) {
        if (std::ranges::find(list, record) == list.end()) list.push_back(record);
      }
    }
  }
  return both;
}

// One fault where pairs shall have several paths ready; what is found missing is checked.
Rftr::Change FailAndCheckSeveral(const Topology& t, Rftr& rftr, const std::vector<int>& cables) {
  const std::size_t wanted = rftr.paths().limits().paths;
  const RoutingTables before = rftr.tables();
  const PairPaths old_paths = TraceAll(rftr.Remaining(), before);
  const Rftr::Change change = rftr.Fail(cables);
  const std::set<int> failed(cables.begin(), cables.end());
  const Topology left = rftr.Remaining();
  EXPECT_EQ(DescribeCycle(left, DependencyGraph(left, rftr.tables()).FindCycle()), "");
  EXPECT_EQ(DescribeCycle(left, DependencyGraph(left, WithBoth(before, rftr.tables())).FindCycle()),
            "");
  ExpectChangeIsTheDifference(t, before, rftr.tables(), change);
  const Pairs added = SetOf(change.added);
  const Pairs no_way = SetOf(change.no_way);
  const Pairs short_of = SetOf(change.short_of);
  for (const auto& [pair, now] : TraceAll(left, rftr.tables())) {
    SCOPED_TRACE(fmt::format("{} to {}", t.node(pair.first).name, t.node(pair.second).name));
    std::vector<std::vector<Hop>> rest = old_paths.at(pair);
    std::erase_if(rest, [&](const auto& hops) { return Uses(t, hops, failed); });
    const bool joined = left.HopsFrom(pair.first)[pair.second] >= 0;
    EXPECT_EQ(!now.empty(), joined);
    EXPECT_GE(now.size(), rest.size());
    if (now.size() < rest.size()) continue;
    EXPECT_TRUE(std::equal(rest.begin(), rest.end(), now.begin()));  // bit for bit, in order
    EXPECT_EQ(added.contains(pair), now.size() > std::max<std::size_t>(rest.size(), 1));
    const bool one_switch = joined && now.front().size() == 2;  // and nothing that could fail
    EXPECT_EQ(no_way.contains(pair) || short_of.contains(pair),
              joined && !one_switch && now.size() < wanted);
    if (no_way.contains(pair) || short_of.contains(pair)) {
      EXPECT_EQ(HasAnotherWay(left, pair, now), short_of.contains(pair));
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(AreDisjoint(t, now[i], now[j]));
    }
  }
  return change;
}

// The hops of a flow's path between switches.
std::vector<Hop> HopsOf(const Rftr& rftr, const RftrState::Route& route, const Path& traced) {
  const SwitchFabric& fabric = rftr.paths().fabric();
  std::vector<Hop> hops = traced.hops;
  if (hops.size() != route.length + 2u) return {};
  for (std::size_t i = 0; i < route.length; ++i) {
    const SwitchFabric::Link& link = fabric.link(rftr.state().LinksOf(route)[i]);
    hops[i + 1].node = fabric.NodeOf(link.from);
    hops[i + 1].out_port = link.out_port;
    hops[i + 1].vl = rftr.state().VlsOf(route)[i];
  }
  return hops;
}

// The paths of its state are those of its tables, hop by hop, and within the limits.
void ExpectTablesFollowState(const Rftr& rftr, RftrLimits limits) {
  const Topology left = rftr.Remaining();
  std::map<std::pair<int, int>, int> alive;
  for (std::size_t flow = 0; flow < rftr.paths().flows().size(); ++flow) {
    const TracedPath& first = rftr.paths().flows()[flow];
    const RftrState::Route& route = rftr.state().routes[flow];
    if (!route.alive) continue;
    const std::pair pair(first.source, first.destination);
    ++alive[pair];
    bool has_record = false;
    for (int i = 0; i < rftr.tables().NumPaths(pair.first, pair.second); ++i) {
      const auto record = rftr.tables().PathOf(pair.first, pair.second, i);
      const Path path = TracePath(left, rftr.tables(), pair.first, pair.second, record);
      has_record |= record.sl == route.sl && path.hops == HopsOf(rftr, route, path);
    }
    EXPECT_TRUE(has_record);
    EXPECT_LT(route.sl, rftr.state().sls);
    for (const int vl : rftr.state().VlsOf(route)) EXPECT_LT(vl, rftr.state().vls);
  }
  for (const auto& [pair, paths] : alive)
    EXPECT_EQ(rftr.tables().NumPaths(pair.first, pair.second), paths);
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

// What pairs have lacked, in all.
struct Lacking {
  std::size_t added = 0;
  std::size_t no_way = 0;
  std::size_t short_of = 0;
};

Lacking FailSeveral(const Topology& t, RoutingTables tables, RftrLimits limits, std::uint32_t seed,
                    int most) {
  SCOPED_TRACE(fmt::format("seed {}", seed));
  Rftr rftr(t, std::move(tables), limits);
  std::vector<int> cables = CablesBetweenSwitches(t);
  std::mt19937 random(seed);
  std::ranges::shuffle(cables, random);
  cables.resize(std::min<std::size_t>(cables.size(), most));
  Lacking lacking;
  for (const int cable : cables) {
    const Rftr::Change change = FailAndCheckSeveral(t, rftr, {cable});
    ExpectTablesFollowState(rftr, limits);
    lacking.added += change.added.size();
    lacking.no_way += change.no_way.size();
    lacking.short_of += change.short_of.size();
    if (::testing::Test::HasFailure()) break;
  }
  return lacking;
}

TEST(Rftr, PairsHaveTwoDisjointPathsReady) {
  const RftrLimits plenty = {.vls = 4, .paths = 2};
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    for (const auto& sizes : {Sizes{4, 4}, Sizes{5, 3}, Sizes{3, 3}, Sizes{2, 3, 3}}) {
      const Topology t = BuildTorus(sizes, 1);
      const Lacking some = FailSeveral(t, TablesOf("tftr", t, 2, kMaxLmc, 2), plenty, seed, 10);
      EXPECT_GT(some.added, 0u);
      EXPECT_GE(some.no_way, some.short_of);
      ASSERT_FALSE(HasFailure());
    }
  }
  const Topology torus = BuildTorus(Sizes{5, 5}, 1);
  EXPECT_GT(FailSeveral(torus, TablesOf("spftr", torus, 2, kMaxLmc, 4), plenty, 1, 12).added, 0u);
}

TEST(Rftr, PairsWithOnePathGetASecondOne) {
  const Topology torus = BuildTorus(Sizes{4, 4}, 2);
  EXPECT_GT(FailSeveral(torus, TablesOf("updown", torus, 2), {.vls = 4, .paths = 2}, 1, 4).added,
            400u);
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const Topology t = RandomFabric(seed);
    FailSeveral(t, TablesOf("updown", t, 1), {.vls = 8, .paths = 3}, seed, 6);
  }
}

// Where there are not enough of them, the pairs are named, and all have their first path.
TEST(Rftr, SaysWhoIsShortOfVlsSlsOrLids) {
  const Topology t = BuildTorus(Sizes{4, 4}, 1);
  const Lacking lids = FailSeveral(t, TablesOf("updown", t, 2, 1), {.vls = 4, .paths = 2}, 2, 1);
  EXPECT_GT(lids.short_of, 0u);
  EXPECT_GT(lids.added, 0u);
  const Lacking sls =
      FailSeveral(t, TablesOf("tftr", t, 2, kMaxLmc, 2), {.vls = 2, .sls = 1, .paths = 2}, 2, 3);
  EXPECT_GT(sls.short_of, 0u);
  EXPECT_GT(sls.added, 0u);
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

// What is kept from one fault, or one state, to the next has no say.
TEST(RftrPaths, OneThatHasSeenOtherFaultsChoosesTheSame) {
  const Topology t = BuildTorus(Sizes{4, 4}, 2);
  const RoutingTables tables = TablesOf("updown", t, 2);
  RftrPaths used(t, tables, {3, 4});
  std::mt19937 random(3);
  for (int sequence = 0; sequence < 12; ++sequence) {
    RftrState state = used.initial();
    for (int fault = 0; fault < 8; ++fault) {
      const int link = static_cast<int>(random() % used.fabric().num_links());
      RftrState same = state;
      RftrPaths fresh(used, used.limits());
      fresh.Fail(same, {&link, 1});
      ASSERT_TRUE(used.Fail(state, {&link, 1}).unmet.empty());
      for (std::size_t flow = 0; flow < state.routes.size(); ++flow) {
        const RftrState::Route& a = state.routes[flow];
        const RftrState::Route& b = same.routes[flow];
        ASSERT_EQ(a.sl, b.sl);
        ASSERT_TRUE(std::ranges::equal(state.LinksOf(a), same.LinksOf(b)));
        ASSERT_TRUE(std::ranges::equal(state.VlsOf(a), same.VlsOf(b)));
      }
    }
  }
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
  ReachabilityTable direct(ReachabilityTable::Kind::kDirect, fabric);
  ReachabilityTable indirect(ReachabilityTable::Kind::kIndirect, fabric);
  const auto add = [&](ReachabilityTable& table, int place, const std::vector<int>& links) {
    int row = table.Root(place);
    for (const int each : links) row = table.Extend(rules, place, row, each);
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
  const int last_hop = indirect.First(3, 2);
  direct.MarkFailed(0, far, failed);
  indirect.MarkFailed(3, back, failed);
  EXPECT_FALSE(direct.row(near).failed);
  EXPECT_TRUE(direct.row(far).failed);
  EXPECT_TRUE(indirect.row(back).failed);
  EXPECT_TRUE(indirect.row(last_hop).failed);
  EXPECT_EQ(indirect.First(3, 2), -1);
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
