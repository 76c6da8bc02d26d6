// SPDX-License-Identifier: Apache-2.0
//
// Gets round a fault while traffic goes on, without replacing tables (apm, rftr): entries that are
// new are written where no packet in the network needs them, and when all switches have
// acknowledged theirs, the end nodes whose path has failed are told which one to take instead.
//
// Nothing has to stop: packets of the old paths and of the new ones cannot deadlock together, which
// is checked. Source: J. M. Montanana, J. Flich, J. Duato; thesis UPV 2008, 4.1, 5.4.
#pragma once

#include <set>
#include <utility>

#include "sw/subnet_manager/computed_reconfiguration.h"

namespace lanecut {

class PathReconfiguration : public ComputedReconfiguration {
 public:
  explicit PathReconfiguration(const ReconfigurationTools& tools);

  void Run(const RoutePlan& before, const RoutePlan& after, Report report, Done done) override;
  bool IsCommitted() const override { return false; }

 private:
  void OnComputed() override;
  void LoadTables();
  void TellEndNodes();
  void Finish();

  // Pairs of nodes of the topology whose source may have been told of a path by a run that did not
  // come to its end.
  std::set<std::pair<int, int>> doubtful_;
};

}  // namespace lanecut
