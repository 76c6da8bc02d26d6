// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/dependency_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace lanecut {
namespace {

constexpr int kVls = 16;

// One step of a packet that came to `node` by `in_port`: either the hop it takes, or how its way
// ends here.
struct Step {
  std::optional<PathEnd> end;
  Hop hop;
};

Step NextStep(const Topology& topology, const RoutingTables& tables, int node, int in_port,
              int destination, RoutingTables::PathRecord record) {
  if (node == destination) return {PathEnd::kDelivered, {}};
  int out_port = 1;
  if (topology.IsSwitch(node)) {
    const auto& lft = tables.lft[node];
    const Lid lid = record.dlid;
    out_port = lid != 0 && lid < lft.size() ? lft[lid] : kUnreachablePort;
    if (out_port == 0) return {PathEnd::kMisdelivered, {}};
  } else if (in_port != 0) {
    return {PathEnd::kMisdelivered, {}};
  }
  if (!topology.PeerOf(node, out_port)) return {PathEnd::kUnreachable, {}};
  const int vl = tables.sl2vl[node].At(in_port, out_port, record.sl);
  if (vl == kDropVl) return {PathEnd::kVlDiscard, {}};
  return {std::nullopt, {node, in_port, out_port, vl}};
}

// By which a switch sends packets to a LID; none if it keeps or discards them, or has no cable
// there.
std::optional<int> PortTo(const Topology& topology, const RoutingTables& tables, int node,
                          int lid) {
  const auto& lft = tables.lft[node];
  const int port = lid < static_cast<int>(lft.size()) ? lft[lid] : kUnreachablePort;
  if (port == 0 || !topology.PeerOf(node, port)) return std::nullopt;
  return port;
}

}  // namespace

std::string_view PathEndName(PathEnd end) {
  switch (end) {
    case PathEnd::kDelivered:
      return "delivered";
    case PathEnd::kUnreachable:
      return "unreachable";
    case PathEnd::kLoop:
      return "loop";
    case PathEnd::kVlDiscard:
      return "VL 15";
    case PathEnd::kMisdelivered:
      return "misdelivered";
  }
  return "?";
}

Path TracePath(const Topology& topology, const RoutingTables& tables, int source, int destination) {
  // LID-routed management has no path records: it goes to the lowest LID.
  const bool recorded = !tables.alternatives.empty() && tables.NumPaths(source, destination) > 0;
  return TracePath(topology, tables, source, destination,
                   recorded ? tables.PathOf(source, destination, 0)
                            : RoutingTables::PathRecord{tables.lids[destination],
                                                        tables.sl[source][destination]});
}

Path TracePath(const Topology& topology, const RoutingTables& tables, int source, int destination,
               RoutingTables::PathRecord record) {
  Path path;
  int node = source;
  int in_port = 0;
  for (;;) {
    const Step step = NextStep(topology, tables, node, in_port, destination, record);
    if (step.end) {
      path.end = *step.end;
      return path;
    }
    const bool seen = std::any_of(path.hops.begin(), path.hops.end(), [&](const Hop& hop) {
      return hop.node == node && hop.in_port == in_port;
    });
    if (seen) {
      path.end = PathEnd::kLoop;
      return path;
    }
    path.hops.push_back(step.hop);
    const auto peer = topology.PeerOf(node, step.hop.out_port);
    node = peer->node;
    in_port = peer->port;
  }
}

// Follows packets to one DLID after the other. Where one comes by a channel and SL that an earlier
// one to the same DLID has come by, the rest of its way is known.
class DependencyGraph::Tracer {
 public:
  Tracer(DependencyGraph& graph, const Topology& topology, const RoutingTables& tables)
      : graph_(graph),
        topology_(topology),
        tables_(tables),
        first_trace_(graph.successors_.size() * kServiceLevels, -1),
        used_(graph.successors_.size(), false) {}

  void StartDlid() { oldest_ = static_cast<int>(ends_.size()); }

