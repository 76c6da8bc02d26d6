// SPDX-License-Identifier: Apache-2.0
//
// Dimension-order routing for meshes and tori: one dimension after the other, the shorter way round
// in each ring.
//
// A ring would close a cycle of dependencies, so packets of a ring are parted over VLs (as a
// dateline does). SLtoVL tables do not see the VL on which a packet came, so a packet cannot change
// its VL at a dateline; instead the source chooses, by the SL, one VL per dimension for the whole
// way through it:
//
//   even VLs carry no packet *through* the ring's switch 0, odd VLs none through switch k/2.
//
// So on each VL a dependency is missing from the ring, and no cycle can close. No way is longer
// than k/2, so none passes through both switches, and every packet has at least one VL; those that
// have a choice take the one with less load, and all VLs are used about evenly. SL digit d in base
// V is the VL in dimension d; one more digit, if there are SLs enough, is the VL from and to end
// nodes, where any will do.
//
// Rings of four do with one VL. Only packets between switches two apart depend on anything there,
// and they have the choice of the direction: from even coordinates they all go up and from odd ones
// down. So in each direction every other dependency is missing, and all links carry the same.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sw/routing/table_builder.h"

namespace lanecut {
namespace {

// A ring of three has ways of one hop only, which depend on nothing, and of those of four not all
// dependencies are needed.
constexpr int kSmallestRingWithCycle = 5;

class DimensionOrder {
 public:
  explicit DimensionOrder(const RoutingRequest& request)
      : request_(request),
        builder_(request),
        topology_(request.topology),
        grid_(GridOf(topology_)) {
    FindPorts();
    vls_ = UsableVls();
    edge_digit_ = SlsFor(vls_, Dimensions() + 1) <= request_.sls ? Dimensions() : 0;
  }

  RoutingTables Compute() {
    RankEndNodes();
    for (int destination = 0; destination < static_cast<int>(request_.lids.size()); ++destination) {
      if (request_.lids[destination] != 0 && builder_.SwitchOf(destination) >= 0)
        Route(destination);
    }
    FillSlToVl();
    ChooseServiceLevels();
    return std::move(builder_.tables);
  }

 private:
  enum Direction { kPositive, kNegative };  // towards higher, lower coordinates

  static const Grid& GridOf(const Topology& topology) {
    if (topology.grid()) return *topology.grid();
    throw RoutingError(
        "dor: the topology is not a mesh or torus; expected switches named S<x>_<y>.. with cables "
        "between neighbours "
        "only, or engine updown, which takes any topology");
  }

  int Dimensions() const { return static_cast<int>(grid_.sizes.size()); }
  int Coordinate(int node, int d) const { return grid_.coordinates[node][d]; }

  // The coordinate next to this one, -1 beyond the edge of a mesh. The two switches of a dimension
  // of size 2 are neighbours in the positive direction only.
  int Neighbour(int coordinate, int d, Direction direction) const {
    const int size = grid_.sizes[d];
    if (size == 2) return direction == kPositive ? 1 - coordinate : -1;
    const int next = coordinate + (direction == kPositive ? 1 : -1);
    if (grid_.wraps[d]) return (next + size) % size;
    return next < size ? next : -1;
  }

  void FindPorts() {
    ports_.assign(topology_.nodes().size(), {});
    dimension_of_port_.resize(topology_.nodes().size());
    load_.resize(topology_.nodes().size());
    for (int node : topology_.switches()) {
      ports_[node].resize(Dimensions());
      load_[node].resize(Dimensions());
      dimension_of_port_[node].assign(topology_.node(node).num_ports + 1, -1);
      for (const SwitchLink& link : builder_.LinksOf(node)) {
        int d = 0;
        while (Coordinate(node, d) == Coordinate(link.peer, d)) ++d;
        const bool positive =
            Neighbour(Coordinate(node, d), d, kPositive) == Coordinate(link.peer, d);
        ports_[node][d][positive ? kPositive : kNegative].push_back(link.port);
        dimension_of_port_[node][link.port] = d;
      }
      CheckNeighbours(node);
    }
  }

  void CheckNeighbours(int node) const {
    for (int d = 0; d < Dimensions(); ++d) {
      for (Direction direction : {kPositive, kNegative}) {
        const int next = Neighbour(Coordinate(node, d), d, direction);
        if (next < 0 || !ports_[node][d][direction].empty()) continue;
        throw RoutingError(
            fmt::format("dor: \"{}\" has no cable to its neighbour at {} in dimension {}; expected "
                        "a grid without faults, or "
                        "engine updown, which routes around them",
                        topology_.node(node).name, next, d));
      }
    }
  }

