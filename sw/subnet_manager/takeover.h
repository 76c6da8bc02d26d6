// SPDX-License-Identifier: Apache-2.0
//
// What a manager finds that takes the place of another one: which function is in force, and a
// change that the other one has left half done.
//
// It reads from every node that runs what numbers mean to it, which number it has, and how far it
// has got in a change. Nodes without an Active link, or with another scheme, count as new. What
// follows depends on the scheme:
//
// * static: nothing. The next change halts everybody, waits until the network is empty and writes
//   all tables, whatever is in them, before it lets everybody go on.
// * ebr, ebrd: nothing. The next change takes the number behind the newest one in use and goes to
//   all switches. It is what a manager does that abandons a change of its own.
// * osr-la, osr-pda: once somebody has started, all must, so the change is finished first. Switches
//   that lack its tables need them, and they must be those that the others hold.
// * double-scheme: once somebody has switched over, all have drained and hold the tables, and only
//   need the command. Before that, a drain is begun anew for newer tables.
//
// The tables of a change by tokens are computed as the lost manager has computed them: from the
// fabric with its own link. They are compared with the tables that switches hold. So are those in
// force where feeder rows may be missing (compact packets: they follow when a change is complete).
// If they differ, because something else has failed at the same time, the outcome is kRefused, and
// the reason names a switch.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sw/mad/attributes.h"
#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/numbering.h"
#include "sw/subnet_manager/reconfiguration.h"
#include "sw/subnet_manager/route_plan.h"
#include "sw/subnet_manager/smp_batch.h"
#include "sw/subnet_manager/standby_watch.h"
#include "sw/subnet_manager/table_loader.h"

namespace lanecut {

class Takeover {
 public:
  using Done = std::function<void(const StageResult&)>;

  Takeover(const SmConfig& config, FabricMap& map, SmpEngine& engine, TableLoader& loader,
           Numbering& numbering);

  // `known`: the function that was in force when the fabric was first seen. `lost`: the link of the
  // lost manager. At the end nodes, tables and numbers are known to the other parts as far as they
  // can be; then change() and in_force() hold what has been found. Throws nothing.
  void Run(const RoutePlan& known, const RoutingChoice& choice, const std::optional<MapLink>& lost,
           Done done);
  void Abandon() { batch_.Abandon(); }

  // To be finished first, if there is one.
  const std::optional<InheritedChange>& change() const { return change_; }
  // As far as it can be told; with the link of the lost manager.
  const RoutePlan& in_force() const { return in_force_; }

 private:
  // Of a node that runs.
  struct State {
    std::uint8_t number = 0;
    bool has_begun = false;  // the change to the next number, or it has not ended that to its own
    bool is_ready = false;   // switch: holds the tables of the next function
  };
  using Lft = std::vector<std::uint8_t>;  // by LID

  bool Runs(int node) const;
  void AskScheme(int node);
  void AskState(int node);
  void AskBank(int node);
  void Ask(int node, ib::MadAttribute attribute, std::uint32_t modifier,
           std::function<void(const Mad&)> next);

  void OnRead();
  std::uint8_t NewestNumber() const;
  void Adopt();
  void FindChange(std::uint8_t newest);
  bool ComputePlans();
  void ReadTables();
  void ReadTable(int node, TableBank bank);
  void OnTablesRead();
  // A switch with other tables than the plan's; none if all agree.
  std::optional<int> Differs(const RoutePlan& plan, const std::map<int, Lft>& tables) const;
  std::map<int, Lft> TablesOf(std::uint8_t number) const;
  bool NeedsTables() const;
  void Finish();

  const SmConfig& config_;
  FabricMap& map_;
  TableLoader& loader_;
  Numbering& numbering_;
  SmpBatch batch_;
  StageResult result_;
  Done done_;
  const RoutePlan* known_ = nullptr;
  RoutingChoice choice_;
  std::optional<MapLink> lost_;
  std::map<int, State> states_;  // by node of the map
  std::map<int, Lft> active_;    // tables, by node of the map
  std::map<int, Lft> next_;      // ... that switches hold for the next function
  std::optional<InheritedChange> change_;
  RoutePlan in_force_;
};

}  // namespace lanecut
