// SPDX-License-Identifier: Apache-2.0
//
// Attributes of the routing function in force, in a switch that has all schemes: Scheme, Function,
// FeederRows, VlDrain.
#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

constexpr uint16_t kBank = 0xFF02;
constexpr uint16_t kScheme = 0xFF07;
constexpr uint16_t kFunction = 0xFF08;
constexpr uint16_t kFeederRows = 0xFF09;
constexpr uint16_t kVlDrain = 0xFF0B;
constexpr uint16_t kBusy = 0x0001;
constexpr uint16_t kInvalidField = 0x001C;
constexpr uint32_t kReady = 1u << 31;
constexpr uint32_t kStart = 1u << 30;
// VlDrain.
constexpr uint32_t kDrain = 1u << 31;
constexpr uint32_t kSwitch = 1u << 30;
constexpr uint32_t kInPlace = 1u << 29;
constexpr uint32_t kVlIdle = 1u << 28;

class ReconfigTest : public AgentTest<WideKind> {
 protected:
  void CommitNumber(uint32_t number) {
    bench_.Ask(Build(Request(kSet, kBank, 0, {1u << 31 | number})));
  }
  void Flip() {
    bench_.dut().osr_flip_i = 1;
    bench_.Step();
    bench_.dut().osr_flip_i = 0;
    bench_.Step();
  }
};

TEST_F(ReconfigTest, ASwitchWithoutSchemesHasNoneOfThese) {
  AgentBench<SmallKind> plain;
  for (const uint16_t attribute : {kScheme, kFunction, kFeederRows, kVlDrain}) {
    const Departure answer = plain.Ask(Build(Request(kGet, attribute)));
    ASSERT_EQ(answer.words.size(), kSmpWords);
    EXPECT_EQ(answer.words[8] >> 16 & 0x7FFF, 0x000Cu) << attribute;
  }
}

TEST_F(ReconfigTest, SchemeTakesWhatTheSwitchHas) {
  ExpectGet(kScheme, 0, {0});
  ExpectSet(kScheme, 0, {2}, {2});
  EXPECT_EQ(bench_.dut().scheme_o, 2);
  ExpectSet(kScheme, 0, {1}, {1});
  ExpectSet(kScheme, 0, {3}, {3});
  ExpectGet(kScheme, 0, {3});
}

TEST_F(ReconfigTest, HeadsWaitUnderEpochsOnly) {
  ExpectSet(kScheme, 0, {0x0ABCDE01}, {0x0ABCDE01});
  EXPECT_EQ(bench_.dut().hold_cycles_o, 0xABCDEu);
  for (const uint32_t scheme : {0u, 2u, 3u}) {
    ExpectStatus(Request(kSet, kScheme, 0, {0x100u | scheme}), kInvalidField);
  }
  ExpectGet(kScheme, 0, {0x0ABCDE01});
  ExpectSet(kScheme, 0, {2}, {2});
  EXPECT_EQ(bench_.dut().hold_cycles_o, 0u);
}

TEST_F(ReconfigTest, ReadyAnnouncesTheNextFunction) {
  CommitNumber(7);
  ExpectSet(kFunction, 0, {kReady | 0}, {kReady | 7u << 16 | 0});
  EXPECT_EQ(bench_.dut().next_ready_o, 1);
  EXPECT_EQ(bench_.starts, 0);
  Flip();
  EXPECT_EQ(bench_.dut().next_ready_o, 0);
  EXPECT_EQ(bench_.dut().epoch_o, 0);
  ExpectGet(kFunction, 0, {0});
}

TEST_F(ReconfigTest, StartIsOnePulse) {
  ExpectSet(kFunction, 0, {kStart | 1}, {0});
  EXPECT_EQ(bench_.starts, 1);
  bench_.dut().osr_change_i = 1;
  ExpectGet(kFunction, 0, {kStart});
  ExpectGet(0xFF00, 0, {1u << 13, 0, 0, 0, 64u << 16 | 32u});
}

TEST_F(ReconfigTest, AFunctionOutOfTurnIsBusyAndChangesNothing) {
  CommitNumber(2);
  for (const uint32_t number : {1u, 4u, 5u}) {
    ExpectStatus(Request(kSet, kFunction, 0, {kReady | kStart | number}), kBusy);
  }
  EXPECT_EQ(bench_.starts, 0);
  EXPECT_EQ(bench_.dut().next_ready_o, 0);
}

TEST_F(ReconfigTest, AFunctionThatIsActiveAlreadyIsGranted) {
  CommitNumber(2);
  ExpectSet(kFunction, 0, {kReady | kStart | 2}, {2u << 16});
  EXPECT_EQ(bench_.starts, 0);
  EXPECT_EQ(bench_.dut().next_ready_o, 0);
}

