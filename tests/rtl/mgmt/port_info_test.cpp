// SPDX-License-Identifier: Apache-2.0
//
// PortInfo: every field of port 0 and of external ports, what a Set stores, commands and refuses.
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

constexpr uint16_t kPortInfo = 0x0015;

template <typename Kind>
class PortInfoTest : public AgentTest<Kind> {
 protected:
  // PortInfo after reset.
  static Data Fresh(bool port0, uint32_t state, uint32_t ingress = 1) {
    const uint32_t mtu_cap = Kind::kMtuCap;
    const uint32_t vl_cap = Kind::kVlCap;
    const uint32_t phys = state == 1 ? 2 : 5;
    Data d{};
    d[2] = port0 ? 0xFE800000 : 0;
    d[5] = port0 ? 0x00000848 : 0;
    d[7] = ingress << 24 | 0x010101;                          // 1X enabled, supported, active
    d[8] = 0x10000011 | state << 24 | phys << 20 | 2u << 16;  // SDR; polling when down
    const uint32_t arb_cap = port0 ? 0 : Kind::kVlArbEntries;
    d[9] = (port0 ? mtu_cap : 1) << 28 | vl_cap << 20 | arb_cap;  // NeighborMTU, VLCap
    d[10] =
        arb_cap << 24 | mtu_cap << 16 | 0xFF00 | vl_cap << 4;  // MTUCap, stall 7 and life 31, VLs
    d[12] = port0 ? 1u << 8 | 18 : 0;                          // GUIDCap, SubnetTimeOut
    d[13] = 0x08880000;                                        // RespTimeValue, error thresholds
    return d;
  }

  // A Set that changes nothing: every field either zero ("no change") or as it is.
  static Data NoChange() {
    Data d{};
    d[10] = 0xFF00;
    d[13] = 0x00880000;
    return d;
  }

  // HOQLife as it reads: without end where it has no effect.
  static uint32_t Life(uint32_t set) { return Kind::kLifetime ? set : 31; }

  void ExpectRefused(uint32_t port, const Data& data) {
    const Data before = this->Get(kPortInfo, port);
    this->ExpectStatus(this->Request(kSet, kPortInfo, port, data), 0x001C);
    EXPECT_EQ(this->Get(kPortInfo, port), before) << "nothing of a refused Set is applied";
  }
};
TYPED_TEST_SUITE(PortInfoTest, Kinds);

TYPED_TEST(PortInfoTest, AfterReset) {
  this->ExpectGet(kPortInfo, 0, this->Fresh(true, 4));
  for (uint32_t port = 1; port <= TypeParam::kPorts; ++port) {
    this->ExpectGet(kPortInfo, port, this->Fresh(false, 2));
  }
  this->ExpectGet(kPortInfo, 1, this->Fresh(false, 2, 6), 6);
}

TYPED_TEST(PortInfoTest, At4XThisIsTheOnlyWidth) {
  this->bench_.dut().four_lanes_i = 1;
  this->bench_.Reset();
  for (const uint32_t port : {0, 3}) {
    Data fresh = this->Fresh(port == 0, port == 0 ? 4 : 2);
    fresh[7] = 1u << 24 | 0x020202;
    this->ExpectGet(kPortInfo, port, fresh);
    for (const uint32_t enabled : {0x00, 0x02, 0xFF}) {
      Data set = this->NoChange();
      set[7] = enabled << 16;
      this->bench_.Ask(Build(this->Request(kSet, kPortInfo, port, set)));
      EXPECT_EQ(this->Get(kPortInfo, port)[7], fresh[7]);
    }
    Data narrow = this->NoChange();
    narrow[7] = 0x01 << 16;
    this->ExpectRefused(port, narrow);
  }
}

TYPED_TEST(PortInfoTest, ShowsTheStateOfThePort) {
  for (uint32_t port = 2; port <= TypeParam::kPorts; ++port) {
    for (const uint32_t state : {1, 2, 3, 4}) {
      this->bench_.SetPortState(static_cast<int>(port), static_cast<int>(state));
      this->ExpectGet(kPortInfo, port, this->Fresh(false, state));
    }
  }
}

