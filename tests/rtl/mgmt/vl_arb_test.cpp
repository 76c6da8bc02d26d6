// SPDX-License-Identifier: Apache-2.0
//
// VLArbitrationTable and VLHighLimit: what is read, what is stored, and what goes to the ports.
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

constexpr uint16_t kVlArb = 0x0018;
constexpr uint16_t kPortInfo = 0x0015;
constexpr uint32_t kLow = 1;
constexpr uint32_t kHigh = 3;

template <typename Kind>
class VlArbTest : public AgentTest<Kind> {
 protected:
  static constexpr size_t kWords = Kind::kVlArbEntries / 2;

  static uint32_t Modifier(uint32_t block, uint32_t port) { return block << 16 | port; }

  // The low-priority list after reset.
  static Data Fresh() {
    Data data{};
    for (uint32_t entry = 0; entry < Kind::kVlArbEntries; ++entry) {
      const uint32_t weight = entry < Kind::kVls ? 1 : 0;
      data[entry / 2] |= (entry << 8 | weight) << (entry % 2 == 0 ? 16 : 0);
    }
    return data;
  }

  static Data Unweighted() {
    Data data = Fresh();
    for (uint32_t& word : data) word &= 0x0F000F00;
    return data;
  }

  Data RandomData() {
    Data data;
    for (uint32_t& word : data) word = static_cast<uint32_t>(this->bench_.random());
    return data;
  }

  static Data Stored(Data data) {
    for (size_t i = 0; i < data.size(); ++i) data[i] = i < kWords ? data[i] & 0x0FFF0FFF : 0;
    return data;
  }
};
TYPED_TEST_SUITE(VlArbTest, Kinds);

TYPED_TEST(VlArbTest, AfterResetEachVlHasWeightOne) {
  for (uint32_t port = 1; port <= TypeParam::kPorts; ++port) {
    this->ExpectGet(kVlArb, this->Modifier(kLow, port), this->Fresh());
    this->ExpectGet(kVlArb, this->Modifier(kHigh, port), this->Unweighted());
    this->ExpectGet(kVlArb, this->Modifier(kLow + 1, port), {});
    this->ExpectGet(kVlArb, this->Modifier(kHigh + 1, port), {});
  }
  EXPECT_TRUE(this->bench_.arb_writes.empty());
}

TYPED_TEST(VlArbTest, EachPortHasListsOfItsOwn) {
  std::vector<std::pair<uint32_t, Data>> written;
  for (uint32_t port = 1; port <= TypeParam::kPorts; ++port) {
    for (const uint32_t block : {kLow, kHigh}) {
      const Data data = this->RandomData();
      this->bench_.arb_writes.clear();
      this->ExpectSet(kVlArb, this->Modifier(block, port), data, this->Stored(data));
      ASSERT_EQ(this->bench_.arb_writes.size(), this->kWords);
      for (size_t word = 0; word < this->kWords; ++word) {
        const auto& write = this->bench_.arb_writes[word];
        EXPECT_EQ(write.port, static_cast<int>(port));
        EXPECT_EQ(write.address, (block == kHigh ? 16 : 0) + word);
        EXPECT_EQ(write.data, data[word]);
      }
      written.emplace_back(this->Modifier(block, port), this->Stored(data));
    }
  }
  for (const auto& [modifier, data] : written) this->ExpectGet(kVlArb, modifier, data);
}

TYPED_TEST(VlArbTest, SecondHalvesHoldNothing) {
  for (const uint32_t block : {kLow + 1, kHigh + 1}) {
    this->ExpectSet(kVlArb, this->Modifier(block, 1), this->RandomData(), {});
  }
  EXPECT_TRUE(this->bench_.arb_writes.empty());
  this->ExpectGet(kVlArb, this->Modifier(kLow, 1), this->Fresh());
}

TYPED_TEST(VlArbTest, OtherModifiersAreRefused) {
  const uint32_t beyond = TypeParam::kPorts + 1;
  for (const uint32_t modifier :
       {this->Modifier(0, 1), this->Modifier(5, 1), this->Modifier(kLow, 0),
        this->Modifier(kLow, beyond), this->Modifier(kLow, 0x101), this->Modifier(0x101, 1)}) {
    for (const uint8_t method : {kGet, kSet}) {
      this->ExpectStatus(this->Request(method, kVlArb, modifier), 0x001C);
    }
  }
  EXPECT_TRUE(this->bench_.arb_writes.empty());
}

TYPED_TEST(VlArbTest, HighLimitGoesToItsPort) {
  Data set{};
  set[9] = 0x0000A500;
  set[10] = 0xFF00;
  set[13] = 0x00880000;
  this->bench_.Ask(Build(this->Request(kSet, kPortInfo, 0, set)));
  EXPECT_TRUE(this->bench_.arb_writes.empty());
  for (int port = 1; port <= TypeParam::kPorts; ++port) {
    this->bench_.arb_writes.clear();
    set[9] = static_cast<uint32_t>(0x10 + port) << 8;
    this->bench_.Ask(Build(this->Request(kSet, kPortInfo, static_cast<uint32_t>(port), set)));
    ASSERT_EQ(this->bench_.arb_writes.size(), 1u);
    EXPECT_EQ(this->bench_.arb_writes[0].port, port);
    EXPECT_EQ(this->bench_.arb_writes[0].address, 32u);
    EXPECT_EQ(this->bench_.arb_writes[0].data >> 8 & 0xFF, 0x10u + static_cast<uint32_t>(port));
  }
  // A Set that is refused does not.
  this->bench_.arb_writes.clear();
  set[10] = 0xFFF0;  // more VLs than there are
  this->ExpectStatus(this->Request(kSet, kPortInfo, 1, set), 0x001C);
  EXPECT_TRUE(this->bench_.arb_writes.empty());
}

}  // namespace
}  // namespace lanecut::mgmt_test
