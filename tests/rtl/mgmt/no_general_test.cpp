// SPDX-License-Identifier: Apache-2.0
//
// An agent without performance management: general packets are consumed and counted, SMPs answered.
#include "tests/rtl/mgmt/general_packet.h"
#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

using NoGeneralTest = AgentTest<BareKind>;

constexpr uint16_t kPortCounters = 0x0012;
constexpr uint16_t kOwnCounters = 0xFF05;

TEST_F(NoGeneralTest, RequestsOfPerformanceManagementAreConsumed) {
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

TEST_F(NoGeneralTest, CountersAreReadBySmp) {
  Data expected{};
  for (int i = 0; i < 12; ++i) expected[i] = bench_.Counter(2, i);
  ExpectGet(kOwnCounters, 2, expected);
}

}  // namespace
}  // namespace lanecut::mgmt_test