  // SLs that it takes to choose among VLs in each of so many digits.
  static int SlsFor(int vls, int digits) {
    int sls = 1;
    while (digits-- > 0 && sls <= kServiceLevels) sls *= vls;
    return sls;
  }

  std::string SlsThatWouldDo() const {
    const int needed = SlsFor(2, Dimensions());
    return needed <= kServiceLevels ? fmt::format("{} SLs, or ", needed)
                                    : "at most 4 dimensions, or ";
  }

  // VLs that SLs can tell apart in every dimension.
  int UsableVls() const {
    int vls = request_.vls;
    while (SlsFor(vls, Dimensions()) > request_.sls) --vls;
    for (int d = 0; d < Dimensions(); ++d) {
      if (vls > 1 || !grid_.wraps[d] || grid_.sizes[d] < kSmallestRingWithCycle) continue;
      if (request_.vls > 1) {
        throw RoutingError(
            fmt::format("dor: {} dimensions with rings need 2^{} SLs, but there are {}; expected "
                        "{}engine updown",
                        Dimensions(), Dimensions(), request_.sls, SlsThatWouldDo()));
      }
      throw RoutingError(
          fmt::format("dor: the ring of {} switches in dimension {} needs 2 data VLs, but there is "
                      "1; expected 2 or more, or engine updown, which needs 1",
                      grid_.sizes[d], d));
    }
    return vls;
  }

  // Each destination's number among the end nodes of its switch plus its coordinates: ways that are
  // equally long in both directions take them by turns.
  void RankEndNodes() {
    turn_.assign(topology_.nodes().size(), 0);
    std::vector<int> seen(topology_.nodes().size(), 0);
    for (int hca : topology_.hcas()) {
      const int at = builder_.SwitchOf(hca);
      if (at < 0) continue;
      const auto& place = grid_.coordinates[at];
      turn_[hca] = std::accumulate(place.begin(), place.end(), seen[at]++);
    }
  }

  Direction DirectionTo(int from, int to, int destination, int d) const {
    const int size = grid_.sizes[d];
    const int distance = to - from;
    if (size == 2) return kPositive;
    if (!grid_.wraps[d]) return distance > 0 ? kPositive : kNegative;
    const int ahead = (distance + size) % size;
    if (2 * ahead == size) {
      const int turn = vls_ == 1 ? from : turn_[destination];
      return turn % 2 ? kNegative : kPositive;
    }
    return 2 * ahead < size ? kPositive : kNegative;
  }

  void Route(int destination) {
    const int target = builder_.SwitchOf(destination);
    for (int node : topology_.switches()) {
      if (node == target) {
        builder_.SetPort(node, destination,
                         destination == target ? 0 : topology_.PeerOf(destination, 1)->port);
        continue;
      }
      int d = 0;
      while (Coordinate(node, d) == Coordinate(target, d)) ++d;
      const Direction direction =
          DirectionTo(Coordinate(node, d), Coordinate(target, d), destination, d);
      // Parallel cables take destinations by turns.
      std::vector<int>& ports = ports_[node][d][direction];
      builder_.SetPort(node, destination, ports.front());
      if (destination != target) std::rotate(ports.begin(), ports.begin() + 1, ports.end());
    }
  }

  int Digit(int sl, int d) const {
    for (; d > 0; --d) sl /= vls_;
    return sl % vls_;
  }

  void FillSlToVl() {
    for (int node = 0; node < static_cast<int>(topology_.nodes().size()); ++node) {
      const int ports = topology_.node(node).num_ports;
      for (int out = 0; out <= ports; ++out) {
        const int d = topology_.IsSwitch(node) ? dimension_of_port_[node][out] : -1;
        for (int sl = 0; sl < kServiceLevels; ++sl) {
          const int vl = Digit(sl, d < 0 ? edge_digit_ : d);
          for (int in = 0; in <= ports; ++in) {
            builder_.tables.sl2vl[node].At(in, out, sl) = static_cast<std::uint8_t>(vl);
          }
        }
      }
    }
  }

