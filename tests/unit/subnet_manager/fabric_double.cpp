// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/subnet_manager/fabric_double.h"

#include <algorithm>

#include "sw/mad/directed_route.h"
#include "sw/wire/function_number.h"

namespace lanecut {

namespace {

constexpr Cycle kSmpCycles = 73;
constexpr Cycle kTransportQueue = 16 * kSmpCycles;
constexpr Cycle kTrapRepeat = 65536;
constexpr Cycle kAgentCycles = 100;
constexpr std::uint8_t kRubbish = 9;

bool IsSet(const Mad& mad) { return mad.method() == ib::MadMethod::kSet; }

}  // namespace

FabricDouble::FabricDouble(Topology topology, DoubleOptions options)
    : topology_(std::move(topology)),
      options_(options),
      agents_(topology_.nodes().size()),
      cable_up_(topology_.cables().size(), true),
      random_(options.seed) {
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    agents_[i].ports.resize(topology_.node(static_cast<int>(i)).num_ports + 1);
    for (auto& lft : agents_[i].lft) lft.assign(options.lft_depth, kRubbish);
  }
  stations_[0].node = options.manager >= 0 ? options.manager : topology_.hcas().front();
  stations_[1].node = options.standby >= 0 ? options.standby : topology_.hcas().back();
  for (Station& station : stations_) station.fabric = this;
  for (const Cable& cable : topology_.cables()) {
    for (const PortRef& end : {cable.a, cable.b}) {
      agents_[end.node].ports[end.port].phy_up = true;
      agents_[end.node].ports[end.port].state = ib::PortState::kInitialize;
      agents_[end.node].state_change = true;
    }
  }
}

SubnetManager& FabricDouble::StartManager(SmConfig config) {
  return StartAt(stations_[0], std::move(config));
}

SubnetManager& FabricDouble::StartStandby(SmConfig config) {
  config.is_standby = true;
  return StartAt(stations_[1], std::move(config));
}

SubnetManager& FabricDouble::StartAt(Station& station, SmConfig config) {
  station.manager = std::make_unique<SubnetManager>(std::move(config), station, log_);
  station.manager->Start(now_);
  return *station.manager;
}

SubnetManager& FabricDouble::manager() {
  return *stations_[Count(SmEventKind::kTookOver) > 0 ? 1 : 0].manager;
}

FabricDouble::Station* FabricDouble::StationAt(int node) {
  for (Station& station : stations_) {
    if (station.node == node && station.manager) return &station;
  }
  return nullptr;
}

bool FabricDouble::RunUntil(const std::function<bool()>& done, Cycle limit) {
  while (!done()) {
    Cycle timer = kNoDeadline;
    SubnetManager* due = nullptr;
    for (Station& station : stations_) {
      if (!station.manager) continue;
      const Cycle deadline = station.manager->NextDeadline();
      if (deadline >= timer) continue;
      due = station.manager.get();
      timer = deadline;
    }
    const Cycle event = queue_.empty() ? kNoDeadline : queue_.top().cycle;
    const Cycle next = std::max(now_, std::min(timer, event));
    if (next >= limit) return false;
    now_ = next;
    if (event <= now_) {
      const auto action = queue_.top().action;
      queue_.pop();
      action();
    } else {
      due->OnTimer(now_);
    }
  }
  return true;
}

void FabricDouble::RunFor(Cycle cycles) {
  const Cycle end = now_ + cycles;
  RunUntil([] { return false; }, end);
  now_ = end;
}

void FabricDouble::Schedule(Cycle cycle, std::function<void()> action) {
  queue_.push({cycle, order_++, std::move(action)});
}

int FabricDouble::Count(SmEventKind kind) const {
  return static_cast<int>(
      std::count_if(log_.events.begin(), log_.events.end(),
                    [kind](const SmEvent& event) { return event.kind == kind; }));
}

std::optional<SmEvent> FabricDouble::Find(SmEventKind kind, Cycle from) const {
  for (const SmEvent& event : log_.events) {
    if (event.kind == kind && event.cycle >= from) return event;
  }
  return std::nullopt;
}

// ---- Links ----

void FabricDouble::Cut(int cable) {
  cable_up_[cable] = false;
  for (const PortRef& end : {topology_.cables()[cable].a, topology_.cables()[cable].b}) {
    agents_[end.node].ports[end.port].phy_up = false;
    SetState(end.node, end.port, ib::PortState::kDown);
    NoteChange(end.node);
    TellManager(end.node, false);
  }
}

