// SPDX-License-Identifier: Apache-2.0
//
// How many combinations of failed cables, or of failed switches, a routing tolerates: a combination
// is tolerated if every pair of end nodes that the topology still joins has a path. Cables to end
// nodes do not fail.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sw/routing/rftr_paths.h"
#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

// What fails one after the other: cables between switches, in the order of the switches and their
// ports; or switches, with their end nodes.
enum class FailingPart { kCables, kSwitches };

// What is left of a routing after one fault after the other. States are kept for every
// number of faults, so that combinations with a beginning in common share the work on it.
class FaultModel {
 public:
  virtual ~FaultModel() = default;
  virtual int num_parts() const = 0;  // that can fail, numbered from 0
  struct Verdict {
    bool tolerated = true;
    bool ends = false;  // with further faults it cannot be tolerated either
    int vls = 0;        // in use by then
    int sls = 0;
  };
  // The state of `faults` faults (from 1 on) is that of one fault less and this one.
  virtual Verdict Fail(int faults, int part) = 0;
};

// Pairs change to another one of the paths that the tables give them.
std::unique_ptr<FaultModel> MakeAlternatesModel(const Topology& topology,
                                                const RoutingTables& tables, FailingPart kind);
// RFTR gives pairs new paths, fault by fault.
std::unique_ptr<FaultModel> MakeRftrModel(const Topology& topology, const RoutingTables& tables,
                                          RftrLimits limits, FailingPart kind);

struct FaultCount {
  std::int64_t combinations = 0;
  std::int64_t tolerated = 0;
  int vls = 0;  // most that a tolerated combination uses
  int sls = 0;
};

// All combinations of 1 to `most` faults, each in ascending order; by number of faults, the
// first being 0.
std::vector<FaultCount> CountCombinations(FaultModel& model, int most);
// As many random sequences of `most` faults, each counted after every fault.
std::vector<FaultCount> CountSamples(FaultModel& model, int most, std::int64_t samples,
                                     std::uint64_t seed);

}  // namespace lanecut
