// SPDX-License-Identifier: Apache-2.0
//
// Runs a subnet manager on one end node: its MADs go through that node's port, its timer through
// the fabric's agenda.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sw/cli/table_files.h"
#include "sw/scenario/scenario.h"
#include "sw/subnet_manager/subnet_manager.h"
#include "tb/fabric/fabric.h"

namespace lanecut {

enum class ManagerRole { kMaster, kStandby };

class ManagerHost : public MadTransport {
 public:
  // Throws ScenarioError if the scenario names an end node or an engine that does not exist.
  // References are kept.
  ManagerHost(const Scenario& scenario, ManagerRole role, Fabric* fabric, SmObserver* observer);

  // Told of every MAD that the manager sends or gets.
  using MadHook = std::function<void(const Mad& mad, bool is_sent, Cycle now)>;
  void SetMadHook(MadHook hook) { mad_hook_ = std::move(hook); }
  // The node of the fabric that it runs on.
  int node() const { return node_; }

  // The tables that the scenario has in files, for changes of it. Throws ScenarioError.
  void ReadTables(const Scenario& scenario, const Topology& topology) {
    tables_.Read(scenario, topology);
  }

  // Begins the bring-up, or the watch, in the next cycle.
  void Start();
  const SubnetManager& manager() const { return *manager_; }
  // As in SubnetManager.
  void Change(PlannedChange change);
  void ReadCounters(std::function<void(const std::vector<PortReading>&)> done);
  void StopReadingCounters() { manager_->StopReadingCounters(); }

  bool Send(const Mad& mad, std::uint16_t dlid) override;
  bool SendCompact(const CompactPacket& compact) override;

 private:
  void OnMad(const Mad& mad, Cycle now);
  void OnLink(bool is_up, Cycle now);
  void OnTimer(Cycle now);
  void ArmTimer();

  FabricClock* clock_;
  HcaModule* port_;
  bool listens_to_traps_;
  int timer_;
  int node_;
  MadHook mad_hook_;
  bool started_ = false;
  TableFiles tables_;
  std::unique_ptr<SubnetManager> manager_;
};

}  // namespace lanecut
