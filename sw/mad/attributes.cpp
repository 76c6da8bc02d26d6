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

////////////////////////////////////////////////////////////////////////////////////////////////////
// Layouts: every field once, by its first bit and its width in bits, as in the tables of the
// standard. Bit 0 is the most significant one of the first data byte. A Reader fills the struct, a
// Writer the MAD.
////////////////////////////////////////////////////////////////////////////////////////////////////

class Reader {
 public:
  explicit Reader(const Mad& mad) : mad_(mad) {}

  template <typename Value>
  void operator()(std::size_t first, std::size_t width, Value& value) const {
    std::uint64_t bits = 0;
    for (std::size_t bit = first; bit < first + width; ++bit) {
      bits = bits << 1 | (mad_.Get8(kData + bit / 8) >> (7 - bit % 8) & 1);
    }
    value = static_cast<Value>(bits);
  }

 private:
  const Mad& mad_;
};

class Writer {
 public:
  // The data must be zero.
  explicit Writer(Mad* mad) : mad_(mad) {}

  template <typename Value>
  void operator()(std::size_t first, std::size_t width, Value value) const {
    auto bits = static_cast<std::uint64_t>(value);
    assert((width == 64 || bits >> width == 0) && "value does not fit its field");
    for (std::size_t bit = first + width; bit-- > first; bits >>= 1) {
      mad_->bytes.at(kData + bit / 8) |= static_cast<std::uint8_t>((bits & 1) << (7 - bit % 8));
    }
  }

 private:
  Mad* mad_;
};

template <typename Codec>
void Layout(Codec field, NodeInfo& info) {
  field(0, 8, info.base_version);
  field(8, 8, info.class_version);
  field(16, 8, info.node_type);
  field(24, 8, info.num_ports);
  field(32, 64, info.system_image_guid);
  field(96, 64, info.node_guid);
  field(160, 64, info.port_guid);
  field(224, 16, info.partition_cap);
  field(240, 16, info.device_id);
  field(256, 32, info.revision);
  field(288, 8, info.local_port_num);
  field(296, 24, info.vendor_id);
}

template <typename Codec>
void Layout(Codec field, SwitchInfo& info) {
  field(0, 16, info.linear_fdb_cap);
  field(16, 16, info.random_fdb_cap);
  field(32, 16, info.multicast_fdb_cap);
  field(48, 16, info.linear_fdb_top);
  field(64, 8, info.default_port);
  field(72, 8, info.default_multicast_primary_port);
  field(80, 8, info.default_multicast_not_primary_port);
  field(88, 5, info.life_time_value);
  field(93, 1, info.port_state_change);
  field(94, 2, info.optimized_sl_to_vl);
  field(96, 16, info.lids_per_port);
  field(112, 16, info.partition_enforcement_cap);
  field(128, 1, info.inbound_enforcement);
  field(129, 1, info.outbound_enforcement);
  field(130, 1, info.filter_raw_inbound);
  field(131, 1, info.filter_raw_outbound);
  field(132, 1, info.enhanced_port0);
  field(144, 16, info.multicast_fdb_top);
}

template <typename Codec>
void Layout(Codec field, PortInfo& info) {
  field(0, 64, info.m_key);
  field(64, 64, info.gid_prefix);
  field(128, 16, info.lid);
  field(144, 16, info.master_sm_lid);
  field(160, 32, info.capability_mask);
  field(192, 16, info.diag_code);
  field(208, 16, info.m_key_lease_period);
  field(224, 8, info.local_port_num);
  field(232, 8, info.link_width_enabled);
  field(240, 8, info.link_width_supported);
  field(248, 8, info.link_width_active);
  field(256, 4, info.link_speed_supported);
  field(260, 4, info.port_state);
  field(264, 4, info.port_phys_state);
  field(268, 4, info.link_down_default_state);
  field(272, 2, info.m_key_protect_bits);
  field(277, 3, info.lmc);
  field(280, 4, info.link_speed_active);
  field(284, 4, info.link_speed_enabled);
  field(288, 4, info.neighbor_mtu);
  field(292, 4, info.master_sm_sl);
  field(296, 4, info.vl_cap);
  field(300, 4, info.init_type);
  field(304, 8, info.vl_high_limit);
  field(312, 8, info.vl_arbitration_high_cap);
  field(320, 8, info.vl_arbitration_low_cap);
  field(328, 4, info.init_type_reply);
  field(332, 4, info.mtu_cap);
  field(336, 3, info.vl_stall_count);
  field(339, 5, info.hoq_life);
  field(344, 4, info.operational_vls);
  field(348, 1, info.inbound_enforcement);
  field(349, 1, info.outbound_enforcement);
  field(350, 1, info.filter_raw_inbound);
  field(351, 1, info.filter_raw_outbound);
  field(352, 16, info.m_key_violations);
  field(368, 16, info.p_key_violations);
  field(384, 16, info.q_key_violations);
  field(400, 8, info.guid_cap);
  field(408, 1, info.client_reregister);
  field(409, 2, info.multicast_pkey_trap_suppression);
  field(411, 5, info.subnet_timeout);
  field(419, 5, info.resp_time_value);
  field(424, 4, info.local_phy_errors);
  field(428, 4, info.overrun_errors);
  field(432, 16, info.max_credit_hint);
  field(456, 24, info.link_round_trip_latency);
  field(480, 16, info.capability_mask2);
  field(496, 4, info.link_speed_ext_active);
  field(500, 4, info.link_speed_ext_supported);
  field(507, 5, info.link_speed_ext_enabled);
}

