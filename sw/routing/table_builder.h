// SPDX-License-Identifier: Apache-2.0
//
// What the routing engines have in common: tables to fill, and the choice among equally good ports.
#pragma once

#include <functional>
#include <vector>

#include "sw/routing/routing.h"

namespace lanecut {

// Throws RoutingError if the request makes no sense: LIDs used twice, no VL, and so on.
void CheckRequest(const RoutingRequest& request);

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

// Fills the LFTs destination by destination. Where several ports will do, it takes the one that the
// fewest (source, destination) pairs use so far, then the lowest: so parallel cables share the
// load, and the same input gives the same tables.
class TableBuilder {
 public:
  // Throws RoutingError if the request makes no sense or wants several paths for a pair.
  explicit TableBuilder(const RoutingRequest& request);

  const std::vector<SwitchLink>& LinksOf(int node) const { return links_[node]; }

  // The switch that a node hangs on, itself for a switch; -1 for an end node without a cable.
  int SwitchOf(int node) const;

  // All LIDs of the destination, which must have one, leave the switch by this port.
  void SetPort(int node, int destination, int port);

  // Whether a switch may hand packets for the destination to this neighbour.
  using Allowed = std::function<bool(int node, int peer)>;
  // `cost` by node: hops to the destination's switch under the engine's rules, -1 if there is no
  // way. Every hop lowers it by one, so that no loop can form.
  void Route(int destination, const std::vector<int>& cost, const Allowed& allowed);

  RoutingTables tables;

 private:
  int LeastLoaded(int node, const std::vector<int>& cost, const Allowed& allowed) const;

  const RoutingRequest& request_;
  std::vector<std::vector<SwitchLink>> links_;   // by node
  std::vector<std::vector<std::int64_t>> load_;  // by node and port: pairs routed over it
  std::vector<int> sources_;                     // by node: end nodes on this switch
};

std::unique_ptr<RoutingEngine> MakeMinHopEngine();
std::unique_ptr<RoutingEngine> MakeUpDownEngine();
std::unique_ptr<RoutingEngine> MakeDimensionOrderEngine();
std::unique_ptr<RoutingEngine> MakeTftrEngine();
std::unique_ptr<RoutingEngine> MakeSpftrEngine();

}  // namespace lanecut
