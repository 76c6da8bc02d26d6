// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/takeover.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sw/wire/function_number.h"

namespace lanecut {

using ib::MadAttribute;

Takeover::Takeover(const SmConfig& config, FabricMap& map, SmpEngine& engine, TableLoader& loader,
                   Numbering& numbering)
    : config_(config), map_(map), loader_(loader), numbering_(numbering), batch_(engine) {}

void Takeover::Run(const RoutePlan& known, const RoutingChoice& choice,
                   const std::optional<MapLink>& lost, Done done) {
  known_ = &known;
  choice_ = choice;
  lost_ = lost;
  done_ = std::move(done);
  result_ = {};
  states_.clear();
  active_.clear();
  next_.clear();
  change_.reset();
  const auto submit = [this] {
    for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
      const int node = static_cast<int>(i);
      loader_.Forget(node);
      if (config_.UsesNumbers() && map_.node(node).IsReachable() && Runs(node)) AskScheme(node);
    }
  };
  batch_.Run(submit, [this] { OnRead(); });
}

// Nothing passes through a node without a link in use, so it can be treated as new.
bool Takeover::Runs(int node) const {
  const std::vector<MapPort>& ports = map_.node(node).ports;
  return std::any_of(ports.begin(), ports.end(), [](const MapPort& port) {
    return port.peer && port.info.port_state == ib::PortState::kActive;
  });
}

void Takeover::AskScheme(int node) {
  Ask(node, MadAttribute::kVendorScheme, 0, [this, node](const Mad& mad) {
    if (ib::VendorScheme::Decode(mad).scheme != numbering_.Scheme()) return;
    AskState(node);
    if (map_.node(node).IsSwitch()) AskBank(node);
  });
}

void Takeover::AskState(int node) {
  if (config_.UsesTokens()) {
    Ask(node, MadAttribute::kVendorFunction, 0, [this, node](const Mad& mad) {
      const auto function = ib::VendorFunction::Decode(mad);
      states_[node] = {FunctionNumber(function.epoch), function.start, function.ready};
    });
  } else if (config_.DrainsVls()) {
    Ask(node, MadAttribute::kVendorVlDrain, 0, [this, node](const Mad& mad) {
      const auto drain = ib::VendorVlDrain::Decode(mad);
      states_[node] = {FunctionNumber(drain.epoch), drain.switch_over, drain.ready};
    });
  } else {
    Ask(node, MadAttribute::kVendorStatus, 0, [this, node](const Mad& mad) {
      const auto status = ib::VendorStatus::Decode(mad, map_.node(node).info.node_type);
      states_[node] = {FunctionNumber(status.epoch), false, false};
    });
  }
}

void Takeover::AskBank(int node) {
  Ask(node, MadAttribute::kVendorBank, 0, [this, node](const Mad& mad) {
    const auto bank = ib::VendorBank::Decode(mad);
    map_.node(node).status.active_bank = bank.active_bank;
  });
}

void Takeover::Ask(int node, MadAttribute attribute, std::uint32_t modifier,
                   std::function<void(const Mad&)> next) {
  batch_.Add(GetRequest({node}, attribute, modifier),
             [this, node, attribute, next = std::move(next)](const SmpReply& reply) {
               if (CheckReply(reply, attribute, map_.node(node).name, &result_)) next(reply.mad);
             });
}

void Takeover::OnRead() {
  if (result_.outcome != StageOutcome::kComplete) return Finish();
  Adopt();
  in_force_ = *known_;
  if (!states_.empty()) FindChange(NewestNumber());
  if (!change_ && !NeedsTables()) return Finish();
  if (!ComputePlans() || !NeedsTables()) return Finish();
  ReadTables();
}

// All that the lost manager has set is read again, or set again.
void Takeover::Adopt() {
  std::set<int> held;
  for (std::size_t i = 0; i < map_.nodes().size(); ++i) {
    const int node = static_cast<int>(i);
    MapNode& record = map_.node(node);
    record.is_configured = false;
    record.end_node_ports.reset();
    const auto state = states_.find(node);
    record.is_numbered = state != states_.end();
    if (record.is_numbered) record.status.epoch = state->second.number;
    const bool is_held = config_.UsesNumbers() && record.IsReachable() && record.status.halted;
    if (is_held && !record.IsSwitch()) held.insert(node);
  }
  if (!states_.empty()) numbering_.Inherit(NewestNumber(), std::move(held));
}

// The one that all others are behind.
std::uint8_t Takeover::NewestNumber() const {
  std::uint8_t newest = states_.begin()->second.number;
  for (const auto& [node, state] : states_) {
    if (IsNewer(state.number, newest)) newest = state.number;
  }
  return newest;
}

