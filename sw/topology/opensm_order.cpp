// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/opensm_order.h"

#include <algorithm>
#include <numeric>

namespace lanecut {
namespace {

std::uint64_t Reversed(std::uint64_t guid) {
  std::uint64_t reversed = 0;
  for (int byte = 0; byte < 8; ++byte) reversed = reversed << 8 | (guid >> (8 * byte) & 0xFF);
  return reversed;
}

template <typename GuidOf>
std::vector<int> Order(const Topology& topology, GuidOf guid_of) {
  std::vector<int> order(topology.nodes().size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int node) { return Reversed(guid_of(topology.node(node))); });
  return order;
}

}  // namespace

std::vector<int> OpenSmOrder(const Topology& topology) {
  return Order(topology, [](const Node& node) { return node.guid; });
}

std::vector<int> OpenSmPortOrder(const Topology& topology) {
  return Order(topology, [](const Node& node) { return node.PortGuid(); });
}

}  // namespace lanecut
