// SPDX-License-Identifier: Apache-2.0
//
// What the path records of some tables are worth: how many disjoint paths pairs have, how long they
// are, and what they use up. Everything is read off the tables by following packets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

struct PathReport {
  std::int64_t pairs = 0;  // ordered pairs of end nodes that have LIDs and different switches
  std::int64_t paths = 0;  // path records of these pairs that arrive
  // Pairs by the size of the largest set of their paths of which no two share a switch or a cable,
  // but for the pair's first and last switch.
  std::vector<std::int64_t> pairs_by_disjoint;
  // Paths by the number of times that they change their VL between switches; by SL.
  std::vector<std::int64_t> paths_by_transitions;
  std::vector<std::int64_t> paths_by_sl;
  // Hops from switch to switch, summed over all paths and over the shortest path of each pair.
  std::int64_t total_length = 0;
  std::int64_t total_shortest = 0;
  int longest = 0;
  // When every end node sends to every other one by the pair's first path: pairs that cross the
  // busiest direction of a cable between switches, and those directions.
  std::int64_t busiest_link = 0;
  int links = 0;
  std::int64_t first_length = 0;  // hops from switch to switch, summed over first paths
  int vls = 0;                    // numbers of VLs and SLs: the highest that a path uses, plus one
  int sls = 0;
  int lmc = 0;  // the smallest that holds all LIDs in use

  double MeanLength() const;
  double MeanShortest() const;  // of the pairs that have a path
  double MeanLink() const;      // pairs on a link between switches, by their first paths
};

PathReport ReportPaths(const Topology& topology, const RoutingTables& tables);

// A few lines for people.
std::string Describe(const PathReport& report);

}  // namespace lanecut
