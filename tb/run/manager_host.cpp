// SPDX-License-Identifier: Apache-2.0
#include "tb/run/manager_host.h"

#include <algorithm>

#include "sw/mad/compact_mad.h"
#include "tb/fabric/change_plan.h"
#include "tb/fabric/scheme.h"

namespace lanecut {
namespace {

int FindEndNode(const Scenario& scenario, const Topology& topology, const char* key,
                const std::string& name) {
  const auto node = topology.FindNode(name);
  if (!node || topology.IsSwitch(*node)) {
    throw ErrorAt(scenario, key, "there is no such end node",
                  "the name of an end node of the topology");
  }
  const auto& hcas = topology.hcas();
  return static_cast<int>(std::lower_bound(hcas.begin(), hcas.end(), *node) - hcas.begin());
}

int PlaceOf(const Scenario& scenario, ManagerRole role, const Topology& topology) {
  const ManagerScenario& manager = scenario.manager;
  if (role == ManagerRole::kStandby)
    return FindEndNode(scenario, topology, "manager.standby", manager.standby);
  return manager.node.empty() ? 0 : FindEndNode(scenario, topology, "manager.node", manager.node);
}

// An entry for each VL, in the order of the VLs.
std::vector<ib::VlArbitrationEntry> EntriesOf(const std::vector<std::uint64_t>& weights) {
  std::vector<ib::VlArbitrationEntry> entries;
  for (const std::uint64_t weight : weights) {
    entries.push_back({.vl = static_cast<std::uint8_t>(entries.size()),
                       .weight = static_cast<std::uint8_t>(weight)});
  }
  return entries;
}

std::optional<VlArbitration> ArbitrationOf(const SwitchScenario& switches) {
  if (switches.vl_weights_high.empty() && switches.vl_weights_low.empty()) return {};
  return VlArbitration{.high = EntriesOf(switches.vl_weights_high),
                       .low = EntriesOf(switches.vl_weights_low),
                       .high_limit = static_cast<std::uint8_t>(switches.vl_high_limit)};
}

SmConfig ConfigOf(const Scenario& scenario, ManagerRole role, const Topology& topology) {
  SmConfig config;
  config.is_standby = role == ManagerRole::kStandby;
  config.standby_poll = scenario.manager.standby_poll_cycles;
  config.window = static_cast<int>(scenario.manager.window);
  config.timeout = scenario.manager.timeout_cycles;
  config.retries = static_cast<int>(scenario.manager.retries);
  config.sweep_period = scenario.manager.sweep_cycles;
  config.compute_time = scenario.manager.compute_cycles;
  config.compute_time_per_switch = scenario.manager.compute_cycles_per_switch;
  config.compute_time_per_path = scenario.manager.compute_cycles_per_path;
  config.routing_engine = scenario.routing.engine;
  config.root = scenario.routing.root;
  if (scenario.routing.root_choice == "least-load") config.root_choice = RootChoice::kLeastLoad;
  if (scenario.routing.tree == "dfs") config.tree = SpanningTree::kDepthFirst;
  config.balance = scenario.routing.balance;
  config.paths = static_cast<int>(scenario.routing.paths);
  config.lmc = static_cast<int>(scenario.routing.lmc);
  config.after_fault_engine = scenario.routing.after_fault_engine;
  config.after_fault_root = scenario.routing.after_fault_root;
  config.allow_cyclic = scenario.routing.allow_cyclic;
  config.data_vls = static_cast<int>(scenario.switches.vls);
  if (scenario.switches.hoq_life) {
    config.hoq_life = static_cast<std::uint8_t>(*scenario.switches.hoq_life);
  }
  if (scenario.switches.life_time) {
    config.life_time = static_cast<std::uint8_t>(*scenario.switches.life_time);
  }
  config.vl_arbitration = ArbitrationOf(scenario.switches);
  config.transit_first = scenario.switches.transit_first;
  config.scheme = SchemeOf(scenario);
  config.out_of_service = PlanChanges(scenario, topology).out_of_service;
  if (scenario.manager.encoding == "compact") config.encoding = ManagementEncoding::kCompact;
  if (scenario.reconfiguration.order == "farthest-manager")
    config.order = DistributionOrder::kFarthestManager;
  config.differences = scenario.reconfiguration.differences;
  config.hold_cycles = static_cast<std::uint32_t>(scenario.reconfiguration.hold_cycles);
  config.flood_halt = scenario.reconfiguration.halt == "flood";
  return config;
}

// For those who look on: the path as a directed route has it.
Mad WithRoute(const CompactPacket& compact) {
  Mad mad = ib::MadOf(compact);
  std::uint8_t hops = 1;
  mad.set_initial_path(hops, 1);
  for (const std::uint8_t port : compact.path) {
    if (port == 0) break;
    mad.set_initial_path(++hops, port);
  }
  mad.set_hop_count(hops);
  return mad;
}

}  // namespace

ManagerHost::ManagerHost(const Scenario& scenario, ManagerRole role, Fabric* fabric,
                         SmObserver* observer)
    : clock_(&fabric->clock()),
      port_(&fabric->hca(PlaceOf(scenario, role, fabric->topology()))),
      listens_to_traps_(scenario.manager.trap),
      timer_(clock_->agenda().Add([this](Cycle now) { OnTimer(now); })),
      node_(fabric->topology().hcas()[PlaceOf(scenario, role, fabric->topology())]) {
  ReadTables(scenario, fabric->topology());
  try {
    SmConfig config = ConfigOf(scenario, role, fabric->topology());
    config.find_engine = [this](std::string_view name) -> const RoutingEngine& {
      return tables_.Find(name);
    };
    manager_ = std::make_unique<SubnetManager>(config, *this, *observer);
  } catch (const RoutingError& error) {
    throw ErrorAt(scenario, "routing.engine", error.what(), "an engine of this build");
  }
  port_->SetMadHandler(
      [this](const MadBytes& bytes, std::uint16_t, Cycle now) { OnMad(Mad{bytes}, now); });
  port_->SetLinkHandler([this](bool is_up, Cycle now) { OnLink(is_up, now); });
}

void ManagerHost::Start() { clock_->agenda().Arm(timer_, clock_->now()); }

void ManagerHost::Change(PlannedChange change) {
  manager_->Change(std::move(change), clock_->now());
  ArmTimer();
}

void ManagerHost::ReadCounters(std::function<void(const std::vector<PortReading>&)> done) {
  manager_->ReadCounters(clock_->now(), std::move(done));
  ArmTimer();
}

bool ManagerHost::Send(const Mad& mad, std::uint16_t dlid) {
  const bool is_taken = port_->SendMad(mad.bytes, dlid);
  if (is_taken && mad_hook_) mad_hook_(mad, true, clock_->now());
  return is_taken;
}

bool ManagerHost::SendCompact(const CompactPacket& compact) {
  const bool is_taken = port_->SendCompact(compact);
  if (is_taken && mad_hook_) mad_hook_(WithRoute(compact), true, clock_->now());
  return is_taken;
}

void ManagerHost::OnMad(const Mad& mad, Cycle now) {
  if (!started_ || (mad.method() == ib::MadMethod::kTrap && !listens_to_traps_)) return;
  if (mad_hook_) mad_hook_(mad, false, now);
  manager_->OnMad(mad, now);
  ArmTimer();
}

void ManagerHost::OnLink(bool is_up, Cycle now) {
  if (!started_) return;
  manager_->OnLink(is_up, now);
  ArmTimer();
}

void ManagerHost::OnTimer(Cycle now) {
  if (started_) {
    manager_->OnTimer(now);
  } else {
    started_ = true;
    manager_->Start(now);
  }
  ArmTimer();
}

void ManagerHost::ArmTimer() {
  const Cycle deadline = manager_->NextDeadline();
  clock_->agenda().Arm(timer_, deadline == kNoDeadline ? Agenda::kNever : deadline);
}

}  // namespace lanecut
