// SPDX-License-Identifier: Apache-2.0
#include "sw/mad/attributes.h"

#include <algorithm>
#include <cassert>

namespace lanecut::ib {

namespace {

constexpr std::size_t kData = kSmpDataOffset;

void ClearData(Mad* mad) {
  std::fill_n(mad->bytes.begin() + kData, kSmpDataBytes, std::uint8_t{0});
}

// `value` as the field of `width` bits whose lowest bit is `low`.
std::uint8_t Field(std::uint32_t value, int low, int width) {
  const std::uint32_t mask = (1u << width) - 1;
  assert(value <= mask && "value does not fit its field");
  return static_cast<std::uint8_t>((value & mask) << low);
}

std::uint8_t Extract(std::uint8_t byte, int low, int width) {
  return static_cast<std::uint8_t>(byte >> low & ((1u << width) - 1));
}

std::uint32_t Get24(const Mad& mad, std::size_t offset) {
  return static_cast<std::uint32_t>(mad.Get8(offset)) << 16 | mad.Get16(offset + 1);
}

void Set24(Mad* mad, std::size_t offset, std::uint32_t value) {
  assert(value < 1u << 24 && "value does not fit its field");
  mad->Set8(offset, static_cast<std::uint8_t>(value >> 16));
  mad->Set16(offset + 1, static_cast<std::uint16_t>(value));
}

}  // namespace

const char* PortStateName(PortState state) {
  switch (state) {
    case PortState::kNoChange:
      return "NoChange";
    case PortState::kDown:
      return "Down";
    case PortState::kInitialize:
      return "Initialize";
    case PortState::kArmed:
      return "Armed";
    case PortState::kActive:
      return "Active";
  }
  return "unknown state";
}

std::uint8_t VlCode(int num_vls) {
  assert(num_vls >= 1 && num_vls <= 15);
  std::uint8_t code = 1;
  while (VlsOfCode(code) < num_vls) ++code;
  return code;
}

int VlsOfCode(std::uint8_t code) {
  constexpr std::array<int, 6> kVls{0, 1, 2, 4, 8, 15};
  return code < kVls.size() ? kVls[code] : 0;
}

NodeInfo NodeInfo::Decode(const Mad& mad) {
  NodeInfo info;
  info.base_version = mad.Get8(kData);
  info.class_version = mad.Get8(kData + 1);
  info.node_type = static_cast<NodeType>(mad.Get8(kData + 2));
  info.num_ports = mad.Get8(kData + 3);
  info.system_image_guid = mad.Get64(kData + 4);
  info.node_guid = mad.Get64(kData + 12);
  info.port_guid = mad.Get64(kData + 20);
  info.partition_cap = mad.Get16(kData + 28);
  info.device_id = mad.Get16(kData + 30);
  info.revision = mad.Get32(kData + 32);
  info.local_port_num = mad.Get8(kData + 36);
  info.vendor_id = Get24(mad, kData + 37);
  return info;
}

void NodeInfo::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set8(kData, base_version);
  mad->Set8(kData + 1, class_version);
  mad->Set8(kData + 2, static_cast<std::uint8_t>(node_type));
  mad->Set8(kData + 3, num_ports);
  mad->Set64(kData + 4, system_image_guid);
  mad->Set64(kData + 12, node_guid);
  mad->Set64(kData + 20, port_guid);
  mad->Set16(kData + 28, partition_cap);
  mad->Set16(kData + 30, device_id);
  mad->Set32(kData + 32, revision);
  mad->Set8(kData + 36, local_port_num);
  Set24(mad, kData + 37, vendor_id);
}

NodeDescription NodeDescription::Decode(const Mad& mad) {
  NodeDescription description;
  const auto begin = mad.bytes.begin() + kData;
  description.text.assign(begin, std::find(begin, begin + kSmpDataBytes, 0));
  return description;
}

void NodeDescription::Encode(Mad* mad) const {
  assert(text.size() <= kSmpDataBytes);
  ClearData(mad);
  std::copy(text.begin(), text.end(), mad->bytes.begin() + kData);
}

