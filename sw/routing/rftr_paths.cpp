// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/rftr_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "sw/routing/fabric_parts.h"

namespace lanecut {
namespace {

void AddSteps(std::span<const std::int32_t> links, std::span<const std::uint8_t> vls,
              std::vector<TurnRules::Step>& steps) {
  for (std::size_t i = 1; i < links.size(); ++i)
    steps.push_back({links[i - 1], vls[i - 1], links[i], vls[i]});
}

std::vector<TracedPath> TraceWithin(const SwitchFabric& fabric, const Topology& topology,
                                    const RoutingTables& tables, RftrLimits limits) {
  std::vector<TracedPath> paths = TracePaths(fabric, topology, tables, "rftr");
  for (const TracedPath& path : paths) {
    const int vls = path.vls.empty() ? 0 : *std::ranges::max_element(path.vls) + 1;
    if (vls <= limits.vls && path.record.sl < limits.sls) continue;
    throw RoutingError(fmt::format(
        "rftr: the tables to begin with use VL {} and SL {}, and {} VLs and {} SLs are allowed; "
        "expected at least as many as the engine uses",
        std::max(vls - 1, 0), path.record.sl, limits.vls, limits.sls));
  }
  return paths;
}

// Each pair gets flows without a path until it has `wanted`, behind its others; end nodes of one
// switch need none.
std::vector<TracedPath> WithSpares(const std::vector<TracedPath>& paths, int wanted) {
  std::vector<TracedPath> all;
  int flows = 0;  // of the pair at hand
  for (std::size_t i = 0; i < paths.size(); ++i) {
    all.push_back(paths[i]);
    ++flows;
    if (i + 1 < paths.size() && paths[i + 1].pair == paths[i].pair) continue;
    TracedPath spare = paths[i];
    spare.record = {};
    spare.links.clear();
    spare.vls.clear();
    for (; flows < wanted && spare.from != spare.to; ++flows) all.push_back(spare);
    flows = 0;
  }
  return all;
}

}  // namespace

RftrPaths::RftrPaths(const Topology& topology, const RoutingTables& tables, RftrLimits limits)
    : fabric_(topology),
      limits_(limits),
      flows_(WithSpares(TraceWithin(fabric_, topology, tables, limits), limits.paths)),
      first_flow_(FirstFlows(flows_)),
      initial_(FirstState()),
      joiner_(fabric_, initial_.rules, limits_.sls + 1) {
  joiner_.Begin(initial_);
}

RftrPaths::RftrPaths(const RftrPaths& other, RftrLimits limits)
    : fabric_(other.fabric_),
      limits_(limits),
      flows_(other.flows_),
      first_flow_(FirstFlows(flows_)),
      initial_(FirstState()),
      joiner_(fabric_, initial_.rules, limits_.sls + 1) {
  joiner_.Begin(initial_);
}

RftrState RftrPaths::FirstState() {
  std::vector<TurnRules::Step> steps;
  for (const TracedPath& path : flows_) AddSteps(path.links, path.vls, steps);
  RftrState state(fabric_, std::make_shared<TurnRules>(fabric_, steps, limits_.vls));
  state.failed.assign(fabric_.num_links(), 0);
  state.failed_switch.assign(fabric_.num_switches(), 0);
  state.first_crossing.assign(fabric_.num_links(), -1);
  state.entry_vls.assign(static_cast<std::size_t>(limits_.sls + 1) * fabric_.num_turns(),
                         RftrState::kAnyVl);
  state.entry_paths.assign(state.entry_vls.size(), 0);
  state.routes.resize(flows_.size());
  state.alive_of_pair.assign(flows_.empty() ? 0 : flows_.back().pair + 1, 0);
  for (int link = 0; link < fabric_.num_links(); ++link) {
    state.direct.Use(DirectRow(state, link));
    state.indirect.Use(IndirectRow(state, link));
  }
  // Rows of one switch stand together, for the sake of caches.
  std::vector<int> by_source(flows_.size());
  std::iota(by_source.begin(), by_source.end(), 0);
  std::ranges::stable_sort(by_source, {}, [&](int flow) { return flows_[flow].from; });
  for (const int flow : by_source) {
    int row = state.direct.Root(flows_[flow].from);
    for (const std::int32_t link : flows_[flow].links)
      row = state.direct.Extend(*state.rules, flows_[flow].from, row, link);
  }
  for (std::size_t flow = 0; flow < flows_.size(); ++flow) {
    const TracedPath& path = flows_[flow];
    state.routes[flow].alive = !IsSpare(static_cast<int>(flow));
    if (IsSpare(static_cast<int>(flow))) continue;
    TakePath(state, static_cast<int>(flow), path.links, path.vls, path.record.sl,
             state.direct.Root(path.from), state.indirect.Root(path.to));
  }
  return state;
}

// Of the path that consists of this link.
int RftrPaths::DirectRow(RftrState& state, int link) const {
  const int from = fabric_.link(link).from;
  return state.direct.Extend(*state.rules, from, state.direct.Root(from), link);
}

int RftrPaths::IndirectRow(RftrState& state, int link) const {
  const int to = fabric_.link(link).to;
  return state.indirect.Extend(*state.rules, to, state.indirect.Root(to), link);
}

void RftrPaths::TakePath(RftrState& state, int flow, std::span<const std::int32_t> links,
                         std::span<const std::uint8_t> vls, int sl, int direct_row,
                         int indirect_row) {
  const auto length = static_cast<int>(links.size());
  const TracedPath& ends = flows_[flow];
  // Memory is what the rows wait for, so it is asked for all of them at once.
  for (const std::int32_t link : links) {
    state.direct.Prefetch(ends.from, link);
    state.indirect.Prefetch(ends.to, link);
  }
  for (int i = state.direct.row(direct_row).hops; i < length; ++i)
    direct_row = state.direct.Extend(*state.rules, ends.from, direct_row, links[i]);
  for (int i = length - 1 - state.indirect.row(indirect_row).hops; i >= 0; --i)
    indirect_row = state.indirect.Extend(*state.rules, ends.to, indirect_row, links[i]);
  state.direct.Use(direct_row);
  state.indirect.Use(indirect_row);
  state.routes[flow] = {static_cast<std::uint32_t>(state.hop_links.size()),
                        direct_row,
                        indirect_row,
                        static_cast<std::uint16_t>(length),
                        static_cast<std::uint8_t>(sl),
                        true};
  state.hop_links.insert(state.hop_links.end(), links.begin(), links.end());
  state.hop_vls.insert(state.hop_vls.end(), vls.begin(), vls.end());
  ++state.alive_of_pair[ends.pair];
  state.sls = std::max(state.sls, sl + 1);
  int highest = 0;
  for (const std::uint8_t vl : vls) highest = std::max<int>(highest, vl);
  state.vls = std::max(state.vls, highest + 1);
  auto crossing = static_cast<std::int32_t>(state.routes[flow].begin);
  state.crossings.resize(state.hop_links.size());
  const std::size_t entries = sl * static_cast<std::size_t>(fabric_.num_turns());
  for (std::size_t i = 0; i < links.size(); ++i, ++crossing) {
    state.crossings[crossing] = {flow, state.first_crossing[links[i]]};
    state.first_crossing[links[i]] = crossing;
    const std::size_t entry = entries + TurnAt(links, i);
    const auto vl = static_cast<TurnRules::VlSet>(1U << vls[i]);
    if (state.entry_paths[entry]++ == 0) {
      state.entry_vls[entry] = vl;
      new_entries_.push_back({i == 0 ? -1 : links[i - 1], links[i], sl, vls[i]});
    } else if (state.entry_vls[entry] != vl) {
      throw RoutingError(
          "rftr: the tables to begin with give end nodes at one switch different VLs for one SL "
          "and out port; expected the same");
    }
  }
}

RftrPaths::Outcome RftrPaths::Fail(RftrState& state, std::span<const int> links,
                                   std::span<const int> switches) {
  Outcome outcome = Replace(state, links, switches);
  Release(state);
  return outcome;
}

RftrPaths::Outcome RftrPaths::Replace(RftrState& state, std::span<const int> links,
                                      std::span<const int> switches) {
  Outcome outcome;
  joiner_.Begin(state);
  new_entries_.clear();
  MarkLinks(state, links, switches);
  outcome.failed = CollectFlows(state, switches);
  old_.clear();
  for (const int flow : outcome.failed) old_.push_back({flow, state.routes[flow]});
  outcome.unmet = Reroute(state, EndRoutes(state), outcome.rerouted, outcome.cut_off);
  if (outcome.unmet.empty()) return outcome;
  const TracedPath& first = flows_[outcome.unmet.front()];
  outcome.missing = joiner_.Find(state, first.from, first.to, 0, {limits_.vls, limits_.sls + 1})
                        ? Missing::kSls
                        : Missing::kVls;
  return outcome;
}

// Pairs for which there is nothing to be found are sorted out first: each would be tried with
// everything.
void RftrPaths::AddPaths(RftrState& state, const Lids& lids, Outcome& outcome) {
  lids_ = &lids;
  std::vector<int> pending = FlowsToAdd(state);
  std::erase_if(pending, [&](int flow) {
    const bool has_way = HasWay(state, flow);
    if (!has_way) outcome.no_way.push_back(flow);
    return !has_way;
  });
  std::vector<int> cut_off;  // of those that have a way, none are
  pending = Reroute(state, std::move(pending), outcome.added, cut_off);
  // Not if one has been added meanwhile that is in the way of the next.
  for (const int flow : pending)
    (HasWay(state, flow) ? outcome.short_of : outcome.no_way).push_back(flow);
  std::ranges::sort(outcome.no_way);
  std::ranges::sort(outcome.short_of);
  lids_ = nullptr;
}

std::vector<int> RftrPaths::FirstFlows(const std::vector<TracedPath>& flows) {
  std::vector<int> first;
  for (std::size_t flow = 0; flow < flows.size(); ++flow) {
    if (flows[flow].pair == static_cast<int>(first.size())) first.push_back(static_cast<int>(flow));
  }
  first.push_back(static_cast<int>(flows.size()));
  return first;
}

// As many flows without a path as the pair lacks.
std::vector<int> RftrPaths::FlowsToAdd(const RftrState& state) const {
  std::vector<int> flows;
  if (limits_.paths == 1) return flows;
  int pair = -1;
  int lacking = 0;
  for (int flow = 0; flow < static_cast<int>(flows_.size()); ++flow) {
    const TracedPath& path = flows_[flow];
    if (path.pair != pair) {
      pair = path.pair;
      const int alive = state.alive_of_pair[pair];
      lacking = alive == 0 || path.from == path.to ? 0 : limits_.paths - alive;
    }
    if (state.routes[flow].alive || lacking <= 0) continue;
    flows.push_back(flow);
    --lacking;
  }
  return flows;
}

// Of the links and the switches in between of all paths that the pair has.
void RftrPaths::KeepClear(const RftrState& state, int flow) {
  clear_.links.assign(fabric_.num_links(), 0);
  clear_.places.assign(fabric_.num_switches(), 0);
  clear_.accepts = [this, flow](std::span<const std::int32_t> links) {
    return lids_->fit(flow, links);
  };
  const int pair = flows_[flow].pair;
  for (int each = first_flow_[pair]; each < first_flow_[pair + 1]; ++each) {
    const RftrState::Route& route = state.routes[each];
    if (!route.alive) continue;
    for (const int link : state.LinksOf(route)) {
      clear_.links[link] = clear_.links[fabric_.link(link).reverse] = 1;
      clear_.places[fabric_.link(link).to] = 1;
    }
  }
  clear_.places[flows_[flow].to] = 0;
}

// Whatever turns are forbidden.
bool RftrPaths::HasWay(const RftrState& state, int flow) {
  KeepClear(state, flow);
  std::vector<int> queue = {flows_[flow].from};
  clear_.places[flows_[flow].from] = 1;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const int link : fabric_.LinksFrom(queue[head])) {
      const int to = fabric_.link(link).to;
      if (state.failed[link] != 0 || clear_.links[link] != 0 || clear_.places[to] != 0) continue;
      if (to == flows_[flow].to) return true;
      clear_.places[to] = 1;
      queue.push_back(to);
    }
  }
  return false;
}

