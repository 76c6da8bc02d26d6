// SPDX-License-Identifier: Apache-2.0
//
// Attribute layouts against byte vectors. Those of PortInfo, NodeInfo, SwitchInfo, Notice and the
// SMP header were made with libibmad's mad_set_field(), every field with a value of its own; the
// others by hand from the standard's tables.
#include "sw/mad/attributes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace lanecut::ib {
namespace {

using Bytes = std::vector<std::uint8_t>;

// A MAD whose data start with these bytes; what follows is zero.
Mad WithData(const Bytes& data) {
  Mad mad;
  std::copy(data.begin(), data.end(), mad.bytes.begin() + kSmpDataOffset);
  return mad;
}

// Encodes into a MAD full of ones, so that a byte that is not written shows.
template <typename Attribute>
Mad Encoded(const Attribute& attribute) {
  Mad mad;
  mad.bytes.fill(0xFF);
  attribute.Encode(&mad);
  std::fill_n(mad.bytes.begin(), kSmpDataOffset, std::uint8_t{0});
  std::fill(mad.bytes.begin() + kSmpDataOffset + kSmpDataBytes, mad.bytes.end(), std::uint8_t{0});
  return mad;
}

const Bytes kPortInfoBytes{
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0xFE, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x11,
    0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF1, 0x23, 0x45, 0x67, 0x89, 0x21, 0x22, 0x23, 0x24,
    0x74, 0x52, 0x83, 0x1F, 0x49, 0x36, 0x31, 0x32, 0x33, 0xA5, 0xB3, 0x29, 0x41, 0x42, 0x43, 0x44,
    0x45, 0x46, 0x47, 0xB2, 0x15, 0x8B, 0x51, 0x52, 0x00, 0x53, 0x54, 0x55, 0x56, 0x57, 0x13, 0x1E};

PortInfo PortInfoOfBytes() {
  PortInfo info;
  info.m_key = 0x0102030405060708;
  info.gid_prefix = 0xFE80000000000011;
  info.lid = 0x1234;
  info.master_sm_lid = 0x5678;
  info.capability_mask = 0x9ABCDEF1;
  info.diag_code = 0x2345;
  info.m_key_lease_period = 0x6789;
  info.local_port_num = 0x21;
  info.link_width_enabled = 0x22;
  info.link_width_supported = 0x23;
  info.link_width_active = 0x24;
  info.link_speed_supported = 7;
  info.port_state = PortState::kActive;
  info.port_phys_state = PortPhysState::kLinkUp;
  info.link_down_default_state = 2;
  info.m_key_protect_bits = 2;
  info.lmc = 3;
  info.link_speed_active = 1;
  info.link_speed_enabled = 15;
  info.neighbor_mtu = 4;
  info.master_sm_sl = 9;
  info.vl_cap = 3;
  info.init_type = 6;
  info.vl_high_limit = 0x31;
  info.vl_arbitration_high_cap = 0x32;
  info.vl_arbitration_low_cap = 0x33;
  info.init_type_reply = 10;
  info.mtu_cap = 5;
  info.vl_stall_count = 5;
  info.hoq_life = 0x13;
  info.operational_vls = 2;
  info.inbound_enforcement = true;
  info.filter_raw_outbound = true;
  info.m_key_violations = 0x4142;
  info.p_key_violations = 0x4344;
  info.q_key_violations = 0x4546;
  info.guid_cap = 0x47;
  info.client_reregister = true;
  info.multicast_pkey_trap_suppression = 1;
  info.subnet_timeout = 0x12;
  info.resp_time_value = 0x15;
  info.local_phy_errors = 8;
  info.overrun_errors = 11;
  info.max_credit_hint = 0x5152;
  info.link_round_trip_latency = 0x535455;
  info.capability_mask2 = 0x5657;
  info.link_speed_ext_active = 1;
  info.link_speed_ext_supported = 3;
  info.link_speed_ext_enabled = 0x1E;
  return info;
}

TEST(Attributes, PortInfo) {
  EXPECT_EQ(PortInfo::Decode(WithData(kPortInfoBytes)), PortInfoOfBytes());
  EXPECT_EQ(Encoded(PortInfoOfBytes()), WithData(kPortInfoBytes));
}

TEST(Attributes, NodeInfo) {
  const Bytes bytes{0x01, 0x02, 0x02, 0x24, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55,
                    0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
                    0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x20, 0x30,
                    0xB9, 0x24, 0xA0, 0xB0, 0xC0, 0xD0, 0x11, 0x00, 0x02, 0xC9};
  NodeInfo info;
  info.base_version = 1;
  info.class_version = 2;
  info.node_type = NodeType::kSwitch;
  info.num_ports = 36;
  info.system_image_guid = 0x0011223344556677;
  info.node_guid = 0x8899AABBCCDDEEFF;
  info.port_guid = 0x0123456789ABCDEF;
  info.partition_cap = 0x2030;
  info.device_id = 0xB924;
  info.revision = 0xA0B0C0D0;
  info.local_port_num = 17;
  info.vendor_id = 0x0002C9;
  EXPECT_EQ(NodeInfo::Decode(WithData(bytes)), info);
  EXPECT_EQ(Encoded(info), WithData(bytes));
}

TEST(Attributes, SwitchInfo) {
  const Bytes bytes{0xC0, 0x00, 0x01, 0x02, 0x10, 0x00, 0x00, 0xC0, 0x11, 0x12,
                    0x13, 0xAD, 0x21, 0x22, 0x08, 0x08, 0xA8, 0x00, 0xBF, 0xFF};
  SwitchInfo info;
  info.linear_fdb_cap = 0xC000;
  info.random_fdb_cap = 0x0102;
  info.multicast_fdb_cap = 0x1000;
  info.linear_fdb_top = 0x00C0;
  info.default_port = 0x11;
  info.default_multicast_primary_port = 0x12;
  info.default_multicast_not_primary_port = 0x13;
  info.life_time_value = 0x15;
  info.port_state_change = true;
  info.optimized_sl_to_vl = 1;
  info.lids_per_port = 0x2122;
  info.partition_enforcement_cap = 0x0808;
  info.inbound_enforcement = true;
  info.filter_raw_inbound = true;
  info.enhanced_port0 = true;
  info.multicast_fdb_top = 0xBFFF;
  EXPECT_EQ(SwitchInfo::Decode(WithData(bytes)), info);
  EXPECT_EQ(Encoded(info), WithData(bytes));
}

TEST(Attributes, NoticeOfTrap128) {
  const Bytes bytes{0x81, 0x00, 0x00, 0x02, 0x00, 0x80, 0x01, 0x23, 0x84, 0x56, 0x07, 0x89};
  Notice notice;
  notice.issuer_lid = 0x0123;
  notice.toggle = true;
  notice.count = 0x0456;
  notice.data_lid = 0x0789;
  EXPECT_EQ(Notice::Decode(WithData(bytes)), notice);
  EXPECT_EQ(Encoded(notice), WithData(bytes));
}

TEST(Attributes, NodeDescription) {
  EXPECT_EQ(NodeDescription::Decode(WithData({'S', '0', '_', '0', 0, 'x'})).text, "S0_0");
  EXPECT_EQ(Encoded(NodeDescription{"H3_1_0"}), WithData({'H', '3', '_', '1', '_', '0'}));
  const std::string longest(64, 'n');
  EXPECT_EQ(NodeDescription::Decode(Encoded(NodeDescription{longest})).text, longest);
}

TEST(Attributes, LinearForwardingTable) {
  LinearForwardingTableBlock block;
  for (int i = 0; i < kLftBlockEntries; ++i) block.ports[i] = static_cast<std::uint8_t>(255 - i);
  const Mad mad = Encoded(block);
  EXPECT_EQ(mad.Get8(64), 255);  // LID 64 n
  EXPECT_EQ(mad.Get8(65), 254);
  EXPECT_EQ(mad.Get8(127), 192);  // LID 64 n + 63
  EXPECT_EQ(LinearForwardingTableBlock::Decode(mad), block);
}

TEST(Attributes, SlToVlMappingTable) {
  SlToVlBlock table;
  for (int sl = 0; sl < 16; ++sl) table.vl_of_sl[sl] = static_cast<std::uint8_t>(15 - sl);
  // SL 0 is in the upper half of the first byte.
  const Bytes bytes{0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54, 0x32, 0x10};
  EXPECT_EQ(Encoded(table), WithData(bytes));
  EXPECT_EQ(SlToVlBlock::Decode(WithData(bytes)), table);
  EXPECT_EQ(SlToVlModifier(3, 5), 0x0305u);
}

TEST(Attributes, VlArbitrationTable) {
  VlArbitrationBlock block;
  block.entries[0] = {.vl = 3, .weight = 0xAB};
  block.entries[1] = {.vl = 15, .weight = 1};
  block.entries[31] = {.vl = 8, .weight = 0xFF};
  Bytes bytes(64);
  bytes[0] = 0x03;
  bytes[1] = 0xAB;
  bytes[2] = 0x0F;
  bytes[3] = 0x01;
  bytes[62] = 0x08;
  bytes[63] = 0xFF;
  EXPECT_EQ(Encoded(block), WithData(bytes));
  EXPECT_EQ(VlArbitrationBlock::Decode(WithData(bytes)), block);
  bytes[0] = 0xF3;  // reserved
  EXPECT_EQ(VlArbitrationBlock::Decode(WithData(bytes)), block);
  EXPECT_EQ(VlArbitrationModifier(kVlArbitrationHigh, 5), 0x30005u);
}

TEST(Attributes, VendorStatusOfASwitch) {
  const Bytes bytes{0x00, 0x00, 0x3F, 0x03, 0x01, 0x02, 0x03, 0x04, 0x11, 0x12,
                    0x13, 0x14, 0x21, 0x22, 0x23, 0x24, 0x00, 0x20, 0x00, 0x10};
  VendorStatus status;
  status.busy = true;
  status.active_bank = true;
  status.epoch = 31;
  status.changing = true;
  status.data_received = 0x01020304;
  status.data_sent = 0x11121314;
  status.data_dropped = 0x21222324;
  status.vl15_blocks = 32;
  status.data_blocks = 16;
  EXPECT_EQ(VendorStatus::Decode(WithData(bytes), NodeType::kSwitch), status);
  EXPECT_EQ(Encoded(status), WithData(bytes));
}

TEST(Attributes, VendorStatusOfAnEndNode) {
  const VendorStatus status =
      VendorStatus::Decode(WithData({0, 0, 0x1F, 0x02}), NodeType::kChannelAdapter);
  EXPECT_TRUE(status.halted);
  EXPECT_FALSE(status.busy);
  EXPECT_FALSE(status.active_bank);
  EXPECT_EQ(status.epoch, 31);
  EXPECT_FALSE(status.changing);
  VendorStatus halted;
  halted.halted = true;
  EXPECT_EQ(Encoded(halted), WithData({0, 0, 0, 2}));
}

TEST(Attributes, VendorInjection) {
  EXPECT_TRUE(VendorInjection::Decode(WithData({0, 0, 0, 1})).halted);
  EXPECT_FALSE(VendorInjection::Decode(WithData({0xFF, 0xFF, 0xFF, 0xFE})).halted);
  EXPECT_EQ(Encoded(VendorInjection{true}), WithData({0, 0, 0, 1}));
  EXPECT_EQ(Encoded(VendorInjection{false}), WithData({}));
}

TEST(Attributes, VendorBank) {
  EXPECT_EQ(Encoded(VendorBank{true, false, 17}), WithData({0x80, 0, 0, 17}));
  EXPECT_EQ(VendorBank::Decode(WithData({0, 0, 1, 0x1E})), (VendorBank{false, true, 30}));
}

TEST(Attributes, VendorEndNodePorts) {
  EXPECT_EQ(Encoded(VendorEndNodePorts{0x4002, true}), WithData({0x80, 0, 0x40, 0x02}));
  EXPECT_EQ(Encoded(VendorEndNodePorts{0x8001, false}),
            WithData({}));  // port 0 is none, 15 neither
  EXPECT_EQ(VendorEndNodePorts::Decode(WithData({0x7F, 0xFF, 0x00, 0x61})),
            (VendorEndNodePorts{0x0060, false}));
}

TEST(Attributes, VendorScheme) {
  EXPECT_EQ(Encoded(VendorScheme{.scheme = FunctionScheme::kTokens}), WithData({0, 0, 0, 2}));
  EXPECT_EQ(Encoded(VendorScheme{}), WithData({}));
  EXPECT_EQ(Encoded(VendorScheme{FunctionScheme::kEpochs, 0x81234}),
            WithData({0x08, 0x12, 0x34, 1}));
  EXPECT_EQ(VendorScheme::Decode(WithData({0xFF, 0xFF, 0xFF, 0xFD})),
            (VendorScheme{FunctionScheme::kEpochs, 0xFFFFF}));
}

TEST(Attributes, VendorFunction) {
  EXPECT_EQ(Encoded(VendorFunction{true, false, 0, 17}), WithData({0x80, 0, 0, 17}));
  EXPECT_EQ(Encoded(VendorFunction{false, true, 0, 7}), WithData({0x40, 0, 0, 7}));
  EXPECT_EQ(Encoded(VendorFunction{false, false, 31, 0}), WithData({0, 0x1F, 0, 0}));
  EXPECT_EQ(VendorFunction::Decode(WithData({0xC0, 0x05, 0xFF, 0xE6})),
            (VendorFunction{true, true, 5, 6}));
  EXPECT_EQ(VendorFunction::Decode(WithData({0x3F, 0xE4, 0, 0})),
            (VendorFunction{false, false, 4, 0}));
}

TEST(Attributes, VendorVlDrain) {
  EXPECT_EQ(Encoded(VendorVlDrain{.drain = true, .number = 17}), WithData({0x80, 0, 0, 17}));
  EXPECT_EQ(Encoded(VendorVlDrain{.switch_over = true}), WithData({0x40}));
  EXPECT_EQ(Encoded(VendorVlDrain{.ready = true, .epoch = 31}), WithData({0x20, 0x1F}));
  EXPECT_EQ(VendorVlDrain::Decode(WithData({0x9F, 0xE5, 0xFF, 0xE6})),
            (VendorVlDrain{.drain = true, .idle = true, .epoch = 5, .number = 6}));
}

TEST(Attributes, VendorPaths) {
  VendorPaths paths;
  paths.entries[0] = {.lid = 0x1230, .exists = true, .offset = 0x7F, .sl = 5};
  paths.entries[15] = {.lid = 0x10, .offset = 1, .sl = 15};
  const Mad mad = Encoded(paths);
  EXPECT_EQ(mad.Word(16), 0x123087F5u);
  EXPECT_EQ(mad.Word(17), 0u);
  EXPECT_EQ(mad.Word(31), 0x0010001Fu);
  EXPECT_EQ(VendorPaths::Decode(mad), paths);
}

TEST(Attributes, VendorFeederRows) {
  VendorFeederRows rows;
  for (std::uint32_t i = 0; i < 16; ++i) rows.words[i] = 0x10203040u * (i + 1);
  const Mad mad = Encoded(rows);
  EXPECT_EQ(mad.Word(16), 0x10203040u);
  EXPECT_EQ(mad.Word(31), 0x02030400u);
  EXPECT_EQ(VendorFeederRows::Decode(mad), rows);
}

TEST(Attributes, VendorPortCounters) {
  Mad mad;
  for (std::uint32_t word = 0; word < 16; ++word) mad.SetWord(16 + word, 100 + word);
  const VendorPortCounters counters = VendorPortCounters::Decode(mad);
  EXPECT_EQ(counters.data_received, 100u);
  EXPECT_EQ(counters.data_sent, 101u);
  EXPECT_EQ(counters.words_received, 102u);
  EXPECT_EQ(counters.words_sent, 103u);
  EXPECT_EQ(counters.receive_errors, 104u);
  EXPECT_EQ(counters.transmit_discards, 105u);
  EXPECT_EQ(counters.vl15_dropped, 106u);
  EXPECT_EQ(counters.link_downed, 107u);
  EXPECT_EQ(counters.relay_errors, 108u);
  EXPECT_EQ(counters.overruns, 109u);
  EXPECT_EQ(VendorPortCounters::Decode(Encoded(counters)), counters);
}

TEST(Attributes, VlCodes) {
  EXPECT_EQ(VlCode(1), 1);
  EXPECT_EQ(VlCode(2), 2);
  EXPECT_EQ(VlCode(3), 3);
  EXPECT_EQ(VlCode(4), 3);
  EXPECT_EQ(VlCode(8), 4);
  EXPECT_EQ(VlCode(9), 5);
  EXPECT_EQ(VlsOfCode(5), 15);
  EXPECT_EQ(VlsOfCode(0), 0);
  EXPECT_EQ(VlsOfCode(9), 0);
}

}  // namespace
}  // namespace lanecut::ib
