// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/families.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace lanecut {
namespace {

void Expect(bool good, const std::string& problem, const std::string& expected) {
  if (!good) throw std::invalid_argument(fmt::format("{}; expected {}", problem, expected));
}

// The common end of all direct networks: `concentration` end nodes at every switch, on the ports
// after `fabric_ports`.
void AddEndNodes(Topology& topology, int fabric_ports, int concentration) {
  const std::vector<int> switches = topology.switches();
  for (const int at : switches) {
    for (int k = 0; k < concentration; ++k) {
      const std::string place = topology.node(at).name.substr(1);
      const int hca = topology.AddNode(NodeKind::kHca, fmt::format("H{}_{}", place, k), 1);
      topology.AddCable({at, fabric_ports + 1 + k}, {hca, 1});
    }
  }
}

void ExpectConcentration(int concentration) {
  Expect(concentration >= 0, fmt::format("{} end nodes at each switch", concentration),
         "0 or more");
}

using Edge = std::pair<int, int>;  // of switches, the lower first

std::set<Edge> Circulant(int switches, int degree) {
  std::set<Edge> edges;
  for (int i = 0; i < switches; ++i) {
    for (int step = 1; step <= degree / 2; ++step)
      edges.insert(std::minmax(i, (i + step) % switches));
    if (degree % 2 == 1) edges.insert(std::minmax(i, (i + switches / 2) % switches));
  }
  return edges;
}

// Lets two edges exchange their ends, where that leaves a graph without loops and double edges.
void ExchangeEnds(std::vector<Edge>& list, std::set<Edge>& edges, std::mt19937_64& random) {
  Edge& first = list[random() % list.size()];
  Edge& second = list[random() % list.size()];
  auto [a, b] = first;
  auto [c, d] = second;
  if (random() % 2 == 1) std::swap(c, d);
  if (a == d || c == b) return;
  const Edge one = std::minmax(a, d);
  const Edge other = std::minmax(c, b);
  if (one == other || edges.contains(one) || edges.contains(other)) return;
  edges.erase(first);
  edges.erase(second);
  edges.insert({one, other});
  first = one;
  second = other;
}

Topology FromEdges(int switches, int degree, const std::set<Edge>& edges, int concentration) {
  Topology topology;
  for (int i = 0; i < switches; ++i) {
    topology.AddNode(NodeKind::kSwitch, fmt::format("R{}", i), degree + concentration);
  }
  // A switch's cables to lower ones come before those to higher ones, as edges are sorted.
  std::vector<int> used(switches, 0);
  for (int to = 0; to < switches; ++to) {
    for (int from = 0; from < to; ++from) {
      if (edges.contains({from, to})) topology.AddCable({from, ++used[from]}, {to, ++used[to]});
    }
  }
  AddEndNodes(topology, degree, concentration);
  return topology;
}

// How nodes of an XGFT are counted: level l has subtrees(l) x tops(l) nodes.
class XgftLevels {
 public:
  explicit XgftLevels(const XgftShape& shape) : shape_(shape) {}

  int height() const { return static_cast<int>(shape_.children.size()); }
  int Children(int level) const { return shape_.children[level - 1]; }
  int Parents(int level) const { return level < height() ? shape_.parents[level] : 0; }
  int Subtrees(int level) const {
    int count = 1;
    for (int l = level + 1; l <= height(); ++l) count *= Children(l);
    return count;
  }
  int Tops(int level) const {
    int count = 1;
    for (int l = 1; l <= level; ++l) count *= shape_.parents[l - 1];
    return count;
  }

 private:
  const XgftShape& shape_;
};

void CheckXgft(const XgftShape& shape) {
  const auto positive = [](int each) { return each >= 1; };
  Expect(!shape.children.empty() && shape.children.size() == shape.parents.size() &&
             std::ranges::all_of(shape.children, positive) &&
             std::ranges::all_of(shape.parents, positive) && shape.parents.front() == 1,
         fmt::format("XGFT({}; {}; {})", shape.children.size(), fmt::join(shape.children, ","),
                     fmt::join(shape.parents, ",")),
         "as many numbers of parents as of children, all 1 or more, the first parent 1");
}

}  // namespace

