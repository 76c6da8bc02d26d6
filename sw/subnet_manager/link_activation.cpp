// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/link_activation.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanecut {

using ib::MadAttribute;
using ib::PortState;

LinkActivation::LinkActivation(const SmConfig& config, FabricMap& map, SmpEngine& engine)
    : config_(config), map_(map), batch_(engine) {}

void LinkActivation::Configure(Done done) {
  result_ = {};
  const auto submit = [this] {
    ForEachNode([this](int node) {
      if (!map_.node(node).IsSwitch()) return ConfigureEndNode(node);
      SetSwitchInfo(node);
      SetEndNodePorts(node);
    });
    ForEachLinkPort([this](const PortRef& ref) {
      if (!map_.node(ref.node).IsSwitch()) return;
      if (map_.port(ref).info.port_state == PortState::kInitialize) Arm(ref);
    });
  };
  batch_.Run(submit, [this, done = std::move(done)] { done(StageResult(result_)); });
}

void LinkActivation::Activate(Done done) {
  result_ = {};
  const auto submit = [this] {
    ForEachLinkPort([this](const PortRef& ref) {
      if (map_.port(ref).info.port_state == PortState::kArmed) SetState(ref, PortState::kActive);
    });
  };
  batch_.Run(submit, [this, done = std::move(done)] { SetSwitchLids(done); });
}

void LinkActivation::Disable(Done done) {
  result_ = {};
  batch_.Run([this] { DisableNext(map_.Leaving(), 0); },
             [this, done = std::move(done)] { done(StageResult(result_)); });
}

// One after the other, so that no answer meets a port that is down.
void LinkActivation::DisableNext(const std::vector<PortRef>& ports, std::size_t index) {
  while (index < ports.size() && !map_.node(ports[index].node).IsReachable()) ++index;
  if (index == ports.size()) return;
  const PortRef ref = ports[index];
  ib::PortInfo info = Wanted(ref);
  info.port_state = PortState::kDown;
  batch_.Add(
      SetRequest({ref.node}, MadAttribute::kPortInfo, static_cast<std::uint32_t>(ref.port), info),
      [this, ref, ports, index](const SmpReply& reply) {
        if (reply.outcome != SmpOutcome::kNoRoute &&
            !CheckReply(reply, MadAttribute::kPortInfo, map_.Describe(ref), &result_)) {
          return;
        }
        DisableNext(ports, index + 1);
      });
}

void LinkActivation::SetSwitchLids(const Done& done) {
  const auto submit = [this] {
    ForEachNode([this](int node) {
      if (map_.node(node).IsSwitch() && !map_.node(node).is_configured) SetSwitchLid(node);
    });
  };
  batch_.Run(submit, [this, done] { done(StageResult(result_)); });
}

bool LinkActivation::IsNeeded(const FabricMap& map) {
  for (std::size_t i = 0; i < map.nodes().size(); ++i) {
    const MapNode& node = map.nodes()[i];
    if (!node.IsReachable()) continue;
    if (!node.is_configured) return true;
    for (int number = 1; number <= node.NumPorts(); ++number) {
      const PortRef ref{static_cast<int>(i), number};
      if (map.port(ref).peer && map.IsInService(ref) &&
          map.port(ref).info.port_state != PortState::kActive) {
        return true;
      }
    }
  }
  return false;
}

void LinkActivation::SetSwitchLid(int node) {
  ib::PortInfo info;  // of port 0, which has no link
  info.lid = map_.node(node).lid;
  info.master_sm_lid = map_.node(FabricMap::kOwnNode).lid;
  info.neighbor_mtu = ib::kMtu256;
  info.operational_vls = ib::VlCode(config_.data_vls);
  batch_.Add(SetRequest({node}, MadAttribute::kPortInfo, 0, info),
             [this, node](const SmpReply& reply) {
               if (!CheckReply(reply, MadAttribute::kPortInfo, map_.node(node).name, &result_))
                 return;
               map_.node(node).is_configured = true;
             });
}

