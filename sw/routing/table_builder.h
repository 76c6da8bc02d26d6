// SPDX-License-Identifier: Apache-2.0
//
// What the routing engines have in common: tables to fill, and checks of what is asked of them.
#pragma once

#include <vector>

#include "sw/routing/routing.h"

namespace lanecut {

// Throws RoutingError if the request makes no sense: LIDs used twice, no VL, and so on.
void CheckRequest(const RoutingRequest& request);

// Throws RoutingError if the request wants several paths for each pair.
void CheckOnePath(const RoutingRequest& request);

// Throws RoutingError if the request names a root that is no switch.
void CheckRoot(const RoutingRequest& request, std::string_view engine);

// How many LIDs a node has: 2^lmc for an end node.
int NumLids(const Topology& topology, int lmc, std::size_t node);

// Tables with every LFT entry unreachable, SLs and VLs 0.
RoutingTables EmptyTables(const Topology& topology, const std::vector<Lid>& lids, int lmc = 0);

// Spreads pairs over as many SLs as there are VLs and gives each SL a VL of its own. For engines
// whose physical paths alone cannot deadlock: then no choice of VLs can.
void SpreadOverVls(const RoutingRequest& request, RoutingTables& tables);

// A port of a switch that leads to another switch.
struct SwitchLink {
  int port = 0;
  int peer = -1;
};

// The tables of an engine that sets every port itself.
class TableBuilder {
 public:
  // Throws RoutingError if the request makes no sense or wants several paths for a pair.
  explicit TableBuilder(const RoutingRequest& request);

  const std::vector<SwitchLink>& LinksOf(int node) const { return links_[node]; }

  // The switch that a node hangs on, itself for a switch; -1 for an end node without a cable.
  int SwitchOf(int node) const;

  // All LIDs of the destination, which must have one, leave the switch by this port.
  void SetPort(int node, int destination, int port);

  RoutingTables tables;

 private:
  const RoutingRequest& request_;
  std::vector<std::vector<SwitchLink>> links_;  // by node
};

std::unique_ptr<RoutingEngine> MakeMinHopEngine();
std::unique_ptr<RoutingEngine> MakeUpDownEngine();
std::unique_ptr<RoutingEngine> MakeDimensionOrderEngine();
std::unique_ptr<RoutingEngine> MakeLashEngine();
std::unique_ptr<RoutingEngine> MakeDfssspEngine();
std::unique_ptr<RoutingEngine> MakeFatTreeEngine();
std::unique_ptr<RoutingEngine> MakeMultipleRootsEngine();
std::unique_ptr<RoutingEngine> MakeTransitionOrientedEngine();
std::unique_ptr<RoutingEngine> MakeLTurnEngine();
std::unique_ptr<RoutingEngine> MakeFlexibleEngine();
std::unique_ptr<RoutingEngine> MakeSmartEngine();
std::unique_ptr<RoutingEngine> MakeDescendingLayersEngine();
std::unique_ptr<RoutingEngine> MakeTftrEngine();
std::unique_ptr<RoutingEngine> MakeSpftrEngine();
std::unique_ptr<RoutingEngine> MakeDerivedSpftrEngine();
std::unique_ptr<RoutingEngine> MakeASpftrEngine();

}  // namespace lanecut
