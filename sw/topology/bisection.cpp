// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/bisection.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "sw/topology/families.h"

namespace lanecut {
namespace {

// The switches as a graph with weights.
class SwitchGraph {
 public:
  explicit SwitchGraph(const Topology& t) : place_(t.nodes().size(), -1) {
    for (const int node : t.switches()) {
      place_[node] = size();
      weight_.push_back(0);
      neighbours_.emplace_back();
    }
    for (const Cable& cable : t.cables()) {
      const int a = place_[cable.a.node];
      const int b = place_[cable.b.node];
      if (a >= 0 && b >= 0) {
        neighbours_[a].push_back(b);
        neighbours_[b].push_back(a);
      } else {
        ++weight_[std::max(a, b)];
      }
    }
    if (t.hcas().empty()) std::fill(weight_.begin(), weight_.end(), 1);
  }

  int size() const { return static_cast<int>(weight_.size()); }
  int weight(int at) const { return weight_[at]; }
  const std::vector<int>& NeighboursOf(int at) const { return neighbours_[at]; }
  int TotalWeight() const { return std::accumulate(weight_.begin(), weight_.end(), 0); }

  int Cut(const std::vector<bool>& side) const {
    int cut = 0;
    for (int i = 0; i < size(); ++i) {
      for (const int j : neighbours_[i]) cut += side[i] && !side[j] ? 1 : 0;
    }
    return cut;
  }

 private:
  std::vector<int> place_;
  std::vector<int> weight_;
  std::vector<std::vector<int>> neighbours_;
};

// One half grown breadth-first around a switch.
std::vector<bool> Grow(const SwitchGraph& graph, int start) {
  std::vector<bool> side(graph.size(), false);
  std::vector<bool> seen(graph.size(), false);
  std::vector<int> queue = {start};
  seen[start] = true;
  int weight = 0;
  const int half = graph.TotalWeight() / 2;
  for (std::size_t head = 0; head < queue.size() && weight < half; ++head) {
    const int at = queue[head];
    if (weight + graph.weight(at) <= half) {
      side[at] = true;
      weight += graph.weight(at);
    }
    for (const int next : graph.NeighboursOf(at)) {
      if (!seen[next]) queue.push_back(next);
      seen[next] = true;
    }
  }
  return side;
}

// Half of a grid, by the places in one dimension.
std::vector<bool> HalfOfGrid(const Topology& t, int dimension) {
  std::vector<int> order(t.switches().size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, {}, [&](int i) { return t.grid()->coordinates[t.switches()[i]][dimension]; });
  std::vector<bool> side(order.size(), false);
  for (std::size_t i = 0; i < order.size() / 2; ++i) side[order[i]] = true;
  return side;
}

// Cables saved if this switch went to the other side.
int Gain(const SwitchGraph& graph, const std::vector<bool>& side, int at) {
  int gain = 0;
  for (const int next : graph.NeighboursOf(at)) gain += side[next] != side[at] ? 1 : -1;
  return gain;
}

// Lets switches of equal weight change places, and those without end nodes change sides, as long as
// that saves cables.
void Refine(const SwitchGraph& graph, std::vector<bool>& side) {
  for (bool better = true; better;) {
    better = false;
    for (int a = 0; a < graph.size(); ++a) {
      if (graph.weight(a) == 0 && Gain(graph, side, a) > 0) {
        side[a] = !side[a];
        better = true;
      }
      for (int b = 0; b < a; ++b) {
        if (side[a] == side[b] || graph.weight(a) != graph.weight(b)) continue;
        const auto joined = std::ranges::count(graph.NeighboursOf(a), b);
        if (Gain(graph, side, a) + Gain(graph, side, b) - 2 * joined <= 0) continue;
        side[a] = !side[a];
        side[b] = !side[b];
        better = true;
      }
    }
  }
}

// The same number of end nodes at every switch.
bool IsUniform(const SwitchGraph& graph) {
  for (int i = 0; i < graph.size(); ++i) {
    if (graph.weight(i) != graph.weight(0)) return false;
  }
  return true;
}

// Every neighbour joined once, over wraps twice where the dimension has two switches.
bool IsWholeGrid(const Topology& t, const Grid& grid, bool torus) {
  int cables = 0;
  const int count = static_cast<int>(t.switches().size());
  for (const int size : grid.sizes) cables += torus ? (size > 1 ? count : 0) : count - count / size;
  const int hca_cables = static_cast<int>(t.hcas().size());
  return static_cast<int>(t.cables().size()) - hca_cables == cables;
}

std::optional<int> OfGrid(const Topology& t) {
  if (!t.grid()) return std::nullopt;
  const Grid& grid = *t.grid();
  const int largest = *std::ranges::max_element(grid.sizes);
  if (largest % 2 != 0 && grid.sizes.size() > 1) return std::nullopt;
  const bool is_torus = t.Summarize().parallel_cables > 0 || std::ranges::count(grid.wraps, true);
  if (!IsWholeGrid(t, grid, is_torus)) return std::nullopt;
  return static_cast<int>(t.switches().size()) / largest * (is_torus ? 2 : 1);
}

std::optional<int> OfFullMesh(const Topology& t) {
  const int n = static_cast<int>(t.switches().size());
  const TopologySummary summary = t.Summarize();
  if (summary.min_degree != n - 1 || summary.max_degree != n - 1 || summary.parallel_cables > 0)
    return std::nullopt;
  return n / 2 * ((n + 1) / 2);
}

// A fat tree that carries every permutation of its end nodes has half of them crossing.
std::optional<int> OfTree(const Topology& t) {
  const auto shape = RecognizeXgft(t);
  if (!shape || shape->children.back() % 2 != 0) return std::nullopt;
  for (std::size_t l = 0; l + 1 < shape->children.size(); ++l) {
    if (shape->parents[l + 1] != shape->children[l]) return std::nullopt;
  }
  return static_cast<int>(t.hcas().size()) / 2;
}

}  // namespace

Bisection FindBisection(const Topology& topology) {
  const SwitchGraph graph(topology);
  if (graph.size() < 2) return {0, true};
  if (const auto known = OfTree(topology)) return {*known, true};
  if (IsUniform(graph)) {
    if (const auto known = OfGrid(topology)) return {*known, true};
    if (const auto known = OfFullMesh(topology)) return {*known, true};
  }
  constexpr int kStarts = 16;
  std::vector<std::vector<bool>> halves;
  for (int i = 0; i < std::min(kStarts, graph.size()); ++i) {
    halves.push_back(Grow(graph, i * graph.size() / std::min(kStarts, graph.size())));
  }
  if (topology.grid() && IsUniform(graph)) {
    const int dimensions = static_cast<int>(topology.grid()->sizes.size());
    for (int d = 0; d < dimensions; ++d) halves.push_back(HalfOfGrid(topology, d));
  }
  int best = static_cast<int>(topology.cables().size());
  for (std::vector<bool>& side : halves) {
    Refine(graph, side);
    best = std::min(best, graph.Cut(side));
  }
  return {best, false};
}

}  // namespace lanecut
