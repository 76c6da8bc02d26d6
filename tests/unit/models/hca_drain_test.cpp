// SPDX-License-Identifier: Apache-2.0
//
// An end node in a change of function under Double Scheme: VLs and numbers of its packets, and what
// it reports.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/unit/models/hca_pair.h"

namespace lanecut {
namespace {

using ib::FunctionScheme;
using ib::MadAttribute;
using ib::MadStatus;
using ib::VendorScheme;
using ib::VendorVlDrain;

class HcaDrainTest : public ::testing::Test {
 protected:
  explicit HcaDrainTest(HcaConfig config = {}) : pair_(5, config) { pair_.BringUp(); }

  static MadStatus Status(const ib::Mad& mad) { return static_cast<MadStatus>(mad.status()); }
  MadStatus SetScheme(FunctionScheme scheme) {
    return Status(pair_.Set(0, MadAttribute::kVendorScheme, VendorScheme{scheme}));
  }
  MadStatus Command(const VendorVlDrain& command) {
    return Status(pair_.Set(0, MadAttribute::kVendorVlDrain, command));
  }
  VendorVlDrain State() {
    return VendorVlDrain::Decode(pair_.Get(0, MadAttribute::kVendorVlDrain));
  }
  // SL n goes to VL n.
  void Begin() {
    ib::SlToVlBlock table;
    table.vl_of_sl = {0, 1};
    ASSERT_EQ(Status(pair_.Set(0, MadAttribute::kSlToVlMappingTable, table)), MadStatus::kOk);
    ASSERT_EQ(SetScheme(FunctionScheme::kDouble), MadStatus::kOk);
  }
  void Offer(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(
          pair_.a().Offer(pair_.now, HcaPair::kLid[1], 32, static_cast<std::uint8_t>(i % 2)));
    }
  }
  // (VL, number) of what has arrived since the last call.
  std::vector<std::pair<int, int>> Arrived() {
    std::vector<std::pair<int, int>> arrived;
    for (const HcaPacket& packet : pair_.ledger.delivered) {
      arrived.emplace_back(packet.vl, packet.number);
    }
    pair_.ledger.delivered.clear();
    return arrived;
  }

  HcaPair pair_;
};

using Arrivals = std::vector<std::pair<int, int>>;

// VLs are served in turn, whichever is first.
Arrivals Sorted(Arrivals arrivals) {
  std::ranges::sort(arrivals);
  return arrivals;
}

TEST_F(HcaDrainTest, PacketsChangeVlsWithTheChange) {
  Begin();
  Offer(2);
  pair_.Run(200);
  EXPECT_EQ(Sorted(Arrived()), (Arrivals{{0, 0}, {1, 0}}));
  ASSERT_EQ(Command({.drain = true, .number = 1}), MadStatus::kOk);
  Offer(2);
  pair_.Run(200);
  EXPECT_EQ(Sorted(Arrived()), (Arrivals{{0, 0}, {0, 0}}));
  EXPECT_EQ(State(), (VendorVlDrain{.drain = true, .idle = true}));
  ASSERT_EQ(Command({.switch_over = true, .number = 1}), MadStatus::kOk);
  pair_.Run(50);
  EXPECT_EQ(State(), (VendorVlDrain{.epoch = 1}));
  EXPECT_TRUE(State().IsOver(1));
  Offer(2);
  pair_.Run(200);
  EXPECT_EQ(Sorted(Arrived()), (Arrivals{{0, 1}, {1, 1}}));
}

// Credits of VL0 do not come back, so it stays closed.
TEST_F(HcaDrainTest, NewPacketsStayOnVl1WhileVl0IsNotEmpty) {
  Begin();
  ASSERT_EQ(Command({.drain = true, .number = 1}), MadStatus::kOk);
  pair_.Run(50);
  Offer(8);
  while (!pair_.a().SendingData()) pair_.Step();
  ASSERT_EQ(Command({.switch_over = true, .number = 1}), MadStatus::kOk);
  EXPECT_TRUE(pair_.a().SendingData() || pair_.a().DataWaits());
  pair_.Run(400);
  const Arrivals arrived = Arrived();
  ASSERT_EQ(arrived.size(), 8u);
  bool is_new = false;
  bool is_on_vl1 = false;
  for (const auto& [vl, number] : arrived) {
    EXPECT_FALSE(is_new && number == 0);
    if (number == 0) {
      EXPECT_EQ(vl, 0);
    }
    is_new = number == 1;
    is_on_vl1 |= is_new && vl == 1;
  }
  EXPECT_TRUE(is_new && is_on_vl1);
  EXPECT_TRUE(State().IsOver(1));
}

TEST_F(HcaDrainTest, CommandsOutOfTurnAreRefused) {
  EXPECT_EQ(Command({.drain = true, .number = 1}), MadStatus::kBusy);  // another scheme
  Begin();
  EXPECT_EQ(Command({.switch_over = true, .number = 2}), MadStatus::kBusy);
  EXPECT_EQ(Command({.drain = true, .number = 2}), MadStatus::kBusy);
  EXPECT_EQ(Command({.drain = true, .number = 0}), MadStatus::kOk);  // it has that function
  EXPECT_EQ(State(), (VendorVlDrain{}));
}

// It has missed the drain: the next packet waits until nothing of the old function is left on VL1.
TEST_F(HcaDrainTest, NothingIsSentBeforeVl1HasRunEmpty) {
  Begin();
  Offer(16);
  while (!pair_.a().SendingData()) pair_.Step();
  ASSERT_EQ(Command({.switch_over = true, .number = 1}), MadStatus::kOk);
  pair_.Run(600);
  ASSERT_EQ(pair_.ledger.delivered.size(), 16u);
  Cycle old_on_vl1 = 0;  // end of the last one
  Cycle first_new = 0;
  for (const HcaPacket& packet : pair_.ledger.delivered) {
    if (packet.number == 0 && packet.vl == 1) old_on_vl1 = packet.tail;
    if (packet.number == 1 && first_new == 0) first_new = packet.injected;
    EXPECT_FALSE(packet.number == 0 && first_new != 0);
  }
  EXPECT_GT(old_on_vl1, 0u);
  EXPECT_GT(first_new, old_on_vl1);
  EXPECT_TRUE(State().IsOver(1));
}

TEST_F(HcaDrainTest, RepeatedCommandsMeanNothing) {
  Begin();
  for (int i = 0; i < 2; ++i) ASSERT_EQ(Command({.drain = true, .number = 1}), MadStatus::kOk);
  pair_.Run(50);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(Command({.switch_over = true, .number = 1}), MadStatus::kOk);
  }
  pair_.Run(50);
  EXPECT_TRUE(State().IsOver(1));
}

TEST_F(HcaDrainTest, ANewSchemeForgetsTheChange) {
  Begin();
  ASSERT_EQ(Command({.drain = true, .number = 1}), MadStatus::kOk);
  ASSERT_EQ(SetScheme(FunctionScheme::kDouble), MadStatus::kOk);
  EXPECT_EQ(State(), (VendorVlDrain{}));
  Offer(2);
  pair_.Run(200);
  EXPECT_EQ(Sorted(Arrived()), (Arrivals{{0, 0}, {1, 0}}));
}

class HcaDrainOneVl : public HcaDrainTest {
 protected:
  HcaDrainOneVl() : HcaDrainTest({.num_vls = 1}) {}
};

TEST_F(HcaDrainOneVl, IsRefused) {
  EXPECT_EQ(SetScheme(FunctionScheme::kDouble), MadStatus::kInvalidField);
}

}  // namespace
}  // namespace lanecut
