// SPDX-License-Identifier: Apache-2.0
#include "sw/routing/sl_halves.h"

#include <vector>

namespace lanecut {
namespace {

// By port of a switch: the link out of it; -1 where there is none to another switch.
std::vector<int> LinksOfPorts(const SwitchFabric& fabric, int place, int num_ports) {
  std::vector<int> links(num_ports + 1, -1);
  for (const int link : fabric.LinksFrom(place)) links[fabric.link(link).out_port] = link;
  return links;
}

// From end nodes and to them any VL will do: nothing waits there in a circle.
void FillForStragglers(int first_sl, int num_ports, const std::vector<int>& links,
                       const RftrPaths& base, SlToVlTable& table) {
  for (int in_port = 0; in_port <= num_ports; ++in_port) {
    for (int out_port = 0; out_port <= num_ports; ++out_port) {
      std::uint8_t vl = 0;
      if (links[in_port] >= 0 && links[out_port] >= 0) {
        const int arriving = base.fabric().link(links[in_port]).reverse;
        const int turn = base.fabric().Turn(arriving, links[out_port]);
        if ((base.initial().rules->After(turn, 0) & 1) == 0) vl = kDropVl;
      }
      for (int sl = first_sl; sl < first_sl + kSlsOfHalf; ++sl)
        table.At(in_port, out_port, sl) = vl;
    }
  }
}

void MoveSls(int first_sl, int num_ports, SlToVlTable& table) {
  if (first_sl == 0) return;
  for (int in_port = 0; in_port <= num_ports; ++in_port) {
    for (int out_port = 0; out_port <= num_ports; ++out_port) {
      for (int sl = 0; sl < kSlsOfHalf; ++sl)
        table.At(in_port, out_port, first_sl + sl) = table.At(in_port, out_port, sl);
    }
  }
}

}  // namespace

RoutingTables InHalf(int half, const Topology& topology, const RoutingTables& tables,
                     const RftrPaths& base) {
  RoutingTables placed = tables;
  const int first_sl = FirstSlOf(half);
  for (auto& row : placed.sl) {
    for (std::uint8_t& sl : row) sl = static_cast<std::uint8_t>(sl + first_sl);
  }
  for (auto& row : placed.alternatives) {
    for (RoutingTables::PathList& list : row) {
      for (RoutingTables::PathRecord& record : list)
        record.sl = static_cast<std::uint8_t>(record.sl + first_sl);
    }
  }
  for (int node = 0; node < static_cast<int>(topology.nodes().size()); ++node) {
    const int num_ports = topology.node(node).num_ports;
    const std::vector<int> links =
        topology.IsSwitch(node)
            ? LinksOfPorts(base.fabric(), base.fabric().PlaceOf(node), num_ports)
            : std::vector<int>(num_ports + 1, -1);
    MoveSls(first_sl, num_ports, placed.sl2vl[node]);
    FillForStragglers(FirstSlOf(1 - half), num_ports, links, base, placed.sl2vl[node]);
  }
  return placed;
}

}  // namespace lanecut
