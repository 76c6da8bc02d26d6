// SPDX-License-Identifier: Apache-2.0
//
// Gets round a fault by the ways of recovery.h, of which the plan says which are needed
// (apm-rftr-ebr).
//
// End nodes whose path has failed and who have another one are told first, while the tables are
// still being computed. Then, by RFTR, entries are added to the tables in use, and when all
// switches have acknowledged theirs, end nodes are told of the new paths; or, by EBR, all switches
// get new tables, and when all have them, all end nodes are told of their new paths, whose SLs no
// packet has used before. Until then what they send is on its way by records of the function
// before, which sl_halves.h says how to treat.
//
// A newer fault abandons all this until the first switch is told to use new tables; from then on it
// waits until end nodes have their new paths.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sw/subnet_manager/epoch_reconfiguration.h"
#include "sw/subnet_manager/path_telling.h"

namespace lanecut {

class ApmRftrEbrReconfiguration : public EpochReconfiguration {
 public:
  using EpochReconfiguration::EpochReconfiguration;

  void Run(const RoutePlan& before, const RoutePlan& after, Report report, Done done) override;

 private:
  void OnComputed() override;
  void BeforeRelease(const std::function<void()>& next) override;
  void MoveToAlternates();
  std::vector<PathUse> PathsToBeginWith() const;
  void Proceed();
  void AddPaths();
  void TellNewPaths(std::function<void()> next);

  bool has_moved_ = false;
  std::map<std::pair<int, int>, RoutingTables::PathRecord> moves_;  // told in this run
  // A run by EBR has ended before all end nodes were known to have their new paths.
  bool are_untold_ = false;
  // Pairs of nodes of the topology whose source may have been told something else than the tables
  // in force have.
  std::set<std::pair<int, int>> doubtful_;
};

}  // namespace lanecut