  // The choice that is best for a pair depends on those of all others: so all choose, then choose
  // again knowing the rest.
  void ChooseServiceLevels() {
    if (vls_ == 1) return;
    constexpr int kRounds = 2;
    for (int round = 0; round < kRounds; ++round) {
      const auto& hcas = topology_.hcas();
      for (std::size_t i = 0; i < hcas.size(); ++i) {
        for (std::size_t j = 0; j < hcas.size(); ++j) {
          if (i == j || builder_.SwitchOf(hcas[i]) < 0 || builder_.SwitchOf(hcas[j]) < 0) continue;
          // For the digits that matter at most at the end nodes.
          const int spare = static_cast<int>(i + j) % vls_;
          ChooseServiceLevel(hcas[i], hcas[j], spare, round > 0);
        }
      }
    }
  }

  void ChooseServiceLevel(int source, int destination, int spare, bool has_one) {
    std::uint8_t& sl = builder_.tables.sl[source][destination];
    int node = builder_.SwitchOf(source);
    int chosen = 0;
    int weight = 1;
    for (int d = 0; d < Dimensions(); ++d, weight *= vls_) {
      const std::vector<int> way = WayThrough(d, node, destination);
      if (way.size() == 1) {
        chosen += weight * spare;
        continue;
      }
      const Direction direction =
          DirectionTo(Coordinate(node, d), Coordinate(way.back(), d), destination, d);
      if (has_one) AddLoad(d, way, direction, Digit(sl, d), -1);
      const int vl = ChooseVl(d, way, direction);
      AddLoad(d, way, direction, vl, 1);
      chosen += weight * vl;
      node = way.back();
    }
    if (edge_digit_ == Dimensions()) chosen += weight * spare;
    sl = static_cast<std::uint8_t>(chosen);
  }

  void AddLoad(int d, const std::vector<int>& way, Direction direction, int vl, int change) {
    for (std::size_t i = 0; i + 1 < way.size(); ++i) load_[way[i]][d][direction][vl] += change;
  }

  // The switches that a packet visits in dimension d, from the one where it stands.
  std::vector<int> WayThrough(int d, int node, int destination) const {
    const int target = builder_.SwitchOf(destination);
    const Lid lid = request_.lids[destination];
    std::vector<int> way = {node};
    while (Coordinate(way.back(), d) != Coordinate(target, d)) {
      way.push_back(topology_.PeerOf(way.back(), builder_.tables.lft[way.back()][lid])->node);
    }
    return way;
  }

  // The VL with the least load among those that may carry this way; the lowest of equals.
  int ChooseVl(int d, const std::vector<int>& way, Direction direction) const {
    int best = -1;
    std::int64_t best_load = 0;
    for (int vl = 0; vl < vls_; ++vl) {
      if (PassesThroughCut(d, way, vl)) continue;
      std::int64_t load = 0;
      for (std::size_t i = 0; i + 1 < way.size(); ++i) load += load_[way[i]][d][direction][vl];
      if (best < 0 || load < best_load) {
        best = vl;
        best_load = load;
      }
    }
    return best;
  }

  bool PassesThroughCut(int d, const std::vector<int>& way, int vl) const {
    if (!grid_.wraps[d]) return false;
    const int cut = vl % 2 ? grid_.sizes[d] / 2 : 0;
    return std::any_of(way.begin() + 1, way.end() - 1,
                       [&](int node) { return Coordinate(node, d) == cut; });
  }

  const RoutingRequest& request_;
  TableBuilder builder_;
  const Topology& topology_;
  const Grid& grid_;
  int vls_ = 1;         // V
  int edge_digit_ = 0;  // the SL digit from and to end nodes
  std::vector<std::vector<std::array<std::vector<int>, 2>>>
      ports_;                                        // by switch, dimension, direction
  std::vector<std::vector<int>> dimension_of_port_;  // by switch and port; -1 = none
  std::vector<int> turn_;                            // by node
  // Pairs by switch, dimension, direction and VL.
  std::vector<std::vector<std::array<std::array<std::int64_t, kServiceLevels>, 2>>> load_;
};

class DimensionOrderEngine : public RoutingEngine {
 public:
  std::string_view name() const override { return "dor"; }
  std::string_view summary() const override {
    return "dimension order on a mesh (1 VL) or torus (1 VL if no ring is longer than 4, else 2, "
           "and up to 4 dimensions) without faults";
  }
  RoutingTables Compute(const RoutingRequest& request) const override {
    return DimensionOrder(request).Compute();
  }
};

}  // namespace

std::unique_ptr<RoutingEngine> MakeDimensionOrderEngine() {
  return std::make_unique<DimensionOrderEngine>();
}

}  // namespace lanecut