void RftrPaths::MarkLinks(RftrState& state, std::span<const int> links,
                          std::span<const int> switches) {
  new_links_.clear();
  const auto mark = [&](int link) {
    if (state.failed[link] != 0) return;
    for (const int each : {link, fabric_.link(link).reverse}) {
      state.failed[each] = 1;
      new_links_.push_back({each, DirectRow(state, each), IndirectRow(state, each)});
    }
  };
  for (const int link : links) mark(link);
  for (const int place : switches) {
    state.failed_switch[place] = 1;
    for (const int link : fabric_.LinksFrom(place)) mark(link);
  }
}

std::vector<int> RftrPaths::CollectFlows(const RftrState& state,
                                         std::span<const int> switches) const {
  std::vector<int> failed;
  for (const auto& [link, direct_row, indirect_row] : new_links_) {
    for (int at = state.first_crossing[link]; at >= 0; at = state.crossings[at].next) {
      const int flow = state.crossings[at].flow;
      const RftrState::Route& route = state.routes[flow];
      if (route.alive && at - route.begin < route.length) failed.push_back(flow);
    }
  }
  for (const int place : switches) {
    const auto first = std::ranges::lower_bound(
        flows_, std::pair(place, place), {},
        [](const TracedPath& path) { return std::pair(path.to, path.from); });
    for (auto at = first; at != flows_.end() && at->from == place && at->to == place; ++at) {
      const int flow = static_cast<int>(at - flows_.begin());
      if (state.routes[flow].alive) failed.push_back(flow);
    }
  }
  std::ranges::sort(failed);
  failed.erase(std::unique(failed.begin(), failed.end()), failed.end());
  return failed;
}

