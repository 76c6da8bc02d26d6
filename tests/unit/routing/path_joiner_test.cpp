// SPDX-License-Identifier: Apache-2.0
//
// The path that PathJoiner takes beside all that there are: every path that the rows of a state can
// be joined to is listed, in the plainest way, and tried on every SL and VL.
#include "sw/routing/path_joiner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "sw/routing/rftr_paths.h"
#include "sw/topology/families.h"
#include "tests/unit/routing/fabrics.h"

namespace lanecut {
namespace {

using Links = std::vector<std::int32_t>;

using Rank = std::pair<int, std::size_t>;  // forbidden turns, hops

Rank RankOf(const SwitchFabric& fabric, const TurnRules& rules, const Links& links) {
  Rank rank{0, links.size()};
  for (std::size_t i = 1; i < links.size(); ++i)
    rank.first += rules.IsForbidden(fabric.Turn(links[i - 1], links[i])) ? 1 : 0;
  return rank;
}

// From the table's switch outwards, of all rows that have not failed.
std::vector<Links> ListRows(const ReachabilityTable& table, int switches,
                            const std::vector<std::uint8_t>& failed, int place) {
  std::vector<Links> all;
  for (int other = 0; other < switches; ++other) {
    for (int id = table.First(place, other); id >= 0; id = table.row(id).next) {
      Links links;
      for (int at = id; table.row(at).link >= 0; at = table.row(at).nearer)
        links.insert(links.begin(), table.row(at).link);
      EXPECT_TRUE(std::ranges::none_of(links, [&](int link) { return failed[link] != 0; }));
      all.push_back(links);
    }
  }
  return all;
}

bool IsSimple(const SwitchFabric& fabric, const Links& links) {
  std::vector<int> places = {fabric.link(links.front()).from};
  for (const int link : links) places.push_back(fabric.link(link).to);
  std::ranges::sort(places);
  return std::ranges::adjacent_find(places) == places.end();
}

std::vector<Links> AllJoins(const SwitchFabric& fabric, const RftrState& state, int from, int to) {
  const int switches = fabric.num_switches();
  const std::vector<Links> first = ListRows(state.direct, switches, state.failed, from);
  const std::vector<Links> rest = ListRows(state.indirect, switches, state.failed, to);
  std::vector<Links> joins;
  for (const Links& part : first) {
    const int end = part.empty() ? from : fabric.link(part.back()).to;
    for (const Links& other : rest) {
      const int begin = other.empty() ? to : fabric.link(other.back()).from;
      if (begin != end || part.size() + other.size() == 0) continue;
      Links links = part;
      links.insert(links.end(), other.rbegin(), other.rend());
      if (IsSimple(fabric, links)) joins.push_back(links);
    }
  }
  return joins;
}

// The turn at this hop fits the VL, and so on to the last one.
bool FitsFrom(const SwitchFabric& fabric, const RftrState& state, const Links& links, int sl,
              int vls, std::size_t hop, int before) {
  if (hop == links.size()) return true;
  const int turn = hop == 0 ? fabric.Injection(links[0]) : fabric.Turn(links[hop - 1], links[hop]);
  const std::size_t entry = sl * static_cast<std::size_t>(fabric.num_turns()) + turn;
  for (int vl = 0; vl < vls; ++vl) {
    if (hop > 0 && (state.rules->After(turn, before) >> vl & 1) == 0) continue;
    if ((state.entry_vls[entry] >> vl & 1) == 0) continue;
    if (FitsFrom(fabric, state, links, sl, vls, hop + 1, vl)) return true;
  }
  return false;
}

struct Setting {
  int first_sl = 0;
  PathJoiner::Allowed allowed;
  const PathJoiner::Demands* demands = nullptr;
};

bool Meets(const SwitchFabric& fabric, const Links& links, const PathJoiner::Demands* demands) {
  return demands == nullptr ||
         (demands->accepts(links) && std::ranges::none_of(links, [&](int link) {
            return demands->links[link] != 0 || demands->places[fabric.link(link).to] != 0;
          }));
}

std::optional<Rank> LeastRank(const SwitchFabric& fabric, const RftrState& state,
                              const std::vector<Links>& joins, const Setting& setting) {
  std::optional<Rank> least;
  for (const Links& links : joins) {
    const Rank rank = RankOf(fabric, *state.rules, links);
    if ((least && *least <= rank) || !Meets(fabric, links, setting.demands)) continue;
    for (int sl = 0; sl < setting.allowed.sls; ++sl) {
      if (FitsFrom(fabric, state, links, sl, setting.allowed.vls, 0, 0)) least = rank;
    }
  }
  return least;
}

// Every entry as it is set, every step as the rules allow it.
void ExpectFits(const SwitchFabric& fabric, const RftrState& state, const PathJoiner& joiner) {
  const Links& links = joiner.links();
  ASSERT_EQ(joiner.vls().size(), links.size());
  for (std::size_t hop = 0; hop < links.size(); ++hop) {
    const int turn =
        hop == 0 ? fabric.Injection(links[0]) : fabric.Turn(links[hop - 1], links[hop]);
    const int vl = joiner.vls()[hop];
    const std::size_t entry = joiner.sl() * static_cast<std::size_t>(fabric.num_turns()) + turn;
    EXPECT_TRUE((state.entry_vls[entry] >> vl & 1) != 0);
    EXPECT_TRUE(hop == 0 || (state.rules->After(turn, joiner.vls()[hop - 1]) >> vl & 1) != 0);
  }
}

PathJoiner::Demands RandomDemands(const SwitchFabric& fabric, int to, std::mt19937& random) {
  PathJoiner::Demands demands;
  for (int link = 0; link < fabric.num_links(); ++link) demands.links.push_back(random() % 8 == 0);
  for (int place = 0; place < fabric.num_switches(); ++place)
    demands.places.push_back(place != to && random() % 8 == 0);
  const auto one = static_cast<std::int32_t>(random() % fabric.num_links());
  demands.accepts = [one](std::span<const std::int32_t> links) {
    return std::ranges::find(links, one) == links.end();
  };
  return demands;
}

class AllJoinsOf {
 public:
  explicit AllJoinsOf(const RftrPaths& paths) : paths_(paths) {}

