// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/rftr.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>

namespace lanecut {

Rftr::Rftr(const Topology& topology, RoutingTables tables, RftrLimits limits)
    : topology_(topology),
      tables_(std::move(tables)),
      paths_(topology, tables_, limits),
      state_(paths_.initial()),
      ways_(topology.nodes().size()),
      entries_(paths_.fabric().num_switches()) {
  state_.MakeRoom();
  const SwitchFabric& fabric = paths_.fabric();
  for (int place = 0; place < fabric.num_switches(); ++place) {
    const int node = fabric.NodeOf(place);
    entries_[place].push_back(0);
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      const auto peer = topology.PeerOf(node, port);
      if (peer && !topology.IsSwitch(peer->node)) entries_[place].push_back(port);
    }
  }
  for (std::size_t flow = 0; flow < paths_.flows().size(); ++flow) {
    const TracedPath& path = paths_.flows()[flow];
    if (path.pair == static_cast<int>(order_.size())) order_.emplace_back();
    number_.push_back(0);
    if (paths_.IsSpare(static_cast<int>(flow))) continue;
    order_[path.pair].push_back(static_cast<int>(flow));
    number_.back() = path.record.dlid - tables_.lids[path.destination];
    TakeWay(static_cast<int>(flow), path.links);
  }
  MakeRecords();
}

// Tables without path records have one for every pair.
void Rftr::MakeRecords() {
  if (!tables_.alternatives.empty()) return;
  const std::size_t nodes = topology_.nodes().size();
  tables_.alternatives.assign(nodes, std::vector<RoutingTables::PathList>(nodes));
  for (const std::vector<int>& flows : order_) {
    const TracedPath& path = paths_.flows()[flows.front()];
    tables_.alternatives[path.source][path.destination] = {path.record};
  }
}

void Rftr::TakeWay(int flow, std::span<const std::int32_t> links) {
  const int destination = paths_.flows()[flow].destination;
  std::vector<Way>& ways = ways_[destination];
  const std::size_t switches = paths_.fabric().num_switches();
  while (static_cast<int>(ways.size()) <= number_[flow]) {
    ways.push_back(
        {std::vector<std::int32_t>(switches, -1), std::vector<std::uint32_t>(switches, 0)});
  }
  Way& way = ways[number_[flow]];
  for (const std::int32_t link : links) {
    const int place = paths_.fabric().link(link).from;
    if (way.paths[place]++ > 0) continue;
    way.next[place] = link;
    new_hops_.push_back({tables_.lids[destination] + number_[flow], link});
  }
}

int Rftr::ChooseWay(int flow, std::span<const std::int32_t> links) const {
  const std::vector<Way>& ways = ways_[paths_.flows()[flow].destination];
  const auto fits = [&](const Way& way) {
    return std::ranges::all_of(links, [&](int link) {
      const int place = paths_.fabric().link(link).from;
      return way.paths[place] == 0 || way.next[place] == link;
    });
  };
  return static_cast<int>(std::ranges::find_if(ways, fits) - ways.begin());
}

Rftr::Change Rftr::Fail(std::span<const int> cables, std::span<const int> switches) {
  if (refused_)
    throw RoutingError("rftr: an earlier fault found no paths; expected tables of an engine anew");
  faults_.push_back(FaultOf(cables, switches));
  new_hops_.clear();
  RftrPaths::Outcome outcome = paths_.Replace(state_, faults_.back().links, faults_.back().places);
  if (!outcome.unmet.empty()) Refuse(outcome);
  std::vector<int> old_numbers;
  for (const int flow : outcome.failed) old_numbers.push_back(number_[flow]);
  ChooseWays(outcome.rerouted);
  const RftrPaths::Lids lids = {
      [this](int flow, std::span<const std::int32_t> links) {
        return ChooseWay(flow, links) < 1 << tables_.lmc;
      },
      [this](int flow, std::span<const std::int32_t> links) { TakeLid(flow, links); }};
  paths_.AddPaths(state_, lids, outcome);
  paths_.Release(state_);

  for (const int cable : cables) failed_cables_.push_back(cable);
  for (const int node : switches) {
    for (int port = 1; port <= topology_.node(node).num_ports; ++port) {
      if (const auto peer = topology_.PeerOf(node, port)) failed_cables_.push_back(peer->cable);
    }
  }
  Change change;
  std::vector<int> with_path = outcome.rerouted;
  with_path.insert(with_path.end(), outcome.added.begin(), outcome.added.end());
  WriteLfts(change);
  WriteSlToVl(with_path, change);
  WriteRecords(outcome, change);
  for (std::size_t i = 0; i < outcome.failed.size(); ++i) {
    const int flow = outcome.failed[i];
    Way& way = ways_[paths_.flows()[flow].destination][old_numbers[i]];
    for (const std::int32_t link : state_.LinksOf(paths_.FailedRoute(i)))
      --way.paths[paths_.fabric().link(link).from];
  }
  return change;
}

