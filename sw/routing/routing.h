// SPDX-License-Identifier: Apache-2.0
//
// Routing: from a topology with LIDs to forwarding tables, SL-to-VL tables and the path records of
// every pair.
//
// Failed links and switches are those that the topology no longer has (Topology::Without). An
// engine either meets the request or throws RoutingError, which says what is missing and what would
// suffice; it never falls back to another engine. Nodes that no path reaches are no error: their
// entries read kUnreachablePort. All vectors "by node" are indexed like Topology::nodes().
//
// That the tables cannot deadlock is not the engine's word but that of DependencyGraph
// (dependency_graph.h), which follows every path record through the tables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/topology/topology.h"

namespace lanecut {

using Lid = std::uint16_t;

inline constexpr std::uint8_t kUnreachablePort = 255;
inline constexpr std::uint8_t kDropVl = 15;
inline constexpr int kServiceLevels = 16;
inline constexpr int kMaxLmc = 7;               // IBA 3.5.10: at most 128 LIDs for one port
inline constexpr Lid kLastUnicastLid = 0xBFFF;  // IBA 4.1.3

// The SLtoVLMappingTable of one node: VL by (in port, out port, SL). In port 0 stands for packets
// that the node itself sends, so an end node uses (0, 1, SL) only.
class SlToVlTable {
 public:
  SlToVlTable() = default;
  explicit SlToVlTable(int num_ports)
      : ports_(num_ports + 1), vls_(static_cast<std::size_t>(ports_) * ports_ * kServiceLevels) {}

  std::uint8_t& At(int in_port, int out_port, int sl) { return vls_[Index(in_port, out_port, sl)]; }
  std::uint8_t At(int in_port, int out_port, int sl) const {
    return vls_[Index(in_port, out_port, sl)];
  }
  friend bool operator==(const SlToVlTable&, const SlToVlTable&) = default;

 private:
  std::size_t Index(int in_port, int out_port, int sl) const {
    return (static_cast<std::size_t>(in_port) * ports_ + out_port) * kServiceLevels + sl;
  }

  int ports_ = 0;
  std::vector<std::uint8_t> vls_;
};

// The tree that up*/down* orders links by.
enum class SpanningTree { kBreadthFirst, kDepthFirst };
// The root where the request names none: the switch with the lowest mean distance from the others,
// or, of all switches, the one that gives the least pairs on the busiest link between switches when
// every end node sends to every other one; of equals the one with the fewest hops over all pairs,
// then the first.
enum class RootChoice { kLowestMeanDistance, kLeastLoad };

struct RoutingRequest {
  const Topology& topology;
  std::vector<Lid> lids;     // by node, the lowest if it has several; 0 = has none
  int vls = 1;               // data VLs 0..vls-1 at every port
  std::optional<int> root;   // node index of the switch to be the root of the spanning tree
  int sls = kServiceLevels;  // service levels 0..sls-1
  // Of every end node: it has 2^lmc LIDs in a row, the lowest a multiple of 2^lmc. A switch has one
  // LID.
  int lmc = 0;
  // Wanted for each pair, without a switch or cable in common but the first and last switch. Where
  // the topology itself has no more, fewer will do.
  int paths = 1;
  // A pair may get fewer paths than it could have if VLs or SLs do not suffice, but at least one.
  bool fewer_paths = false;
  // End nodes (source, destination) that need paths; empty = all pairs. An engine may serve more.
  std::vector<std::pair<int, int>> pairs = {};
  SpanningTree tree = SpanningTree::kBreadthFirst;
  RootChoice root_choice = RootChoice::kLowestMeanDistance;
  // Spread pairs over links as evenly as the engine can, weighing whole ways and all pairs. It
  // takes longer, and a fault changes more entries: without, a switch looks at its own links only.
  bool balance = false;
};

// Service levels by source node, then destination node.
using SlMatrix = std::vector<std::vector<std::uint8_t>>;

struct RoutingTables {
  // What a source needs to know to send by one of its paths.
  struct PathRecord {
    Lid dlid = 0;
    std::uint8_t sl = 0;
    friend bool operator==(const PathRecord&, const PathRecord&) = default;
  };
  using PathList = std::vector<PathRecord>;

  std::vector<Lid> lids;                       // by node, as requested
  std::vector<std::vector<std::uint8_t>> lft;  // by node, then LID: out port; empty for end nodes
  std::vector<SlToVlTable> sl2vl;              // by node
  SlMatrix sl;                                 // of every pair's first path
  int lmc = 0;                                 // as requested
  // By source, then destination: the paths in the order in which to use them. Only the LIDs named
  // here are sure to lead there from that source without deadlock. Empty (the whole): one path for
  // every pair, to the lowest LID.
  std::vector<std::vector<PathList>> alternatives;

  // Paths of a pair of nodes, counted from 0.
  int NumPaths(int source, int destination) const {
    return alternatives.empty() ? 1 : static_cast<int>(alternatives[source][destination].size());
  }
  PathRecord PathOf(int source, int destination, int path) const {
    if (alternatives.empty()) return {lids[destination], sl[source][destination]};
    return alternatives[source][destination][path];
  }
  friend bool operator==(const RoutingTables&, const RoutingTables&) = default;
};

class RoutingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Parts of a request that only some engines have a use for.
enum class EngineOption { kRoot, kRootChoice, kTree, kBalance };

class RoutingEngine {
 public:
  virtual ~RoutingEngine() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;  // one line for --help
  // Gives pairs several paths, so end nodes need several LIDs and sources path records.
  virtual bool needs_lid_ranges() const { return false; }
  // Whether it has a use for this; it ignores what it has none for.
  virtual bool takes(EngineOption /*option*/) const { return false; }
  virtual RoutingTables Compute(const RoutingRequest& request) const = 0;
};

// All of them, updown first.
const std::vector<std::unique_ptr<RoutingEngine>>& RoutingEngines();
// Throws RoutingError with the names that exist.
const RoutingEngine& FindRoutingEngine(std::string_view name);

// Their names, for messages: "updown", "mroots" or "tor"; without those that need LID ranges, or
// all.
std::string EnginesThatTake(EngineOption option, bool with_lid_ranges);

// The lowest LIDs in node order, for use without a subnet manager: 1, 2, ... with LMC 0. Throws
// RoutingError if there are not enough of them.
std::vector<Lid> SequentialLids(const Topology& topology, int lmc = 0);

// By LID, for all LIDs that some forwarding table has a place for: the node that has it, -1 for
// none.
std::vector<int> OwnersOfLids(const Topology& topology, const RoutingTables& tables);

}  // namespace lanecut