  // Some pairs of the state, each with limits of its own; counts paths that are not of the lowest
  // rank of all joins, as that does not fit.
  void Check(const RftrState& state, std::mt19937& random, int pairs) {
    const SwitchFabric& fabric = paths_.fabric();
    PathJoiner joiner(fabric, paths_.initial().rules, paths_.limits().sls);
    joiner.Begin(state);
    const auto below = [&](int n) { return static_cast<int>(random() % n); };
    for (; pairs > 0; --pairs) {
      const int from = below(fabric.num_switches());
      const int to = below(fabric.num_switches());
      if (from == to) continue;
      const auto demands = RandomDemands(fabric, to, random);
      Setting setting;
      setting.allowed = {state.vls + below(paths_.limits().vls - state.vls + 1),
                         1 + below(paths_.limits().sls)};
      setting.first_sl = below(setting.allowed.sls);
      if (below(3) == 0) setting.demands = &demands;
      const std::vector<Links> joins = AllJoins(fabric, state, from, to);
      const auto least = LeastRank(fabric, state, joins, setting);
      const bool found =
          joiner.Find(state, from, to, setting.first_sl, setting.allowed, setting.demands);
      ASSERT_EQ(found, least.has_value());
      if (!found) continue;
      ASSERT_EQ(RankOf(fabric, *state.rules, joiner.links()), *least);
      ASSERT_TRUE(std::ranges::find(joins, joiner.links()) != joins.end());
      ExpectFits(fabric, state, joiner);
      const bool is_first = std::ranges::all_of(
          joins, [&](const Links& links) { return RankOf(fabric, *state.rules, links) >= *least; });
      later_ += is_first ? 0 : 1;
    }
  }

  int later() const { return later_; }

 private:
  const RftrPaths& paths_;
  int later_ = 0;
};

// One cable after the other; looks into the middle of a fault, when paths that have just failed
// still hold their entries, and behind it. Returns AllJoinsOf::later().
int FailAndCompare(const Topology& t, const char* engine, RftrLimits limits, std::uint32_t seed,
                   int faults) {
  SCOPED_TRACE(fmt::format("{}, seed {}", engine, seed));
  const RoutingRequest request{t, SequentialLids(t), 2, {}, limits.sls};
  RftrPaths paths(t, FindRoutingEngine(engine).Compute(request), limits);
  AllJoinsOf all(paths);
  std::mt19937 random(seed);
  std::vector<int> links(paths.fabric().num_links());
  std::iota(links.begin(), links.end(), 0);
  std::ranges::shuffle(links, random);
  RftrState state = paths.initial();
  for (int i = 0; i < faults && i < static_cast<int>(links.size()); ++i) {
    const RftrPaths::Outcome outcome = paths.Replace(state, {&links[i], 1}, {});
    if (!outcome.unmet.empty() || state.rules != paths.initial().rules) break;
    all.Check(state, random, 40);
    paths.Release(state);
    all.Check(state, random, 20);
    if (::testing::Test::HasFatalFailure()) break;
  }
  return all.later();
}

TEST(PathJoiner, TakesTheBestPathThatFits) {
  int later = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    later += FailAndCompare(BuildTorus(Sizes{4, 4}, 1), "updown", {3, 4}, seed, 8);
    later += FailAndCompare(BuildTorus(Sizes{3, 3}, 1), "updown", {2, 3}, seed, 6);
    later += FailAndCompare(BuildMesh(Sizes{3, 4}, 1), "dor", {4, 4}, seed, 6);
    later += FailAndCompare(BuildHypercube(4, 1), "updown", {3, 3}, seed, 8);
    later += FailAndCompare(BuildRing(6, 1), "updown", {2, 2}, seed, 1);
    later += FailAndCompare(RandomFabric(seed), "updown", {3, 3}, seed, 6);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(later, 0);
}

}  // namespace
}  // namespace lanecut
