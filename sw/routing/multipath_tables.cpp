// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/multipath_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

// The ways to one switch by its LID numbers: for every number a link at every switch.
class NumberedWays {
 public:
  explicit NumberedWays(const SwitchFabric& fabric)
      : fabric_(fabric), switches_(fabric.num_switches()) {
    for (int place = 0; place < switches_; ++place) {
      first_feeder_.push_back(static_cast<int>(feeders_.size()));
      for (const int link : fabric.LinksFrom(place))
        feeders_.push_back({fabric.link(link).to, fabric.link(link).reverse});
    }
    first_feeder_.push_back(static_cast<int>(feeders_.size()));
  }

  void Clear() {
    count_ = 0;
    next_.clear();
    blocks_.clear();
    Add();
  }
  int count() const { return count_; }
  // By switch: the link that packets with this number take; -1 = not set.
  std::span<const int> By(int number) const {
    return {next_.data() + static_cast<std::size_t>(number) * switches_,
            static_cast<std::size_t>(switches_)};
  }

  // The lowest number that leads along this path or leaves it free; it leads along it from now on.
  int Take(const std::vector<int>& links) {
    const int number = LowestFit(links);
    if (number == count_) Add();
    int* next = next_.data() + static_cast<std::size_t>(number) * switches_;
    Block& block = blocks_[number / kInBlock];
    const std::uint64_t bit = std::uint64_t{1} << number % kInBlock;
    std::uint64_t* const by_switch = block.by_switch.data();
    std::uint64_t* const by_link = block.by_link.data();
    for (const int link : links) {
      const int place = fabric_.link(link).from;
      next[place] = link;
      by_switch[place] |= bit;
      by_link[link] |= bit;
    }
    return number;
  }

  // All other switches lead to the nearest one that has a way.
  void Complete(int number, int to) {
    int* next = next_.data() + static_cast<std::size_t>(number) * switches_;
    queue_.resize(switches_);
    int* const queue = queue_.data();
    const int switches = switches_;
    int size = 0;
    for (int place = 0; place < switches; ++place) {
      queue[size] = place;
      size += place == to || next[place] >= 0 ? 1 : 0;
      if (size == switches) return;
    }
    const Feeder* const feeders = feeders_.data();
    const int* const first = first_feeder_.data();
    for (int head = 0; head < size && size < switches; ++head) {
      for (int i = first[queue[head]]; i < first[queue[head] + 1]; ++i) {
        const Feeder feeder = feeders[i];
        if (feeder.from == to || next[feeder.from] >= 0) continue;
        next[feeder.from] = feeder.link;
        queue[size++] = feeder.from;
      }
    }
  }

 private:
  // So many numbers, each a bit: those that have a link at a switch, and those that use a link.
  static constexpr int kInBlock = 64;
  struct Block {
    std::vector<std::uint64_t> by_switch;
    std::vector<std::uint64_t> by_link;
  };

  struct Feeder {  // a link to a switch
    int from = -1;
    int link = -1;
  };

  int LowestFit(const std::vector<int>& links) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      std::uint64_t unfit = 0;
      for (const int link : links)
        unfit |= blocks_[i].by_switch[fabric_.link(link).from] & ~blocks_[i].by_link[link];
      if (~unfit != 0)
        return std::min(static_cast<int>(i) * kInBlock + std::countr_one(unfit), count_);
    }
    return count_;
  }

  void Add() {
    if (count_ % kInBlock == 0) {
      blocks_.push_back({std::vector<std::uint64_t>(switches_, 0),
                         std::vector<std::uint64_t>(fabric_.num_links(), 0)});
    }
    next_.resize(next_.size() + switches_, -1);
    ++count_;
  }

  const SwitchFabric& fabric_;
  int switches_;
  int count_ = 0;
  std::vector<int> next_;          // by number, then switch
  std::vector<Feeder> feeders_;    // by switch
  std::vector<int> first_feeder_;  // by switch, and one more
  std::vector<Block> blocks_;
  std::vector<int> queue_;
};

class Writer {
 public:
  Writer(const RoutingRequest& request, const SwitchFabric& fabric)
      : request_(request),
        topology_(request.topology),
        fabric_(fabric),
        tables_(EmptyTables(topology_, request.lids, request.lmc)),
        end_nodes_(fabric.num_switches()),
        paths_(fabric.num_switches()),
        number_of_(fabric.num_switches()),
        ways_(fabric) {
    const std::size_t nodes = topology_.nodes().size();
    tables_.alternatives.assign(nodes, std::vector<RoutingTables::PathList>(nodes));
    port_of_.push_back(kUnreachablePort);
    for (int link = 0; link < fabric.num_links(); ++link)
      port_of_.push_back(static_cast<std::uint8_t>(fabric.link(link).out_port));
    for (int place = 0; place < fabric.num_switches(); ++place)
      lfts_.push_back(tables_.lft[fabric.NodeOf(place)].data());
    for (const int hca : topology_.hcas()) {
      const auto peer = topology_.PeerOf(hca, 1);
      if (peer && request.lids[hca] != 0) end_nodes_[fabric.PlaceOf(peer->node)].push_back(hca);
    }
  }

  // Returns how many LID numbers it takes.
  int RouteTo(int to, const PathsTo& paths) {
    paths(to, paths_);
    ways_.Clear();
    std::size_t most = 0;
    for (int from = 0; from < fabric_.num_switches(); ++from) {
      number_of_[from].clear();
      most = std::max(most, paths_[from].size());
    }
    for (std::size_t i = 0; i < most; ++i) {
      for (int from = 0; from < fabric_.num_switches(); ++from) {
        if (i < paths_[from].size()) number_of_[from].push_back(ways_.Take(paths_[from][i].links));
      }
    }
    if (ways_.count() > 1 << request_.lmc) return ways_.count();
    for (int number = 0; number < ways_.count(); ++number) ways_.Complete(number, to);
    FillLfts(to);
    Record(to);
    return ways_.count();
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
  // The ports to a switch by a number; numbers that no path has are like the lowest.
  void FillLfts(int to) {
    const int target = fabric_.NodeOf(to);
    if (request_.lids[target] != 0) FillLid(to, request_.lids[target], 0, 0);
    for (const int hca : end_nodes_[to]) {
      for (int i = 0; i < 1 << request_.lmc; ++i) {
        FillLid(to, request_.lids[hca] + i, i < ways_.count() ? i : 0,
                topology_.PeerOf(hca, 1)->port);
      }
    }
  }

  void FillLid(int to, int lid, int number, int last_port) {
    const int* const next = ways_.By(number).data();
    std::uint8_t* const* const lfts = lfts_.data();
    const std::uint8_t* const port_of = port_of_.data() + 1;
    const int switches = fabric_.num_switches();
    for (int place = 0; place < switches; ++place) lfts[place][lid] = port_of[next[place]];
    lfts[to][lid] = static_cast<std::uint8_t>(last_port);
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
  std::vector<std::uint8_t> port_of_;        // by link + 1; of none: kUnreachablePort
  std::vector<std::uint8_t*> lfts_;          // of tables_, by switch
  std::vector<std::vector<int>> end_nodes_;  // by switch
  // To the destination at hand; kept for their memory.
  std::vector<std::vector<SwitchPath>> paths_;  // by source
  std::vector<std::vector<int>> number_of_;     // by source, then path
  NumberedWays ways_;
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
