// SPDX-License-Identifier: Apache-2.0
//
// What the agent says about the switch: node, switch and vendor attributes, and how it refuses.
#include <cstdint>

#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

template <typename Kind>
class AttributeTest : public AgentTest<Kind> {};
TYPED_TEST_SUITE(AttributeTest, Kinds);

constexpr uint32_t kGuidHigh = 0x4C430000;
constexpr uint32_t kGuidLow = 0x00010007;

// The check vector of the ICRC, so that the tests' own computation can be trusted.
TEST(Icrc, BitSerialComputationGivesTheCheckValue) {
  const std::vector<uint8_t> bytes = {
      0x70, 0x12, 0x37, 0x5C, 0x00, 0x0E, 0x17, 0xD2, 0x0A, 0x20, 0x24, 0x87, 0x00,
      0x87, 0xB1, 0xB3, 0x00, 0x0D, 0xEC, 0x2A, 0x01, 0x71, 0x0A, 0x1C, 0x01, 0x5D,
      0x40, 0x02, 0x38, 0xF2, 0x7A, 0x05, 0x00, 0x00, 0x00, 0x0E, 0xBB, 0x88, 0x4D,
      0x85, 0xFD, 0x5C, 0xFB, 0xA4, 0x72, 0x8B, 0xC0, 0x69, 0x0E, 0xD4, 0x00, 0x00};
  ASSERT_EQ(bytes.size(), 52u);
  EXPECT_EQ(IcrcOfBytes(bytes), 0x9625B75Au);
}

TYPED_TEST(AttributeTest, NodeDescriptionIsTheStrap) {
  this->ExpectGet(0x0010, 0, {0x53335F34});  // "S3_4"
  this->bench_.SetName("ABCDEFGHIJKLMNOP");
  this->ExpectGet(0x0010, 0, {0x41424344, 0x45464748, 0x494A4B4C, 0x4D4E4F50});
}

TYPED_TEST(AttributeTest, NodeInfo) {
  const uint32_t ports = TypeParam::kPorts;
  for (const int ingress : {1, 5}) {
    this->ExpectGet(
        0x0011, 0,
        {0x01010200 | ports, kGuidHigh, kGuidLow, kGuidHigh, kGuidLow, kGuidHigh, kGuidLow,
         0x00204C43, 0x00000001, static_cast<uint32_t>(ingress) << 24 | 0x004C43},
        ingress);
  }
}

// LifeTimeValue as it reads in its place: without end where it has no effect.
template <typename Kind>
uint32_t LifeTime(uint32_t set) {
  return (Kind::kLifetime ? set : 31) << 3;
}

TYPED_TEST(AttributeTest, SwitchInfoKeepsTopAndLifeTime) {
  const uint32_t caps = TypeParam::kLftDepth << 16;
  const auto life = LifeTime<TypeParam>;
  // Ports came up after reset: PortStateChange is set, and writing 1 clears it.
  this->ExpectGet(0x0012, 0, {caps, 0, life(31) | 0x5});
  EXPECT_EQ(this->bench_.dut().life_time_o, 31);
  this->ExpectSet(0x0012, 0, {0, 0x00AB, 18 << 3}, {caps, 0x00AB, life(18) | 0x5});
  EXPECT_EQ(this->bench_.dut().life_time_o, life(18) >> 3);
  this->ExpectSet(0x0012, 0, {0, 0x00AC, 0x4}, {caps, 0x00AC, life(0) | 0x1});
  this->ExpectGet(0x0012, 0, {caps, 0x00AC, life(0) | 0x1});
  EXPECT_EQ(this->bench_.dut().life_time_o, life(0) >> 3);
  this->bench_.SetPortState(2, 1);
  this->ExpectGet(0x0012, 0, {caps, 0x00AC, life(0) | 0x5});
}

TYPED_TEST(AttributeTest, SwitchInfoRefusesTopBeyondTheTable) {
  const auto life = LifeTime<TypeParam>;
  this->ExpectStatus(this->Request(kSet, 0x0012, 0, {0, TypeParam::kLftDepth, 1 << 3}), 0x001C);
  EXPECT_EQ(this->Get(0x0012)[1], 0u);
  EXPECT_EQ(this->Get(0x0012)[2], life(31) | 5u) << "nothing of a refused Set is applied";
  this->ExpectSet(0x0012, 0, {0, TypeParam::kLftDepth - 1, 31 << 3},
                  {TypeParam::kLftDepth << 16, TypeParam::kLftDepth - 1, life(31) | 0x5});
}