Rftr::Fault Rftr::FaultOf(std::span<const int> cables, std::span<const int> switches) const {
  const SwitchFabric& fabric = paths_.fabric();
  Fault fault;
  for (const int cable : cables) {
    const Cable& ends = topology_.cables().at(cable);
    const int place = fabric.PlaceOf(ends.a.node);
    std::optional<int> link;
    if (place >= 0) {
      for (const int each : fabric.LinksFrom(place)) {
        if (fabric.link(each).out_port == ends.a.port) link = each;
      }
    }
    if (!link) {
      throw RoutingError(
          fmt::format("rftr: the cable from {} to {} is one of an end node; expected one between "
                      "switches",
                      topology_.node(ends.a.node).name, topology_.node(ends.b.node).name));
    }
    fault.links.push_back(*link);
  }
  for (const int node : switches) {
    if (node < 0 || node >= static_cast<int>(topology_.nodes().size()) || !topology_.IsSwitch(node))
      throw RoutingError(fmt::format("rftr: node {} is no switch; expected one", node));
    fault.places.push_back(fabric.PlaceOf(node));
  }
  return fault;
}

// Finds out what would suffice by doing it all again with more.
void Rftr::Refuse(const RftrPaths::Outcome& outcome) {
  refused_ = true;
  const RftrLimits limits = paths_.limits();
  std::string expected = "tables of an engine anew";
  // Further paths depend on LIDs, too.
  for (int vls = limits.vls; vls <= kDropVl && limits.paths == 1; ++vls) {
    RftrPaths more(paths_, {vls, kServiceLevels});
    RftrState state = more.initial();
    const bool met = std::ranges::all_of(faults_, [&](const Fault& fault) {
      return more.Fail(state, fault.links, fault.places).unmet.empty();
    });
    if (!met) continue;
    expected = fmt::format("{} VLs and {} SLs", std::max(state.vls, limits.vls), state.sls);
    break;
  }
  const TracedPath& first = paths_.flows()[outcome.unmet.front()];
  throw RoutingError(fmt::format(
      "rftr: {} paths that have failed cannot be replaced with {} VLs and {} SLs, the first: {} to "
      "{}; expected {}",
      outcome.unmet.size(), limits.vls, limits.sls, topology_.node(first.source).name,
      topology_.node(first.destination).name, expected));
}

void Rftr::TakeLid(int flow, std::span<const std::int32_t> links) {
  number_[flow] = ChooseWay(flow, links);
  TakeWay(flow, links);
}

void Rftr::ChooseWays(const std::vector<int>& flows) {
  int most = 1;
  for (const int flow : flows) {
    TakeLid(flow, state_.LinksOf(state_.routes[flow]));
    most = std::max(most, number_[flow] + 1);
  }
  if (most <= 1 << tables_.lmc) return;
  refused_ = true;
  const int lmc = static_cast<int>(std::bit_width(static_cast<unsigned>(most - 1)));
  throw RoutingError(
      fmt::format("rftr: LMC {} gives {} LIDs to an end node, and its paths need {}; expected {}",
                  tables_.lmc, 1 << tables_.lmc, most,
                  lmc <= kMaxLmc ? fmt::format("LMC {}", lmc) : "tables of an engine anew"));
}

void Rftr::WriteLfts(Change& change) {
  for (const NewHop& hop : new_hops_) {
    const SwitchFabric::Link& link = paths_.fabric().link(hop.link);
    const int node = paths_.fabric().NodeOf(link.from);
    std::uint8_t& entry = tables_.lft[node][hop.lid];
    if (entry == link.out_port) continue;
    entry = static_cast<std::uint8_t>(link.out_port);
    change.lft.push_back({node, static_cast<Lid>(hop.lid), entry});
  }
  std::ranges::sort(change.lft, {},
                    [](const LftChange& entry) { return std::pair(entry.node, entry.lid); });
}