void FabricDouble::Restore(int cable) {
  cable_up_[cable] = true;
  for (const PortRef& end : {topology_.cables()[cable].a, topology_.cables()[cable].b}) {
    agents_[end.node].ports[end.port].phy_up = true;
    SetState(end.node, end.port, ib::PortState::kInitialize);
    NoteChange(end.node);
    TellManager(end.node, true);
  }
}

void FabricDouble::TellManager(int node, bool is_up) {
  if (Station* station = StationAt(node)) station->manager->OnLink(is_up, now_);
}

void FabricDouble::SetState(int node, int port, ib::PortState state) {
  agents_[node].ports[port].state = state;
  ScheduleTokens();
}

void FabricDouble::NoteChange(int node) {
  if (!topology_.IsSwitch(node)) return;
  Agent& agent = agents_[node];
  agent.state_change = true;
  if (!options_.send_traps || agent.lid == 0 || agent.master_lid == 0) return;
  ++agent.trap_tid;
  agent.trap_pending = true;
  SendTrap(node);
}

void FabricDouble::SendTrap(int node) {
  Agent& agent = agents_[node];
  if (!agent.trap_pending) return;
  Mad mad = ib::MakeSmp(ib::MadClass::kSubnLid, ib::MadMethod::kTrap, ib::MadAttribute::kNotice, 0);
  mad.set_transaction_id(agent.trap_tid);
  ib::Notice notice;
  notice.issuer_lid = notice.data_lid = agent.lid;
  notice.Encode(&mad);
  if (!trap_filter || trap_filter(mad)) RouteByLid(node, mad, agent.master_lid);
  Schedule(now_ + kTrapRepeat, [this, node, tid = agent.trap_tid] {
    if (agents_[node].trap_tid == tid) SendTrap(node);
  });
}

// ---- Transport ----

bool FabricDouble::Send(Station& station, const Mad& mad, Lid dlid) {
  if (mad.is_directed() && mad.hop_count() == 0) {  // the manager's own node
    Schedule(now_, [this, mad, node = station.node] {
      Mad local = mad;
      ib::OriginateDirectedRoute(&local);
      Process(node, 0, local);
    });
    return true;
  }
  if (refuse_all || station.tx_free > now_ + kTransportQueue) return false;
  station.tx_free = std::max(station.tx_free, now_) + kSmpCycles;
  if ((outbound_filter && !outbound_filter(mad)) || IsLost()) return true;
  Schedule(station.tx_free, [this, mad, dlid, node = station.node] { Inject(node, mad, dlid); });
  return true;
}

bool FabricDouble::IsLost() {
  return options_.loss > 0 && std::uniform_real_distribution<>(0, 1)(random_) < options_.loss;
}

void FabricDouble::Inject(int node, Mad mad, Lid dlid) {
  if (!mad.is_directed()) {
    Traverse(node, 1, mad, dlid);
    return;
  }
  const ib::DirectedRouteResult step = ib::OriginateDirectedRoute(&mad);
  if (step.step == ib::RouteStep::kForward) Traverse(node, step.port, mad, dlid);
}

void FabricDouble::Traverse(int node, int port, Mad mad, Lid dlid) {
  const std::optional<Peer> peer = topology_.PeerOf(node, port);
  if (!peer || !cable_up_[peer->cable]) return;
  Schedule(now_ + options_.hop_cycles, [this, peer, mad, dlid] {
    if (cable_up_[peer->cable]) Arrive(peer->node, peer->port, mad, dlid);
  });
}

void FabricDouble::Arrive(int node, int port, Mad mad, Lid dlid) {
  if (!mad.is_directed()) {
    RouteByLid(node, mad, dlid);
    return;
  }
  const ib::DirectedRouteResult step =
      ib::ReceiveDirectedRoute(&mad, static_cast<std::uint8_t>(port), topology_.IsSwitch(node));
  if (step.step == ib::RouteStep::kForward) Traverse(node, step.port, mad, dlid);
  if (step.step == ib::RouteStep::kProcess) Process(node, port, mad);
  Station* station = StationAt(node);
  if (step.step == ib::RouteStep::kToManager && station != nullptr)
    Deliver(*station, mad, kSmpCycles);
}

