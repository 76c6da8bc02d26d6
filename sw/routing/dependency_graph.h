// SPDX-License-Identifier: Apache-2.0
//
// Follows packets through forwarding and SL-to-VL tables, and checks that they cannot deadlock.
//
// A channel is one direction of a cable and a VL: output queue, link and next input queue. A packet
// that holds one channel and wants the next makes the second a dependency of the first; tables are
// free of deadlock if the graph of all dependencies of all (source, destination, SL) has no cycle
// (Dally & Seitz). This code shares nothing with the engines that it checks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

// One node on a packet's way: the packet leaves by `out_port` on `vl`. At the source in_port is 0.
struct Hop {
  int node = -1;
  int in_port = 0;
  int out_port = 0;
  int vl = 0;
  friend bool operator==(const Hop&, const Hop&) = default;
};

enum class PathEnd {
  kDelivered,
  kUnreachable,   // an LFT entry leads nowhere
  kLoop,          // comes back to a port it has entered before
  kVlDiscard,     // SLtoVL says 15
  kMisdelivered,  // arrives at another end node
};
std::string_view PathEndName(PathEnd end);

struct Path {
  std::vector<Hop> hops;  // source first; the destination has none
  PathEnd end = PathEnd::kDelivered;
};

// The way of a data packet from one node to another, on the pair's first path. Switches may be
// either end (for LID-routed management).
Path TracePath(const Topology& topology, const RoutingTables& tables, int source, int destination);
// The same on a given one of the pair's paths.
Path TracePath(const Topology& topology, const RoutingTables& tables, int source, int destination,
               RoutingTables::PathRecord record);

struct Channel {
  int node = -1;  // sender
  int port = 0;   // its out port
  int vl = 0;
  friend bool operator==(const Channel&, const Channel&) = default;
};

struct PathFault {
  int source = -1;
  int destination = -1;
  PathEnd end = PathEnd::kDelivered;
};

class DependencyGraph {
 public:
  // Traces all path records of all ordered pairs of end nodes that have LIDs and, while packets of
  // an earlier function are about, every pair on the SL it had before, to its lowest LID. Keeps no
  // reference to its arguments.
  DependencyGraph(const Topology& topology, const RoutingTables& tables)
      : DependencyGraph(topology, tables, tables.sl) {}
  DependencyGraph(const Topology& topology, const RoutingTables& tables, const SlMatrix& earlier);

  // Of packets that may stand at any switch on their way to any end node, all on VL 0: by links
  // alone. Without a cycle there, no choice of VLs has one. It knows no faults.
  static DependencyGraph OfLinks(const Topology& topology, const RoutingTables& tables);

  // Adds those of packets that may stand at any switch, having come there by whatever port, on
  // their way to any LID of any end node, with any of these SLs.
  void AddStragglers(const Topology& topology, const RoutingTables& tables, int first_sl, int sls);

  // The pairs whose packets do not arrive, once for each path record; a pair without any record is
  // unreachable.
  const std::vector<PathFault>& faults() const { return faults_; }
  int num_channels() const { return num_channels_; }  // channels in use
  int num_dependencies() const { return num_dependencies_; }
  // Channels that a packet holding this one may want next.
  std::vector<Channel> SuccessorsOf(const Channel& channel) const;
  // Every channel on which another one depends.
  std::vector<Channel> HeldChannels() const;

  // A cycle of channels, each depending on the next and the last on the first; empty if there is
  // none.
  std::vector<Channel> FindCycle() const;

 private:
  class Tracer;

  explicit DependencyGraph(const Topology& topology);  // empty

  // On VL 0, those of packets to one LID that stand at any switch; marks the channels they use.
  void AddLinks(const Topology& topology, const RoutingTables& tables, int lid,
                std::vector<bool>& used);
  void AddStragglersTo(const Topology& topology, const RoutingTables& tables, int lid, int sl);
  void AddDependency(int from, int to);
  int IdOf(const Channel& channel) const;
  Channel ChannelOf(int id) const;

  std::vector<int> first_port_;               // by node: id of its port 0
  std::vector<std::vector<int>> successors_;  // by channel id = port id * 16 + VL
  std::vector<PathFault> faults_;
  int num_channels_ = 0;
  int num_dependencies_ = 0;
};

// "S0_0 port 1 VL0 -> S1_0 port 1 VL0 -> S0_0 port 1 VL0", the first channel repeated at the end.
std::string DescribeCycle(const Topology& topology, const std::vector<Channel>& cycle);

}  // namespace lanecut
