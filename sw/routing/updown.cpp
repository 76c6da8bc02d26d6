// SPDX-License-Identifier: Apache-2.0
//
// up*/down* routing (Schroeder et al., Autonet, 1991): a breadth-first tree gives every link an up
// end, the one nearer to the root; a legal path goes up, then down, and never up again. Links so
// ordered have no cyclic dependencies.
//
// Forwarding sees only the destination, so all paths to one destination must fit together: a switch
// that can reach it going down only does so by the shortest such way (whoever sent the packet may
// have sent it down already); any other switch goes up, towards the neighbour with the shortest way
// on.
#include <algorithm>
#include <numeric>
#include <utility>

#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

// Which end of every link is up: the one with the lower (level, index).
class UpDownOrder {
 public:
  explicit UpDownOrder(const RoutingRequest& request) : level_(request.lids.size(), -1) {
    for (int node : request.topology.switches()) {
      if (level_[node] < 0) LevelComponent(request, node);
    }
    top_down_ = request.topology.switches();
    std::sort(top_down_.begin(), top_down_.end(), [&](int a, int b) { return IsUp(b, a); });
  }

  bool IsUp(int from, int to) const {
    return std::pair(level_[to], to) < std::pair(level_[from], from);
  }
  const std::vector<int>& top_down() const { return top_down_; }

 private:
  // A fabric that faults have split has one tree per part.
  void LevelComponent(const RoutingRequest& request, int member) {
    const std::vector<int> reach = request.topology.HopsFrom(member);
    int root = -1;
    long best = 0;
    for (int node : request.topology.switches()) {
      if (reach[node] < 0) continue;
      if (node == request.root) {
        root = node;
        break;
      }
      const std::vector<int> hops = request.topology.HopsFrom(node);
      long sum = 0;
      for (int other : request.topology.switches()) sum += std::max(hops[other], 0);
      if (root < 0 || sum < best) {
        root = node;
        best = sum;
      }
    }
    const std::vector<int> hops = request.topology.HopsFrom(root);
    for (int node : request.topology.switches()) {
      if (hops[node] >= 0) level_[node] = hops[node];
    }
  }

  std::vector<int> level_;     // by node: hops from the root
  std::vector<int> top_down_;  // all switches, roots first
};

// Hops from every switch to one of them on legal paths.
struct Ways {
  std::vector<int> cost;        // by node; -1 = no way
  std::vector<bool> down_only;  // by node: the way never goes up
};

Ways WaysTo(int target, const TableBuilder& builder, const UpDownOrder& order, std::size_t nodes) {
  Ways ways{std::vector<int>(nodes, -1), std::vector<bool>(nodes, false)};
  ways.cost[target] = 0;
  ways.down_only[target] = true;
  std::vector<int> queue = {target};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int here = queue[head];
    for (const SwitchLink& link : builder.LinksOf(here)) {
      if (!order.IsUp(here, link.peer) || ways.down_only[link.peer]) continue;
      ways.cost[link.peer] = ways.cost[here] + 1;
      ways.down_only[link.peer] = true;
      queue.push_back(link.peer);
    }
  }
  for (int node : order.top_down()) {
    if (ways.down_only[node]) continue;
    for (const SwitchLink& link : builder.LinksOf(node)) {
      const int beyond = ways.cost[link.peer];
      if (!order.IsUp(node, link.peer) || beyond < 0) continue;
      if (ways.cost[node] < 0 || beyond + 1 < ways.cost[node]) ways.cost[node] = beyond + 1;
    }
  }
  return ways;
}

class UpDownEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "updown"; }
  std::string_view summary() const override {
    return "up*/down* on a breadth-first tree: any topology, any faults, one VL is enough";
  }

  RoutingTables Compute(const RoutingRequest& request) const override {
    const Topology& topology = request.topology;
    CheckRoot(request, name());
    TableBuilder builder(request);
    const UpDownOrder order(request);
    for (int target : topology.switches()) {
      const Ways ways = WaysTo(target, builder, order, topology.nodes().size());
      const auto allowed = [&](int node, int peer) {
        return ways.down_only[node] ? order.IsUp(peer, node) && ways.down_only[peer]
                                    : order.IsUp(node, peer);
      };
      builder.Route(target, ways.cost, allowed);
      for (int port = 1; port <= topology.node(target).num_ports; ++port) {
        const auto peer = topology.PeerOf(target, port);
        if (peer && !topology.IsSwitch(peer->node)) builder.Route(peer->node, ways.cost, allowed);
      }
    }
    SpreadOverVls(request, builder.tables);
    return std::move(builder.tables);
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeUpDownEngine() { return std::make_unique<UpDownEngine>(); }

}  // namespace lanecut
