// SPDX-License-Identifier: Apache-2.0
//
// Gives LIDs to nodes and takes the ports of links through their states: Initialize -> Armed ->
// Active.
//
// Configure() does everything up to Armed, and one Set(PortInfo) does it for a port: LID,
// MasterSMLID, NeighborMTU and OperationalVLs go with the change of state. Its tables of VL
// arbitration are written along with it, if the manager is told any. A port is made Active only
// when both ends of all links are Armed, so that no data packet meets a port that would discard it.
// Only links in service are activated, and only nodes that are planned for (see
// FabricMap::PlanForReachable).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/smp_batch.h"

namespace lanecut {

class LinkActivation {
 public:
  using Done = std::function<void(const StageResult&)>;

  LinkActivation(const SmConfig& config, FabricMap& map, SmpEngine& engine);

  // LIDs and LinearFDBTop where they are not set, and all ports of links that are in Initialize to
  // Armed.
  void Configure(Done done);
  // All ports of links that are Armed to Active.
  void Activate(Done done);
  // The ports that are leaving the service go through Down, and stay in Initialize.
  void Disable(Done done);
  void Abandon() { batch_.Abandon(); }

  // Some port of a link is not Active, or some reachable node has no LID set.
  static bool IsNeeded(const FabricMap& map);

 private:
  void ConfigureEndNode(int node);
  void SetSwitchInfo(int node);
  void SetEndNodePorts(int node);
  void SetSwitchLids(const Done& done);
  void SetSwitchLid(int node);
  void ForEachNode(const std::function<void(int)>& visit);
  void ForEachLinkPort(const std::function<void(const PortRef&)>& visit);
  void Arm(const PortRef& ref);
  void SetArbitration(const PortRef& ref);
  void SetArbitrationList(const PortRef& ref, std::uint32_t block,
                          const std::vector<ib::VlArbitrationEntry>& entries);
  void DisableNext(const std::vector<PortRef>& ports, std::size_t index);
  void SetState(const PortRef& ref, ib::PortState state);
  void SetPort(const PortRef& ref, const ib::PortInfo& info);
  void OnPortSet(const PortRef& ref, ib::PortState wanted, const SmpReply& reply);
  void Recheck(const PortRef& ref, ib::PortState wanted, std::uint16_t status);
  ib::PortInfo Wanted(const PortRef& ref) const;

  const SmConfig& config_;
  FabricMap& map_;
  SmpBatch batch_;
  StageResult result_;
};

}  // namespace lanecut