SwitchInfo SwitchInfo::Decode(const Mad& mad) {
  SwitchInfo info;
  info.linear_fdb_cap = mad.Get16(kData);
  info.random_fdb_cap = mad.Get16(kData + 2);
  info.multicast_fdb_cap = mad.Get16(kData + 4);
  info.linear_fdb_top = mad.Get16(kData + 6);
  info.default_port = mad.Get8(kData + 8);
  info.default_multicast_primary_port = mad.Get8(kData + 9);
  info.default_multicast_not_primary_port = mad.Get8(kData + 10);
  info.life_time_value = Extract(mad.Get8(kData + 11), 3, 5);
  info.port_state_change = Extract(mad.Get8(kData + 11), 2, 1) != 0;
  info.optimized_sl_to_vl = Extract(mad.Get8(kData + 11), 0, 2);
  info.lids_per_port = mad.Get16(kData + 12);
  info.partition_enforcement_cap = mad.Get16(kData + 14);
  info.inbound_enforcement = Extract(mad.Get8(kData + 16), 7, 1) != 0;
  info.outbound_enforcement = Extract(mad.Get8(kData + 16), 6, 1) != 0;
  info.filter_raw_inbound = Extract(mad.Get8(kData + 16), 5, 1) != 0;
  info.filter_raw_outbound = Extract(mad.Get8(kData + 16), 4, 1) != 0;
  info.enhanced_port0 = Extract(mad.Get8(kData + 16), 3, 1) != 0;
  info.multicast_fdb_top = mad.Get16(kData + 18);
  return info;
}

void SwitchInfo::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set16(kData, linear_fdb_cap);
  mad->Set16(kData + 2, random_fdb_cap);
  mad->Set16(kData + 4, multicast_fdb_cap);
  mad->Set16(kData + 6, linear_fdb_top);
  mad->Set8(kData + 8, default_port);
  mad->Set8(kData + 9, default_multicast_primary_port);
  mad->Set8(kData + 10, default_multicast_not_primary_port);
  mad->Set8(kData + 11, Field(life_time_value, 3, 5) | Field(port_state_change, 2, 1) |
                            Field(optimized_sl_to_vl, 0, 2));
  mad->Set16(kData + 12, lids_per_port);
  mad->Set16(kData + 14, partition_enforcement_cap);
  mad->Set8(kData + 16, Field(inbound_enforcement, 7, 1) | Field(outbound_enforcement, 6, 1) |
                            Field(filter_raw_inbound, 5, 1) | Field(filter_raw_outbound, 4, 1) |
                            Field(enhanced_port0, 3, 1));
  mad->Set16(kData + 18, multicast_fdb_top);
}

