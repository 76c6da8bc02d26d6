// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/multipath_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

// The way to one switch by one LID number: by switch the link that packets take, -1 = not set.
using NextLinks = std::vector<int>;

bool Fits(const SwitchFabric& fabric, const NextLinks& next, const std::vector<int>& links) {
  return std::ranges::all_of(links, [&](int link) {
    const int known = next[fabric.link(link).from];
    return known < 0 || known == link;
  });
}

// All other switches lead to the nearest one that has a way.
void Complete(const SwitchFabric& fabric, int to, NextLinks& next) {
  std::vector<int> queue;
  std::vector<bool> has_way(next.size(), false);
  for (int place = 0; place < static_cast<int>(next.size()); ++place) {
    has_way[place] = place == to || next[place] >= 0;
    if (has_way[place]) queue.push_back(place);
  }
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const int link : fabric.LinksFrom(queue[head])) {
      const int from = fabric.link(link).to;
      if (has_way[from]) continue;
      next[from] = fabric.link(link).reverse;
      has_way[from] = true;
      queue.push_back(from);
    }
  }
}

class Writer {
 public:
  Writer(const RoutingRequest& request, const SwitchFabric& fabric, const PathSets& paths)
      : request_(request),
        topology_(request.topology),
        fabric_(fabric),
        paths_(paths),
        tables_(EmptyTables(topology_, request.lids, request.lmc)),
        end_nodes_(fabric.num_switches()) {
    const std::size_t nodes = topology_.nodes().size();
    tables_.alternatives.assign(nodes, std::vector<RoutingTables::PathList>(nodes));
    for (const int hca : topology_.hcas()) {
      const auto peer = topology_.PeerOf(hca, 1);
      if (peer && request.lids[hca] != 0) end_nodes_[fabric.PlaceOf(peer->node)].push_back(hca);
    }
  }

  // Returns how many LID numbers it takes.
  int RouteTo(int to) {
    std::vector<NextLinks> numbers = {NextLinks(fabric_.num_switches(), -1)};
    // By source, then path.
    std::vector<std::vector<int>> number_of(fabric_.num_switches());
    std::size_t most = 0;
    for (int from = 0; from < fabric_.num_switches(); ++from)
      most = std::max(most, PathsOf(from, to).size());
    for (std::size_t i = 0; i < most; ++i) {
      for (int from = 0; from < fabric_.num_switches(); ++from) {
        if (i >= PathsOf(from, to).size()) continue;
        const std::vector<int>& links = PathsOf(from, to)[i].links;
        auto number = std::ranges::find_if(
            numbers, [&](const NextLinks& next) { return Fits(fabric_, next, links); });
        if (number == numbers.end()) {
          numbers.emplace_back(fabric_.num_switches(), -1);
          number = numbers.end() - 1;
        }
        for (const int link : links) (*number)[fabric_.link(link).from] = link;
        number_of[from].push_back(static_cast<int>(number - numbers.begin()));
      }
    }
    if (static_cast<int>(numbers.size()) > 1 << request_.lmc)
      return static_cast<int>(numbers.size());
    for (NextLinks& next : numbers) Complete(fabric_, to, next);
    FillLfts(to, numbers);
    Record(to, number_of);
    return static_cast<int>(numbers.size());
  }

  void FillSlToVl(const TurnLanes& lanes) {
    for (int node = 0; node < static_cast<int>(topology_.nodes().size()); ++node) {
      const int ports = topology_.node(node).num_ports;
      const int place = fabric_.PlaceOf(node);
      // Links by port; -1 towards and from end nodes.
      std::vector<int> out(ports + 1, -1);
      std::vector<int> in(ports + 1, -1);
      if (place >= 0) {
        for (const int link : fabric_.LinksFrom(place)) {
          out[fabric_.link(link).out_port] = link;
          in[fabric_.link(link).out_port] = fabric_.link(link).reverse;
        }
      }
      for (int in_port = 0; in_port <= ports; ++in_port) {
        for (int out_port = 0; out_port <= ports; ++out_port) {
          for (int sl = 0; sl < kServiceLevels; ++sl) {
            // At end nodes any VL is safe, as nothing waits beyond.
            int vl = sl % request_.vls;
            if (out[out_port] >= 0 && sl < static_cast<int>(lanes.size())) {
              vl = lanes[sl][in[in_port] >= 0 ? fabric_.Turn(in[in_port], out[out_port])
                                              : fabric_.Injection(out[out_port])];
            } else if (out[out_port] >= 0) {
              vl = 0;
            }
            tables_.sl2vl[node].At(in_port, out_port, sl) = static_cast<std::uint8_t>(vl);
          }
        }
      }
    }
  }

