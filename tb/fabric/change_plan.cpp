// SPDX-License-Identifier: Apache-2.0
#include "tb/fabric/change_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string>

#include "sw/cli/table_files.h"

namespace lanecut {
namespace {

class ChangePlanner {
 public:
  ChangePlanner(const Scenario& scenario, const Topology& topology)
      : scenario_(scenario), topology_(topology) {}

  ChangePlan Plan() {
    for (index_ = 0; index_ < scenario_.changes.size(); ++index_) Find(scenario_.changes[index_]);
    if (!cables_.empty()) FindFirstAdded();
    for (index_ = 0; index_ < scenario_.changes.size(); ++index_) Add(scenario_.changes[index_]);
    return std::move(plan_);
  }

 private:
  void Find(const ChangeScenario& change) {
    if (change.kind == ChangeKind::kReroute) {
      CheckRoot(change);
      cables_.emplace_back();
    } else {
      cables_.push_back(CablesOf(change));
    }
  }

  void CheckRoot(const ChangeScenario& change) const {
    if (change.root.empty()) return;
    const auto node = topology_.FindNode(change.root);
    if (node && topology_.IsSwitch(*node)) return;
    throw Error("root", "there is no such switch", "a switch of the topology, e.g. \"S0_0\"");
  }

  std::set<int> CablesOf(const ChangeScenario& change) const {
    const std::size_t colon = change.what.rfind(':');
    const auto node = topology_.FindNode(change.what.substr(0, colon));
    if (!node) throw Error("what", "there is no such node", "a link \"S0_0:1\" or switch \"S0_0\"");
    int first = 1;
    int last = topology_.node(*node).num_ports;
    if (colon != std::string::npos) {
      const std::string port = change.what.substr(colon + 1);
      last = 0;
      std::from_chars(port.data(), port.data() + port.size(), last);
      first = last;
    } else if (!topology_.IsSwitch(*node)) {
      throw Error("what", "that is an end node", "a link \"S0_0:1\" or switch \"S0_0\"");
    }
    std::set<int> cables;
    for (int port = first; port <= last; ++port) {
      if (const auto peer = topology_.PeerOf(*node, port)) cables.insert(peer->cable);
    }
    if (cables.empty()) throw Error("what", "no cable at that port", "a port with a cable");
    return cables;
  }

  void FindFirstAdded() {
    std::set<int> seen;
    for (std::size_t i = 0; i < cables_.size(); ++i) {
      for (const int cable : cables_[i]) {
        if (seen.insert(cable).second && scenario_.changes[i].kind == ChangeKind::kAdd)
          out_.insert(cable);
      }
    }
    for (const int cable : out_) AddPorts(cable, plan_.out_of_service);
    index_ = 0;
    CheckService();
  }

  void Add(const ChangeScenario& change) {
    ChangeAction action;
    action.after_warmup = change.after_warmup.has_value();
    action.at = action.after_warmup ? *change.after_warmup : change.at_cycle.value_or(0);
    for (const int cable : cables_[index_]) AddPorts(cable, action.change.ports);
    switch (change.kind) {
      case ChangeKind::kReroute:
        action.change.kind = PlannedChange::Kind::kReroute;
        action.change.engine = EngineName(change, index_);
        action.change.root = change.root;
        action.change.description = Describe(change);
        break;
      case ChangeKind::kRemove:
        action.change.kind = PlannedChange::Kind::kRemove;
        action.change.description = "remove " + change.what;
        out_.insert(cables_[index_].begin(), cables_[index_].end());
        break;
      case ChangeKind::kAdd:
        action.change.kind = PlannedChange::Kind::kAdd;
        action.change.description = "add " + change.what;
        for (const int cable : cables_[index_]) out_.erase(cable);
        break;
    }
    if (change.kind != ChangeKind::kReroute) CheckService();
    plan_.actions.push_back(std::move(action));
  }

  std::string Describe(const ChangeScenario& change) const {
    std::string text = "reroute:";
    if (!change.engine.empty()) text += " engine " + EngineName(change, index_);
    if (!change.root.empty()) text += " root " + change.root;
    return text;
  }

  void AddPorts(int cable, std::vector<PortKey>& ports) const {
    const Cable& ends = topology_.cables()[cable];
    for (const PortRef& end : {ends.a, ends.b}) {
      ports.emplace_back(topology_.node(end.node).guid, end.port);
    }
  }

  // All that still has a link belongs together, and the manager's end node to it.
  void CheckService() const {
    const Topology rest = topology_.Without(std::vector<int>(out_.begin(), out_.end()));
    const auto named = topology_.FindNode(scenario_.manager.node);
    const int manager = named ? *named : topology_.hcas().front();
    const std::vector<int> hops = rest.HopsFrom(manager);
    for (int node = 0; node < static_cast<int>(rest.nodes().size()); ++node) {
      const bool is_out = LinksOf(rest, node) == 0;
      if ((is_out && node == manager) || (!is_out && hops[node] < 0)) {
        throw Error("what", fmt::format("{} would be cut off", topology_.node(node).name),
                    "a change that leaves the rest of the fabric connected");
      }
      if (is_out && !topology_.IsSwitch(node) && scenario_.node.reliable) {
        throw Error("what",
                    fmt::format("{} would leave unacknowledged messages behind, with "
                                "node.reliable",
                                topology_.node(node).name),
                    "a link between switches, or no end-to-end protocol");
      }
    }
  }

  static int LinksOf(const Topology& topology, int node) {
    int links = 0;
    for (int port = 1; port <= topology.node(node).num_ports; ++port) {
      links += topology.PeerOf(node, port).has_value() ? 1 : 0;
    }
    return links;
  }

  ScenarioError Error(std::string_view key, std::string_view what,
                      std::string_view expected) const {
    return ErrorAt(scenario_, fmt::format("change.{}.{}", index_, key), what, expected);
  }

  const Scenario& scenario_;
  const Topology& topology_;
  std::size_t index_ = 0;
  std::vector<std::set<int>> cables_;  // by change
  std::set<int> out_;                  // cables out of service
  ChangePlan plan_;
};

}  // namespace

ChangePlan PlanChanges(const Scenario& scenario, const Topology& topology) {
  return ChangePlanner(scenario, topology).Plan();
}

}  // namespace lanecut