// Returns the flows that need another path: of each pair without any the first one.
std::vector<int> RftrPaths::EndRoutes(RftrState& state) {
  for (const OldRoute& old : old_) {
    state.routes[old.flow].alive = false;
    --state.alive_of_pair[flows_[old.flow].pair];
    state.direct.MarkFailed(flows_[old.flow].from, old.route.direct_row, state.failed);
    state.indirect.MarkFailed(flows_[old.flow].to, old.route.indirect_row, state.failed);
  }
  for (const NewLink& each : new_links_) {
    const SwitchFabric::Link& ends = fabric_.link(each.link);
    state.direct.MarkFailed(ends.from, each.direct_row, state.failed);
    state.indirect.MarkFailed(ends.to, each.indirect_row, state.failed);
  }
  std::vector<int> pending;
  int pair = -1;
  for (const OldRoute& old : old_) {
    if (flows_[old.flow].pair == pair) continue;
    pair = flows_[old.flow].pair;
    if (state.alive_of_pair[pair] == 0) pending.push_back(old.flow);
  }
  return pending;
}

// For each destination the nearest sources come first, so that others may join their paths. Flows
// of the same two switches stand together: they get the same links.
void RftrPaths::SortByEnds(std::vector<int>& flows) {
  sorted_.clear();
  for (const int flow : flows) {
    const TracedPath& path = flows_[flow];
    sorted_.push_back({path.to, joiner_.HopsWithoutFaults(path.from, path.to), path.from, flow});
  }
  std::ranges::sort(sorted_, {}, [](const Ends& ends) {
    return std::tuple(ends.to, ends.hops, ends.from, ends.flow);
  });
  std::ranges::transform(sorted_, flows.begin(), &Ends::flow);
}