Topology BuildRing(int switches, int concentration) {
  Expect(switches >= 2, fmt::format("a ring of {} switches", switches), "2 or more");
  return BuildTorus(std::vector<int>{switches}, concentration);
}

Topology BuildHypercube(int dimensions, int concentration) {
  Expect(dimensions >= 1 && dimensions <= 15,
         fmt::format("a hypercube of {} dimensions", dimensions), "1 to 15");
  ExpectConcentration(concentration);
  const int count = 1 << dimensions;
  Topology topology;
  for (int i = 0; i < count; ++i) {
    std::vector<int> place;
    place.reserve(dimensions);
    for (int d = 0; d < dimensions; ++d) place.push_back(i >> d & 1);
    topology.AddNode(NodeKind::kSwitch, fmt::format("S{}", fmt::join(place, "_")),
                     dimensions + concentration);
  }
  for (int i = 0; i < count; ++i) {
    for (int d = 0; d < dimensions; ++d) {
      if ((i >> d & 1) == 0) topology.AddCable({i, 1 + d}, {i | 1 << d, 1 + d});
    }
  }
  AddEndNodes(topology, dimensions, concentration);
  topology.DeriveGrid();
  return topology;
}

Topology BuildFullMesh(int switches, int concentration) {
  Expect(switches >= 2, fmt::format("a full mesh of {} switches", switches), "2 or more");
  ExpectConcentration(concentration);
  Topology topology;
  for (int i = 0; i < switches; ++i) {
    topology.AddNode(NodeKind::kSwitch, fmt::format("S{}", i), switches - 1 + concentration);
  }
  for (int i = 0; i < switches; ++i) {
    for (int j = i + 1; j < switches; ++j) topology.AddCable({i, j}, {j, i + 1});
  }
  AddEndNodes(topology, switches - 1, concentration);
  return topology;
}

Topology BuildDragonfly(const DragonflyShape& shape, int concentration) {
  const int a = shape.switches;
  const int ports = a * shape.global;  // global ones of a group
  const int groups = shape.groups.value_or(ports + 1);
  Expect(a >= 1 && shape.global >= 1,
         fmt::format("a dragonfly of {} switches with {} global cables", a, shape.global),
         "1 or more of both");
  Expect(groups >= 2 && groups <= ports + 1, fmt::format("a dragonfly of {} groups", groups),
         fmt::format("2 to {}, as a group has {} global cables", ports + 1, ports));
  ExpectConcentration(concentration);
  Topology topology;
  const int fabric_ports = a - 1 + shape.global;
  for (int group = 0; group < groups; ++group) {
    for (int i = 0; i < a; ++i) {
      topology.AddNode(NodeKind::kSwitch, fmt::format("D{}_{}", group, i),
                       fabric_ports + concentration);
    }
  }
  for (int group = 0; group < groups; ++group) {
    for (int i = 0; i < a; ++i) {
      for (int j = i + 1; j < a; ++j) topology.AddCable({group * a + i, j}, {group * a + j, i + 1});
    }
  }
  const auto port = [&](int group, int other, int round) {
    const int q = round * (groups - 1) + (other < group ? other : other - 1);
    return PortRef{group * a + q / shape.global, a + q % shape.global};
  };
  for (int round = 0; round < ports / (groups - 1); ++round) {
    for (int group = 0; group < groups; ++group) {
      for (int other = group + 1; other < groups; ++other)
        topology.AddCable(port(group, other, round), port(other, group, round));
    }
  }
  AddEndNodes(topology, fabric_ports, concentration);
  return topology;
}