void FabricDouble::RouteByLid(int node, Mad mad, Lid dlid) {
  Agent& agent = agents_[node];
  if (agent.lid == dlid) {
    if (Station* station = StationAt(node)) {
      Deliver(*station, mad, kSmpCycles);
    } else if (mad.method() == ib::MadMethod::kTrapRepress &&
               mad.transaction_id() == agent.trap_tid) {
      agent.trap_pending = false;
    }
    return;
  }
  if (!topology_.IsSwitch(node) || dlid > agent.fdb_top) return;
  const int port = agent.lft[agent.bank][dlid];
  if (port >= 1 && port <= topology_.node(node).num_ports) Traverse(node, port, mad, dlid);
}

void FabricDouble::Deliver(Station& station, const Mad& mad, Cycle words) {
  if ((inbound_filter && !inbound_filter(mad)) || IsLost()) return;
  station.rx_free = std::max(station.rx_free, now_) + words;
  Schedule(station.rx_free, [this, mad, &station] { station.manager->OnMad(mad, now_); });
}

void FabricDouble::Process(int node, int port, Mad mad) {
  if (agents_[node].mute) return;
  Station* station = StationAt(node);
  if (station != nullptr && mad.attribute() == ib::MadAttribute::kSmInfo) {
    Deliver(*station, mad, kSmpCycles);
    return;
  }
  const ib::MadStatus status = Answer(node, port, &mad);
  ib::MakeResponse(&mad, status);
  const ib::DirectedRouteResult step = ib::OriginateDirectedRoute(&mad);
  Schedule(now_ + kAgentCycles, [this, node, mad, step, station] {
    if (step.step == ib::RouteStep::kToManager) station->manager->OnMad(mad, now_);
    if (step.step == ib::RouteStep::kForward) Traverse(node, step.port, mad, 0);
  });
}

// ---- Agents ----

ib::MadStatus FabricDouble::Answer(int node, int port, Mad* mad) {
  const Node& record = topology_.node(node);
  const bool is_switch = topology_.IsSwitch(node);
  Agent& agent = agents_[node];
  switch (mad->attribute()) {
    case ib::MadAttribute::kNodeInfo: {
      ib::NodeInfo info;
      info.node_type = is_switch ? ib::NodeType::kSwitch : ib::NodeType::kChannelAdapter;
      info.num_ports = static_cast<std::uint8_t>(record.num_ports);
      info.node_guid = info.system_image_guid = record.guid;
      info.port_guid = record.PortGuid();
      info.local_port_num = static_cast<std::uint8_t>(port == 0 && !is_switch ? 1 : port);
      info.Encode(mad);
      return ib::MadStatus::kOk;
    }
    case ib::MadAttribute::kNodeDescription:
      ib::NodeDescription{record.name}.Encode(mad);
      return ib::MadStatus::kOk;
    case ib::MadAttribute::kPortInfo:
      return AnswerPortInfo(node, static_cast<int>(mad->modifier()), mad);
    case ib::MadAttribute::kVendorStatus:
      return AnswerStatus(node, mad);
    case ib::MadAttribute::kVendorInjection:
      if (is_switch) return ib::MadStatus::kUnsupportedAttribute;
      if (IsSet(*mad)) agent.halted = ib::VendorInjection::Decode(*mad).halted;
      ib::VendorInjection{agent.halted}.Encode(mad);
      return ib::MadStatus::kOk;
    case ib::MadAttribute::kVendorPaths:
      if (is_switch || !IsSet(*mad)) return ib::MadStatus::kUnsupportedAttribute;
      for (const ib::VendorPaths::Entry& entry : ib::VendorPaths::Decode(*mad).entries) {
        if (entry.lid != 0) agent.paths[entry.lid] = entry;
      }
      return ib::MadStatus::kOk;
    case ib::MadAttribute::kSlToVlMappingTable:
      return AnswerSlToVl(node, mad, agent.bank);
    case ib::MadAttribute::kVlArbitrationTable: {
      const auto at = static_cast<std::size_t>(mad->modifier() & 0xFF);
      ib::VlArbitrationBlock& block = agent.ports.at(at).arbitration[mad->modifier() >> 16];
      if (IsSet(*mad)) block = ib::VlArbitrationBlock::Decode(*mad);
      block.Encode(mad);
      return ib::MadStatus::kOk;
    }
    case ib::MadAttribute::kVendorScheme:
      if (IsSet(*mad)) {
        agent.scheme = ib::VendorScheme::Decode(*mad).scheme;
        agent.hold_cycles = ib::VendorScheme::Decode(*mad).hold_cycles;
        agent.draining = agent.restricted = false;
        if (agent.scheme == ib::FunctionScheme::kDouble) agent.ready = false;
      }
      ib::VendorScheme{agent.scheme, agent.hold_cycles}.Encode(mad);
      return ib::MadStatus::kOk;
    case ib::MadAttribute::kVendorFunction:
      return AnswerFunction(node, mad);
    case ib::MadAttribute::kVendorVlDrain:
      return AnswerVlDrain(node, mad);
    default:
      break;
  }
  if (!is_switch) return ib::MadStatus::kUnsupportedAttribute;
  switch (mad->attribute()) {
    case ib::MadAttribute::kSwitchInfo:
      return AnswerSwitchInfo(node, mad);
    case ib::MadAttribute::kLinearForwardingTable:
      return AnswerBlock(node, mad, agent.bank);
    case ib::MadAttribute::kVendorFeederRows:
      return AnswerRows(node, mad);
    case ib::MadAttribute::kVendorInactiveForwardingTable:
      return AnswerBlock(node, mad, 1 - agent.bank);
    case ib::MadAttribute::kVendorInactiveSlToVl:
      return AnswerSlToVl(node, mad, 1 - agent.bank);
    case ib::MadAttribute::kVendorBank:
      return AnswerBank(node, mad);
    case ib::MadAttribute::kVendorEndNodePorts:
      if (IsSet(*mad)) agent.end_node_ports = ib::VendorEndNodePorts::Decode(*mad);
      agent.end_node_ports.Encode(mad);
      return ib::MadStatus::kOk;
    case ib::MadAttribute::kVendorPortCounters:
      return AnswerCounters(node, mad);
    default:
      return ib::MadStatus::kUnsupportedAttribute;
  }
}

