// SPDX-License-Identifier: Apache-2.0
//
// Where to send a packet, and on which service level: what an end node would ask subnet
// administration for, taken from the tables in force. End nodes are known by their place among the
// end nodes of the fabric.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

struct PathRecord {
  Lid dlid = 0;  // 0: the manager does not know that end node
  std::uint8_t sl = 0;
};

class PathRecords {
 public:
  explicit PathRecords(const Topology& fabric);

  // `known` is the manager's map of the fabric, with its own node numbers; the tables are for it.
  void Update(const Topology& known, const RoutingTables& tables);

  // What a source has been told of the way to a destination, by whatever manager.
  void Set(int source, int destination, const PathRecord& record);

  // All paths of a pair, if the tables have several for some pairs; else none.
  std::vector<PathRecord> FindAll(int source, int destination) const;
  bool HasSeveral() const { return !all_.empty(); }
  // The first of them; one that leads nowhere if there is none.
  const PathRecord& Find(int source, int destination) const {
    return records_[static_cast<std::size_t>(source) * num_ + destination];
  }
  // Nobody may send to this end node, nor may it send, until Update() with tables that lead to it
  // after Open().
  void Close(int end_node) { closed_[end_node] = Closed::kYes; }
  void Open(int end_node) {
    if (closed_[end_node] == Closed::kYes) closed_[end_node] = Closed::kUntilUpdate;
  }
  bool MaySend(int source, int destination) const {
    return closed_[source] == Closed::kNo && closed_[destination] == Closed::kNo;
  }

  // The end node with that LID, or -1.
  int EndNodeOf(Lid lid) const;
  // ... and the lowest LID of an end node; 0: it has none as far as is known.
  Lid LowestLid(int end_node) const { return lowest_lids_[static_cast<std::size_t>(end_node)]; }

 private:
  enum class Closed : std::uint8_t { kNo, kUntilUpdate, kYes };

  // A pair of end nodes, which the tables know by these nodes.
  void Update(std::size_t pair, const RoutingTables& tables, int source, int destination);

  std::size_t num_;
  std::vector<std::uint64_t> guids_;  // of the end nodes
  std::vector<Closed> closed_;
  std::vector<PathRecord> records_;           // [source][destination]
  std::vector<std::vector<PathRecord>> all_;  // the same; empty if there is one for each at most
  std::vector<Lid> lowest_lids_;
  std::unordered_map<Lid, int> end_node_of_lid_;
};

}  // namespace lanecut
