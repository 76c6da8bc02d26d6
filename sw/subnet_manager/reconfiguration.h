// SPDX-License-Identifier: Apache-2.0
//
// What the manager wants of a reconfiguration scheme: that it brings the tables of a plan into
// force in a fabric that runs.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/link_activation.h"
#include "sw/subnet_manager/numbering.h"
#include "sw/subnet_manager/route_plan.h"
#include "sw/subnet_manager/smp_batch.h"
#include "sw/subnet_manager/table_loader.h"

namespace lanecut {

// The parts of the manager that a scheme works with; they must live as long.
struct ReconfigurationTools {
  const SmConfig& config;
  FabricMap& map;
  SmpEngine& engine;
  LinkActivation& activation;
  TableLoader& loader;
  Numbering& numbering;
  const Cycle& now;  // the owner's clock
};

// A change that another manager has begun, has gone too far with, and has not finished.
struct InheritedChange {
  RoutePlan plan;  // of the new function
  std::uint8_t number = 0;
  std::set<int> holders;  // switches that have its tables; nodes of the map
};

class Reconfiguration {
 public:
  // How it tells what it has reached. With a plan: its tables are in force from here.
  using Report = std::function<void(SmEventKind, const RoutePlan* in_force)>;
  using Done = std::function<void(const StageResult&)>;

  virtual ~Reconfiguration() = default;

  // From the plan in force to `after`, which must live until `done`. If the outcome is not
  // kComplete, or it was abandoned, nodes may be left in between: run again, with this plan or a
  // newer one.
  virtual void Run(const RoutePlan& before, const RoutePlan& after, Report report, Done done) = 0;
  // The next run begins with what is left of this change. Only for schemes whose changes can go too
  // far: those with tokens, and Double Scheme.
  virtual void Inherit(const InheritedChange& /*change*/) {}
  virtual void Abandon() = 0;
  virtual bool IsRunning() const = 0;
  // It has gone so far that a newer plan gains nothing by abandoning it.
  virtual bool IsCommitted() const = 0;
  virtual SmPhase phase() const = 0;  // of the run under way, or the last one

  virtual void OnTimer() = 0;
  virtual Cycle NextDeadline() const = 0;
};

// The scheme of the configuration.
std::unique_ptr<Reconfiguration> MakeReconfiguration(const ReconfigurationTools& tools);

}  // namespace lanecut
