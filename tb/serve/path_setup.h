// SPDX-License-Identifier: Apache-2.0
//
// Before the traffic of a served fabric: its end nodes ask the master manager's subnet
// administration for the paths to each other.
#pragma once

#include <string>

#include "sw/subnet_admin/path_queries.h"
#include "tb/run/failure.h"
#include "tb/run/path_records.h"
#include "tb/serve/served_end_nodes.h"

namespace lanecut {

class PathSetup {
 public:
  // The LIDs of the manager are those that the end nodes have now. `end_nodes` and `topology` are
  // kept.
  PathSetup(const PathQueries::Config& config, const Topology& topology, ServedEndNodes* end_nodes);

  void Step(Cycle now) { queries_.Step(now); }
  bool OnMad(int end_node, const Mad& mad) { return queries_.OnMad(end_node, mad); }
  bool Done() const { return queries_.Done(); }

  // What has been told. Sets the failure if a pair has no path, or no answer.
  void Finish(PathRecords* paths, Failure* failure) const;
  // All records as `saquery PathRecord` prints them, shortened.
  std::string Text() const;

 private:
  std::string Pair(const std::pair<int, int>& pair) const;

  const Topology& topology_;
  int num_end_nodes_;
  PathQueries queries_;
};

}  // namespace lanecut
