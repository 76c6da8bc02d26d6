// SPDX-License-Identifier: Apache-2.0
#include "sw/cli/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "models/traffic/make_traffic.h"
#include "sw/cli/table_files.h"
#include "sw/topology/families.h"
#include "sw/topology/netlist.h"

namespace lanecut {
namespace {

// "one of S0_0, S1_0, ..." with at most four names.
std::string Some(const Topology& topology, const std::vector<int>& nodes) {
  constexpr std::size_t kShown = 4;
  std::string text = "one of ";
  for (std::size_t i = 0; i < std::min(nodes.size(), kShown); ++i) {
    text += (i > 0 ? ", " : "") + topology.node(nodes[i]).name;
  }
  return text + (nodes.size() > kShown ? ", ..." : "");
}

void CheckNode(const Scenario& scenario, const Topology& topology, const std::string& key,
               const std::string& name, NodeKind kind) {
  if (name.empty()) return;
  const std::optional<int> node = topology.FindNode(name);
  if (node && topology.node(*node).kind == kind) return;
  const bool is_switch = kind == NodeKind::kSwitch;
  throw ErrorAt(scenario, key,
                fmt::format("{} = \"{}\" is no {} of this topology", key, name,
                            is_switch ? "switch" : "end node"),
                Some(topology, is_switch ? topology.switches() : topology.hcas()));
}

bool JoinsSwitches(const Topology& topology, const Cable& cable) {
  return topology.IsSwitch(cable.a.node) && topology.IsSwitch(cable.b.node);
}

void CheckFaultLink(const Scenario& scenario, const Topology& topology, std::size_t index) {
  const std::string& link = scenario.faults[index].link;
  const std::string key = fmt::format("fault.{}.link", index);
  if (link == "all") return;
  if (link == "random") {
    const bool any = std::ranges::any_of(topology.cables(), [&topology](const Cable& cable) {
      return JoinsSwitches(topology, cable);
    });
    if (any) return;
    throw ErrorAt(scenario, key,
                  fmt::format("{} = \"random\", but no link joins two switches", key),
                  "a link by name");
  }
  if (!FindPort(topology, link)) {
    throw ErrorAt(scenario, key, fmt::format("{} = \"{}\": there is no such link", key, link),
                  "a node and one of its cabled ports, like \"S0_0:1\"");
  }
}

void CheckStandby(const Scenario& scenario, const Topology& topology) {
  const ManagerScenario& manager = scenario.manager;
  if (manager.standby.empty()) return;
  const std::string& own =
      manager.node.empty() ? topology.node(topology.hcas().front()).name : manager.node;
  if (manager.standby != own) return;
  throw ErrorAt(scenario, "manager.standby",
                fmt::format("manager.standby = \"{}\" is the manager's own end node", own),
                "another end node");
}

std::vector<int> Ints(const std::vector<std::uint64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

Topology BuildShape(const TopologyScenario& topology) {
  const std::vector<int> sizes = Ints(topology.size);
  const int nodes = static_cast<int>(topology.nodes_per_switch);
  switch (topology.kind) {
    case TopologyKind::kTorus:
      return BuildTorus(sizes, nodes);
    case TopologyKind::kMesh:
      return BuildMesh(sizes, nodes);
    case TopologyKind::kRing:
      return BuildRing(sizes[0], nodes);
    case TopologyKind::kHypercube:
      return BuildHypercube(sizes[0], nodes);
    case TopologyKind::kFullMesh:
      return BuildFullMesh(sizes[0], nodes);
    case TopologyKind::kDragonfly:
      return BuildDragonfly(
          {sizes[0], sizes[1], sizes.size() > 2 ? std::optional(sizes[2]) : std::nullopt}, nodes);
    case TopologyKind::kRandomRegular:
      return BuildRandomRegular(sizes[0], sizes[1], nodes, topology.seed);
    case TopologyKind::kKaryNtree:
      return BuildXgft(KaryNtree(sizes[0], sizes[1]));
    case TopologyKind::kXgft:
      return BuildXgft({sizes, Ints(topology.parents)});
    case TopologyKind::kNetlist:
      break;
  }
  throw std::invalid_argument("no shape");
}

}  // namespace

Topology BuildTopology(const Scenario& scenario) {
  if (scenario.topology.kind == TopologyKind::kNetlist)
    return ReadNetlistFile(scenario.topology.path.string());
  try {
    return BuildShape(scenario.topology);
  } catch (const std::invalid_argument& error) {
    const std::string_view text = error.what();
    constexpr std::string_view kExpected = "; expected ";
    const std::size_t at = std::min(text.find(kExpected), text.size());
    const bool says = at < text.size();
    throw ErrorAt(scenario, "topology.size",
                  fmt::format("topology.size makes {}", text.substr(0, at)),
                  says ? std::string(text.substr(at + kExpected.size())) : "other sizes");
  }
}

std::optional<PortRef> FindPort(const Topology& topology, std::string_view name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  int port = 0;
  const char* end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + colon + 1, end, port);
  if (error != std::errc() || rest != end) return std::nullopt;
  const std::optional<int> node = topology.FindNode(name.substr(0, colon));
  if (!node || !topology.PeerOf(*node, port)) return std::nullopt;
  return PortRef{*node, port};
}

void CheckAgainstTopology(const Scenario& scenario, const Topology& topology) {
  CheckNode(scenario, topology, "routing.root", scenario.routing.root, NodeKind::kSwitch);
  CheckNode(scenario, topology, "routing.after_fault_root", scenario.routing.after_fault_root,
            NodeKind::kSwitch);
  CheckNode(scenario, topology, "manager.node", scenario.manager.node, NodeKind::kHca);
  CheckNode(scenario, topology, "manager.standby", scenario.manager.standby, NodeKind::kHca);
  CheckStandby(scenario, topology);
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    CheckFaultLink(scenario, topology, i);
  }
  const bool sends = scenario.traffic.pattern == "trace" || scenario.traffic.load > 0;
  const std::size_t needed = sends ? 2 : 1;
  if (topology.hcas().size() < needed) {
    throw ErrorAt(scenario, "topology.kind",
                  fmt::format("the topology has {} end nodes", topology.hcas().size()),
                  fmt::format("at least {}: one for the manager{}", needed,
                              needed > 1 ? ", another for traffic" : ""));
  }
  MakeTraffic(scenario, topology, 0);     // for its errors
  TableFiles().Read(scenario, topology);  // the same
}

}  // namespace lanecut
