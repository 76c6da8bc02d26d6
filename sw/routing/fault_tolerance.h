// SPDX-License-Identifier: Apache-2.0
//
// How many combinations of failed cables a routing tolerates: a combination is tolerated if every
// pair of end nodes that the topology still joins has a path. Cables to end nodes do not fail.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sw/routing/rftr_paths.h"
#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

// What is left of a routing after one failed cable after the other. States are kept for every
// number of faults, so that combinations with a beginning in common share the work on it.
class FaultModel {
 public:
  virtual ~FaultModel() = default;
  // Cables between switches, numbered from 0 in the order of the switches and their ports.
  virtual int num_cables() const = 0;
  struct Verdict {
    bool tolerated = true;
    bool ends = false;  // with further faults it cannot be tolerated either
    int vls = 0;        // in use by then
    int sls = 0;
  };
  // The state of `faults` faults (from 1 on) is that of one fault less and this cable.
  virtual Verdict Fail(int faults, int cable) = 0;
};

// Pairs change to another one of the paths that the tables give them.
std::unique_ptr<FaultModel> MakeAlternatesModel(const Topology& topology,
                                                const RoutingTables& tables);
// RFTR gives pairs new paths, fault by fault.
std::unique_ptr<FaultModel> MakeRftrModel(const Topology& topology, const RoutingTables& tables,
                                          RftrLimits limits);

struct FaultCount {
  std::int64_t combinations = 0;
  std::int64_t tolerated = 0;
  int vls = 0;  // most that a tolerated combination uses
  int sls = 0;
};

// All combinations of 1 to `most` cables, each failing in ascending order; by number of faults, the
// first being 0.
std::vector<FaultCount> CountCombinations(FaultModel& model, int most);
// As many random sequences of `most` cables, each counted after every fault.
std::vector<FaultCount> CountSamples(FaultModel& model, int most, std::int64_t samples,
                                     std::uint64_t seed);

}  // namespace lanecut
