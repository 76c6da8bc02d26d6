// SPDX-License-Identifier: Apache-2.0
#include "models/hca/sma.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "sw/mad/identity.h"
#include "sw/wire/packet.h"

namespace lanecut {

using ib::FunctionScheme;
using ib::Mad;
using ib::MadAttribute;
using ib::MadMethod;
using ib::MadStatus;
using ib::NodeDescription;
using ib::NodeInfo;
using ib::PortInfo;
using ib::PortPhysState;
using ib::PortState;
using ib::VendorFunction;
using ib::VendorInjection;
using ib::VendorPaths;
using ib::VendorScheme;
using ib::VendorStatus;
using ib::VendorVlDrain;

namespace {

constexpr std::uint32_t kSlMappingSupported = 0x00000040;  // IBA table 146, PortInfo.CapabilityMask
constexpr std::uint8_t kWidth1x = 1;
constexpr std::uint8_t kWidth4x = 2;
constexpr Cycle kSecond1x = 62'500'000;
constexpr Cycle kSecond4x = 250'000'000;
constexpr std::uint8_t kSpeedSdr = 1;
constexpr std::uint16_t kFirstMulticastLid = 0xC000;
constexpr std::size_t kVlArbitrationEntries = 8;  // of each list, as in the switch
constexpr int kLongestHeaderBytes = 126;  // IBA 7.7.8: what a packet may have beyond its payload

// The largest MTU code whose packets fit in the buffer.
std::uint8_t MtuCap(int buffer_blocks) {
  std::uint8_t code = ib::kMtu256;
  while (code < 5 && (256 << code) + kLongestHeaderBytes <= buffer_blocks * 4 * kWordsPerBlock) {
    ++code;
  }
  return code;
}

PortInfo InitialPortInfo(const Sma::Config& config) {
  PortInfo info;
  info.capability_mask = kSlMappingSupported;
  info.local_port_num = 1;
  info.link_width_supported = config.four_lanes ? kWidth4x : kWidth1x;
  info.link_width_enabled = info.link_width_supported;
  info.link_width_active = info.link_width_supported;
  info.link_speed_supported = kSpeedSdr;
  info.link_speed_enabled = kSpeedSdr;
  info.link_speed_active = kSpeedSdr;
  info.port_state = PortState::kDown;
  info.port_phys_state = PortPhysState::kPolling;
  info.link_down_default_state = static_cast<std::uint8_t>(PortPhysState::kPolling);
  info.mtu_cap = MtuCap(config.buffer_blocks);
  info.neighbor_mtu = info.mtu_cap;
  info.vl_cap = ib::VlCode(config.num_vls);
  info.operational_vls = info.vl_cap;
  info.guid_cap = 1;
  info.vl_arbitration_high_cap = kVlArbitrationEntries;
  info.vl_arbitration_low_cap = kVlArbitrationEntries;
  return info;
}

bool IsOnlyPort(std::uint32_t modifier) { return modifier <= 1; }
// The list that a block of VLArbitrationTable belongs to; none if there is no such block. Second
// halves hold nothing.
struct ArbitrationBlock {
  VlArbiter::Priority priority = VlArbiter::Priority::kLow;
  bool is_second_half = false;
};
std::optional<ArbitrationBlock> FindArbitrationBlock(std::uint32_t modifier) {
  const std::uint32_t block = modifier >> 16;
  if (!IsOnlyPort(modifier & 0xFFFF) || block < ib::kVlArbitrationLow ||
      block > ib::kVlArbitrationHigh + 1) {
    return {};
  }
  return ArbitrationBlock{
      block < ib::kVlArbitrationHigh ? VlArbiter::Priority::kLow : VlArbiter::Priority::kHigh,
      block % 2 == 0};
}

// Of P_Keys; the upper half is the port on a switch.
bool IsOnlyBlock(std::uint32_t modifier) { return (modifier & 0xFFFF) == 0; }

}  // namespace

Sma::Sma(const Config& config)
    : config_(config),
      port_info_(InitialPortInfo(config)),
      m_key_(config.four_lanes ? kSecond4x : kSecond1x),
      function_(config.num_vls),
      vl_arbiter_(kVlArbitrationEntries, config.num_vls),
      operational_vls_(config.num_vls) {}

void Sma::SetLinkState(PortState state) {
  port_info_.port_state = state;
  port_info_.port_phys_state =
      state == PortState::kDown ? PortPhysState::kPolling : PortPhysState::kLinkUp;
}

void Sma::SetIsManager(bool is_manager) {
  port_info_.capability_mask = kSlMappingSupported | (is_manager ? ib::kCapabilityIsSm : 0);
}

bool Sma::Answer(Mad* mad, const VendorStatus& status) {
  bool initialize = false;
  MadStatus result = MadStatus::kOk;
  if (mad->method() == MadMethod::kSet) result = Set(*mad, &initialize);
  if (result == MadStatus::kOk) result = Get(mad, status);
  MakeResponse(mad, result);
  return initialize;
}

void Sma::AnswerGet(Mad* mad, const VendorStatus& status) const {
  MakeResponse(mad, Get(mad, status));
}

MadStatus Sma::Get(Mad* mad, const VendorStatus& status) const {
  switch (mad->attribute()) {
    case MadAttribute::kNodeDescription:
      NodeDescription{config_.name}.Encode(mad);
      return MadStatus::kOk;
    case MadAttribute::kNodeInfo: {
      NodeInfo info;
      info.node_type = ib::NodeType::kChannelAdapter;
      info.num_ports = 1;
      info.system_image_guid = config_.node_guid;
      info.node_guid = config_.node_guid;
      info.port_guid = config_.node_guid + 1;
      info.partition_cap = ib::kPKeyBlockEntries;
      info.device_id = ib::kHcaDeviceId;
      info.local_port_num = 1;
      info.vendor_id = ib::kVendorId;
      info.Encode(mad);
      return MadStatus::kOk;
    }
    case MadAttribute::kPortInfo:
      if (!IsOnlyPort(mad->modifier())) return MadStatus::kInvalidField;
      GetPortInfo(mad);
      return MadStatus::kOk;
    case MadAttribute::kGuidInfo:
      if (mad->modifier() != 0) return MadStatus::kInvalidField;
      ib::GuidBlock{.guids = {config_.node_guid + 1}}.Encode(mad);
      return MadStatus::kOk;
    case MadAttribute::kPKeyTable:
      if (!IsOnlyBlock(mad->modifier())) return MadStatus::kInvalidField;
      p_keys_.Encode(mad);
      return MadStatus::kOk;
    case MadAttribute::kSlToVlMappingTable:
      if (mad->modifier() != 0) return MadStatus::kInvalidField;
      sl_to_vl_.Encode(mad);
      return MadStatus::kOk;
    case MadAttribute::kVlArbitrationTable: {
      const auto block = FindArbitrationBlock(mad->modifier());
      if (!block) return MadStatus::kInvalidField;
      ib::VlArbitrationBlock table;
      if (!block->is_second_half) {
        std::ranges::copy(vl_arbiter_.entries(block->priority), table.entries.begin());
      }
      table.Encode(mad);
      return MadStatus::kOk;
    }
    case MadAttribute::kVendorStatus: {
      VendorStatus full = status;
      full.halted = halted_;
      full.epoch = function_.number();
      full.changing = function_.Awaits() || vl_drain_.is_active();
      full.vl15_blocks = static_cast<std::uint16_t>(config_.vl15_blocks);
      full.data_blocks = static_cast<std::uint16_t>(config_.buffer_blocks);
      full.Encode(mad);
      return MadStatus::kOk;
    }
    case MadAttribute::kVendorInjection:
      VendorInjection{halted_}.Encode(mad);
      return MadStatus::kOk;
    case MadAttribute::kVendorScheme:
      VendorScheme{.scheme = function_.scheme()}.Encode(mad);
      return MadStatus::kOk;
    case MadAttribute::kVendorFunction: {
      VendorFunction function;
      function.start = function_.Changing();
      function.epoch = function_.number();
      function.Encode(mad);
      return MadStatus::kOk;
    }
    case MadAttribute::kVendorVlDrain: {
      VendorVlDrain drain;
      drain.drain = vl_drain_.draining();
      drain.switch_over = vl_drain_.restricted();
      drain.idle = vl_drain_.idle();
      drain.epoch = function_.number();
      drain.Encode(mad);
      return MadStatus::kOk;
    }
    case MadAttribute::kVendorPaths:  // the answer to a Set repeats it
      return mad->method() == MadMethod::kSet ? MadStatus::kOk : MadStatus::kUnsupportedAttribute;
    default:
      return MadStatus::kUnsupportedAttribute;
  }
}

void Sma::GetPortInfo(Mad* mad) const {
  PortInfo info = port_info_;
  m_key_.Read(*mad, &info);
  info.Encode(mad);
}

MadStatus Sma::Set(const Mad& mad, bool* initialize) {
  switch (mad.attribute()) {
    case MadAttribute::kPortInfo:
      if (!IsOnlyPort(mad.modifier())) return MadStatus::kInvalidField;
      return SetPortInfo(PortInfo::Decode(mad), initialize);
    case MadAttribute::kGuidInfo:  // the only GUID cannot be changed
      return MadStatus::kOk;
    case MadAttribute::kPKeyTable:
      if (!IsOnlyBlock(mad.modifier())) return MadStatus::kInvalidField;
      p_keys_ = ib::PKeyBlock::Decode(mad);
      return MadStatus::kOk;
    case MadAttribute::kSlToVlMappingTable:
      if (mad.modifier() != 0) return MadStatus::kInvalidField;
      sl_to_vl_ = ib::SlToVlBlock::Decode(mad);
      return MadStatus::kOk;
    case MadAttribute::kVlArbitrationTable: {
      const auto block = FindArbitrationBlock(mad.modifier());
      if (!block) return MadStatus::kInvalidField;
      if (!block->is_second_half) {
        vl_arbiter_.Write(block->priority, ib::VlArbitrationBlock::Decode(mad).entries);
      }
      return MadStatus::kOk;
    }
    case MadAttribute::kVendorInjection:
      halted_ = VendorInjection::Decode(mad).halted;
      return MadStatus::kOk;
    case MadAttribute::kVendorScheme:
      return SetScheme(VendorScheme::Decode(mad).scheme);
    case MadAttribute::kVendorFunction: {
      const VendorFunction wanted = VendorFunction::Decode(mad);
      const bool accepted = !wanted.start || function_.Start(wanted.number);
      return accepted ? MadStatus::kOk : MadStatus::kBusy;
    }
    case MadAttribute::kVendorVlDrain:
      return SetVlDrain(VendorVlDrain::Decode(mad));
    case MadAttribute::kVendorPaths:
      return SetPaths(VendorPaths::Decode(mad));
    default:
      return MadStatus::kUnsupportedAttribute;
  }
}

MadStatus Sma::SetScheme(FunctionScheme scheme) {
  if (scheme == FunctionScheme::kDouble && config_.num_vls < 2) return MadStatus::kInvalidField;
  function_.SetScheme(scheme);
  vl_drain_.Clear();
  return MadStatus::kOk;
}

MadStatus Sma::SetPaths(const VendorPaths& wanted) {
  for (const VendorPaths::Entry& entry : wanted.entries) {
    if (entry.lid + entry.offset >= kFirstMulticastLid) return MadStatus::kInvalidField;
  }
  for (const VendorPaths::Entry& entry : wanted.entries) {
    if (entry.lid == 0) continue;
    const PathTable::Path path{static_cast<std::uint16_t>(entry.lid + entry.offset), entry.sl};
    paths_.Use(entry.lid, entry.exists ? std::optional(path) : std::nullopt);
  }
  return MadStatus::kOk;
}

MadStatus Sma::SetVlDrain(const VendorVlDrain& wanted) {
  const std::uint8_t number = FunctionNumber(wanted.number);
  if (number == function_.number()) return MadStatus::kOk;
  if (function_.scheme() != FunctionScheme::kDouble || number != NextNumber(function_.number()) ||
      vl_drain_.restricted()) {
    return MadStatus::kBusy;
  }
  if (wanted.drain) vl_drain_.Drain();
  if (wanted.switch_over) {
    function_.Start(number);
    vl_drain_.SwitchOver();
  }
  return MadStatus::kOk;
}

bool Sma::Acceptable(const PortInfo& wanted) const {
  if (wanted.lid >= kFirstMulticastLid || wanted.operational_vls > port_info_.vl_cap) return false;
  const PortState state = port_info_.port_state;
  switch (wanted.port_state) {
    case PortState::kNoChange:
    case PortState::kDown:
      return true;
    case PortState::kArmed:
      return state == PortState::kInitialize || state == PortState::kArmed;
    case PortState::kActive:
      return state == PortState::kArmed || state == PortState::kActive;
    default:
      return false;
  }
}

MadStatus Sma::SetPortInfo(const PortInfo& wanted, bool* initialize) {
  if (!Acceptable(wanted)) return MadStatus::kInvalidField;
  PortInfo& info = port_info_;
  m_key_.Write(wanted);
  info.gid_prefix = wanted.gid_prefix;
  info.lid = wanted.lid;
  info.master_sm_lid = wanted.master_sm_lid;
  info.lmc = wanted.lmc;
  info.neighbor_mtu = wanted.neighbor_mtu;
  info.master_sm_sl = wanted.master_sm_sl;
  info.vl_high_limit = wanted.vl_high_limit;
  vl_arbiter_.SetHighLimit(wanted.vl_high_limit);
  info.init_type_reply = wanted.init_type_reply;
  info.subnet_timeout = wanted.subnet_timeout;
  if (wanted.operational_vls != 0) {
    info.operational_vls = wanted.operational_vls;
    operational_vls_ = std::min(config_.num_vls, ib::VlsOfCode(wanted.operational_vls));
  }
  if (wanted.port_state == PortState::kDown) {
    *initialize = true;
  } else if (wanted.port_state != PortState::kNoChange) {
    info.port_state = wanted.port_state;
  }
  return MadStatus::kOk;
}

}  // namespace lanecut