void Takeover::FindChange(std::uint8_t newest) {
  if (config_.UsesEpochs()) return;
  bool is_behind = false;
  bool has_switch_begun = false;
  bool has_any_begun = false;
  for (const auto& [node, state] : states_) {
    is_behind |= state.number != newest;
    has_any_begun |= state.has_begun;
    has_switch_begun |= state.has_begun && map_.node(node).IsSwitch();
  }
  if (!is_behind && !has_any_begun) return;
  change_.emplace();
  // A switch that has begun by tokens keeps its number until it has ended.
  const bool is_first = config_.UsesTokens() && !is_behind && has_switch_begun;
  change_->number = is_first ? NextNumber(newest) : newest;
  for (const auto& [node, state] : states_) {
    if (map_.node(node).IsSwitch() && (state.is_ready || state.number == change_->number))
      change_->holders.insert(node);
  }
}

// Are tables to be written into a running function, or of one that has begun?
bool Takeover::NeedsTables() const {
  if (!config_.UsesTokens() || states_.empty()) return false;
  if (config_.IsCompact()) return true;
  return change_ && std::any_of(states_.begin(), states_.end(), [this](const auto& each) {
           return map_.node(each.first).IsSwitch() && change_->holders.count(each.first) == 0;
         });
}

// For the fabric with the lost manager in it.
bool Takeover::ComputePlans() {
  FabricMap map = map_;
  if (lost_ && !map.node(lost_->first.node).IsReachable() && !map.port(lost_->second).peer &&
      map.node(lost_->second.node).IsReachable()) {
    map.Connect(lost_->second, lost_->first);
  }
  try {
    in_force_ = ComputePlan(config_, map, known_, choice_);
  } catch (const RoutingError& error) {
    result_.Note(StageOutcome::kRefused, error.what());
    return false;
  }
  if (change_) change_->plan = in_force_;
  return true;
}

void Takeover::ReadTables() {
  const auto submit = [this] {
    for (const auto& [node, state] : states_) {
      if (!map_.node(node).IsSwitch()) continue;
      ReadTable(node, TableBank::kActive);
      if (state.is_ready) ReadTable(node, TableBank::kInactive);
    }
  };
  batch_.Run(submit, [this] { OnTablesRead(); });
}

void Takeover::ReadTable(int node, TableBank bank) {
  const bool is_active = bank == TableBank::kActive;
  for (int block = 0; block <= map_.TopLid() / ib::kLftBlockEntries; ++block) {
    Ask(node,
        is_active ? MadAttribute::kLinearForwardingTable
                  : MadAttribute::kVendorInactiveForwardingTable,
        static_cast<std::uint32_t>(block), [this, node, block, is_active](const Mad& mad) {
          const auto read = ib::LinearForwardingTableBlock::Decode(mad);
          Lft& lft = is_active ? active_[node] : next_[node];
          const std::ptrdiff_t first = std::ptrdiff_t{block} * ib::kLftBlockEntries;
          lft.resize(std::max(lft.size(), static_cast<std::size_t>(first) + read.ports.size()));
          std::copy(read.ports.begin(), read.ports.end(), lft.begin() + first);
        });
  }
}

void Takeover::OnTablesRead() {
  if (result_.outcome != StageOutcome::kComplete) return Finish();
  const std::map<int, Lft> tables = TablesOf(change_ ? change_->number : NewestNumber());
  const std::optional<int> other = Differs(in_force_, tables);
  const bool is_known = !change_ && !Differs(*known_, tables);
  if (other && !is_known) {
    result_.Note(
        StageOutcome::kRefused,
        fmt::format("{} holds other tables than those computed for the fabric that the lost "
                    "manager had",
                    map_.node(*other).name));
    return Finish();
  }
  if (change_) return Finish();
  if (is_known) in_force_ = *known_;
  loader_.Load(in_force_, TableBank::kActive, [this](const StageResult& result) {
    result_ = result;
    Finish();
  });
}

std::map<int, Takeover::Lft> Takeover::TablesOf(std::uint8_t number) const {
  std::map<int, Lft> tables;
  for (const auto& [node, state] : states_) {
    const auto& from = state.number == number ? active_ : next_;
    if (const auto it = from.find(node); it != from.end()) tables.insert(*it);
  }
  return tables;
}

// By the LIDs of switches no packet of an end node travels.
std::optional<int> Takeover::Differs(const RoutePlan& plan,
                                     const std::map<int, Lft>& tables) const {
  for (std::size_t place = 0; place < plan.map_nodes.size(); ++place) {
    const auto it = tables.find(plan.map_nodes[place]);
    if (it == tables.end()) continue;
    for (const int node : plan.map_nodes) {
      const Lid lid = map_.node(node).lid;
      if (map_.node(node).IsSwitch() || lid == 0) continue;
      if (it->second.at(lid) != plan.tables.lft[place].at(lid)) return it->first;
    }
  }
  return std::nullopt;
}

void Takeover::Finish() {
  const Done done = std::move(done_);
  const StageResult result = result_;
  done(result);
}

}  // namespace lanecut