PortInfo PortInfo::Decode(const Mad& mad) {
  const auto bits = [&mad](std::size_t offset, int low, int width) {
    return Extract(mad.Get8(kData + offset), low, width);
  };
  PortInfo info;
  info.m_key = mad.Get64(kData);
  info.gid_prefix = mad.Get64(kData + 8);
  info.lid = mad.Get16(kData + 16);
  info.master_sm_lid = mad.Get16(kData + 18);
  info.capability_mask = mad.Get32(kData + 20);
  info.diag_code = mad.Get16(kData + 24);
  info.m_key_lease_period = mad.Get16(kData + 26);
  info.local_port_num = mad.Get8(kData + 28);
  info.link_width_enabled = mad.Get8(kData + 29);
  info.link_width_supported = mad.Get8(kData + 30);
  info.link_width_active = mad.Get8(kData + 31);
  info.link_speed_supported = bits(32, 4, 4);
  info.port_state = static_cast<PortState>(bits(32, 0, 4));
  info.port_phys_state = static_cast<PortPhysState>(bits(33, 4, 4));
  info.link_down_default_state = bits(33, 0, 4);
  info.m_key_protect_bits = bits(34, 6, 2);
  info.lmc = bits(34, 0, 3);
  info.link_speed_active = bits(35, 4, 4);
  info.link_speed_enabled = bits(35, 0, 4);
  info.neighbor_mtu = bits(36, 4, 4);
  info.master_sm_sl = bits(36, 0, 4);
  info.vl_cap = bits(37, 4, 4);
  info.init_type = bits(37, 0, 4);
  info.vl_high_limit = mad.Get8(kData + 38);
  info.vl_arbitration_high_cap = mad.Get8(kData + 39);
  info.vl_arbitration_low_cap = mad.Get8(kData + 40);
  info.init_type_reply = bits(41, 4, 4);
  info.mtu_cap = bits(41, 0, 4);
  info.vl_stall_count = bits(42, 5, 3);
  info.hoq_life = bits(42, 0, 5);
  info.operational_vls = bits(43, 4, 4);
  info.inbound_enforcement = bits(43, 3, 1) != 0;
  info.outbound_enforcement = bits(43, 2, 1) != 0;
  info.filter_raw_inbound = bits(43, 1, 1) != 0;
  info.filter_raw_outbound = bits(43, 0, 1) != 0;
  info.m_key_violations = mad.Get16(kData + 44);
  info.p_key_violations = mad.Get16(kData + 46);
  info.q_key_violations = mad.Get16(kData + 48);
  info.guid_cap = mad.Get8(kData + 50);
  info.client_reregister = bits(51, 7, 1) != 0;
  info.multicast_pkey_trap_suppression = bits(51, 5, 2);
  info.subnet_timeout = bits(51, 0, 5);
  info.resp_time_value = bits(52, 0, 5);
  info.local_phy_errors = bits(53, 4, 4);
  info.overrun_errors = bits(53, 0, 4);
  info.max_credit_hint = mad.Get16(kData + 54);
  info.link_round_trip_latency = Get24(mad, kData + 57);
  info.capability_mask2 = mad.Get16(kData + 60);
  info.link_speed_ext_active = bits(62, 4, 4);
  info.link_speed_ext_supported = bits(62, 0, 4);
  info.link_speed_ext_enabled = bits(63, 0, 5);
  return info;
}

void PortInfo::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set64(kData, m_key);
  mad->Set64(kData + 8, gid_prefix);
  mad->Set16(kData + 16, lid);
  mad->Set16(kData + 18, master_sm_lid);
  mad->Set32(kData + 20, capability_mask);
  mad->Set16(kData + 24, diag_code);
  mad->Set16(kData + 26, m_key_lease_period);
  mad->Set8(kData + 28, local_port_num);
  mad->Set8(kData + 29, link_width_enabled);
  mad->Set8(kData + 30, link_width_supported);
  mad->Set8(kData + 31, link_width_active);
  mad->Set8(kData + 32,
            Field(link_speed_supported, 4, 4) | Field(static_cast<std::uint8_t>(port_state), 0, 4));
  mad->Set8(kData + 33, Field(static_cast<std::uint8_t>(port_phys_state), 4, 4) |
                            Field(link_down_default_state, 0, 4));
  mad->Set8(kData + 34, Field(m_key_protect_bits, 6, 2) | Field(lmc, 0, 3));
  mad->Set8(kData + 35, Field(link_speed_active, 4, 4) | Field(link_speed_enabled, 0, 4));
  mad->Set8(kData + 36, Field(neighbor_mtu, 4, 4) | Field(master_sm_sl, 0, 4));
  mad->Set8(kData + 37, Field(vl_cap, 4, 4) | Field(init_type, 0, 4));
  mad->Set8(kData + 38, vl_high_limit);
  mad->Set8(kData + 39, vl_arbitration_high_cap);
  mad->Set8(kData + 40, vl_arbitration_low_cap);
  mad->Set8(kData + 41, Field(init_type_reply, 4, 4) | Field(mtu_cap, 0, 4));
  mad->Set8(kData + 42, Field(vl_stall_count, 5, 3) | Field(hoq_life, 0, 5));
  mad->Set8(kData + 43, Field(operational_vls, 4, 4) | Field(inbound_enforcement, 3, 1) |
                            Field(outbound_enforcement, 2, 1) | Field(filter_raw_inbound, 1, 1) |
                            Field(filter_raw_outbound, 0, 1));
  mad->Set16(kData + 44, m_key_violations);
  mad->Set16(kData + 46, p_key_violations);
  mad->Set16(kData + 48, q_key_violations);
  mad->Set8(kData + 50, guid_cap);
  mad->Set8(kData + 51, Field(client_reregister, 7, 1) |
                            Field(multicast_pkey_trap_suppression, 5, 2) |
                            Field(subnet_timeout, 0, 5));
  mad->Set8(kData + 52, Field(resp_time_value, 0, 5));
  mad->Set8(kData + 53, Field(local_phy_errors, 4, 4) | Field(overrun_errors, 0, 4));
  mad->Set16(kData + 54, max_credit_hint);
  Set24(mad, kData + 57, link_round_trip_latency);
  mad->Set16(kData + 60, capability_mask2);
  mad->Set8(kData + 62, Field(link_speed_ext_active, 4, 4) | Field(link_speed_ext_supported, 0, 4));
  mad->Set8(kData + 63, Field(link_speed_ext_enabled, 0, 5));
}

