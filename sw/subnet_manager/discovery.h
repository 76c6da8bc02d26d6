// SPDX-License-Identifier: Apache-2.0
//
// Finds out what the fabric looks like and writes it into the map.
//
// A full discovery starts at the manager's own node and goes breadth first through every port that
// is up: NodeInfo through the port tells what is behind it, nodes are told apart by NodeGUID, so
// loops and parallel links need no care. Of each node it reads NodeDescription, Status (buffer
// sizes), SwitchInfo and the PortInfo of every external port. An inspection reads the ports of some
// known switches again and follows what is new.
//
// SwitchInfo.PortStateChange is cleared before the ports are read, so that no change can fall
// between the two.
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

  Discovery(const SmConfig& config, FabricMap& map, SmpEngine& engine);

  // With `strict`, a port that is up with nobody answering behind it makes the discovery
  // incomplete; otherwise such a link is left out of the map.
  void DiscoverAll(bool strict, Done done);
  // `certain`: something did change at these switches. Otherwise each is asked first, and left
  // alone if it says no.
  void Inspect(const std::set<int>& switches, bool certain, Done done);

  void Abandon() { batch_.Abandon(); }
  bool IsRunning() const { return batch_.IsRunning(); }

 private:
  bool Answered(const SmpReply& reply, ib::MadAttribute attribute, const std::string& what);
  void Explore(int node);
  void AskForChange(int node);
  void ClearChange(int node);
  void ReadPorts(int node);
  void ReadPort(const PortRef& ref);
  void OnPort(const PortRef& ref);
  void Probe(const PortRef& ref, bool even_if_connected);
  void OnNeighbour(const PortRef& ref, const ib::NodeInfo& info);
  void ReadName(int node);
  void ReadStatus(int node);
  void ReadSwitchInfo(int node);

  void Finish(const Done& done);
  void DropOneSidedLinks();
  void Validate();
  void ValidateLink(const PortRef& ref);

  const SmConfig& config_;
  FabricMap& map_;
  SmpBatch batch_;
  StageResult result_;
  bool strict_ = true;
  bool full_ = true;
  std::set<std::pair<int, int>> read_;  // (node, port) that this inspection has read
};

}  // namespace lanecut