std::vector<int> RftrPaths::Reroute(RftrState& state, std::vector<int> pending,
                                    std::vector<int>& done, std::vector<int>& cut_off) {
  // What a search may open: nothing; an SL; a VL; both. What helps one pair may spare the next one
  // from going as far. Before a VL is opened the rules are renewed.
  constexpr int kAnotherVl = 2;
  constexpr int kNoMore = 4;
  bool renewed = false;
  int step = 0;
  SortByEnds(pending);
  bool all_joined = false;
  std::vector<int> again;
  while (!pending.empty()) {
    again.clear();
    for (std::size_t i = 0, end = 0; i < pending.size(); i = end) {
      const auto same = [&](int flow) {
        return lids_ == nullptr && flows_[flow].from == flows_[pending[i]].from &&
               flows_[flow].to == flows_[pending[i]].to;
      };
      while (end < pending.size() && (end <= i || same(pending[end]))) ++end;
      const std::span<const int> group(pending.data() + i, end - i);
      const PathJoiner::Allowed allowed = {state.vls + step / 2, state.sls + step % 2};
      if (allowed.vls <= limits_.vls && allowed.sls <= limits_.sls &&
          RerouteGroup(state, group, allowed)) {
        done.insert(done.end(), group.begin(), group.end());
        step = 0;
      } else {
        again.insert(again.end(), group.begin(), group.end());
      }
    }
    const bool progress = again.size() < pending.size();
    std::swap(pending, again);
    if (progress) continue;
    if (!all_joined) DropCutOff(state, pending, cut_off);
    all_joined = true;
    if (++step == kNoMore) break;
    if (step == kAnotherVl && !renewed) {
      RenewRules(state);
      renewed = true;
      step = 0;
    }
  }
  std::ranges::sort(done);
  return pending;
}

