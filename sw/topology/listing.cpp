// SPDX-License-Identifier: Apache-2.0
#include "sw/topology/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sw/mad/identity.h"
#include "sw/topology/opensm_order.h"

namespace lanecut {
namespace {

bool IsSwitch(const Node& node) { return node.kind == NodeKind::kSwitch; }

// ---- opensm-subnet.lst ----

std::string End(const FabricListing& fabric, PortRef at, bool is_far) {
  const Node& node = fabric.topology.node(at.node);
  const std::uint32_t device = IsSwitch(node) ? ib::kSwitchDeviceId : ib::kHcaDeviceId;
  return fmt::format(
      "{{ {}{} Ports:{:02X} SystemGUID:{:016x} NodeGUID:{:016x} PortGUID:{:016x} VenID:{:0{}X} "
      "DevID:{:04X} Rev:{:08X} {{{}}} LID:{:04X} PN:{:02X} }} ",
      IsSwitch(node) ? "SW" : "CA", fabric.manager == at.node ? "-SM" : "", node.num_ports,
      node.guid, node.guid, node.PortGuid(), ib::kVendorId, is_far ? 8 : 6,
      is_far ? device << 16 : device, IsSwitch(node) ? ib::kSwitchRevision : ib::kHcaRevision,
      node.name, fabric.lids[at.node], at.port);
}

// ---- ibnetdiscover ----

std::string IdOf(const Node& node) {
  return fmt::format("{}-{:016x}", IsSwitch(node) ? 'S' : 'H', node.guid);
}

std::string HeadOf(const FabricListing& fabric, int index) {
  const Node& node = fabric.topology.node(index);
  std::string head =
      fmt::format("\nvendid={:#x}\ndevid={:#x}\nsysimgguid={:#x}\n", ib::kVendorId,
                  IsSwitch(node) ? ib::kSwitchDeviceId : ib::kHcaDeviceId, node.guid);
  if (!IsSwitch(node)) {
    return head + fmt::format("caguid={:#x}\nCa\t{} \"{}\"\t\t# \"{}\"\n", node.guid,
                              node.num_ports, IdOf(node), node.name);
  }
  return head +
         fmt::format(
             "switchguid={:#x}({:x})\nSwitch\t{} \"{}\"\t\t# \"{}\" base port 0 lid {} lmc 0\n",
             node.guid, node.guid, node.num_ports, IdOf(node), node.name, fabric.lids[index]);
}

std::string CableAt(const FabricListing& fabric, int index, int port, const Peer& peer) {
  const Node& here = fabric.topology.node(index);
  const Node& there = fabric.topology.node(peer.node);
  const auto guid_of = [](const Node& node) {
    return IsSwitch(node) ? std::string() : fmt::format("({:x}) ", node.PortGuid());
  };
  return fmt::format("[{}]{}\t\"{}\"[{}]{}\t\t# {}\"{}\" lid {} {}xSDR\n", port, guid_of(here),
                     IdOf(there), peer.port, guid_of(there),
                     IsSwitch(here) ? "" : fmt::format("lid {} lmc 0 ", fabric.lids[index]),
                     there.name, fabric.lids[peer.node], fabric.four_lanes ? 4 : 1);
}

}  // namespace

void WriteSubnetList(const FabricListing& fabric, std::ostream& out) {
  const Topology& topology = fabric.topology;
  for (const int node : OpenSmOrder(topology)) {
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      const auto peer = topology.PeerOf(node, port);
      if (!peer) continue;
      out << End(fabric, {node, port}, false) << End(fabric, {peer->node, peer->port}, true)
          << fmt::format("PHY={}x LOG=ACT SPD=2.5\n", fabric.four_lanes ? 4 : 1);
    }
  }
}

void WriteNetDiscover(const FabricListing& fabric, std::ostream& out) {
  const Topology& topology = fabric.topology;
  const auto write = [&](int node) {
    out << HeadOf(fabric, node);
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      if (const auto peer = topology.PeerOf(node, port)) out << CableAt(fabric, node, port, *peer);
    }
  };
  out << "#\n# Topology file\n#\n";
  std::ranges::for_each(topology.switches(), write);
  std::ranges::for_each(topology.hcas(), write);
}

}  // namespace lanecut
