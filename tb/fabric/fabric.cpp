// SPDX-License-Identifier: Apache-2.0
#include "tb/fabric/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tb/fabric/scheme.h"
#include "tb/switch/registry.h"

namespace lanecut {

SwitchKind Fabric::KindFor(const Scenario& scenario, const Topology& topology) {
  int ports = 1;
  for (const int node : topology.switches()) ports = std::max(ports, topology.node(node).num_ports);
  // The kinds that limit the time of packets have the schemes, too.
  const bool has_limit =
      scenario.switches.hoq_life.has_value() || scenario.switches.life_time.has_value();
  const SwitchKind wanted{
      .ports = ports,
      .vls = static_cast<int>(scenario.switches.vls),
      .buf_blocks = static_cast<int>(BufferBlocks(scenario.switches.buffer_bytes)),
      .route_cycles = static_cast<int>(scenario.switches.route_cycles),
      // LID 0 is nobody's, nor are those beside it.
      .lids = (static_cast<int>(topology.hcas().size() + 1) << scenario.routing.lmc) +
              static_cast<int>(topology.switches().size()),
      .schemes =
          UsesNumbers(SchemeOf(scenario)) || scenario.manager.encoding == "compact" || has_limit,
      .lifetime = has_limit};
  try {
    return FindSwitchKind(wanted);
  } catch (const std::invalid_argument& error) {
    throw ErrorAt(scenario, "switch.vls", error.what(), "one of these");
  }
}

Fabric::Fabric(const Scenario& scenario, const Topology& topology, const FabricObservers& observers)
    : topology_(topology), seed_(scenario.seed), kind_(KindFor(scenario, topology)) {
  clock_ = std::make_unique<FabricClock>("clock", NsPerCycle(scenario.link.rate),
                                         static_cast<int>(topology.nodes().size()));
  cables_.resize(topology.cables().size());
  follow_task_ = clock_->agenda().Add([this](Cycle) { FollowCables(); });
  AddNodes(scenario, observers);
  AddLinks(scenario, observers);
}

void Fabric::AddNodes(const Scenario& scenario, const FabricObservers& observers) {
  const bool four_lanes = scenario.link.rate == LinkRate::k4xSdr;
  switches_of_node_.resize(topology_.nodes().size());
  hcas_of_node_.resize(topology_.nodes().size());
  for (const int node : topology_.switches()) {
    const Node& info = topology_.node(node);
    auto model = MakeSwitchModel(kind_, info.name);
    model->SetStraps(info.guid, info.name, four_lanes);
    switches_.push_back(std::make_unique<SwitchModule>(sc_core::sc_gen_unique_name("switch"),
                                                       clock_.get(), node, std::move(model),
                                                       scenario.run.skip_idle));
    switches_.back()->SetObserver(observers.switches);
    switches_.back()->SetPortEnableHandler(
        [this](int at, int port, bool enabled) { FollowEnable(at, port, enabled); });
    if (UsesTokens(SchemeOf(scenario))) switches_.back()->FollowHeads();
    switches_of_node_[node] = switches_.back().get();
  }
  for (const int node : topology_.hcas()) {
    const Node& info = topology_.node(node);
    HcaConfig config;
    config.index = static_cast<int>(hcas_.size());
    config.node_guid = info.guid;
    config.name = info.name;
    config.num_vls = kind_.vls;
    config.buffer_blocks = static_cast<int>(BufferBlocks(scenario.node.buffer_bytes));
    config.four_lanes = four_lanes;
    config.source_queue = static_cast<int>(scenario.node.source_queue);
    config.reliable = {.on = scenario.node.reliable,
                       .window = static_cast<int>(scenario.node.window_packets),
                       .reorder = static_cast<int>(scenario.node.reorder_packets),
                       .retransmit = scenario.node.retransmit_cycles};
    hcas_.push_back(std::make_unique<HcaModule>(sc_core::sc_gen_unique_name("hca"), clock_.get(),
                                                node, config, observers.hca));
    hcas_of_node_[node] = hcas_.back().get();
  }
}

void Fabric::AddLinks(const Scenario& scenario, const FabricObservers& observers) {
  const int fly = static_cast<int>(FlyCycles(scenario.link));
  for (int cable = 0; cable < static_cast<int>(topology_.cables().size()); ++cable) {
    links_.push_back(std::make_unique<Link>(cable, fly));
    if (observers.links != nullptr) links_.back()->SetObserver(observers.links);
    ConnectEnd(cable, 0, topology_.cables()[cable].a);
    ConnectEnd(cable, 1, topology_.cables()[cable].b);
    PhyChanged(topology_.cables()[cable].a, true);
    PhyChanged(topology_.cables()[cable].b, true);
  }
}

void Fabric::ConnectEnd(int cable, int end, const PortRef& at) {
  Link* link = links_[cable].get();
  if (SwitchModule* module = switches_of_node_[at.node]; module != nullptr) {
    module->Connect(at.port, &link->In(end), &link->Out(end));
  } else {
    hcas_of_node_[at.node]->Connect(link, end);
  }
}

void Fabric::PhyChanged(const PortRef& at, bool up) {
  if (SwitchModule* module = switches_of_node_[at.node]; module != nullptr) {
    module->SetPhyUp(at.port, up);
  } else {
    hcas_of_node_[at.node]->OnLinkChange();
  }
}

void Fabric::Cut(int cable) {
  cables_[cable].cut = true;
  FollowCable(cable);
}

void Fabric::Restore(int cable) {
  cables_[cable].cut = false;
  FollowCable(cable);
}

// Links change between cycles only.
void Fabric::FollowEnable(int node, int port, bool enabled) {
  const PortRef at{node, port};
  for (int cable = 0; cable < static_cast<int>(cables_.size()); ++cable) {
    const Cable& ends = topology_.cables()[cable];
    if (ends.a != at && ends.b != at) continue;
    cables_[cable].disabled[ends.a == at ? 0 : 1] = !enabled;
    changed_.push_back(cable);
  }
  clock_->agenda().Arm(follow_task_, clock_->now() + 1);
}

void Fabric::FollowCables() {
  for (const int cable : changed_) FollowCable(cable);
  changed_.clear();
}

void Fabric::FollowCable(int cable) {
  const CableState& state = cables_[cable];
  const bool up = !state.cut && !state.disabled[0] && !state.disabled[1];
  if (up == links_[cable]->PhyUp()) return;
  const Cycle now = clock_->now();
  up ? links_[cable]->Restore(now) : links_[cable]->Cut(now);
  PhyChanged(topology_.cables()[cable].a, up);
  PhyChanged(topology_.cables()[cable].b, up);
  if (link_handler_) link_handler_(cable, up, now);
}

void Fabric::SetLinkFaults(int cable, const LinkFaults& faults) {
  links_[cable]->SetFaults(faults, seed_);
}

void Fabric::SetLinkObserver(LinkObserver* observer) {
  for (const auto& link : links_) link->SetObserver(observer);
}

void Fabric::SetLinkObserver(int cable, LinkObserver* observer) {
  links_[cable]->SetObserver(observer);
}

FabricTraffic Fabric::traffic() const {
  FabricTraffic sum;
  for (const auto& module : switches_) {
    sum.packet_starts += module->packet_starts();
    sum.data_packet_starts += module->data_packet_starts();
    sum.switch_evaluations += module->evaluations();
  }
  for (const auto& module : hcas_) {
    const HcaCounters& counters = module->hca().counters();
    sum.packet_starts += counters.data_sent + counters.mads_sent;
    sum.data_packet_starts += counters.data_sent;
    sum.delivered += counters.data_received;
  }
  return sum;
}

bool Fabric::PacketsWait() const {
  const auto waits = [](const auto& module) { return module->PacketsWait(); };
  return std::any_of(switches_.begin(), switches_.end(), waits) ||
         std::any_of(hcas_.begin(), hcas_.end(), waits);
}

bool Fabric::Quiet() const {
  const auto waits = [](const auto& module) { return module->PacketsWait(); };
  const auto idle = [](const auto& module) { return module->hca().Idle(); };
  return !clock_->WordsUnderWay() && std::none_of(switches_.begin(), switches_.end(), waits) &&
         std::all_of(hcas_.begin(), hcas_.end(), idle);
}

}  // namespace lanecut