TYPED_TEST(AttributeTest, StatusShowsCountersBusyBankAndBuffers) {
  auto& dut = this->bench_.dut();
  dut.data_rcvd_i = 0x11111111;
  dut.data_sent_i = 0x22222222;
  dut.data_dropped_i = 0x33333333;
  const uint32_t sizes = TypeParam::kVl15Blocks << 16 | TypeParam::kBufBlocks;
  this->ExpectGet(0xFF00, 0, {0, 0x11111111, 0x22222222, 0x33333333, sizes});
  dut.data_busy_i = 1;
  this->ExpectSet(0xFF02, 0, {0x80000015}, {0x115});
  this->ExpectGet(0xFF00, 0, {0x1503, 0x11111111, 0x22222222, 0x33333333, sizes});
}

TYPED_TEST(AttributeTest, EndNodePortsAreWhatTheManagerSays) {
  const uint32_t all = ((1u << TypeParam::kPorts) - 1) << 1;
  this->ExpectGet(0xFF06, 0, {0});
  this->ExpectSet(0xFF06, 0, {0xFFFFFFFF}, {1u << 31 | all});
  EXPECT_EQ(this->bench_.dut().end_node_ports_o, all >> 1);
  EXPECT_EQ(this->bench_.dut().transit_first_o, 1);
  this->ExpectSet(0xFF06, 0, {1 << 2}, {1 << 2});
  EXPECT_EQ(this->bench_.dut().transit_first_o, 0);
  EXPECT_EQ(this->bench_.dut().end_node_ports_o, 1u << 1);
}

TYPED_TEST(AttributeTest, PortCountersOfEveryPort) {
  for (uint32_t port = 1; port <= TypeParam::kPorts; ++port) {
    Data expected{};
    for (int i = 0; i < 12; ++i) expected[i] = this->bench_.Counter(static_cast<int>(port), i);
    this->ExpectGet(0xFF05, port, expected);
  }
}

TYPED_TEST(AttributeTest, DataPacketsForPort0AreConsumedAndCounted) {
  for (int i = 0; i < 5; ++i) {
    this->bench_.Send(
        0, {.words = Words(14 + 20 * i, 0x04000000), .port = 2, .bad = i == 3, .vl15 = false});
  }
  ASSERT_TRUE(this->bench_.Drain());
  EXPECT_TRUE(this->bench_.departures[0].empty());
  this->ExpectGet(0xFF05, 0, {4});
}

TYPED_TEST(AttributeTest, UnknownAttributesAreUnsupported) {
  for (const uint16_t attribute : {0x0000, 0x0002, 0x0020, 0xFF01, 0xFF0A}) {
    Smp request = this->Request(kGet, attribute, 0, {0x1234, 0x5678});
    this->ExpectStatus(request, 0x000C);
    request.method = kSet;
    this->ExpectStatus(request, 0x000C);
  }
}

TYPED_TEST(AttributeTest, SetOfWhatCannotBeSetIsUnsupported) {
  for (const uint16_t attribute : {0x0010, 0x0011, 0x001B, 0xFF00, 0xFF05}) {
    this->ExpectStatus(this->Request(kSet, attribute), 0x000C);
  }
}

TYPED_TEST(AttributeTest, ModifiersOutOfRangeAreInvalid) {
  const uint32_t ports = TypeParam::kPorts;
  const uint32_t blocks = TypeParam::kLftDepth / 64;
  for (const uint8_t method : {kGet, kSet}) {
    for (const uint32_t modifier : {ports + 1, 16u, 0x101u, 0x80000001u}) {
      this->ExpectStatus(this->Request(method, 0x0015, modifier), 0x001C);
    }
    for (const uint32_t modifier : {ports + 1, (ports + 1) << 8, 0x41010u, 0x10u, 0x1000u}) {
      this->ExpectStatus(this->Request(method, 0x0017, modifier), 0x001C);
      this->ExpectStatus(this->Request(method, 0xFF04, modifier), 0x001C);
    }
    for (const uint32_t modifier : {blocks, blocks + 0x10000u, 0xFFFFFFFFu}) {
      this->ExpectStatus(this->Request(method, 0x0019, modifier), 0x001C);
      this->ExpectStatus(this->Request(method, 0xFF03, modifier), 0x001C);
    }
  }
  this->ExpectStatus(this->Request(kGet, 0xFF05, ports + 1), 0x001C);
  for (const uint8_t method : {kGet, kSet}) {
    this->ExpectStatus(this->Request(method, 0x0014, 1), 0x001C);
    this->ExpectStatus(this->Request(method, 0x0016, 1), 0x001C);        // another block
    this->ExpectStatus(this->Request(method, 0x0016, 1 << 16), 0x001C);  // of another port
  }
}

