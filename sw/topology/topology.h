// SPDX-License-Identifier: Apache-2.0
//
// A fabric as a graph: switches and end nodes (HCAs), joined by cables between numbered ports.
//
// Nodes and cables are known by index, in the order they were added. External ports are numbered
// from 1; port 0 of a switch is its management agent and has no cable. End nodes have one port. A
// cable always joins two different nodes, and a port takes one cable; end nodes are cabled to
// switches. Breaking these rules throws std::invalid_argument, which says what is wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanecut {

enum class NodeKind { kSwitch, kHca };

// NodeGUIDs given to nodes without one: these plus the node's place among those of its kind.
inline constexpr std::uint64_t kSwitchGuidBase = 0x4c43000000010000;
inline constexpr std::uint64_t kHcaGuidBase = 0x4c43000000020000;

struct Node {
  NodeKind kind = NodeKind::kSwitch;
  std::string name;  // NodeDescription
  std::uint64_t guid = 0;
  int num_ports = 0;  // external ports, 1..num_ports

  // The GUID of a switch's port 0 is the node's own, that of an end node's port is one more.
  std::uint64_t PortGuid() const { return kind == NodeKind::kSwitch ? guid : guid + 1; }
  friend bool operator==(const Node&, const Node&) = default;
};

struct PortRef {
  int node = -1;
  int port = 0;
  friend bool operator==(const PortRef&, const PortRef&) = default;
};

struct Cable {
  PortRef a;
  PortRef b;
  friend bool operator==(const Cable&, const Cable&) = default;
};

// What is at the far end of a port.
struct Peer {
  int node = -1;
  int port = 0;
  int cable = -1;
};

// Where switches stand in a mesh or torus.
struct Grid {
  std::vector<int> sizes;                     // switches per dimension
  std::vector<bool> wraps;                    // per dimension: closed to a ring of three or more
  std::vector<std::vector<int>> coordinates;  // by node; empty for end nodes
  friend bool operator==(const Grid&, const Grid&) = default;
};

struct TopologySummary {
  int switches = 0;
  int hcas = 0;
  int cables = 0;
  int parallel_cables = 0;  // cables beyond the first between a pair of nodes
  int diameter = 0;         // most hops between two switches that can reach each other
  int min_degree = 0;       // switch-to-switch cables at a switch
  int max_degree = 0;
  bool connected = false;
};

class Topology {
 public:
  // Returns the node's index. Names and GUIDs are unique; without a GUID the node gets the next of
  // its kind.
  int AddNode(NodeKind kind, std::string name, int num_ports,
              std::optional<std::uint64_t> guid = std::nullopt);
  int AddCable(PortRef a, PortRef b);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Cable>& cables() const { return cables_; }
  const std::vector<int>& switches() const { return switches_; }  // node indices, ascending
  const std::vector<int>& hcas() const { return hcas_; }
  const std::optional<Grid>& grid() const { return grid_; }

  const Node& node(int index) const { return nodes_[index]; }
  bool IsSwitch(int index) const { return nodes_[index].kind == NodeKind::kSwitch; }
  // Nothing if the port does not exist or has no cable.
  std::optional<Peer> PeerOf(int node, int port) const;
  std::optional<int> FindNode(std::string_view name) const;
  std::optional<int> FindGuid(std::uint64_t guid) const;      // by NodeGUID
  std::optional<int> FindPortGuid(std::uint64_t guid) const;  // by Node::PortGuid()

  // Recognizes a mesh or torus from switch names S<x>_<y>_...: every place taken once, and every
  // cable between switches joins neighbours. A dimension of three or more counts as a ring if some
  // cable closes it. Sets grid() and returns true, or clears it and returns false.
  bool DeriveGrid();

  // The same nodes without the given cables; the cables that stay keep their order.
  Topology Without(std::span<const int> cable_indices) const;

  // Hops from a node to every node over switches (end nodes do not forward); -1 where there is no
  // way.
  std::vector<int> HopsFrom(int node) const;
  // Every node can reach every other one.
  bool IsConnected() const;
  TopologySummary Summarize() const;

 private:
  std::vector<Node> nodes_;
  std::vector<Cable> cables_;
  std::vector<int> switches_;
  std::vector<int> hcas_;
  std::map<std::string, int, std::less<>> by_name_;
  std::map<std::uint64_t, int> by_guid_;
  std::vector<std::vector<std::optional<Peer>>> peers_;  // [node][port]
  std::optional<Grid> grid_;
};

// A few lines for people: switches, end nodes, cables, diameter, degree, bisection.
std::string Describe(const Topology& topology);

// Meshes and tori of any number of dimensions, with `concentration` end nodes at every switch.
// Switch S<x>_<y>.. has ports 1+2d (towards higher coordinates of dimension d), 2+2d (lower), then
// its end nodes H<x>_<y>.._<k>. Switches come first, dimension 0 fastest; then the end nodes in the
// order of their switches. A torus dimension of size 2 has two parallel cables between the pair,
// one of size 1 has none.
Topology BuildMesh(std::span<const int> sizes, int concentration);
Topology BuildTorus(std::span<const int> sizes, int concentration);

}  // namespace lanecut
