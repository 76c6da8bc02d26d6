// SPDX-License-Identifier: Apache-2.0
//
// The tables for a map of the fabric: computed by the configured engine, checked, and cut into what
// is to be loaded.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sw/routing/feeder_rows.h"
#include "sw/routing/routing.h"
#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/sm_config.h"
#include "sw/topology/topology.h"

namespace lanecut {

// The SLtoVL tables of a switch that some (source, destination, SL) uses: (in port, out port).
using PortPairs = std::set<std::pair<int, int>>;

// Engine and root; empty: as the configuration says.
struct RoutingChoice {
  std::string engine;
  std::string root;
  friend bool operator==(const RoutingChoice&, const RoutingChoice&) = default;
};

// The tables of the bring-up, which some schemes keep; under apm-rftr-ebr those of the last EBR, on
// SLs from 0 on.
struct BaseTables {
  Topology topology;
  RoutingTables tables;
};

// What is to be done about a fault under apm-rftr-ebr (recovery.h).
enum class Recovery { kDisjointPaths, kRftr, kEbr };

// A pair of end nodes, as nodes of the topology, that takes another one of its paths.
struct PathMove {
  int source = -1;
  int destination = -1;
  RoutingTables::PathRecord record;
};

struct RoutePlan {
  RoutingChoice choice;        // that the operator has made
  std::string engine;          // that computed the tables
  Cycle compute_time = 0;      // that it takes by the model of the configuration
  Topology topology;           // FabricMap::BuildTopology()
  std::vector<int> map_nodes;  // node of the map, by node of the topology
  RoutingTables tables;
  std::vector<PortPairs> used;      // by node of the topology; end nodes use (0, 1)
  std::vector<FeederRows> feeders;  // by node of the topology; empty unless the scheme uses tokens
  std::shared_ptr<const BaseTables> base;  // apm, rftr, apm-rftr-ebr
  // rftr, apm-rftr-ebr: cables of that topology, by number, that have failed: at the same time, one
  // change after the other.
  std::vector<std::vector<int>> faults;

  // apm-rftr-ebr; nodes are those of `topology`.
  Recovery recovery = Recovery::kDisjointPaths;
  std::string reason;           // for the choice of this one
  std::size_t cut_pairs = 0;    // whose path in use has failed
  std::vector<PathMove> moves;  // of them, those that have another path in the tables before
  int half = 0;                 // of the SLs that the tables use (sw/routing/sl_halves.h)
  bool is_leaving = false;      // in force, but some switches have the tables of another plan
};

// `wish` is the operator's choice. Throws RoutingError if the engine cannot route this fabric, or
// if its tables lead a packet nowhere although there is a way between links in service, or have a
// cycle of channel dependencies that the configuration does not allow. A root that is cut off from
// the manager is replaced by the engine's own choice; one that never existed is an error.
//
// Under apm-rftr-ebr it is PlanRecovery() that makes them.
//
// `before` is the plan in force, none during the bring-up. If packets of both can meet, the new
// tables must be free of cycles for packets that were sent with SLs of the old ones, too, whatever
// the configuration allows. Under the schemes that keep tables it is KeepTables() that makes them,
// and packets of both must not be able to deadlock together either.
RoutePlan ComputePlan(const SmConfig& config, const FabricMap& map, const RoutePlan* before,
                      const RoutingChoice& wish);

// A switch of a plan, and when it is its turn to get tables: lower ones come first.
struct RankedSwitch {
  int place = -1;  // node of the topology
  int turn = 0;
};

// The switches of `after` in their order, by hops over the fabric as it was: nearest to the links
// that it has lost (if it has lost none, to the manager) or farthest from the manager. Those that
// were not reachable then come before all others, as nothing passes through them yet.
std::vector<RankedSwitch> RankSwitches(const RoutePlan& before, const RoutePlan& after,
                                       DistributionOrder order);

// The engine and, if pairs have several paths, how many: "tftr, 3 to 4 paths".
std::string DescribeTables(const RoutePlan& plan);

// Forwarding table entries of the switches of `after` for its end nodes.
struct EntryCount {
  std::size_t all = 0;
  std::size_t changed = 0;  // not the same in `before`, or not there
};
EntryCount CountEntries(const RoutePlan& before, const RoutePlan& after);

// True if both have the same nodes and cables.
bool SameFabric(const Topology& a, const Topology& b);

// The links that `after` has lost and gained, in words; at most a handful are named.
std::string DescribeChange(const Topology& before, const Topology& after);

}  // namespace lanecut