  RoutingTables Take() { return std::move(tables_); }

 private:
  const std::vector<SwitchPath>& PathsOf(int from, int to) const {
    return paths_[static_cast<std::size_t>(from) * fabric_.num_switches() + to];
  }

  void FillLfts(int to, const std::vector<NextLinks>& numbers) {
    const int target = fabric_.NodeOf(to);
    const auto set = [&](int node, int lid, int port) {
      tables_.lft[node][lid] = static_cast<std::uint8_t>(port);
    };
    for (int place = 0; place < fabric_.num_switches(); ++place) {
      const int node = fabric_.NodeOf(place);
      const auto port = [&](const NextLinks& next) {
        return next[place] < 0 ? int{kUnreachablePort} : fabric_.link(next[place]).out_port;
      };
      if (request_.lids[target] != 0)
        set(node, request_.lids[target], place == to ? 0 : port(numbers[0]));
      for (const int hca : end_nodes_[to]) {
        for (int i = 0; i < 1 << request_.lmc; ++i) {
          const NextLinks& next = numbers[i < static_cast<int>(numbers.size()) ? i : 0];
          set(node, request_.lids[hca] + i,
              place == to ? topology_.PeerOf(hca, 1)->port : port(next));
        }
      }
    }
  }

  void Record(int to, const std::vector<std::vector<int>>& number_of) {
    for (int from = 0; from < fabric_.num_switches(); ++from) {
      for (const int source : end_nodes_[from]) {
        for (const int destination : end_nodes_[to]) {
          if (source == destination) continue;
          auto& records = tables_.alternatives[source][destination];
          const Lid lowest = request_.lids[destination];
          if (from == to) records.push_back({lowest, 0});
          for (std::size_t i = 0; i < number_of[from].size(); ++i) {
            records.push_back({static_cast<Lid>(lowest + number_of[from][i]),
                               static_cast<std::uint8_t>(PathsOf(from, to)[i].sl)});
          }
          if (!records.empty()) tables_.sl[source][destination] = records.front().sl;
        }
      }
    }
  }

  const RoutingRequest& request_;
  const Topology& topology_;
  const SwitchFabric& fabric_;
  const PathSets& paths_;
  RoutingTables tables_;
  std::vector<std::vector<int>> end_nodes_;  // by switch
};

}  // namespace

std::vector<bool> WantedPairs(const RoutingRequest& request, const SwitchFabric& fabric) {
  const int count = fabric.num_switches();
  std::vector<bool> wanted(static_cast<std::size_t>(count) * count, false);
  const auto place_of = [&](int hca) {
    const auto peer = request.topology.PeerOf(hca, 1);
    return peer && request.lids[hca] != 0 ? fabric.PlaceOf(peer->node) : -1;
  };
  const auto want = [&](int source, int destination) {
    const int from = place_of(source);
    const int to = place_of(destination);
    if (from >= 0 && to >= 0 && from != to)
      wanted[static_cast<std::size_t>(from) * count + to] = true;
  };
  for (const auto& [source, destination] : request.pairs) want(source, destination);
  if (!request.pairs.empty()) return wanted;
  for (const int source : request.topology.hcas()) {
    for (const int destination : request.topology.hcas()) want(source, destination);
  }
  return wanted;
}

RoutingTables MakeMultipathTables(const RoutingRequest& request, const SwitchFabric& fabric,
                                  const PathSets& paths, const TurnLanes& lanes,
                                  std::string_view engine) {
  Writer writer(request, fabric, paths);
  int most = 1;
  for (int to = 0; to < fabric.num_switches(); ++to) most = std::max(most, writer.RouteTo(to));
  if (most > 1 << request.lmc) {
    const int lmc = static_cast<int>(std::bit_width(static_cast<unsigned>(most - 1)));
    throw RoutingError(
        fmt::format("{}: LMC {} gives {} LIDs to an end node, and its paths need {}; "
                    "expected {}",
                    engine, request.lmc, 1 << request.lmc, most,
                    lmc <= kMaxLmc ? fmt::format("LMC {}", lmc) : "fewer paths"));
  }
  writer.FillSlToVl(lanes);
  return writer.Take();
}

}  // namespace lanecut