// Links that have failed close no cycles any more. Packets of the paths that have just failed may
// still be on their way.
void RftrPaths::RenewRules(RftrState& state) {
  std::vector<TurnRules::Step> steps;
  for (const RftrState::Route& route : state.routes) {
    if (route.alive) AddSteps(state.LinksOf(route), state.VlsOf(route), steps);
  }
  for (const OldRoute& old : old_)
    AddSteps(state.LinksOf(old.route), state.VlsOf(old.route), steps);
  std::erase_if(steps, [&](const TurnRules::Step& step) {
    return state.failed[step.link] != 0 || state.failed[step.next] != 0;
  });
  state.rules = std::make_shared<TurnRules>(fabric_, steps, limits_.vls, state.failed);
  joiner_.Begin(state);
}

bool RftrPaths::RerouteGroup(RftrState& state, std::span<const int> flows,
                             PathJoiner::Allowed allowed) {
  if (lids_ != nullptr) return AddPath(state, flows.front(), allowed);
  const TracedPath& first = flows_[flows.front()];
  if (!joiner_.Find(state, first.from, first.to, state.routes[flows.front()].sl, allowed))
    return false;
  for (const int flow : flows) {
    if (flow != flows.front()) joiner_.ChooseSl(state, state.routes[flow].sl, allowed);
    TakePath(state, flow, joiner_.links(), joiner_.vls(), joiner_.sl(), joiner_.direct_row(),
             joiner_.indirect_row());
  }
  return true;
}

bool RftrPaths::AddPath(RftrState& state, int flow, PathJoiner::Allowed allowed) {
  KeepClear(state, flow);
  const TracedPath& path = flows_[flow];
  if (!joiner_.Find(state, path.from, path.to, state.routes[flow].sl, allowed, &clear_))
    return false;
  TakePath(state, flow, joiner_.links(), joiner_.vls(), joiner_.sl(), joiner_.direct_row(),
           joiner_.indirect_row());
  lids_->take(flow, joiner_.links());
  return true;
}

void RftrPaths::DropCutOff(const RftrState& state, std::vector<int>& pending,
                           std::vector<int>& cut_off) const {
  FabricParts parts;
  parts.Find(fabric_, state.failed, state.failed_switch);
  std::erase_if(pending, [&](int flow) {
    const TracedPath& path = flows_[flow];
    const bool joined = parts.Joined(path.from, path.to);
    if (!joined) cut_off.push_back(flow);
    return !joined;
  });
}

void RftrPaths::Release(RftrState& state) const {
  for (const OldRoute& old : old_) {
    state.direct.Drop(flows_[old.flow].from, old.route.direct_row);
    state.indirect.Drop(flows_[old.flow].to, old.route.indirect_row);
    const auto links = state.LinksOf(old.route);
    for (std::size_t i = 0; i < links.size(); ++i) {
      const std::size_t entry =
          old.route.sl * static_cast<std::size_t>(fabric_.num_turns()) + TurnAt(links, i);
      if (--state.entry_paths[entry] == 0) state.entry_vls[entry] = RftrState::kAnyVl;
    }
  }
  for (const NewLink& each : new_links_) {
    state.direct.Drop(fabric_.link(each.link).from, each.direct_row);
    state.indirect.Drop(fabric_.link(each.link).to, each.indirect_row);
  }
}

}  // namespace lanecut
