// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/fixed_patterns.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lanecut {
namespace {

Permutation ByNumber(int nodes, const std::function<int(int)>& destination) {
  std::vector<int> destinations(static_cast<std::size_t>(std::max(nodes, 0)));
  std::iota(destinations.begin(), destinations.end(), 0);
  std::ranges::transform(destinations, destinations.begin(), destination);
  return Permutation(std::move(destinations));
}

// k of 2^k nodes.
int Bits(int nodes) {
  if (nodes < 1 || !std::has_single_bit(static_cast<unsigned>(nodes))) {
    throw std::invalid_argument("a power of 2");
  }
  return std::countr_zero(static_cast<unsigned>(nodes));
}

// Every node to the one of its number `step(k)` switches on in every dimension of size k.
Permutation Shifted(std::span<const int> sizes, int nodes_per_switch,
                    const std::function<int(int)>& step) {
  if (sizes.empty() || nodes_per_switch < 1) {
    throw std::invalid_argument("a torus, mesh, ring or hypercube with end nodes at every switch");
  }
  int switches = 1;
  for (const int size : sizes) switches *= size;
  return ByNumber(switches * nodes_per_switch, [&](int node) {
    int place = node / nodes_per_switch;
    int target = 0;
    int stride = 1;
    for (const int size : sizes) {
      target += (place % size + step(size)) % size * stride;
      place /= size;
      stride *= size;
    }
    return target * nodes_per_switch + node % nodes_per_switch;
  });
}

}  // namespace

Permutation BitComplement(int nodes) {
  Bits(nodes);
  return ByNumber(nodes, [nodes](int node) { return nodes - 1 - node; });
}

Permutation Transpose(int nodes) {
  const int bits = nodes < 1 ? 1 : std::countr_zero(static_cast<unsigned>(nodes));
  if (nodes < 1 || !std::has_single_bit(static_cast<unsigned>(nodes)) || bits % 2 != 0) {
    throw std::invalid_argument("a power of 4");
  }
  const int side = 1 << bits / 2;
  return ByNumber(nodes, [side](int node) { return node % side * side + node / side; });
}

Permutation Shuffle(int nodes) {
  const int bits = Bits(nodes);
  return ByNumber(nodes, [nodes, bits](int node) {
    return bits == 0 ? node : (node << 1 | node >> (bits - 1)) & (nodes - 1);
  });
}

Permutation Tornado(std::span<const int> sizes, int nodes_per_switch) {
  return Shifted(sizes, nodes_per_switch, [](int size) { return (size + 1) / 2 - 1; });
}

Permutation NearestNeighbour(std::span<const int> sizes, int nodes_per_switch) {
  return Shifted(sizes, nodes_per_switch, [](int) { return 1; });
}

}  // namespace lanecut