TYPED_TEST(AttributeTest, TheOnlyGuidCannotBeChanged) {
  const Data guid = {kGuidHigh, kGuidLow};
  this->ExpectGet(0x0014, 0, guid);
  this->ExpectSet(0x0014, 0, {1, 2, 3, 4}, guid);
}

TYPED_TEST(AttributeTest, PartitionKeysAreKept) {
  Data keys = {0xFFFF0000};
  this->ExpectGet(0x0016, 0, keys);
  for (uint32_t i = 0; i < keys.size(); ++i) keys[i] = 0x80010002u + i * 0x00020002u;
  this->ExpectSet(0x0016, 0, keys, keys);
  this->ExpectGet(0x0016, 0, keys);
}

TYPED_TEST(AttributeTest, MulticastTableIsEmpty) {
  for (const uint32_t modifier : {0x0u, 0x10000001u}) this->ExpectGet(0x001B, modifier, {});
}

TYPED_TEST(AttributeTest, OtherVersionsAreRefused) {
  const Smp request = this->Request(kSet, 0xFF02, 0, {0x80000007});
  for (const uint32_t versions : {0x02810102u, 0x01810202u}) {
    Words words = Build(request);
    words[kMad] = versions;
    SealIcrc(words);
    const Departure answer = this->bench_.Ask(words);
    ASSERT_EQ(answer.words.size(), static_cast<size_t>(kSmpWords));
    EXPECT_EQ(answer.words[kMad + 1] >> 16, 0x8004u);
  }
  this->ExpectGet(0xFF02, 0, {0});
}

TYPED_TEST(AttributeTest, RequestByLidIsAnsweredByLid) {
  this->AssignLids(5, 9, 3);
  Smp request = this->Request(kGet, 0x0010);
  request.mgmt_class = kClassLid;
  request.hop_pointer = request.hop_count = 0;
  request.initial_path.clear();
  request.slid = 9;
  request.dlid = 5;
  request.sl = 4;
  const Departure answer = this->bench_.Ask(Build(request), 2);
  Smp expected = request;
  expected.method = kGetResp;
  expected.slid = 5;
  expected.dlid = 9;
  expected.data = {0x53335F34};
  EXPECT_EQ(answer.port, 3) << "by the forwarding table, not the way it came";
  EXPECT_EQ(answer.words, Build(expected));
  EXPECT_EQ(this->bench_.dut().lid_o, 5);

  request.attribute = 0x0020;
  expected = request;
  expected.method = kGetResp;
  expected.slid = 5;
  expected.dlid = 9;
  expected.status = 0x000C;
  EXPECT_EQ(this->bench_.Ask(Build(request), 2).words, Build(expected));
}

TYPED_TEST(AttributeTest, AnswerByLidWithoutAWayIsDropped) {
  this->AssignLids(5, 9, 3);
  Smp request = this->Request(kGet, 0x0010);
  request.mgmt_class = kClassLid;
  request.dlid = 5;
  // Nowhere in the table; beyond the table; then to port 0, to a port that is not there, to one
  // that is Down.
  for (const int slid : {8, TypeParam::kLftDepth + 9, 0xC000}) {
    request.slid = static_cast<uint16_t>(slid);
    EXPECT_TRUE(this->bench_.Ask(Build(request)).words.empty()) << slid;
  }
  request.slid = 9;
  for (const int port : {0, TypeParam::kPorts + 1, 0x13}) {
    this->Route(9, port);
    EXPECT_TRUE(this->bench_.Ask(Build(request)).words.empty()) << port;
  }
  this->Route(9, 3);
  this->bench_.SetPortState(3, 1);
  EXPECT_TRUE(this->bench_.Ask(Build(request)).words.empty());
  this->bench_.SetPortState(3, 2);
  EXPECT_EQ(this->bench_.Ask(Build(request)).port, 3);
}

TYPED_TEST(AttributeTest, HopCountZeroIsServedForANeighbour) {
  Smp request = this->Request(kGet, 0x0010);
  request.hop_pointer = request.hop_count = 0;
  const Departure answer = this->bench_.Ask(Build(request), 4);
  Smp expected = request;
  expected.method = kGetResp;
  expected.status = 0x8000;
  expected.data = {0x53335F34};
  EXPECT_EQ(answer.port, 4);
  EXPECT_EQ(answer.words, Build(expected));
}

}  // namespace
}  // namespace lanecut::mgmt_test
