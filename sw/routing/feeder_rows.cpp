// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/feeder_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace lanecut {

FeederRows::FeederRows(int num_ports, int vls) : vls_(vls), num_channels_(num_ports * vls) {
  assert(WordsPerRow() <= kBlockWords);
  words_.resize(static_cast<std::size_t>(num_channels_) * WordsPerRow());
}

void FeederRows::Add(int in_port, int in_vl, int out_port, int out_vl) {
  const int in = ChannelOf(in_port, in_vl);
  const int out = ChannelOf(out_port, out_vl);
  words_[static_cast<std::size_t>(out) * WordsPerRow() + in / 32] |= 1u << in % 32;
}

bool FeederRows::MayFeed(int in_port, int in_vl, int out_port, int out_vl) const {
  const int in = ChannelOf(in_port, in_vl);
  const int out = ChannelOf(out_port, out_vl);
  return (words_[static_cast<std::size_t>(out) * WordsPerRow() + in / 32] >> in % 32 & 1) != 0;
}

int FeederRows::NumBlocks() const {
  return num_channels_ == 0 ? 0 : (num_channels_ + RowsPerBlock() - 1) / RowsPerBlock();
}

FeederRows::Block FeederRows::BlockAt(int block) const {
  const int rows = std::min(RowsPerBlock(), num_channels_ - block * RowsPerBlock());
  const auto first =
      words_.begin() + static_cast<std::ptrdiff_t>(block) * RowsPerBlock() * WordsPerRow();
  Block result{};
  std::copy_n(first, rows * WordsPerRow(), result.begin());
  return result;
}

std::vector<FeederRows> ComputeFeederRows(const Topology& topology, const DependencyGraph& graph,
                                          int vls) {
  const std::vector<Channel> cycle = graph.FindCycle();
  if (!cycle.empty()) {
    throw RoutingError("channels would wait for each other's tokens: " +
                       DescribeCycle(topology, cycle));
  }
  std::vector<FeederRows> rows;
  for (const Node& node : topology.nodes()) {
    const bool is_switch = node.kind == NodeKind::kSwitch;
    rows.push_back(is_switch ? FeederRows(node.num_ports, vls) : FeederRows());
  }
  for (const Channel& held : graph.HeldChannels()) {
    const auto entry = topology.PeerOf(held.node, held.port);
    for (const Channel& wanted : graph.SuccessorsOf(held)) {
      const int vl = std::max(held.vl, wanted.vl);
      if (vl >= vls) {
        throw RoutingError(fmt::format("the tables of {} use VL{}, switches have {} data VLs",
                                       topology.node(wanted.node).name, vl, vls));
      }
      rows[wanted.node].Add(entry->port, held.vl, wanted.port, wanted.vl);
    }
  }
  return rows;
}

}  // namespace lanecut