  PathEnd Trace(int source, int destination, RoutingTables::PathRecord record) {
    const int trace = static_cast<int>(ends_.size());
    int node = source;
    int in_port = 0;
    int held = -1;
    std::optional<PathEnd> end;
    while (!end) {
      const Step step = NextStep(topology_, tables_, node, in_port, destination, record);
      if (step.end) {
        end = step.end;
        break;
      }
      const int wanted = graph_.IdOf({node, step.hop.out_port, step.hop.vl});
      used_[wanted] = true;
      if (held >= 0) graph_.AddDependency(held, wanted);
      int& first = first_trace_[static_cast<std::size_t>(wanted) * kServiceLevels + record.sl];
      if (first == trace) {
        end = PathEnd::kLoop;
      } else if (first >= oldest_) {
        end = ends_[first];  // from here on as that trace
      }
      first = std::max(first, trace);
      held = wanted;
      const auto peer = topology_.PeerOf(node, step.hop.out_port);
      node = peer->node;
      in_port = peer->port;
    }
    ends_.push_back(*end);
    return *end;
  }

  int NumUsed() const { return static_cast<int>(std::count(used_.begin(), used_.end(), true)); }

 private:
  DependencyGraph& graph_;
  const Topology& topology_;
  const RoutingTables& tables_;
  // By channel and SL: the number of the last trace that came there.
  std::vector<int> first_trace_;
  std::vector<PathEnd> ends_;  // by trace
  std::vector<bool> used_;     // by channel
  int oldest_ = 0;             // the first trace to the present DLID
};

DependencyGraph::DependencyGraph(const Topology& topology) {
  int ports = 0;
  for (const Node& node : topology.nodes()) {
    first_port_.push_back(ports);
    ports += node.num_ports + 1;
  }
  successors_.resize(static_cast<std::size_t>(ports) * kVls);
}

DependencyGraph DependencyGraph::OfLinks(const Topology& topology, const RoutingTables& tables) {
  DependencyGraph graph(topology);
  std::vector<bool> used(graph.successors_.size(), false);
  for (const int destination : topology.hcas()) {
    const int lowest = tables.lids[destination];
    const int lids = lowest == 0 ? 0 : 1 << tables.lmc;
    for (int lid = lowest; lid < lowest + lids; ++lid) graph.AddLinks(topology, tables, lid, used);
  }
  graph.num_channels_ = static_cast<int>(std::count(used.begin(), used.end(), true));
  return graph;
}

void DependencyGraph::AddLinks(const Topology& topology, const RoutingTables& tables, int lid,
                               std::vector<bool>& used) {
  const auto next = [&](int node) -> std::optional<Channel> {
    const std::optional<int> port = PortTo(topology, tables, node, lid);
    return port ? std::optional(Channel{node, *port, 0}) : std::nullopt;
  };
  for (const int node : topology.switches()) {
    const std::optional<Channel> held = next(node);
    if (!held) continue;
    used[IdOf(*held)] = true;
    const int peer = topology.PeerOf(node, held->port)->node;
    if (!topology.IsSwitch(peer)) continue;
    if (const auto wanted = next(peer)) AddDependency(IdOf(*held), IdOf(*wanted));
  }
}

void DependencyGraph::AddStragglers(const Topology& topology, const RoutingTables& tables,
                                    int first_sl, int sls) {
  for (const int destination : topology.hcas()) {
    const int lowest = tables.lids[destination];
    const int lids = lowest == 0 ? 0 : 1 << tables.lmc;
    for (int lid = lowest; lid < lowest + lids; ++lid) {
      for (int sl = first_sl; sl < first_sl + sls; ++sl) AddStragglersTo(topology, tables, lid, sl);
    }
  }
}

void DependencyGraph::AddStragglersTo(const Topology& topology, const RoutingTables& tables,
                                      int lid, int sl) {
  for (const int node : topology.switches()) {
    const std::optional<int> out_port = PortTo(topology, tables, node, lid);
    if (!out_port) continue;
    const auto peer = topology.PeerOf(node, *out_port);
    if (!topology.IsSwitch(peer->node)) continue;
    const std::optional<int> wanted_port = PortTo(topology, tables, peer->node, lid);
    if (!wanted_port) continue;
    const int wanted_vl = tables.sl2vl[peer->node].At(peer->port, *wanted_port, sl);
    if (wanted_vl == kDropVl) continue;
    for (int in_port = 0; in_port <= topology.node(node).num_ports; ++in_port) {
      const int vl = tables.sl2vl[node].At(in_port, *out_port, sl);
      if (vl == kDropVl) continue;
      AddDependency(IdOf({node, *out_port, vl}), IdOf({peer->node, *wanted_port, wanted_vl}));
    }
  }
}