template <typename Codec>
void Layout(Codec field, LinearForwardingTableBlock& block) {
  for (std::size_t i = 0; i < block.ports.size(); ++i) field(8 * i, 8, block.ports[i]);
}

template <typename Codec>
void Layout(Codec field, SlToVlBlock& block) {
  for (std::size_t sl = 0; sl < block.vl_of_sl.size(); ++sl) field(4 * sl, 4, block.vl_of_sl[sl]);
}

template <typename Codec>
void Layout(Codec field, VlArbitrationBlock& block) {
  for (std::size_t i = 0; i < block.entries.size(); ++i) {
    field(16 * i + 4, 4, block.entries[i].vl);
    field(16 * i + 8, 8, block.entries[i].weight);
  }
}

template <typename Codec>
void Layout(Codec field, PKeyBlock& block) {
  for (std::size_t i = 0; i < block.keys.size(); ++i) field(16 * i, 16, block.keys[i]);
}

template <typename Codec>
void Layout(Codec field, GuidBlock& block) {
  for (std::size_t i = 0; i < block.guids.size(); ++i) field(64 * i, 64, block.guids[i]);
}

template <typename Codec>
void Layout(Codec field, SmInfo& info) {
  field(0, 64, info.guid);
  field(64, 64, info.sm_key);
  field(128, 32, info.act_count);
  field(160, 4, info.priority);
  field(164, 4, info.state);
}

template <typename Codec>
void Layout(Codec field, Notice& notice) {
  field(0, 1, notice.is_generic);
  field(1, 7, notice.type);
  field(8, 24, notice.producer_type);
  field(32, 16, notice.trap_number);
  field(48, 16, notice.issuer_lid);
  field(64, 1, notice.toggle);
  field(65, 15, notice.count);
  field(80, 16, notice.data_lid);
}

template <typename Codec>
void Layout(Codec field, PortChangeDetails& details) {
  field(96, 16, details.lid);
  field(128, 32, details.capability_mask);
}

template <typename Codec>
void Layout(Codec field, BadMKeyDetails& details) {
  std::uint16_t dr_slid = details.is_directed ? kPermissiveLid : 0;
  bool path_left_out = details.is_directed;
  field(96, 16, details.lid);
  field(112, 16, dr_slid);
  field(128, 8, details.method);
  field(144, 16, details.attribute);
  field(160, 32, details.modifier);
  field(192, 64, details.m_key);
  field(264, 1, details.is_directed);
  field(265, 1, path_left_out);
}

template <typename Codec>
void Layout(Codec field, VendorStatus& status) {
  field(18, 1, status.changing);
  field(19, 5, status.epoch);
  field(30, 1, status.active_bank);
  field(30, 1, status.halted);
  field(31, 1, status.busy);
  field(32, 32, status.data_received);
  field(64, 32, status.data_sent);
  field(96, 32, status.data_dropped);
  field(128, 16, status.vl15_blocks);
  field(144, 16, status.data_blocks);
}

template <typename Codec>
void Layout(Codec field, VendorInjection& injection) {
  field(31, 1, injection.halted);
}

template <typename Codec>
void Layout(Codec field, VendorBank& bank) {
  field(0, 1, bank.commit);
  field(23, 1, bank.active_bank);
  field(27, 5, bank.epoch);
}

template <typename Codec>
void Layout(Codec field, VendorScheme& scheme) {
  field(4, 20, scheme.hold_cycles);
  field(30, 2, scheme.scheme);
}

template <typename Codec>
void Layout(Codec field, VendorFunction& function) {
  field(0, 1, function.ready);
  field(1, 1, function.start);
  field(11, 5, function.epoch);
  field(27, 5, function.number);
}

template <typename Codec>
void Layout(Codec field, VendorFeederRows& rows) {
  for (std::size_t i = 0; i < rows.words.size(); ++i) field(32 * i, 32, rows.words[i]);
}

template <typename Codec>
void Layout(Codec field, VendorVlDrain& drain) {
  field(0, 1, drain.drain);
  field(1, 1, drain.switch_over);
  field(2, 1, drain.ready);
  field(3, 1, drain.idle);
  field(11, 5, drain.epoch);
  field(27, 5, drain.number);
}

template <typename Codec>
void Layout(Codec field, VendorPaths& paths) {
  for (std::size_t i = 0; i < paths.entries.size(); ++i) {
    VendorPaths::Entry& entry = paths.entries[i];
    field(32 * i, 16, entry.lid);
    field(32 * i + 16, 1, entry.exists);
    field(32 * i + 21, 7, entry.offset);
    field(32 * i + 28, 4, entry.sl);
  }
}