void LinkActivation::SetSwitchInfo(int node) {
  ib::SwitchInfo info = map_.node(node).switch_info;
  const std::uint8_t life_time = config_.life_time.value_or(info.life_time_value);
  if (info.linear_fdb_top == map_.TopLid() && info.life_time_value == life_time) return;
  info.linear_fdb_top = map_.TopLid();
  info.life_time_value = life_time;
  info.port_state_change = false;  // 0 leaves it alone
  batch_.Add(SetRequest({node}, MadAttribute::kSwitchInfo, 0, info),
             [this, node, info](const SmpReply& reply) {
               if (!CheckReply(reply, MadAttribute::kSwitchInfo, map_.node(node).name, &result_))
                 return;
               map_.node(node).switch_info = info;
             });
}

void LinkActivation::SetEndNodePorts(int node) {
  ib::VendorEndNodePorts wanted;
  wanted.transit_first = config_.transit_first;
  for (int number = 1; number <= map_.node(node).NumPorts(); ++number) {
    const std::optional<PortRef>& peer = map_.port({node, number}).peer;
    if (peer && !map_.node(peer->node).IsSwitch())
      wanted.ports |= static_cast<std::uint16_t>(1u << number);
  }
  if (map_.node(node).end_node_ports == wanted) return;
  batch_.Add(
      SetRequest({node}, MadAttribute::kVendorEndNodePorts, 0, wanted),
      [this, node, wanted](const SmpReply& reply) {
        if (!CheckReply(reply, MadAttribute::kVendorEndNodePorts, map_.node(node).name, &result_))
          return;
        map_.node(node).end_node_ports = wanted;
      });
}

void LinkActivation::ConfigureEndNode(int node) {
  MapNode& record = map_.node(node);
  const PortRef ref{node, record.info.local_port_num};
  const MapPort& port = map_.port(ref);
  if (!port.peer || !map_.IsInService(ref)) return;
  if (port.info.port_state == PortState::kInitialize) {
    Arm(ref);
  } else if (!record.is_configured) {
    SetState(ref, PortState::kNoChange);
  }
}

void LinkActivation::Arm(const PortRef& ref) {
  SetArbitration(ref);
  SetState(ref, PortState::kArmed);
}

void LinkActivation::SetArbitration(const PortRef& ref) {
  if (!config_.vl_arbitration) return;
  const VlArbitration& wanted = *config_.vl_arbitration;
  const ib::PortInfo& info = map_.port(ref).info;
  if (wanted.high.size() > info.vl_arbitration_high_cap ||
      wanted.low.size() > info.vl_arbitration_low_cap) {
    result_.Note(
        StageOutcome::kRefused,
        fmt::format("{} has VL arbitration tables of {} and {} entries; needed are {} and {}",
                    map_.Describe(ref), info.vl_arbitration_high_cap, info.vl_arbitration_low_cap,
                    wanted.high.size(), wanted.low.size()));
    return;
  }
  SetArbitrationList(ref, ib::kVlArbitrationHigh, wanted.high);
  SetArbitrationList(ref, ib::kVlArbitrationLow, wanted.low);
}

void LinkActivation::SetArbitrationList(const PortRef& ref, std::uint32_t block,
                                        const std::vector<ib::VlArbitrationEntry>& entries) {
  ib::VlArbitrationBlock table;
  std::ranges::copy(entries, table.entries.begin());
  batch_.Add(
      SetRequest({ref.node}, MadAttribute::kVlArbitrationTable,
                 ib::VlArbitrationModifier(block, static_cast<std::uint8_t>(ref.port)), table),
      [this, ref](const SmpReply& reply) {
        CheckReply(reply, MadAttribute::kVlArbitrationTable, map_.Describe(ref), &result_);
      });
}

void LinkActivation::ForEachNode(const std::function<void(int)>& visit) {
  for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
    if (map_.nodes()[i].is_planned_for) visit(static_cast<int>(i));
  }
}

