// SPDX-License-Identifier: Apache-2.0
//
// Routing: from a topology with LIDs to forwarding tables, SL-to-VL tables and the service level of
// every pair.
//
// An engine either meets the request or throws RoutingError, which says what is missing and what
// would suffice; it never falls back to another engine. Nodes that no path reaches are no error:
// their entries read kUnreachablePort. All vectors "by node" are indexed like Topology::nodes().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sw/topology/topology.h"

namespace lanecut {

using Lid = std::uint16_t;

inline constexpr std::uint8_t kUnreachablePort = 255;
inline constexpr std::uint8_t kDropVl = 15;
inline constexpr int kServiceLevels = 16;

// The SLtoVLMappingTable of one node: VL by (in port, out port, SL). In port 0 stands for packets
// that the node itself sends, so an end node uses (0, 1, SL) only.
class SlToVlTable {
 public:
  SlToVlTable() = default;
  explicit SlToVlTable(int num_ports)
      : ports_(num_ports + 1), vls_(static_cast<std::size_t>(ports_) * ports_ * kServiceLevels) {}

  std::uint8_t& At(int in_port, int out_port, int sl) { return vls_[Index(in_port, out_port, sl)]; }
  std::uint8_t At(int in_port, int out_port, int sl) const {
    return vls_[Index(in_port, out_port, sl)];
  }
  friend bool operator==(const SlToVlTable&, const SlToVlTable&) = default;

 private:
  std::size_t Index(int in_port, int out_port, int sl) const {
    return (static_cast<std::size_t>(in_port) * ports_ + out_port) * kServiceLevels + sl;
  }

  int ports_ = 0;
  std::vector<std::uint8_t> vls_;
};

struct RoutingRequest {
  const Topology& topology;
  std::vector<Lid> lids;    // by node, LMC 0; 0 = has none
  int vls = 1;              // data VLs 0..vls-1 at every port
  std::optional<int> root;  // node index of the switch to be the root of the spanning tree
};

// Service levels by source node, then destination node.
using SlMatrix = std::vector<std::vector<std::uint8_t>>;

struct RoutingTables {
  std::vector<Lid> lids;                       // by node, as requested
  std::vector<std::vector<std::uint8_t>> lft;  // by node, then LID: out port; empty for end nodes
  std::vector<SlToVlTable> sl2vl;              // by node
  SlMatrix sl;                                 // of every pair
  friend bool operator==(const RoutingTables&, const RoutingTables&) = default;
};

class RoutingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class RoutingEngine {
 public:
  virtual ~RoutingEngine() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;  // one line for --help
  virtual RoutingTables Compute(const RoutingRequest& request) const = 0;
};

// updown, dor, minhop.
const std::vector<std::unique_ptr<RoutingEngine>>& RoutingEngines();
// Throws RoutingError with the names that exist.
const RoutingEngine& FindRoutingEngine(std::string_view name);

// LIDs 1, 2, ... in node order, for use without a subnet manager.
std::vector<Lid> SequentialLids(const Topology& topology);

}  // namespace lanecut
