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
    number_.push_back(path.record.dlid - tables_.lids[path.destination]);
    TakeWay(static_cast<int>(flow), path.links);
  }
  MakeRecords();
}

// Tables without path records have one for every pair.
void Rftr::MakeRecords() {
  if (!tables_.alternatives.empty()) return;
  const std::size_t nodes = topology_.nodes().size();
  tables_.alternatives.assign(nodes, std::vector<RoutingTables::PathList>(nodes));
  for (const TracedPath& path : paths_.flows())
    tables_.alternatives[path.source][path.destination] = {path.record};
}

void Rftr::TakeWay(int flow, std::span<const std::int32_t> links) {
  std::vector<Way>& ways = ways_[paths_.flows()[flow].destination];
  const std::size_t switches = paths_.fabric().num_switches();
  while (static_cast<int>(ways.size()) <= number_[flow]) {
    ways.push_back(
        {std::vector<std::int32_t>(switches, -1), std::vector<std::uint32_t>(switches, 0)});
  }
  Way& way = ways[number_[flow]];
  for (const std::int32_t link : links) {
    const int place = paths_.fabric().link(link).from;
    way.next[place] = link;
    ++way.paths[place];
  }
}

int Rftr::ChooseWay(int flow) const {
  const std::vector<Way>& ways = ways_[paths_.flows()[flow].destination];
  const auto links = state_.LinksOf(state_.routes[flow]);
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
  const std::vector<RftrState::Route> before = state_.routes;
  const RftrPaths::Outcome outcome =
      paths_.Fail(state_, faults_.back().links, faults_.back().places);
  if (!outcome.unmet.empty()) Refuse(outcome);
  std::vector<int> old_numbers;
  for (const int flow : outcome.failed) old_numbers.push_back(number_[flow]);
  ChooseWays(outcome.rerouted);

  for (const int cable : cables) failed_cables_.push_back(cable);
  for (const int node : switches) {
    for (int port = 1; port <= topology_.node(node).num_ports; ++port) {
      if (const auto peer = topology_.PeerOf(node, port)) failed_cables_.push_back(peer->cable);
    }
  }
  Change change;
  WriteLfts(outcome.rerouted, change);
  WriteSlToVl(outcome.rerouted, change);
  WriteRecords(outcome, change);
  for (std::size_t i = 0; i < outcome.failed.size(); ++i) {
    const int flow = outcome.failed[i];
    Way& way = ways_[paths_.flows()[flow].destination][old_numbers[i]];
    for (const std::int32_t link : state_.LinksOf(before[flow]))
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
  for (int vls = limits.vls; vls <= kDropVl; ++vls) {
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

void Rftr::ChooseWays(const std::vector<int>& flows) {
  int most = 1;
  for (const int flow : flows) {
    number_[flow] = ChooseWay(flow);
    most = std::max(most, number_[flow] + 1);
    TakeWay(flow, state_.LinksOf(state_.routes[flow]));
  }
  if (most <= 1 << tables_.lmc) return;
  refused_ = true;
  const int lmc = static_cast<int>(std::bit_width(static_cast<unsigned>(most - 1)));
  throw RoutingError(
      fmt::format("rftr: LMC {} gives {} LIDs to an end node, and its paths need {}; expected {}",
                  tables_.lmc, 1 << tables_.lmc, most,
                  lmc <= kMaxLmc ? fmt::format("LMC {}", lmc) : "tables of an engine anew"));
}

void Rftr::WriteLfts(const std::vector<int>& flows, Change& change) {
  for (const int flow : flows) {
    const int lid = tables_.lids[paths_.flows()[flow].destination] + number_[flow];
    for (const std::int32_t link : state_.LinksOf(state_.routes[flow])) {
      const SwitchFabric::Link& hop = paths_.fabric().link(link);
      const int node = paths_.fabric().NodeOf(hop.from);
      std::uint8_t& entry = tables_.lft[node][lid];
      if (entry == hop.out_port) continue;
      entry = static_cast<std::uint8_t>(hop.out_port);
      change.lft.push_back({node, static_cast<Lid>(lid), entry});
    }
  }
  std::ranges::sort(change.lft, {},
                    [](const LftChange& entry) { return std::pair(entry.node, entry.lid); });
}

void Rftr::WriteSlToVl(const std::vector<int>& flows, Change& change) {
  const SwitchFabric& fabric = paths_.fabric();
  for (const int flow : flows) {
    const RftrState::Route& route = state_.routes[flow];
    const auto links = state_.LinksOf(route);
    const auto vls = state_.VlsOf(route);
    for (std::size_t i = 0; i < links.size(); ++i) {
      const SwitchFabric::Link& hop = fabric.link(links[i]);
      const int node = fabric.NodeOf(hop.from);
      if (i > 0) {
        SetVl({node, fabric.link(links[i - 1]).in_port, hop.out_port, route.sl, vls[i]}, change);
        continue;
      }
      for (const int in_port : entries_[hop.from])
        SetVl({node, in_port, hop.out_port, route.sl, vls[i]}, change);
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
  const std::vector<TracedPath>& flows = paths_.flows();
  int last_pair = -1;
  for (const int failed : outcome.failed) {
    const int pair = flows[failed].pair;
    if (pair == last_pair) continue;
    last_pair = pair;
    const int source = flows[failed].source;
    const int destination = flows[failed].destination;
    auto& records = tables_.alternatives[source][destination];
    records.clear();
    int flow = failed;
    while (flow > 0 && flows[flow - 1].pair == pair) --flow;
    for (; flow < static_cast<int>(flows.size()) && flows[flow].pair == pair; ++flow) {
      if (!state_.routes[flow].alive) continue;
      records.push_back(
          {static_cast<Lid>(tables_.lids[destination] + number_[flow]), state_.routes[flow].sl});
    }
    if (!records.empty()) tables_.sl[source][destination] = records.front().sl;
    const bool is_new = std::ranges::binary_search(outcome.rerouted, failed);
    auto& pairs = records.empty() ? change.cut_off : is_new ? change.rerouted : change.fewer;
    pairs.emplace_back(source, destination);
  }
}

}  // namespace lanecut
