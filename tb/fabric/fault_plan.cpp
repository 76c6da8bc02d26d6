// SPDX-License-Identifier: Apache-2.0
#include "tb/fabric/fault_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>

namespace lanecut {
namespace {

class FaultPlanner {
 public:
  FaultPlanner(const Scenario& scenario, const Topology& topology)
      : scenario_(scenario), topology_(topology) {}

  std::vector<FaultAction> Plan() {
    for (index_ = 0; index_ < scenario_.faults.size(); ++index_) Add(scenario_.faults[index_]);
    return std::move(actions_);
  }

 private:
  void Add(const FaultScenario& fault) {
    FaultAction action;
    action.after_warmup = fault.after_warmup.has_value();
    action.at = action.after_warmup ? *fault.after_warmup : fault.at_cycle.value_or(0);
    action.cable = CableOf(fault);
    switch (fault.kind) {
      case FaultKind::kCut:
        down_.push_back(action.cable);
        Push(action, FaultAction::Kind::kCut);
        break;
      case FaultKind::kFlap:
        Push(action, FaultAction::Kind::kCut);
        action.at += fault.duration_cycles;
        Push(action, FaultAction::Kind::kRestore);
        break;
      case FaultKind::kRestore:
        std::erase(down_, action.cable);
        Push(action, FaultAction::Kind::kRestore);
        break;
      case FaultKind::kBitErrors:
        PushRate(action, FaultAction::Kind::kBitErrors, fault);
        break;
      case FaultKind::kFcLoss:
        PushRate(action, FaultAction::Kind::kFcLoss, fault);
        break;
    }
  }

  void Push(FaultAction action, FaultAction::Kind kind) {
    action.kind = kind;
    actions_.push_back(action);
  }

  void PushRate(FaultAction action, FaultAction::Kind kind, const FaultScenario& fault) {
    action.rate = fault.rate;
    Push(action, kind);
    if (fault.duration_cycles == 0) return;
    action.rate = 0;
    action.at += fault.duration_cycles;
    Push(action, kind);
  }

  int CableOf(const FaultScenario& fault) const {
    if (fault.link == "all") return kAllCables;
    if (fault.link == "random") return RandomCable(fault.kind);
    const std::size_t colon = fault.link.rfind(':');
    int port = 0;
    if (colon != std::string::npos) {
      std::from_chars(fault.link.data() + colon + 1, fault.link.data() + fault.link.size(), port);
    }
    const auto node = topology_.FindNode(fault.link.substr(0, colon));
    if (!node)
      throw Error("there is no such node", "a node of the topology and its port, e.g. \"S0_0:1\"");
    const auto peer = topology_.PeerOf(*node, port);
    if (!peer) throw Error("no cable at that port", "a port with a cable");
    return peer->cable;
  }

  int RandomCable(FaultKind kind) const {
    if (kind == FaultKind::kRestore) {
      if (down_.empty()) throw Error("no link has been cut before", "a cut before the restore");
      return down_.back();
    }
    std::vector<int> candidates;
    for (int cable = 0; cable < static_cast<int>(topology_.cables().size()); ++cable) {
      if (IsBetweenSwitches(cable)) candidates.push_back(cable);
    }
    std::seed_seq seed{static_cast<std::uint32_t>(scenario_.seed),
                       static_cast<std::uint32_t>(scenario_.seed >> 32),
                       static_cast<std::uint32_t>(index_), 0x4641u};
    std::mt19937_64 random(seed);
    const bool cuts = kind == FaultKind::kCut || kind == FaultKind::kFlap;
    while (!candidates.empty()) {
      const std::size_t pick = random() % candidates.size();
      if (!cuts || MayLose(candidates[pick])) return candidates[pick];
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    throw Error("no such link can be cut without dividing the fabric",
                "a topology with a second way, or the name of a link");
  }

  bool IsBetweenSwitches(int cable) const {
    const Cable& ends = topology_.cables()[cable];
    return topology_.IsSwitch(ends.a.node) && topology_.IsSwitch(ends.b.node);
  }

  bool MayLose(int cable) const {
    if (std::find(down_.begin(), down_.end(), cable) != down_.end()) return false;
    std::vector<int> lost = down_;
    lost.push_back(cable);
    std::sort(lost.begin(), lost.end());
    return topology_.Without(lost).IsConnected();
  }

  ScenarioError Error(std::string_view what, std::string_view expected) const {
    return ErrorAt(scenario_, fmt::format("fault.{}.link", index_), what, expected);
  }

  const Scenario& scenario_;
  const Topology& topology_;
  std::size_t index_ = 0;
  std::vector<int> down_;  // cables that earlier faults have cut for good
  std::vector<FaultAction> actions_;
};

}  // namespace

std::vector<FaultAction> PlanFaults(const Scenario& scenario, const Topology& topology) {
  return FaultPlanner(scenario, topology).Plan();
}

std::string FaultText(const FaultAction& action) {
  switch (action.kind) {
    case FaultAction::Kind::kCut:
      return "cut";
    case FaultAction::Kind::kRestore:
      return "restore";
    case FaultAction::Kind::kBitErrors:
      return fmt::format("bit-errors {}", action.rate);
    case FaultAction::Kind::kFcLoss:
      return fmt::format("fc-loss {}", action.rate);
  }
  return {};
}

std::string CableName(const Topology& topology, int cable) {
  if (cable == kAllCables) return "all links";
  const Cable& ends = topology.cables()[cable];
  return fmt::format("{}:{} - {}:{}", topology.node(ends.a.node).name, ends.a.port,
                     topology.node(ends.b.node).name, ends.b.port);
}

}  // namespace lanecut