void LinkActivation::ForEachLinkPort(const std::function<void(const PortRef&)>& visit) {
  for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
    if (!map_.nodes()[i].is_planned_for) continue;
    for (int number = 1; number <= map_.nodes()[i].NumPorts(); ++number) {
      const PortRef ref{static_cast<int>(i), number};
      const std::optional<PortRef>& peer = map_.port(ref).peer;
      if (peer && map_.node(peer->node).is_planned_for && map_.IsInService(ref)) visit(ref);
    }
  }
}

// What the port shall be set to, its state apart: as read, with zero ("no change") for what the
// manager leaves alone.
ib::PortInfo LinkActivation::Wanted(const PortRef& ref) const {
  const MapPort& port = map_.port(ref);
  const ib::PortInfo& far = map_.port(*port.peer).info;
  ib::PortInfo info = port.info;
  if (!map_.node(ref.node).IsSwitch()) {
    info.lid = map_.node(ref.node).lid;
    info.lmc = static_cast<std::uint8_t>(config_.lmc);
    info.master_sm_lid = map_.node(FabricMap::kOwnNode).lid;
  }
  if (map_.node(ref.node).IsSwitch() && config_.hoq_life) info.hoq_life = *config_.hoq_life;
  if (config_.vl_arbitration) info.vl_high_limit = config_.vl_arbitration->high_limit;
  info.neighbor_mtu = std::max(ib::kMtu256, std::min(port.info.mtu_cap, far.mtu_cap));
  info.operational_vls = ib::VlCode(config_.data_vls);
  info.port_phys_state = ib::PortPhysState::kNoChange;
  info.link_down_default_state = 0;
  info.link_width_enabled = 0;
  info.link_speed_enabled = 0;
  info.link_speed_ext_enabled = 0;
  return info;
}

void LinkActivation::SetState(const PortRef& ref, PortState state) {
  ib::PortInfo info = Wanted(ref);
  info.port_state = state;
  SetPort(ref, info);
}

void LinkActivation::SetPort(const PortRef& ref, const ib::PortInfo& info) {
  batch_.Add(
      SetRequest({ref.node}, MadAttribute::kPortInfo, static_cast<std::uint32_t>(ref.port), info),
      [this, ref, wanted = info.port_state](const SmpReply& reply) {
        OnPortSet(ref, wanted, reply);
      });
}

void LinkActivation::OnPortSet(const PortRef& ref, PortState wanted, const SmpReply& reply) {
  if (reply.outcome == SmpOutcome::kRefused && wanted != PortState::kNoChange) {
    Recheck(ref, wanted, reply.mad.status());
    return;
  }
  if (!CheckReply(reply, MadAttribute::kPortInfo, map_.Describe(ref), &result_)) return;
  MapPort& port = map_.port(ref);
  const PortState before = port.info.port_state;
  port.info = ib::PortInfo::Decode(reply.mad);
  if (port.info.port_state == PortState::kDown) {
    result_.Note(StageOutcome::kIncomplete, map_.Describe(ref) + " went down");
    return;
  }
  // An agent may report the state that it is about to leave.
  port.info.port_state = wanted == PortState::kNoChange ? before : wanted;
  if (!map_.node(ref.node).IsSwitch()) map_.node(ref.node).is_configured = true;
}

// A refused change of state: the link went down, or the change had been made by an earlier attempt
// whose answer was lost.
void LinkActivation::Recheck(const PortRef& ref, PortState wanted, std::uint16_t status) {
  batch_.Add(GetRequest({ref.node}, MadAttribute::kPortInfo, static_cast<std::uint32_t>(ref.port)),
             [this, ref, wanted, status](const SmpReply& reply) {
               if (!CheckReply(reply, MadAttribute::kPortInfo, map_.Describe(ref), &result_))
                 return;
               map_.port(ref).info = ib::PortInfo::Decode(reply.mad);
               const PortState state = map_.port(ref).info.port_state;
               if (state >= wanted) return;
               const bool is_down = state == PortState::kDown;
               result_.Note(is_down ? StageOutcome::kIncomplete : StageOutcome::kRefused,
                            fmt::format("{} refuses to go to {} with status {:#06x}; it is {}",
                                        map_.Describe(ref), ib::PortStateName(wanted), status,
                                        ib::PortStateName(state)));
             });
}

}  // namespace lanecut
