// SPDX-License-Identifier: Apache-2.0
//
// What an operator asks of a subnet manager that runs: other tables, links and switches into
// service or out of it.
//
// A link out of service has its ports in Initialize: management packets cross it, data is
// discarded, and no table leads over it. The manager does not look beyond such a port. A switch is
// out of service when all its links are.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lanecut {

// NodeGUID and port number: known before a node's name is.
using PortKey = std::pair<std::uint64_t, int>;

struct PlannedChange {
  enum class Kind {
    kReroute,  // tables by another engine, or from another root
    kRemove,   // out of service: first off the routes, then disabled
    kAdd,      // into service
  };
  Kind kind = Kind::kReroute;
  std::string engine;          // kReroute; empty: as before
  std::string root;            // kReroute: NodeDescription of a switch; empty: as before
  std::vector<PortKey> ports;  // kRemove, kAdd: both ends of every link
  std::string description;     // for the timeline, e.g. "remove S0_0:1"
};

}  // namespace lanecut