DependencyGraph::DependencyGraph(const Topology& topology, const RoutingTables& tables,
                                 const SlMatrix& earlier)
    : DependencyGraph(topology) {
  Tracer tracer(*this, topology, tables);
  for (int destination : topology.hcas()) {
    const Lid lowest = tables.lids[destination];
    if (lowest == 0) continue;
    for (int dlid = lowest; dlid < lowest + (1 << tables.lmc); ++dlid) {
      tracer.StartDlid();
      for (int source : topology.hcas()) {
        if (source == destination || tables.lids[source] == 0) continue;
        const int paths = tables.NumPaths(source, destination);
        if (paths == 0 && dlid == lowest)
          faults_.push_back({source, destination, PathEnd::kUnreachable});
        for (int path = 0; path < paths; ++path) {
          const RoutingTables::PathRecord record = tables.PathOf(source, destination, path);
          if (record.dlid != dlid) continue;
          const PathEnd end = tracer.Trace(source, destination, record);
          if (end != PathEnd::kDelivered) faults_.push_back({source, destination, end});
        }
        const std::uint8_t before = earlier[source][destination];
        if (dlid == lowest && before != tables.sl[source][destination])
          tracer.Trace(source, destination, {lowest, before});
      }
    }
  }
  num_channels_ = tracer.NumUsed();
}

void DependencyGraph::AddDependency(int from, int to) {
  std::vector<int>& successors = successors_[from];
  if (std::find(successors.begin(), successors.end(), to) != successors.end()) return;
  successors.push_back(to);
  ++num_dependencies_;
}

int DependencyGraph::IdOf(const Channel& channel) const {
  return (first_port_[channel.node] + channel.port) * kVls + channel.vl;
}

Channel DependencyGraph::ChannelOf(int id) const {
  const int port = id / kVls;
  const auto next = std::upper_bound(first_port_.begin(), first_port_.end(), port);
  const int node = static_cast<int>(next - first_port_.begin()) - 1;
  return {node, port - first_port_[node], id % kVls};
}

std::vector<Channel> DependencyGraph::SuccessorsOf(const Channel& channel) const {
  std::vector<Channel> result;
  for (int id : successors_[IdOf(channel)]) result.push_back(ChannelOf(id));
  return result;
}

std::vector<Channel> DependencyGraph::HeldChannels() const {
  std::vector<Channel> result;
  for (std::size_t id = 0; id < successors_.size(); ++id) {
    if (!successors_[id].empty()) result.push_back(ChannelOf(static_cast<int>(id)));
  }
  return result;
}

std::vector<Channel> DependencyGraph::FindCycle() const {
  // Depth-first search; a successor that is still on the way closes a cycle.
  enum class State : std::uint8_t { kNew, kOnWay, kDone };
  std::vector<State> state(successors_.size(), State::kNew);
  std::vector<std::pair<int, std::size_t>> way;  // channel, and which successor comes next
  for (int start = 0; start < static_cast<int>(successors_.size()); ++start) {
    if (state[start] != State::kNew || successors_[start].empty()) continue;
    state[start] = State::kOnWay;
    way.emplace_back(start, 0);
    while (!way.empty()) {
      auto& [here, next] = way.back();
      if (next == successors_[here].size()) {
        state[here] = State::kDone;
        way.pop_back();
        continue;
      }
      const int wanted = successors_[here][next++];
      if (state[wanted] == State::kNew) {
        state[wanted] = State::kOnWay;
        way.emplace_back(wanted, 0);
      } else if (state[wanted] == State::kOnWay) {
        std::vector<Channel> cycle;
        auto at = way.begin();
        while (at->first != wanted) ++at;
        for (; at != way.end(); ++at) cycle.push_back(ChannelOf(at->first));
        return cycle;
      }
    }
  }
  return {};
}

std::string DescribeCycle(const Topology& topology, const std::vector<Channel>& cycle) {
  std::string text;
  for (std::size_t i = 0; i <= cycle.size() && !cycle.empty(); ++i) {
    const Channel& channel = cycle[i % cycle.size()];
    text += fmt::format("{}{} port {} VL{}", i ? " -> " : "", topology.node(channel.node).name,
                        channel.port, channel.vl);
  }
  return text;
}

}  // namespace lanecut