ib::MadStatus FabricDouble::AnswerPortInfo(int node, int port, Mad* mad) {
  Agent& agent = agents_[node];
  if (port > topology_.node(node).num_ports) return ib::MadStatus::kInvalidField;
  Port& record = agent.ports[port];
  const bool has_lid = port == 0 || !topology_.IsSwitch(node);
  if (IsSet(*mad)) {
    const ib::PortInfo wanted = ib::PortInfo::Decode(*mad);
    const ib::PortState state = wanted.port_state;
    const bool keeps = state == ib::PortState::kNoChange || state == record.state;
    const bool steps =
        (state == ib::PortState::kArmed && record.state == ib::PortState::kInitialize) ||
        (state == ib::PortState::kActive && record.state == ib::PortState::kArmed);
    const bool bounces = state == ib::PortState::kDown && record.phy_up;
    if (!keeps && !steps && !bounces) return ib::MadStatus::kInvalidField;
    record.set = wanted;
    if (has_lid) agent.lid = wanted.lid;
    if (has_lid) agent.master_lid = wanted.master_sm_lid;
    if (steps) SetState(node, port, state);
    if (bounces) {
      SetState(node, port, ib::PortState::kInitialize);
      NoteChange(node);
    }
    if (steps && options_.traps_for_sets) NoteChange(node);
  }
  ib::PortInfo info = record.set;
  info.local_port_num = static_cast<std::uint8_t>(port);
  info.vl_arbitration_high_cap = options_.arbitration_entries;
  info.vl_arbitration_low_cap = options_.arbitration_entries;
  info.capability_mask = StationAt(node) != nullptr ? ib::kCapabilityIsSm : 0;
  info.lid = has_lid ? agent.lid : 0;
  info.master_sm_lid = has_lid ? agent.master_lid : 0;
  info.port_state = record.state;
  info.port_phys_state = record.phy_up ? ib::PortPhysState::kLinkUp : ib::PortPhysState::kPolling;
  info.vl_cap = ib::VlCode(options_.vls);
  info.mtu_cap = ib::kMtu256 + 1;
  info.Encode(mad);
  return ib::MadStatus::kOk;
}