LinearForwardingTableBlock LinearForwardingTableBlock::Decode(const Mad& mad) {
  LinearForwardingTableBlock block;
  std::copy_n(mad.bytes.begin() + kData, block.ports.size(), block.ports.begin());
  return block;
}

void LinearForwardingTableBlock::Encode(Mad* mad) const {
  std::copy(ports.begin(), ports.end(), mad->bytes.begin() + kData);
}

SlToVlBlock SlToVlBlock::Decode(const Mad& mad) {
  SlToVlBlock block;
  for (std::size_t sl = 0; sl < block.vl_of_sl.size(); ++sl) {
    block.vl_of_sl[sl] = Extract(mad.Get8(kData + sl / 2), sl % 2 == 0 ? 4 : 0, 4);
  }
  return block;
}

void SlToVlBlock::Encode(Mad* mad) const {
  ClearData(mad);
  for (std::size_t sl = 0; sl < vl_of_sl.size(); sl += 2) {
    mad->Set8(kData + sl / 2, Field(vl_of_sl[sl], 4, 4) | Field(vl_of_sl[sl + 1], 0, 4));
  }
}

Notice Notice::Decode(const Mad& mad) {
  Notice notice;
  notice.is_generic = Extract(mad.Get8(kData), 7, 1) != 0;
  notice.type = Extract(mad.Get8(kData), 0, 7);
  notice.producer_type = Get24(mad, kData + 1);
  notice.trap_number = mad.Get16(kData + 4);
  notice.issuer_lid = mad.Get16(kData + 6);
  const std::uint16_t toggle_count = mad.Get16(kData + 8);
  notice.toggle = (toggle_count & 0x8000) != 0;
  notice.count = toggle_count & 0x7FFF;
  notice.data_lid = mad.Get16(kData + 10);
  return notice;
}

void Notice::Encode(Mad* mad) const {
  assert(count < 0x8000);
  ClearData(mad);
  mad->Set8(kData, Field(is_generic, 7, 1) | Field(type, 0, 7));
  Set24(mad, kData + 1, producer_type);
  mad->Set16(kData + 4, trap_number);
  mad->Set16(kData + 6, issuer_lid);
  mad->Set16(kData + 8, static_cast<std::uint16_t>((toggle ? 0x8000 : 0) | count));
  mad->Set16(kData + 10, data_lid);
}

VendorStatus VendorStatus::Decode(const Mad& mad, NodeType type) {
  const std::uint32_t flags = mad.Get32(kData);
  VendorStatus status;
  status.busy = (flags & 1) != 0;
  if (type == NodeType::kSwitch) {
    status.active_bank = (flags & 2) != 0;
  } else {
    status.halted = (flags & 2) != 0;
  }
  status.epoch = static_cast<std::uint8_t>(flags >> 8 & 0x1F);
  status.changing = (flags >> 13 & 1) != 0;
  status.data_received = mad.Get32(kData + 4);
  status.data_sent = mad.Get32(kData + 8);
  status.data_dropped = mad.Get32(kData + 12);
  status.vl15_blocks = mad.Get16(kData + 16);
  status.data_blocks = mad.Get16(kData + 18);
  return status;
}