void Rftr::WriteSlToVl(const std::vector<int>& flows, Change& change) {
  const SwitchFabric& fabric = paths_.fabric();
  for (const RftrPaths::Entry& entry : paths_.new_entries()) {
    if (entry.link < 0) continue;
    const SwitchFabric::Link& next = fabric.link(entry.next);
    SetVl({fabric.NodeOf(next.from), fabric.link(entry.link).in_port, next.out_port, entry.sl,
           entry.vl},
          change);
  }
  for (const int flow : flows) {
    const RftrState::Route& route = state_.routes[flow];
    const auto links = state_.LinksOf(route);
    // The paths of other end nodes may be all that needed the entry as yet.
    const SwitchFabric::Link& first = fabric.link(links.front());
    for (const int in_port : entries_[first.from]) {
      SetVl({fabric.NodeOf(first.from), in_port, first.out_port, route.sl,
             state_.VlsOf(route).front()},
            change);
    }
    // From and to end nodes any VL will do, but for one that discards.
    const TracedPath& path = paths_.flows()[flow];
    const auto any = static_cast<std::uint8_t>(route.sl % state_.vls);
    const auto last = topology_.PeerOf(path.destination, 1);
    if (tables_.sl2vl[path.source].At(0, 1, route.sl) == kDropVl)
      SetVl({path.source, 0, 1, route.sl, any}, change);
    const int in_port = fabric.link(links.back()).in_port;
    if (tables_.sl2vl[last->node].At(in_port, last->port, route.sl) == kDropVl)
      SetVl({last->node, in_port, last->port, route.sl, any}, change);
  }
  std::ranges::sort(change.sl2vl, {}, [](const SlToVlChange& entry) {
    return std::tuple(entry.node, entry.in_port, entry.out_port, entry.sl);
  });
}

void Rftr::SetVl(SlToVlChange entry, Change& change) {
  std::uint8_t& vl = tables_.sl2vl[entry.node].At(entry.in_port, entry.out_port, entry.sl);
  if (vl == entry.vl) return;
  vl = entry.vl;
  change.sl2vl.push_back(entry);
}

void Rftr::WriteRecords(const RftrPaths::Outcome& outcome, Change& change) {
  std::vector<int> pairs;
  for (const std::vector<int>* flows : {&outcome.failed, &outcome.added}) {
    for (const int flow : *flows) pairs.push_back(paths_.flows()[flow].pair);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const int pair : pairs) WritePair(pair, outcome, change);
  change.no_way = PairsOf(outcome.no_way);
  change.short_of = PairsOf(outcome.short_of);
}

// Those that have failed go, those that are new come last.
void Rftr::WritePair(int pair, const RftrPaths::Outcome& outcome, Change& change) {
  const std::vector<TracedPath>& flows = paths_.flows();
  const TracedPath& ends = flows[paths_.FirstFlow(pair)];
  std::vector<int>& order = order_[pair];
  const std::size_t lost = std::erase_if(
      order, [&](int flow) { return std::ranges::binary_search(outcome.failed, flow); });
  const std::size_t kept = order.size();
  std::size_t had = kept;  // before any were added
  for (const std::vector<int>* made : {&outcome.rerouted, &outcome.added}) {
    had = order.size();
    auto at = std::ranges::lower_bound(*made, paths_.FirstFlow(pair));
    for (; at != made->end() && flows[*at].pair == pair; ++at) order.push_back(*at);
  }
  const std::pair name(ends.source, ends.destination);
  if (order.size() > had) change.added.push_back(name);
  if (lost > 0) {
    auto& pairs = order.empty() ? change.cut_off : kept == 0 ? change.rerouted : change.fewer;
    pairs.push_back(name);
  }

  auto& records = tables_.alternatives[ends.source][ends.destination];
  records.clear();
  for (const int flow : order) {
    records.push_back(
        {static_cast<Lid>(tables_.lids[ends.destination] + number_[flow]), state_.routes[flow].sl});
  }
  if (!records.empty()) tables_.sl[ends.source][ends.destination] = records.front().sl;
}

// One of each pair, in the order of pairs.
std::vector<std::pair<int, int>> Rftr::PairsOf(const std::vector<int>& flows) const {
  std::vector<std::pair<int, int>> pairs;
  int last = -1;
  for (const int flow : flows) {
    const TracedPath& path = paths_.flows()[flow];
    if (path.pair != last) pairs.emplace_back(path.source, path.destination);
    last = path.pair;
  }
  return pairs;
}

}  // namespace lanecut