ib::MadStatus FabricDouble::AnswerSwitchInfo(int node, Mad* mad) {
  Agent& agent = agents_[node];
  if (IsSet(*mad)) {
    const ib::SwitchInfo wanted = ib::SwitchInfo::Decode(*mad);
    agent.fdb_top = wanted.linear_fdb_top;
    agent.life_time = wanted.life_time_value;
    if (wanted.port_state_change) agent.state_change = false;
  }
  ib::SwitchInfo info;
  info.linear_fdb_cap = static_cast<std::uint16_t>(options_.lft_depth);
  info.linear_fdb_top = agent.fdb_top;
  info.life_time_value = agent.life_time;
  info.port_state_change = agent.state_change;
  info.optimized_sl_to_vl = options_.optimized_sl_to_vl ? 1 : 0;
  info.Encode(mad);
  return ib::MadStatus::kOk;
}

ib::MadStatus FabricDouble::AnswerBlock(int node, Mad* mad, int bank) {
  std::vector<std::uint8_t>& lft = agents_[node].lft[bank];
  const std::size_t first = mad->modifier() * static_cast<std::size_t>(ib::kLftBlockEntries);
  if (first >= lft.size()) return ib::MadStatus::kInvalidField;
  if (IsSet(*mad)) {
    NoteWrite(node, bank);
    const auto block = ib::LinearForwardingTableBlock::Decode(*mad);
    std::copy(block.ports.begin(), block.ports.end(),
              lft.begin() + static_cast<std::ptrdiff_t>(first));
  }
  ib::LinearForwardingTableBlock read;
  std::copy_n(lft.begin() + static_cast<std::ptrdiff_t>(first), read.ports.size(),
              read.ports.begin());
  read.Encode(mad);
  return ib::MadStatus::kOk;
}

ib::MadStatus FabricDouble::AnswerSlToVl(int node, Mad* mad, int bank) {
  if (!IsSet(*mad)) return ib::MadStatus::kOk;
  NoteWrite(node, bank);
  const ib::SlToVlBlock block = ib::SlToVlBlock::Decode(*mad);
  auto& tables = agents_[node].sl_to_vl[bank];
  const std::uint32_t modifier = mad->modifier();
  if (modifier == (ib::kSlToVlAllInputs | ib::kSlToVlAllOutputs)) {
    if (!options_.optimized_sl_to_vl) return ib::MadStatus::kInvalidField;
    for (int in = 0; in <= topology_.node(node).num_ports; ++in) {
      for (int out = 0; out <= topology_.node(node).num_ports; ++out) tables[{in, out}] = block;
    }
    return ib::MadStatus::kOk;
  }
  const int in = topology_.IsSwitch(node) ? static_cast<int>(modifier >> 8 & 0xFF) : 0;
  const int out = topology_.IsSwitch(node) ? static_cast<int>(modifier & 0xFF) : 1;
  tables[{in, out}] = block;
  return ib::MadStatus::kOk;
}

ib::MadStatus FabricDouble::AnswerStatus(int node, Mad* mad) {
  Agent& agent = agents_[node];
  if (agent.moving_polls > 0) {
    --agent.moving_polls;
    ++agent.moved;
  }
  ib::VendorStatus status;
  status.busy = agent.busy_polls > 0;
  if (agent.busy_polls > 0) --agent.busy_polls;
  status.halted = !topology_.IsSwitch(node) && agent.halted;
  status.active_bank = topology_.IsSwitch(node) && agent.bank == 1;
  status.epoch = agent.epoch;
  status.changing = topology_.IsSwitch(node) ? agent.started : WaitsForToken(node);
  status.data_received = status.data_sent = agent.moved;
  status.vl15_blocks = 32;
  status.data_blocks = agent.data_blocks;
  status.Encode(mad);
  return ib::MadStatus::kOk;
}

ib::MadStatus FabricDouble::AnswerBank(int node, Mad* mad) {
  Agent& agent = agents_[node];
  if (SaysBusy(node, *mad)) return ib::MadStatus::kBusy;
  if (IsSet(*mad)) {
    const ib::VendorBank bank = ib::VendorBank::Decode(*mad);
    if (bank.commit) {
      commits.push_back(topology_.node(node).name);
      agent.bank = 1 - agent.bank;
      agent.epoch = bank.epoch;
      agent.draining = agent.restricted = agent.ready = false;
      ++agent.commits;
    }
  }
  ib::VendorBank bank;
  bank.active_bank = agent.bank == 1;
  bank.epoch = agent.epoch;
  bank.Encode(mad);
  return ib::MadStatus::kOk;
}

