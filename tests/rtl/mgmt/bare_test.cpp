// SPDX-License-Identifier: Apache-2.0
//
// An agent without performance management and M_Key: general packets are consumed and counted, SMPs
// answered whatever key they bring.
#include "tests/rtl/mgmt/general_packet.h"
#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

using BareTest = AgentTest<BareKind>;

constexpr uint16_t kPortCounters = 0x0012;
constexpr uint16_t kPortInfo = 0x0015;
constexpr uint16_t kOwnCounters = 0xFF05;

TEST_F(BareTest, RequestsOfPerformanceManagementAreConsumed) {
  AssignLids(5, 9, 2);
  Smp request;
  request.mgmt_class = kPerformance;
  request.method = kGet;
  request.attribute = kPortCounters;
  request.slid = 9;
  request.dlid = 5;
  request.data[0] = 1 << 16;
  EXPECT_TRUE(bench_.Ask(BuildGeneral(request), 1, /*vl15=*/false).words.empty());
  ExpectGet(kOwnCounters, 0, {1});
  EXPECT_TRUE(bench_.cleared.empty());
}

TEST_F(BareTest, CountersAreReadBySmp) {
  Data expected{};
  for (int i = 0; i < 12; ++i) expected[i] = bench_.Counter(2, i);
  ExpectGet(kOwnCounters, 2, expected);
}

TEST_F(BareTest, MKeyIsZeroWhateverIsWritten) {
  Data keyed{};
  keyed[0] = keyed[1] = 0x12345678;
  keyed[8] = 2 << 14;  // protection bits: no Get without it
  EXPECT_FALSE(bench_.Ask(Build(Request(kSet, kPortInfo, 0, keyed))).words.empty());
  const Data after = Get(kPortInfo);
  EXPECT_EQ(after[0], 0u);
  EXPECT_EQ(after[1], 0u);
  EXPECT_EQ(after[8] >> 14 & 3, 0u);
  ExpectSet(kPortInfo, 0, {}, after);
}

}  // namespace
}  // namespace lanecut::mgmt_test