Topology BuildRandomRegular(int switches, int degree, int concentration, std::uint64_t seed) {
  const bool possible = switches >= 2 && degree < switches && switches * degree % 2 == 0 &&
                        (degree >= 2 || (degree == 1 && switches == 2));
  Expect(possible, fmt::format("{} switches with {} others at each", switches, degree),
         "2 or more, fewer than there are switches, and an even number of cable ends");
  ExpectConcentration(concentration);
  std::set<Edge> edges = Circulant(switches, degree);
  std::vector<Edge> list(edges.begin(), edges.end());
  std::mt19937_64 random(seed);
  constexpr int kExchangesPerEdge = 20;
  for (;;) {
    for (std::size_t i = 0; i < kExchangesPerEdge * list.size(); ++i) {
      ExchangeEnds(list, edges, random);
    }
    Topology topology = FromEdges(switches, degree, edges, concentration);
    if (topology.IsConnected()) return topology;
  }
}

XgftShape KaryNtree(int k, int n) {
  Expect(k >= 1 && n >= 1, fmt::format("a {}-ary {}-tree", k, n), "1 or more of both");
  XgftShape shape{std::vector<int>(n, k), std::vector<int>(n, k)};
  shape.parents.front() = 1;
  return shape;
}

Topology BuildXgft(const XgftShape& shape) {
  CheckXgft(shape);
  const XgftLevels levels(shape);
  Topology topology;
  std::vector<int> first(levels.height() + 1);  // node index of the first of each level
  for (int l = 1; l <= levels.height(); ++l) {
    first[l] = static_cast<int>(topology.nodes().size());
    for (int i = 0; i < levels.Subtrees(l) * levels.Tops(l); ++i) {
      topology.AddNode(NodeKind::kSwitch, fmt::format("F{}_{}", l, i),
                       levels.Children(l) + levels.Parents(l));
    }
  }
  first[0] = static_cast<int>(topology.nodes().size());
  for (int i = 0; i < levels.Subtrees(0); ++i) {
    topology.AddNode(NodeKind::kHca, fmt::format("H{}", i), 1);
  }
  for (int l = 1; l <= levels.height(); ++l) {
    const int parents = shape.parents[l - 1];  // of a child
    const int tops_below = levels.Tops(l - 1);
    const int up = l == 1 ? 1 : levels.Children(l - 1) + 1;  // a child's first port upwards
    for (int i = 0; i < levels.Subtrees(l) * levels.Tops(l); ++i) {
      const int subtree = i / levels.Tops(l);
      const int top = i % levels.Tops(l);
      for (int c = 0; c < levels.Children(l); ++c) {
        const int child = (subtree * levels.Children(l) + c) * tops_below + top / parents;
        topology.AddCable({first[l] + i, 1 + c}, {first[l - 1] + child, up + top % parents});
      }
    }
  }
  return topology;
}

std::optional<XgftShape> RecognizeXgft(const Topology& topology) {
  XgftShape shape;
  for (int l = 1;; ++l) {
    const auto node = topology.FindNode(fmt::format("F{}_0", l));
    if (!node) break;
    int down = 0;
    int up = 0;
    for (int port = 1; port <= topology.node(*node).num_ports; ++port) {
      const auto peer = topology.PeerOf(*node, port);
      if (!peer) return std::nullopt;
      const std::string& name = topology.node(peer->node).name;
      ++(name.starts_with(fmt::format("F{}_", l + 1)) ? up : down);
    }
    if (l == 1) shape.parents.push_back(1);
    shape.children.push_back(down);
    if (up > 0) shape.parents.push_back(up);
  }
  if (shape.children.empty() || shape.children.size() != shape.parents.size()) return std::nullopt;
  const Topology whole = BuildXgft(shape);
  if (whole.nodes().size() != topology.nodes().size() ||
      whole.cables().size() != topology.cables().size()) {
    return std::nullopt;
  }
  for (const Cable& cable : whole.cables()) {
    const auto node = topology.FindNode(whole.node(cable.a.node).name);
    const auto peer = node ? topology.PeerOf(*node, cable.a.port) : std::nullopt;
    if (!peer || peer->port != cable.b.port ||
        topology.node(peer->node).name != whole.node(cable.b.node).name) {
      return std::nullopt;
    }
  }
  return shape;
}

}  // namespace lanecut
