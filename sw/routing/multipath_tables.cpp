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
  Writer(const RoutingRequest& request, const SwitchFabric& fabric)
      : request_(request),
        topology_(request.topology),
        fabric_(fabric),
        tables_(EmptyTables(topology_, request.lids, request.lmc)),
        end_nodes_(fabric.num_switches()),
        paths_(fabric.num_switches()),
        number_of_(fabric.num_switches()) {
    const std::size_t nodes = topology_.nodes().size();
    tables_.alternatives.assign(nodes, std::vector<RoutingTables::PathList>(nodes));
    for (const int hca : topology_.hcas()) {
      const auto peer = topology_.PeerOf(hca, 1);
      if (peer && request.lids[hca] != 0) end_nodes_[fabric.PlaceOf(peer->node)].push_back(hca);
    }
  }

  // Returns how many LID numbers it takes.
  int RouteTo(int to, const PathsTo& paths) {
    paths(to, paths_);
    numbers_in_use_ = 0;
    AddNumber();
    std::size_t most = 0;
    for (int from = 0; from < fabric_.num_switches(); ++from) {
      number_of_[from].clear();
      most = std::max(most, paths_[from].size());
    }
    for (std::size_t i = 0; i < most; ++i) {
      for (int from = 0; from < fabric_.num_switches(); ++from) {
        if (i < paths_[from].size()) number_of_[from].push_back(ChooseNumber(paths_[from][i]));
      }
    }
    if (numbers_in_use_ > 1 << request_.lmc) return numbers_in_use_;
    for (int number = 0; number < numbers_in_use_; ++number)
      Complete(fabric_, to, numbers_[number]);
    FillLfts(to);
    Record(to);
    return numbers_in_use_;
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

  void AddNumber() {
    if (numbers_in_use_ == static_cast<int>(numbers_.size())) numbers_.emplace_back();
    numbers_[numbers_in_use_++].assign(fabric_.num_switches(), -1);
  }

  int ChooseNumber(const SwitchPath& path) {
    int number = 0;
    while (number < numbers_in_use_ && !Fits(fabric_, numbers_[number], path.links)) ++number;
    if (number == numbers_in_use_) AddNumber();
    for (const int link : path.links) numbers_[number][fabric_.link(link).from] = link;
    return number;
  }

  void FillLfts(int to) {
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
        set(node, request_.lids[target], place == to ? 0 : port(numbers_[0]));
      for (const int hca : end_nodes_[to]) {
        for (int i = 0; i < 1 << request_.lmc; ++i) {
          const NextLinks& next = numbers_[i < numbers_in_use_ ? i : 0];
          set(node, request_.lids[hca] + i,
              place == to ? topology_.PeerOf(hca, 1)->port : port(next));
        }
      }
    }
  }

  void Record(int to) {
    for (int from = 0; from < fabric_.num_switches(); ++from) {
      for (const int source : end_nodes_[from]) {
        for (const int destination : end_nodes_[to]) {
          if (source == destination) continue;
          auto& records = tables_.alternatives[source][destination];
          const Lid lowest = request_.lids[destination];
          records.reserve(number_of_[from].size());
          if (from == to) records.push_back({lowest, 0});
          for (std::size_t i = 0; i < number_of_[from].size(); ++i) {
            records.push_back({static_cast<Lid>(lowest + number_of_[from][i]),
                               static_cast<std::uint8_t>(paths_[from][i].sl)});
          }
          if (!records.empty()) tables_.sl[source][destination] = records.front().sl;
        }
      }
    }
  }

  const RoutingRequest& request_;
  const Topology& topology_;
  const SwitchFabric& fabric_;
  RoutingTables tables_;
  std::vector<std::vector<int>> end_nodes_;  // by switch
  // To the destination at hand; kept for their memory.
  std::vector<std::vector<SwitchPath>> paths_;  // by source
  std::vector<std::vector<int>> number_of_;     // by source, then path
  std::vector<NextLinks> numbers_;
  int numbers_in_use_ = 0;
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
                                  const PathsTo& paths, const TurnLanes& lanes,
                                  std::string_view engine) {
  Writer writer(request, fabric);
  int most = 1;
  for (int to = 0; to < fabric.num_switches(); ++to)
    most = std::max(most, writer.RouteTo(to, paths));
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

RoutingTables MakeMultipathTables(const RoutingRequest& request, const SwitchFabric& fabric,
                                  const PathSets& paths, const TurnLanes& lanes,
                                  std::string_view engine) {
  const std::size_t switches = fabric.num_switches();
  const auto paths_to = [&](int to, std::vector<std::vector<SwitchPath>>& by_source) {
    for (std::size_t from = 0; from < switches; ++from)
      by_source[from] = paths[from * switches + to];
  };
  return MakeMultipathTables(request, fabric, paths_to, lanes, engine);
}

}  // namespace lanecut
