// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/multipath_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
    for (int link = 0; link < fabric.num_links(); ++link) from_.push_back(fabric.link(link).from);
    for (int place = 0; place < switches_; ++place) {
      first_feeder_.push_back(static_cast<int>(feeders_.size()));
      for (const int link : fabric.LinksFrom(place))
        feeders_.push_back({fabric.link(link).to, fabric.link(link).reverse});
    }
    first_feeder_.push_back(static_cast<int>(feeders_.size()));
  }

  void Clear() {
    blocks_.clear();
    count_ = 1;
    AddBlock();
  }
  int count() const { return count_; }

  // The lowest number that leads along this path or leaves it free; it leads along it from now on.
  int Take(std::span<const int> links) {
    const int number = LowestFit(links);
    if (number == count_ && count_++ % kInBlock == 0) AddBlock();
    Block& block = blocks_[number / kInBlock];
    const std::uint64_t bit = std::uint64_t{1} << number % kInBlock;
    for (const int link : links) {
      std::uint64_t& has_way = block.has_way[from_[link]];
      // From a switch that has a way with this number on, it is this path.
      if ((has_way & bit) != 0) break;
      has_way |= bit;
      block.by_link[link] |= bit;
    }
    return number;
  }

  // With every number all other switches lead to the nearest one that has a way.
  void Complete(int to) {
    for (int first = 0; first < count_; first += kInBlock) {
      const int unused = std::max(first + kInBlock - count_, 0);
      Complete(to, ~std::uint64_t{0} >> unused, blocks_[first / kInBlock]);
    }
  }

  // The ports by which packets leave a switch, by number; those without a way stay as they are.
  void PortsOf(int place, std::uint8_t* ports) const {
    for (const Block& block : blocks_) {
      for (const int link : fabric_.LinksFrom(place)) {
        const auto port = static_cast<std::uint8_t>(fabric_.link(link).out_port);
        for (std::uint64_t left = block.by_link[link]; left != 0; left &= left - 1)
          ports[std::countr_zero(left)] = port;
      }
      ports += kInBlock;
    }
  }

 private:
  // So many numbers, each a bit: those that have a link at a switch, and those that use a link.
  static constexpr int kInBlock = 64;
  struct Block {
    std::vector<std::uint64_t> has_way;  // by switch
    std::vector<std::uint64_t> by_link;
  };

  struct Feeder {  // a link to a switch
    int from = -1;
    int link = -1;
  };

  struct Reached {  // a switch, and the numbers with which it has a way
    int place = -1;
    std::uint64_t numbers = 0;
  };

  int LowestFit(std::span<const int> links) const {
    int first = 0;
    for (const Block& block : blocks_) {
      std::uint64_t unfit = 0;
      for (const int link : links) unfit |= block.has_way[from_[link]] & ~block.by_link[link];
      if (~unfit != 0) return std::min(first + std::countr_one(unfit), count_);
      first += kInBlock;
    }
    return count_;
  }

  // A breadth-first search for all numbers of a block at once: in the queue each number finds its
  // own switches in the order in which it would have met them alone.
  void Complete(int to, std::uint64_t numbers, Block& block) {
    std::uint64_t* const has_way = block.has_way.data();
    has_way[to] = numbers;
    queue_.clear();
    for (int place = 0; place < switches_; ++place) queue_.push_back({place, has_way[place]});
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const Reached here = queue_[head];
      for (int i = first_feeder_[here.place]; i < first_feeder_[here.place + 1]; ++i) {
        const Feeder feeder = feeders_[i];
        const std::uint64_t joining = here.numbers & ~has_way[feeder.from];
        if (joining == 0) continue;
        has_way[feeder.from] |= joining;
        block.by_link[feeder.link] |= joining;
        queue_.push_back({feeder.from, joining});
      }
    }
  }

  void AddBlock() {
    blocks_.push_back(
        {std::vector<std::uint64_t>(switches_, 0), std::vector<std::uint64_t>(from_.size(), 0)});
  }

  const SwitchFabric& fabric_;
  int switches_;
  std::vector<int> from_;          // by link: its sender
  std::vector<Feeder> feeders_;    // by switch
  std::vector<int> first_feeder_;  // by switch, and one more
  int count_ = 0;
  std::vector<Block> blocks_;
  std::vector<Reached> queue_;  // scratch
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
        ways_(fabric) {
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
    ways_.Clear();
    std::size_t most = 0;
    for (const auto& paths_from : paths_) most = std::max(most, paths_from.size());
    numbers_.resize(most * paths_.size());
    int* number = numbers_.data();
    for (std::size_t i = 0; i < most; ++i) {
      for (const auto& paths_from : paths_)
        *number++ = i < paths_from.size() ? ways_.Take(paths_from[i].links) : -1;
    }
    if (ways_.count() > 1 << request_.lmc) return ways_.count();
    ways_.Complete(to);
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
  // The ports to a switch by number; numbers that no path has are like the lowest.
  void FillLfts(int to) {
    const int target = fabric_.NodeOf(to);
    const int lids = 1 << request_.lmc;
    for (int place = 0; place < fabric_.num_switches(); ++place) {
      std::ranges::fill(ports_, kUnreachablePort);
      ways_.PortsOf(place, ports_.data());
      std::fill(ports_.begin() + ways_.count(), ports_.begin() + lids, ports_.front());
      std::vector<std::uint8_t>& lft = tables_.lft[fabric_.NodeOf(place)];
      if (request_.lids[target] != 0) lft[request_.lids[target]] = ports_.front();
      for (const int hca : end_nodes_[to])
        std::copy_n(ports_.begin(), lids, lft.begin() + request_.lids[hca]);
    }
    std::vector<std::uint8_t>& lft = tables_.lft[target];
    if (request_.lids[target] != 0) lft[request_.lids[target]] = 0;
    for (const int hca : end_nodes_[to]) {
      const int port = topology_.PeerOf(hca, 1)->port;
      std::fill_n(lft.begin() + request_.lids[hca], lids, static_cast<std::uint8_t>(port));
    }
  }

  void Record(int to) {
    for (int from = 0; from < fabric_.num_switches(); ++from) {
      for (const int source : end_nodes_[from]) {
        for (const int destination : end_nodes_[to]) {
          if (source == destination) continue;
          auto& records = tables_.alternatives[source][destination];
          const Lid lowest = request_.lids[destination];
          if (from == to) {
            records.push_back({lowest, 0});
            continue;
          }
          records.resize(paths_[from].size());
          const int* number = numbers_.data() + from;
          const SwitchPath* path = paths_[from].data();
          for (RoutingTables::PathRecord& record : records) {
            record = {static_cast<Lid>(lowest + *number), static_cast<std::uint8_t>(path->sl)};
            number += fabric_.num_switches();
            ++path;
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
  std::vector<int> numbers_;                    // by path, then source
  NumberedWays ways_;
  std::array<std::uint8_t, 1 << kMaxLmc> ports_;  // scratch, by number
};

}  // namespace

std::vector<bool> WantedPairs(const RoutingRequest& request, const SwitchFabric& fabric) {
  const int count = fabric.num_switches();
  std::vector<bool> wanted(static_cast<std::size_t>(count) * count, false);
  const auto place_of = [&](int hca) {
    const auto peer = request.topology.PeerOf(hca, 1);
    return peer && request.lids[hca] != 0 ? fabric.PlaceOf(peer->node) : -1;
  };
  const auto want = [&](int from, int to) {
    if (from >= 0 && to >= 0 && from != to)
      wanted[static_cast<std::size_t>(from) * count + to] = true;
  };
  for (const auto& [source, destination] : request.pairs)
    want(place_of(source), place_of(destination));
  if (!request.pairs.empty()) return wanted;
  std::vector<int> places;
  for (const int hca : request.topology.hcas()) places.push_back(place_of(hca));
  for (const int from : places) {
    for (const int to : places) want(from, to);
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
