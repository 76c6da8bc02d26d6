// SPDX-License-Identifier: Apache-2.0
//
// Which input channels of a switch could feed which of its output channels under a routing
// function.
//
// While one function gives way to the next, an output channel may pass the change on when all
// input channels that could feed it have made it. Taking "every port in the forwarding table" for
// that makes the channels of most networks wait for each other in circles; what packets can really
// do does not: it is found by following every (source, destination, SL) in use.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sw/routing/dependency_graph.h"
#include "sw/routing/routing.h"
#include "sw/topology/topology.h"

namespace lanecut {

// The rows of one switch. Channels are numbered (port - 1) * VLs + VL; port 0 has none.
class FeederRows {
 public:
  static constexpr int kBlockWords = 16;
  using Block = std::array<std::uint32_t, kBlockWords>;

  FeederRows() = default;
  FeederRows(int num_ports, int vls);

  void Add(int in_port, int in_vl, int out_port, int out_vl);
  bool MayFeed(int in_port, int in_vl, int out_port, int out_vl) const;

  // As they are loaded: so many rows to a block, none divided, bit c of a row in bit c % 32 of its
  // word c / 32.
  int NumBlocks() const;
  Block BlockAt(int block) const;

  friend bool operator==(const FeederRows&, const FeederRows&) = default;

 private:
  int WordsPerRow() const { return (num_channels_ + 31) / 32; }
  int RowsPerBlock() const { return kBlockWords / WordsPerRow(); }
  int ChannelOf(int port, int vl) const { return (port - 1) * vls_ + vl; }

  int vls_ = 0;
  int num_channels_ = 0;
  std::vector<std::uint32_t> words_;  // row after row
};

// The rows of all switches, by node; empty ones for end nodes. Channels from and to end nodes
// count. Throws RoutingError if the relation has a cycle, which it names, or if a packet uses a VL
// beyond `vls`.
std::vector<FeederRows> ComputeFeederRows(const Topology& topology, const DependencyGraph& graph,
                                          int vls);

}  // namespace lanecut
