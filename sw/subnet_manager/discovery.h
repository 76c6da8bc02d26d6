// SPDX-License-Identifier: Apache-2.0
//
// Finds out what the fabric looks like and writes it into the map.
//
// A full discovery starts at the manager's own node and goes breadth first through every port that
// is up: NodeInfo through the port tells what is behind it, nodes are told apart by NodeGUID, so
// loops and parallel links need no care. Of each node it reads NodeDescription, Status (buffer
// sizes), SwitchInfo and the PortInfo of every external port. An inspection reads the ports of some
// known switches again and follows what is new.
// A node whose port says that a manager runs there is asked for its SMInfo, too.
//
// SwitchInfo.PortStateChange is cleared before the ports are read, so that no change can fall
// between the two. A standby, which must not change anything, looks without that; it also takes
// over the LIDs that nodes have.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/smp_batch.h"
#include "sw/subnet_manager/smp_engine.h"

namespace lanecut {

class Discovery {
 public:
  using Done = std::function<void(const StageResult&)>;

  // `now` is the owner's clock and must live as long.
  Discovery(const SmConfig& config, FabricMap& map, SmpEngine& engine, const Cycle& now);

  // With `strict`, a port that is up with nobody answering behind it makes the discovery
  // incomplete; otherwise such a link is left out of the map.
  void DiscoverAll(bool strict, Done done);
  // A full discovery, not strict, that changes nothing in the fabric.
  void Look(Done done);
  // Of switches at which something did change.
  void Inspect(const std::set<int>& switches, Done done);

  // Adds a switch to the inspection that is running.
  void Join(int node);

  void Abandon() { batch_.Abandon(); }
  bool IsInspecting() const { return IsRunning() && !full_; }
  bool IsRunning() const { return batch_.IsRunning(); }

 private:
  void Ask(SmpRequest request, SmpEngine::Completion completion);
  bool Answered(const SmpReply& reply, ib::MadAttribute attribute, const std::string& what);
  void ExploreAll(Done done);
  void Explore(int node);
  void ClearChange(int node);
  void ReadPorts(int node);
  void ForgetReads(int node);
  void ReadPort(const PortRef& ref);
  void OnPort(const PortRef& ref);
  void ReadManager(int node);
  void Probe(const PortRef& ref, bool even_if_connected);
  void OnNeighbour(const PortRef& ref, const ib::NodeInfo& info);
  void ReadName(int node);
  void ReadStatus(int node);
  void ReadSwitchInfo(int node);
  void ReadSwitchLid(int node);

  void Finish(const Done& done);
  void DropOneSidedLinks();
  void Validate();
  void ValidateLink(const PortRef& ref);

  const SmConfig& config_;
  FabricMap& map_;
  SmpEngine& engine_;
  const Cycle& now_;
  SmpBatch batch_;
  StageResult result_;
  bool strict_ = true;
  bool full_ = true;
  bool only_looks_ = false;
  std::set<std::pair<int, int>> read_;  // (node, port) that this inspection has read
};

}  // namespace lanecut