TYPED_TEST(PortInfoTest, Port0StoresWhatAManagerWrites) {
  Data set;
  set.fill(0xFFFFFFFF);
  set[0] = set[1] = 0;  // M_Key: see m_key_test.cpp
  set[2] = 0xFE8A1234;
  set[3] = 0x56789ABC;
  set[4] = 0x00120034;  // LID, MasterSMLID
  set[6] = 0x0000003C;  // lease period
  set[7] = 0xFF01FFFF;
  set[8] = 0xF001FFF1;   // no state command; down default 1; 0xF and 0xFF in read-only places
  set[9] = 0x1BFFEEFF;   // NeighborMTU 1, MasterSMSL 11, HighLimit 0xEE
  set[10] = 0xFF9F6D1A;  // InitTypeReply 9, stall 3 life 13, 1 VL, enforcement 1010
  set[12] = 0xFFFFFFF1;  // SubnetTimeOut 17
  set[13] = 0xFF5AFFFF;  // thresholds
  Data after = this->Fresh(true, 4);
  after[2] = 0xFE8A1234;
  after[3] = 0x56789ABC;
  after[4] = 0x00120034;
  after[6] = 0x0000003C;
  after[8] = 0x14510011;
  after[9] = 0x1B00EE00 | TypeParam::kVlCap << 20;
  after[10] = 0x0090601A | this->Life(13) << 8 | TypeParam::kMtuCap << 16;
  after[11] = 0xFFFF0000;  // M_KeyViolations
  after[12] = 0x00000111;
  after[13] = 0x085A0000;
  set[8] = 0xF0010FF1;  // physical state: no change
  this->ExpectSet(kPortInfo, 0, set, after);
  this->ExpectGet(kPortInfo, 0, after);
  this->ExpectGet(kPortInfo, 1, this->Fresh(false, 2));
  EXPECT_TRUE(this->bench_.commands.empty());
}

TYPED_TEST(PortInfoTest, ExternalPortsStoreTheirOwnFieldsOnly) {
  for (uint32_t port = 1; port <= TypeParam::kPorts; ++port) {
    Data set;
    set.fill(0xFFFFFFFF);
    set[7] = 0xFFFFFFFF;  // all widths that are supported
    set[8] = 0x0004000F;  // down default 4; all speeds that are supported
    set[9] = 0x2F00A000u + (port << 8);
    set[10] = 0xFFFF0023 + (port << 8);  // 2 VLs
    set[13] = 0x00120000 + (port << 16);
    Data after = this->Fresh(false, 2);
    after[8] = 0x12540011;
    after[9] = 0x2000A000u + (port << 8) + (TypeParam::kVlCap << 20) + TypeParam::kVlArbEntries;
    after[10] =
        TypeParam::kVlArbEntries << 24 | TypeParam::kMtuCap << 16 | this->Life(port) << 8 | 0x0023;
    after[13] = 0x08120000 + (port << 16);
    this->ExpectSet(kPortInfo, port, set, after);
  }
  for (uint32_t port = 1; port <= TypeParam::kPorts; ++port) {
    EXPECT_EQ(this->Get(kPortInfo, port)[13], 0x08120000 + (port << 16)) << "each port its own";
  }
  this->ExpectGet(kPortInfo, 0, this->Fresh(true, 4));
}

TYPED_TEST(PortInfoTest, HoqLifeGoesToItsPort) {
  const auto life = [this](uint32_t port) {
    uint32_t value = 0;
    for (uint32_t bit = 0; bit < 5; ++bit) {
      const uint32_t at = 5 * (port - 1) + bit;
      value |= this->bench_.HoqLifeBit(static_cast<int>(at)) << bit;
    }
    return value;
  };
  for (uint32_t port = 1; port <= TypeParam::kPorts; ++port) EXPECT_EQ(life(port), 31u);
  Data set = this->NoChange();
  set[10] = 0xE000 | 7 << 8;
  this->bench_.Ask(Build(this->Request(kSet, kPortInfo, 3, set)));
  for (uint32_t port = 1; port <= TypeParam::kPorts; ++port) {
    EXPECT_EQ(life(port), port == 3 ? this->Life(7) : 31u) << port;
  }
}

TYPED_TEST(PortInfoTest, ZeroMeansNoChange) {
  Data set = this->NoChange();
  set[7] = 0x00010000;
  set[8] = 0x00010001;
  set[9] = 0x20000000;
  set[10] |= 0x10;
  Data after = this->Fresh(false, 2);
  after[8] = 0x12510011;
  after[9] = (after[9] & 0x0FFFFFFF) | 0x20000000;
  after[10] = (after[10] & 0xFFFFFF0F) | 0x10;
  this->ExpectSet(kPortInfo, 3, set, after);
  this->ExpectSet(kPortInfo, 3, this->NoChange(), after);
}

