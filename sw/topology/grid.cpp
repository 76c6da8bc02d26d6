// SPDX-License-Identifier: Apache-2.0
//
// Meshes and tori: building them, and recognizing them by the names of their switches.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>

#include "sw/topology/topology.h"

namespace lanecut {
namespace {

// {1, 2} from "S1_2"; empty if the name has another form.
std::vector<int> CoordinatesFromName(std::string_view name) {
  std::vector<int> coordinates;
  const char* at = name.data();
  const char* end = at + name.size();
  for (char separator = 'S'; at != end; separator = '_') {
    if (*at++ != separator) return {};
    int value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 0) return {};
    coordinates.push_back(value);
    at = next;
  }
  return coordinates;
}

// The dimension in which two places are neighbours (`closes` if over the wrap of a ring); -1 if
// they are not.
int NeighbourDimension(const Grid& grid, const std::vector<int>& a, const std::vector<int>& b,
                       bool& closes) {
  int dimension = -1;
  for (int d = 0; d < static_cast<int>(a.size()); ++d) {
    const int distance = std::abs(a[d] - b[d]);
    if (distance == 0) continue;
    closes = distance != 1;
    if (dimension >= 0 || (closes && distance != grid.sizes[d] - 1)) return -1;
    dimension = d;
  }
  return dimension;
}

std::vector<int> CoordinatesOf(int index, std::span<const int> sizes) {
  std::vector<int> coordinates;
  for (int size : sizes) {
    coordinates.push_back(index % size);
    index /= size;
  }
  return coordinates;
}

int IndexOf(const std::vector<int>& coordinates, std::span<const int> sizes) {
  int index = 0;
  for (std::size_t d = sizes.size(); d-- > 0;) index = index * sizes[d] + coordinates[d];
  return index;
}

Topology BuildGrid(std::span<const int> sizes, int concentration, bool torus) {
  if (sizes.empty() || *std::min_element(sizes.begin(), sizes.end()) < 1 || concentration < 0) {
    throw std::invalid_argument(
        fmt::format("a grid of {} switches with {} end nodes at each; expected sizes of 1 or more "
                    "and 0 or more end nodes",
                    fmt::join(sizes, " x "), concentration));
  }
  const int dimensions = static_cast<int>(sizes.size());
  const int count = std::accumulate(sizes.begin(), sizes.end(), 1, std::multiplies<>());
  Topology topology;
  for (int i = 0; i < count; ++i) {
    topology.AddNode(NodeKind::kSwitch, fmt::format("S{}", fmt::join(CoordinatesOf(i, sizes), "_")),
                     2 * dimensions + concentration);
  }
  for (int i = 0; i < count; ++i) {
    for (int d = 0; d < dimensions; ++d) {
      std::vector<int> next = CoordinatesOf(i, sizes);
      if (sizes[d] == 1 || (!torus && next[d] + 1 == sizes[d])) continue;
      next[d] = (next[d] + 1) % sizes[d];
      topology.AddCable({i, 1 + 2 * d}, {IndexOf(next, sizes), 2 + 2 * d});
    }
  }
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < concentration; ++k) {
      const int hca = topology.AddNode(
          NodeKind::kHca, fmt::format("H{}_{}", fmt::join(CoordinatesOf(i, sizes), "_"), k), 1);
      topology.AddCable({i, 2 * dimensions + 1 + k}, {hca, 1});
    }
  }
  topology.DeriveGrid();
  return topology;
}

}  // namespace

Topology BuildMesh(std::span<const int> sizes, int concentration) {
  return BuildGrid(sizes, concentration, false);
}

Topology BuildTorus(std::span<const int> sizes, int concentration) {
  return BuildGrid(sizes, concentration, true);
}

bool Topology::DeriveGrid() {
  grid_.reset();
  if (switches_.empty()) return false;
  Grid grid;
  grid.coordinates.resize(nodes_.size());
  const std::size_t dimensions = CoordinatesFromName(nodes_[switches_.front()].name).size();
  if (dimensions == 0) return false;
  grid.sizes.assign(dimensions, 0);
  grid.wraps.assign(dimensions, false);
  std::set<std::vector<int>> places;
  for (int node : switches_) {
    std::vector<int>& place = grid.coordinates[node] = CoordinatesFromName(nodes_[node].name);
    if (place.size() != dimensions || !places.insert(place).second) return false;
    for (std::size_t d = 0; d < dimensions; ++d)
      grid.sizes[d] = std::max(grid.sizes[d], place[d] + 1);
  }
  std::size_t count = 1;
  for (int size : grid.sizes) count *= size;
  if (count != switches_.size()) return false;
  for (const Cable& cable : cables_) {
    if (!IsSwitch(cable.a.node) || !IsSwitch(cable.b.node)) continue;
    bool closes = false;
    const int d = NeighbourDimension(grid, grid.coordinates[cable.a.node],
                                     grid.coordinates[cable.b.node], closes);
    if (d < 0) return false;
    if (closes) grid.wraps[d] = true;
  }
  grid_ = std::move(grid);
  return true;
}

}  // namespace lanecut
