// SPDX-License-Identifier: Apache-2.0
//
// What the manager knows of the fabric: nodes by NodeGUID, their ports as last read, and which port
// is cabled to which.
//
// Nodes are known by index in the order they were found and are never forgotten: a node that has
// been cut off keeps its LID. Directed routes are shortest paths from the manager's own node over
// the links of this map, lowest port first. A link that is leaving the service still carries
// management packets, but belongs to no topology; one that is out of service counts as down.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sw/mad/attributes.h"
#include "sw/routing/routing.h"
#include "sw/subnet_manager/planned_change.h"
#include "sw/subnet_manager/smp_engine.h"
#include "sw/topology/topology.h"

namespace lanecut {

enum class PortService : std::uint8_t { kInService, kLeaving, kOut };

struct MapPort {
  ib::PortInfo info;
  bool is_read = false;         // `info` has been read since the node was found
  std::optional<PortRef> peer;  // node of this map, and its port

  bool IsUp() const { return is_read && info.port_state >= ib::PortState::kInitialize; }
};

struct MapNode {
  ib::NodeInfo info;
  std::string name;            // NodeDescription; its GUID if that is empty
  ib::SwitchInfo switch_info;  // switches
  ib::VendorStatus status;     // as read at discovery: buffer sizes
  std::optional<ib::VendorEndNodePorts> end_node_ports;  // switches, as set since it was found
  std::vector<MapPort> ports;         // by port number; port 0 is the management port of a switch
  std::optional<ib::SmInfo> manager;  // end nodes: of a manager there, as last read
  Lid lid = 0;
  bool is_explored = false;     // its attributes have been asked for since it was found
  bool is_configured = false;   // its LID has been set since it was found
  bool is_numbered = false;     // its scheme, and the number of its function, too (see Numbering)
  bool is_planned_for = false;  // was reachable at PlanForReachable(), and has been since
  std::optional<DirectedRoute> route;  // from the manager; none while the node is cut off

  bool IsSwitch() const { return info.node_type == ib::NodeType::kSwitch; }
  bool IsReachable() const { return route.has_value(); }
  int NumPorts() const { return info.num_ports; }
};

class FabricMap {
 public:
  static constexpr int kOwnNode = 0;  // the manager's

  // Every end node gets 2^lmc LIDs in a row, the lowest a multiple of that; a switch has one.
  explicit FabricMap(int lmc = 0) : lmc_(lmc) {}

  int AddNode(const ib::NodeInfo& info);
  std::optional<int> FindByGuid(std::uint64_t guid) const;
  // Whose LID that is, the lowest of the node or another one.
  std::optional<int> FindByLid(Lid lid) const;

  std::vector<MapNode>& nodes() { return nodes_; }
  const std::vector<MapNode>& nodes() const { return nodes_; }
  MapNode& node(int index) { return nodes_[index]; }
  const MapNode& node(int index) const { return nodes_[index]; }
  MapPort& port(const PortRef& ref) { return nodes_[ref.node].ports[ref.port]; }
  const MapPort& port(const PortRef& ref) const { return nodes_[ref.node].ports[ref.port]; }

  // Replaces whatever the two ports were cabled to. A route is given to a node that had none.
  void Connect(const PortRef& a, const PortRef& b);
  void Disconnect(const PortRef& a);
  // Forgets all links and routes, so that a discovery starts from nothing.
  void DisconnectAll();
  // Recomputes all routes; the nodes that no link leads to have none, and their remaining links are
  // forgotten: nobody can say whether they are still there. A node that loses its route counts as
  // new when it is found again.
  void UpdateRoutes();

  // The tables that are computed now are for the nodes that are reachable now. A node that is
  // found, or found again, later has no part in bringing them into force: it may be half read.
  void PlanForReachable();
  bool HasUnplanned() const;

  // Every port is in service unless it is said to be otherwise; both ends of a link are alike.
  void SetService(const PortKey& port, PortService service);
  PortService ServiceOf(const PortRef& ref) const;
  bool IsInService(const PortRef& ref) const { return ServiceOf(ref) == PortService::kInService; }
  // Some port of this node, known or not, is leaving or out.
  bool IsOutOfService(std::uint64_t guid) const;
  // The ports that are leaving, those of end nodes and of switches that lose all links first.
  std::vector<PortRef> Leaving() const;

  std::optional<DirectedRoute> RouteTo(const SmpTarget& target) const;

  // The node has this LID, the lowest if it has several; 0, and one that it cannot have or that
  // another node has, are none.
  void AdoptLid(int node, Lid lid);
  // LIDs 1, 2, ..., or those behind the highest in use, for the nodes that have none: end nodes by
  // GUID, then switches by GUID. Never changes a LID.
  void AssignLids();
  Lid TopLid() const { return top_lid_; }

  // The map as a topology: switches by GUID, then end nodes by GUID, cables by their lower end.
  // `*map_nodes` receives the index in this map of every node of the topology.
  Topology BuildTopology(std::vector<int>* map_nodes) const;

  // "S0_0 port 3"
  std::string Describe(const PortRef& ref) const;
  // "S0_0, S0_1", the first few of many.
  std::string NameNodes(const std::vector<int>& nodes) const;

 private:
  std::vector<int> NodesByGuid(bool switches) const;
  int NumLids(int node) const { return nodes_[node].IsSwitch() ? 1 : 1 << lmc_; }

  std::vector<MapNode> nodes_;
  std::map<std::uint64_t, int> by_guid_;
  std::map<PortKey, PortService> service_;  // of ports that are not in service
  int lmc_;
  Lid top_lid_ = 0;
};

}  // namespace lanecut