TYPED_TEST(PortInfoTest, CommandsMoveThePort) {
  const auto command = [&](uint32_t port, uint32_t state, uint32_t shown) {
    Data set = this->NoChange();
    set[8] = state << 24;
    this->ExpectSet(kPortInfo, port, set, this->Fresh(false, shown));
  };
  command(2, 3, 3);
  command(2, 3, 3);
  command(2, 4, 4);
  command(2, 4, 4);
  command(TypeParam::kPorts, 3, 3);
  command(2, 1, 1);
  const std::vector<std::pair<int, int>> expected = {
      {2, 3}, {2, 3}, {2, 4}, {2, 4}, {TypeParam::kPorts, 3}, {2, 1}};
  EXPECT_EQ(this->bench_.commands, expected);
}

TYPED_TEST(PortInfoTest, IllegalTransitionsAreRefused) {
  for (const int from : {1, 2, 3, 4}) {
    this->bench_.SetPortState(4, from);
    for (uint32_t to = 2; to < 16; ++to) {
      const bool legal = (to == 3 && (from == 2 || from == 3)) || (to == 4 && from >= 3);
      if (legal) continue;
      Data set = this->NoChange();
      set[8] = to << 24;
      set[9] = 0x20000000;
      this->ExpectRefused(4, set);
    }
  }
  EXPECT_TRUE(this->bench_.commands.empty());
}

TYPED_TEST(PortInfoTest, PhysicalStateMayBeNamed) {
  for (const uint32_t port : {0, 2}) {
    for (const uint32_t phys : {1u, 4u, 6u, 7u}) {
      Data set = this->NoChange();
      set[8] = phys << 20;
      this->ExpectRefused(port, set);
    }
    Data set = this->NoChange();
    set[8] = 5 << 20;
    this->bench_.Ask(Build(this->Request(kSet, kPortInfo, port, set)));
    EXPECT_EQ(this->Get(kPortInfo, port)[8] >> 20 & 0xF, 5u);
  }
}

// The link of a disabled port is gone, as far as the port is concerned, until it is enabled.
TYPED_TEST(PortInfoTest, PortIsDisabledAndEnabled) {
  const uint32_t all = (1u << TypeParam::kPorts) - 1;
  EXPECT_EQ(this->bench_.dut().phy_enable_o, all);
  Data disable = this->NoChange();
  disable[8] = 1u << 24 | 3u << 20;  // Down, Disabled
  this->bench_.Ask(Build(this->Request(kSet, kPortInfo, 3, disable)));
  EXPECT_EQ(this->bench_.dut().phy_enable_o, all & ~(1u << 2));
  EXPECT_EQ(this->bench_.PortState(3), 1);
  EXPECT_EQ(this->Get(kPortInfo, 3)[8] >> 20 & 0xFF, 0x13u);
  EXPECT_EQ(this->Get(kPortInfo, 2)[8] >> 20 & 0xFF, 0x25u);
  // A Set of something else leaves it disabled.
  this->bench_.Ask(Build(this->Request(kSet, kPortInfo, 3, this->NoChange())));
  EXPECT_EQ(this->bench_.dut().phy_enable_o, all & ~(1u << 2));
  Data enable = this->NoChange();
  enable[8] = 2u << 20;
  this->bench_.Ask(Build(this->Request(kSet, kPortInfo, 3, enable)));
  EXPECT_EQ(this->bench_.dut().phy_enable_o, all);
  EXPECT_EQ(this->Get(kPortInfo, 3)[8] >> 20 & 0xFF, 0x12u);
}

TYPED_TEST(PortInfoTest, Port0HasNoLinkToDisable) {
  for (const uint32_t phys : {2u, 3u}) {
    Data set = this->NoChange();
    set[8] = phys << 20;
    this->ExpectRefused(0, set);
  }
}

TYPED_TEST(PortInfoTest, ValuesBeyondTheHardwareAreRefused) {
  Data set = this->NoChange();
  set[9] = (TypeParam::kMtuCap + 1) << 28;
  this->ExpectRefused(1, set);
  set = this->NoChange();
  set[10] = (TypeParam::kVlCap + 1) << 4;
  this->ExpectRefused(1, set);
  set = this->NoChange();
  set[7] = 0x00020000;  // 4X
  this->ExpectRefused(1, set);
  set = this->NoChange();
  set[8] = 0x00000002;  // DDR
  this->ExpectRefused(1, set);
  set = this->NoChange();
  set[4] = 0xC0000001;  // a multicast LID
  this->ExpectRefused(0, set);
  set[4] = 0x0001C000;
  this->ExpectRefused(0, set);
  EXPECT_EQ(this->bench_.dut().lid_o, 0);
}

}  // namespace
}  // namespace lanecut::mgmt_test
