// SPDX-License-Identifier: Apache-2.0
//
// Attributes of the routing function in force, in a switch that has EBR and OSR: Scheme, Function,
// FeederRows.
#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

constexpr uint16_t kBank = 0xFF02;
constexpr uint16_t kScheme = 0xFF07;
constexpr uint16_t kFunction = 0xFF08;
constexpr uint16_t kFeederRows = 0xFF09;
constexpr uint16_t kBusy = 0x0001;
constexpr uint16_t kInvalidField = 0x001C;
constexpr uint32_t kReady = 1u << 31;
constexpr uint32_t kStart = 1u << 30;

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
  for (const uint16_t attribute : {kScheme, kFunction, kFeederRows}) {
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
  ExpectStatus(Request(kSet, kScheme, 0, {3}), kInvalidField);
  ExpectGet(kScheme, 0, {1});
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

}  // namespace
}  // namespace lanecut::mgmt_test