// Node and port, so that a reading tells where it is from.
ib::MadStatus FabricDouble::AnswerCounters(int node, Mad* mad) {
  const auto port = static_cast<int>(mad->modifier());
  if (port > topology_.node(node).num_ports) return ib::MadStatus::kInvalidField;
  ib::VendorPortCounters counters;
  counters.data_received = static_cast<std::uint32_t>(node);
  counters.data_sent = mad->modifier();
  counters.Encode(mad);
  return ib::MadStatus::kOk;
}

// ---- Functions ----

bool FabricDouble::SaysBusy(int node, const Mad& mad) {
  if (!IsSet(mad) || agents_[node].busy_answers == 0) return false;
  --agents_[node].busy_answers;
  return true;
}

void FabricDouble::NoteWrite(int node, int bank) {
  Agent& agent = agents_[node];
  if (agent.ready && agent.started && bank != agent.bank) ++agent.late_writes;
}

ib::MadStatus FabricDouble::AnswerFunction(int node, Mad* mad) {
  Agent& agent = agents_[node];
  const bool is_switch = topology_.IsSwitch(node);
  if (SaysBusy(node, *mad)) return ib::MadStatus::kBusy;
  if (is_switch && agent.scheme != ib::FunctionScheme::kTokens)
    return ib::MadStatus::kUnsupportedAttribute;
  if (IsSet(*mad)) {
    const auto wanted = ib::VendorFunction::Decode(*mad);
    if (!is_switch) {
      if (wanted.start) agent.epoch = wanted.number;
    } else if (wanted.number != agent.epoch) {
      if (wanted.number != NextNumber(agent.epoch)) return ib::MadStatus::kBusy;
      agent.ready |= wanted.ready;
      agent.started |= wanted.start;
    }
    ScheduleTokens();
  }
  ib::VendorFunction function;
  function.ready = agent.ready;
  function.start = is_switch ? agent.started : WaitsForToken(node);
  function.epoch = agent.epoch;
  function.number = agent.ready ? NextNumber(agent.epoch) : 0;
  function.Encode(mad);
  return ib::MadStatus::kOk;
}

ib::MadStatus FabricDouble::AnswerRows(int node, Mad* mad) {
  Agent& agent = agents_[node];
  const int bank = (mad->modifier() & ib::kFeederRowsInactive) != 0 ? 1 - agent.bank : agent.bank;
  if (IsSet(*mad)) {
    NoteWrite(node, bank);
    agent.rows[bank][static_cast<int>(mad->modifier() & 0xFFFF)] =
        ib::VendorFeederRows::Decode(*mad).words;
  }
  return ib::MadStatus::kOk;
}

ib::MadStatus FabricDouble::SetVlDrain(int node, const ib::VendorVlDrain& wanted) {
  Agent& agent = agents_[node];
  if (wanted.number == agent.epoch) return ib::MadStatus::kOk;
  const bool is_switch = topology_.IsSwitch(node);
  const bool may_switch = !is_switch || (agent.draining && agent.ready);
  if (agent.scheme != ib::FunctionScheme::kDouble || wanted.number != NextNumber(agent.epoch) ||
      agent.restricted || (wanted.switch_over && !may_switch)) {
    return ib::MadStatus::kBusy;
  }
  if (wanted.drain && !agent.draining) {
    agent.draining = true;
    agent.empty_at = now_ + options_.token_cycles;
  }
  agent.ready |= wanted.ready;
  if (!wanted.switch_over) return ib::MadStatus::kOk;
  agent.draining = agent.ready = false;
  agent.restricted = true;
  agent.empty_at = now_ + options_.token_cycles;
  agent.epoch = wanted.number;
  if (is_switch) agent.bank = 1 - agent.bank;
  ++agent.flips;
  return ib::MadStatus::kOk;
}