void VendorStatus::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set32(kData, (busy ? 1u : 0u) | (active_bank || halted ? 2u : 0u) |
                        static_cast<std::uint32_t>(Field(epoch, 0, 5)) << 8 |
                        (changing ? 1u << 13 : 0u));
  mad->Set32(kData + 4, data_received);
  mad->Set32(kData + 8, data_sent);
  mad->Set32(kData + 12, data_dropped);
  mad->Set16(kData + 16, vl15_blocks);
  mad->Set16(kData + 18, data_blocks);
}

VendorInjection VendorInjection::Decode(const Mad& mad) { return {(mad.Get32(kData) & 1) != 0}; }

void VendorInjection::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set32(kData, halted ? 1 : 0);
}

VendorBank VendorBank::Decode(const Mad& mad) {
  const std::uint32_t word = mad.Get32(kData);
  return {(word >> 31) != 0, (word >> 8 & 1) != 0, static_cast<std::uint8_t>(word & 0x1F)};
}

void VendorBank::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set32(kData, (commit ? 1u << 31 : 0u) | (active_bank ? 1u << 8 : 0u) | Field(epoch, 0, 5));
}

VendorEndNodePorts VendorEndNodePorts::Decode(const Mad& mad) {
  return {static_cast<std::uint16_t>(mad.Get32(kData) & 0x7FFE)};
}
void VendorEndNodePorts::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set32(kData, ports & 0x7FFEu);
}

VendorScheme VendorScheme::Decode(const Mad& mad) {
  return {static_cast<FunctionScheme>(mad.Get32(kData) & 3)};
}

void VendorScheme::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set32(kData, Field(static_cast<std::uint32_t>(scheme), 0, 2));
}

VendorFunction VendorFunction::Decode(const Mad& mad) {
  const std::uint32_t word = mad.Get32(kData);
  VendorFunction function;
  function.ready = (word >> 31) != 0;
  function.start = (word >> 30 & 1) != 0;
  function.epoch = static_cast<std::uint8_t>(word >> 16 & 0x1F);
  function.number = static_cast<std::uint8_t>(word & 0x1F);
  return function;
}

void VendorFunction::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set32(kData, (ready ? 1u << 31 : 0u) | (start ? 1u << 30 : 0u) |
                        static_cast<std::uint32_t>(Field(epoch, 0, 5)) << 16 | Field(number, 0, 5));
}

VendorFeederRows VendorFeederRows::Decode(const Mad& mad) {
  VendorFeederRows rows;
  for (std::size_t i = 0; i < rows.words.size(); ++i) rows.words[i] = mad.Get32(kData + 4 * i);
  return rows;
}

void VendorFeederRows::Encode(Mad* mad) const {
  for (std::size_t i = 0; i < words.size(); ++i) mad->Set32(kData + 4 * i, words[i]);
}

VendorPortCounters VendorPortCounters::Decode(const Mad& mad) {
  VendorPortCounters counters;
  counters.data_received = mad.Get32(kData);
  counters.data_sent = mad.Get32(kData + 4);
  counters.words_received = mad.Get32(kData + 8);
  counters.words_sent = mad.Get32(kData + 12);
  counters.receive_errors = mad.Get32(kData + 16);
  counters.transmit_discards = mad.Get32(kData + 20);
  counters.vl15_dropped = mad.Get32(kData + 24);
  counters.link_downed = mad.Get32(kData + 28);
  counters.relay_errors = mad.Get32(kData + 32);
  counters.overruns = mad.Get32(kData + 36);
  return counters;
}

void VendorPortCounters::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set32(kData, data_received);
  mad->Set32(kData + 4, data_sent);
  mad->Set32(kData + 8, words_received);
  mad->Set32(kData + 12, words_sent);
  mad->Set32(kData + 16, receive_errors);
  mad->Set32(kData + 20, transmit_discards);
  mad->Set32(kData + 24, vl15_dropped);
  mad->Set32(kData + 28, link_downed);
  mad->Set32(kData + 32, relay_errors);
  mad->Set32(kData + 36, overruns);
}

}  // namespace lanecut::ib