template <typename Codec>
void Layout(Codec field, VendorPortCounters& counters) {
  for (std::size_t i = 0; i < kPortCounters.size(); ++i) {
    field(32 * i, 32, counters.*kPortCounters[i].value);
  }
}

template <typename Attribute>
Attribute Read(const Mad& mad) {
  Attribute attribute;
  Layout(Reader(mad), attribute);
  return attribute;
}

template <typename Attribute>
void Write(Attribute attribute, Mad* mad) {
  ClearData(mad);
  Layout(Writer(mad), attribute);
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

NodeInfo NodeInfo::Decode(const Mad& mad) { return Read<NodeInfo>(mad); }
void NodeInfo::Encode(Mad* mad) const { Write(*this, mad); }

SwitchInfo SwitchInfo::Decode(const Mad& mad) { return Read<SwitchInfo>(mad); }
void SwitchInfo::Encode(Mad* mad) const { Write(*this, mad); }

PortInfo PortInfo::Decode(const Mad& mad) { return Read<PortInfo>(mad); }
void PortInfo::Encode(Mad* mad) const { Write(*this, mad); }

LinearForwardingTableBlock LinearForwardingTableBlock::Decode(const Mad& mad) {
  return Read<LinearForwardingTableBlock>(mad);
}
void LinearForwardingTableBlock::Encode(Mad* mad) const { Write(*this, mad); }

SlToVlBlock SlToVlBlock::Decode(const Mad& mad) { return Read<SlToVlBlock>(mad); }
void SlToVlBlock::Encode(Mad* mad) const { Write(*this, mad); }

VlArbitrationBlock VlArbitrationBlock::Decode(const Mad& mad) {
  return Read<VlArbitrationBlock>(mad);
}
void VlArbitrationBlock::Encode(Mad* mad) const { Write(*this, mad); }

PKeyBlock PKeyBlock::Decode(const Mad& mad) { return Read<PKeyBlock>(mad); }
void PKeyBlock::Encode(Mad* mad) const { Write(*this, mad); }

GuidBlock GuidBlock::Decode(const Mad& mad) { return Read<GuidBlock>(mad); }
void GuidBlock::Encode(Mad* mad) const { Write(*this, mad); }

SmInfo SmInfo::Decode(const Mad& mad) { return Read<SmInfo>(mad); }
void SmInfo::Encode(Mad* mad) const { Write(*this, mad); }

Notice Notice::Decode(const Mad& mad) { return Read<Notice>(mad); }
void Notice::Encode(Mad* mad) const { Write(*this, mad); }

void PortChangeDetails::AddTo(Mad* notice) const {
  PortChangeDetails details = *this;
  Layout(Writer(notice), details);
}

void BadMKeyDetails::AddTo(Mad* notice) const {
  BadMKeyDetails details = *this;
  Layout(Writer(notice), details);
}

VendorStatus VendorStatus::Decode(const Mad& mad, NodeType type) {
  VendorStatus status = Read<VendorStatus>(mad);
  if (type == NodeType::kSwitch) {
    status.halted = false;
  } else {
    status.active_bank = false;
  }
  return status;
}
void VendorStatus::Encode(Mad* mad) const { Write(*this, mad); }

VendorInjection VendorInjection::Decode(const Mad& mad) { return Read<VendorInjection>(mad); }
void VendorInjection::Encode(Mad* mad) const { Write(*this, mad); }

VendorBank VendorBank::Decode(const Mad& mad) { return Read<VendorBank>(mad); }
void VendorBank::Encode(Mad* mad) const { Write(*this, mad); }

VendorEndNodePorts VendorEndNodePorts::Decode(const Mad& mad) {
  const std::uint32_t word = mad.Get32(kData);
  return {static_cast<std::uint16_t>(word & 0x7FFE), (word >> 31) != 0};
}
void VendorEndNodePorts::Encode(Mad* mad) const {
  ClearData(mad);
  mad->Set32(kData, (transit_first ? 1u << 31 : 0u) | (ports & 0x7FFEu));
}

VendorScheme VendorScheme::Decode(const Mad& mad) { return Read<VendorScheme>(mad); }
void VendorScheme::Encode(Mad* mad) const { Write(*this, mad); }

VendorFunction VendorFunction::Decode(const Mad& mad) { return Read<VendorFunction>(mad); }
void VendorFunction::Encode(Mad* mad) const { Write(*this, mad); }

VendorFeederRows VendorFeederRows::Decode(const Mad& mad) { return Read<VendorFeederRows>(mad); }
void VendorFeederRows::Encode(Mad* mad) const { Write(*this, mad); }

VendorVlDrain VendorVlDrain::Decode(const Mad& mad) { return Read<VendorVlDrain>(mad); }
void VendorVlDrain::Encode(Mad* mad) const { Write(*this, mad); }

VendorPaths VendorPaths::Decode(const Mad& mad) { return Read<VendorPaths>(mad); }
void VendorPaths::Encode(Mad* mad) const { Write(*this, mad); }

VendorPortCounters VendorPortCounters::Decode(const Mad& mad) {
  return Read<VendorPortCounters>(mad);
}
void VendorPortCounters::Encode(Mad* mad) const { Write(*this, mad); }

}  // namespace lanecut::ib