ib::MadStatus FabricDouble::AnswerVlDrain(int node, Mad* mad) {
  Agent& agent = agents_[node];
  if (SaysBusy(node, *mad)) return ib::MadStatus::kBusy;
  if (agent.restricted && now_ >= agent.empty_at) agent.restricted = false;
  if (IsSet(*mad)) {
    const ib::MadStatus status = SetVlDrain(node, ib::VendorVlDrain::Decode(*mad));
    if (status != ib::MadStatus::kOk) return status;
  }
  EncodeVlDrain(node, mad);
  return ib::MadStatus::kOk;
}

void FabricDouble::EncodeVlDrain(int node, Mad* mad) {
  const Agent& agent = agents_[node];
  ib::VendorVlDrain state;
  state.drain = agent.draining;
  state.switch_over = agent.restricted;
  state.ready = agent.ready;
  state.idle = agent.draining && now_ >= agent.empty_at;
  state.epoch = agent.epoch;
  state.number = agent.ready ? NextNumber(agent.epoch) : 0;
  state.Encode(mad);
}

bool FabricDouble::WaitsForToken(int node) const {
  const Agent& agent = agents_[node];
  const std::optional<Peer> peer = topology_.PeerOf(node, 1);
  return agent.scheme == ib::FunctionScheme::kTokens && peer &&
         agents_[peer->node].epoch != agent.epoch && agent.ports[1].state == ib::PortState::kActive;
}

void FabricDouble::ScheduleTokens() {
  Schedule(now_ + options_.token_cycles, [this] { PassTokens(); });
}

void FabricDouble::PassTokens() {
  bool is_changed = false;
  for (const int node : topology_.switches()) {
    Agent& agent = agents_[node];
    if (agent.scheme != ib::FunctionScheme::kTokens) continue;
    const std::uint8_t next = NextNumber(agent.epoch);
    bool have_all = true;
    for (int port = 1; port <= topology_.node(node).num_ports; ++port) {
      const std::optional<Peer> peer = topology_.PeerOf(node, port);
      if (!peer || !cable_up_[peer->cable]) continue;
      if (agent.ports[port].state != ib::PortState::kActive) continue;
      const Agent& far = agents_[peer->node];
      const bool has_sent = far.epoch == next || (far.epoch == agent.epoch && far.started);
      is_changed |= has_sent && !agent.started;
      agent.started |= has_sent;
      have_all &= has_sent;
    }
    if (!agent.started || !agent.ready || !have_all) continue;
    agent.bank = 1 - agent.bank;
    agent.epoch = next;
    agent.started = agent.ready = false;
    ++agent.flips;
    is_changed = true;
  }
  if (is_changed) ScheduleTokens();
}

// ---- Data ----

std::string FabricDouble::WhyUndeliverable(int source, int destination) {
  const Topology& seen = manager().topology();
  const auto index = [&](int node) { return *seen.FindNode(topology_.node(node).name); };
  const RoutingTables& tables = manager().tables();
  if (tables.NumPaths(index(source), index(destination)) == 0) return "there is no path";
  auto [dlid, sl] = tables.PathOf(index(source), index(destination), 0);
  const auto told = agents_[source].paths.find(agents_[destination].lid);
  if (told != agents_[source].paths.end()) {
    if (!told->second.exists) return "the source has been told that there is no path";
    dlid = static_cast<Lid>(told->first + told->second.offset);
    sl = told->second.sl;
  }
  int node = source;
  int in = 0;
  for (std::size_t hops = 0; hops <= topology_.nodes().size(); ++hops) {
    Agent& agent = agents_[node];
    const int out = node == source ? 1 : agent.lft[agent.bank][dlid];
    const std::string where = topology_.node(node).name + " port " + std::to_string(out);
    const auto peer = topology_.PeerOf(node, out);
    if (!peer) return where + " leads nowhere";
    if (agent.ports[out].state != ib::PortState::kActive) return where + " is not Active";
    if (agents_[peer->node].ports[peer->port].state != ib::PortState::kActive) {
      return "beyond " + where + " the port is not Active";
    }
    const auto table = agent.sl_to_vl[agent.bank].find({in, out});
    if (table == agent.sl_to_vl[agent.bank].end()) return where + " has no SLtoVL table";
    if (table->second.vl_of_sl[sl] >= options_.vls) return where + " has no such VL";
    node = peer->node;
    in = peer->port;
    if (node == destination) return "";
    if (!topology_.IsSwitch(node)) return "arrives at " + topology_.node(node).name;
  }
  return "runs in circles";
}

}  // namespace lanecut