TEST_F(ReconfigTest, RowsOfBothBanks) {
  // 112 channels: 4 words a row, 4 rows a MAD, 28 MADs a bank.
  Data data{};
  for (uint32_t i = 0; i < 16; ++i) data[i] = 0x1000 + i;
  for (const uint32_t block : {0u, 27u}) {
    ExpectSet(kFeederRows, 1u << 31 | block, data, data);
    ExpectGet(kFeederRows, block, {});
    for (uint32_t i = 0; i < 16; ++i) {
      EXPECT_EQ(bench_.rows[1][block * 4 + i / 4][i % 4], data[i]);
    }
  }
  CommitNumber(1);
  ExpectGet(kFeederRows, 27, data);
  ExpectGet(kFeederRows, 1u << 31 | 27, {});
  ExpectStatus(Request(kSet, kFeederRows, 28, data), kInvalidField);
}

class VlDrainTest : public ReconfigTest {
 protected:
  void SetUp() override {
    CommitNumber(7);
    ExpectSet(kScheme, 0, {3}, {3});
  }
};

TEST_F(VlDrainTest, DrainIsOnePulseAndItsStateIsRead) {
  ExpectSet(kVlDrain, 0, {kDrain | 0}, {7u << 16});
  EXPECT_EQ(bench_.drains, 1);
  bench_.dut().draining_i = 1;
  ExpectGet(kVlDrain, 0, {kDrain | 7u << 16});
  ExpectGet(0xFF00, 0, {1u << 13 | 7u << 8 | 1u << 1, 0, 0, 0, 64u << 16 | 32u});
  bench_.dut().vl_idle_i = 1;
  ExpectSet(kVlDrain, 0, {kInPlace | 0}, {kDrain | kInPlace | kVlIdle | 7u << 16});
  EXPECT_EQ(bench_.dut().next_ready_o, 1);
  EXPECT_EQ(bench_.drains, 1);
}

TEST_F(VlDrainTest, SwitchingOverChangesBanksAndCountsOn) {
  bench_.dut().draining_i = 1;
  ExpectSet(kVlDrain, 0, {kInPlace | 0}, {kDrain | kInPlace | 7u << 16});
  const int bank = bench_.dut().bank_o;
  ExpectSet(kVlDrain, 0, {kSwitch | 0}, {kDrain});
  EXPECT_EQ(bench_.switches, 1);
  EXPECT_EQ(bench_.dut().bank_o, 1 - bank);
  EXPECT_EQ(bench_.dut().epoch_o, 0);
  EXPECT_EQ(bench_.dut().next_ready_o, 0);
  // Once more: it has been done.
  ExpectSet(kVlDrain, 0, {kSwitch | 0}, {kDrain});
  EXPECT_EQ(bench_.switches, 1);
}

TEST_F(VlDrainTest, CommandsOutOfTurnAreBusyAndChangeNothing) {
  ExpectStatus(Request(kSet, kVlDrain, 0, {kSwitch | 0}), kBusy);  // not drained
  bench_.dut().draining_i = 1;
  ExpectStatus(Request(kSet, kVlDrain, 0, {kSwitch | 0}), kBusy);  // no function
  for (const uint32_t number : {1u, 3u, 6u}) {
    ExpectStatus(Request(kSet, kVlDrain, 0, {kDrain | kInPlace | number}), kBusy);
  }
  bench_.dut().draining_i = 0;
  bench_.dut().restricted_i = 1;
  ExpectStatus(Request(kSet, kVlDrain, 0, {kDrain | 0}), kBusy);  // the change before is not over
  bench_.dut().restricted_i = 0;
  ExpectSet(kScheme, 0, {2}, {2});
  ExpectStatus(Request(kSet, kVlDrain, 0, {kDrain | 0}), kBusy);  // another scheme
  EXPECT_EQ(bench_.drains + bench_.switches, 0);
  EXPECT_EQ(bench_.dut().next_ready_o, 0);
  EXPECT_EQ(bench_.dut().epoch_o, 7);
}

TEST_F(VlDrainTest, SchemeAndCommitForgetTheChange) {
  ExpectSet(kVlDrain, 0, {kDrain | kInPlace | 0}, {kInPlace | 7u << 16});
  const int before = bench_.clears;
  ExpectSet(kScheme, 0, {3}, {3});
  EXPECT_EQ(bench_.clears, before + 1);
  ExpectGet(kVlDrain, 0, {7u << 16});
  CommitNumber(2);
  EXPECT_EQ(bench_.clears, before + 2);
}

}  // namespace
}  // namespace lanecut::mgmt_test
