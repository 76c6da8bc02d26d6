// SPDX-License-Identifier: Apache-2.0
//
// Forwarding and SLtoVL tables: both banks, the broadcast to the route units, the commit of a bank.
#include <cstdint>
#include <random>
#include <vector>

#include "tests/rtl/mgmt/kinds.h"

namespace lanecut::mgmt_test {
namespace {

constexpr uint16_t kSlToVl = 0x0017;
constexpr uint16_t kLft = 0x0019;
constexpr uint16_t kBank = 0xFF02;
constexpr uint16_t kLftOther = 0xFF03;
constexpr uint16_t kSlToVlOther = 0xFF04;

template <typename Kind>
class TableTest : public AgentTest<Kind> {
 protected:
  static constexpr uint32_t kBlocks = Kind::kLftDepth / 64;

  Data RandomData() {
    Data data;
    for (uint32_t& word : data) word = static_cast<uint32_t>(this->bench_.random());
    return data;
  }

  void ExpectBroadcastLft(int bank, uint32_t block, const Data& data) {
    for (uint32_t i = 0; i < 64; ++i) {
      EXPECT_EQ(this->bench_.Lft(bank, static_cast<int>(block * 64 + i)),
                data[i / 4] >> (24 - 8 * (i % 4)) & 0xFF)
          << "bank " << bank << " block " << block << " entry " << i;
    }
  }

  // Writes both tables of a bank completely with random words and returns them.
  struct Tables {
    std::vector<Data> lft;
    std::vector<Data> sl;  // [in * (ports + 1) + out]
  };

  Tables Fill(uint16_t lft, uint16_t sl) {
    Tables tables;
    for (uint32_t block = 0; block < kBlocks; ++block) {
      tables.lft.push_back(RandomData());
      this->ExpectSet(lft, block, tables.lft.back(), tables.lft.back());
    }
    for (uint32_t in = 0; in <= Kind::kPorts; ++in) {
      for (uint32_t out = 0; out <= Kind::kPorts; ++out) {
        const Data data = RandomData();
        tables.sl.push_back({data[0], data[1]});
        this->ExpectSet(sl, in << 8 | out, data, tables.sl.back());
      }
    }
    return tables;
  }

  void ExpectTables(uint16_t lft, uint16_t sl, int bank, const Tables& tables) {
    for (uint32_t block = 0; block < kBlocks; ++block) {
      this->ExpectGet(lft, block, tables.lft[block]);
      ExpectBroadcastLft(bank, block, tables.lft[block]);
    }
    size_t next = 0;
    for (uint32_t in = 0; in <= Kind::kPorts; ++in) {
      for (uint32_t out = 0; out <= Kind::kPorts; ++out) {
        const Data& expected = tables.sl[next++];
        this->ExpectGet(sl, in << 8 | out, expected);
        for (int half = 0; half < 2; ++half) {
          EXPECT_EQ(this->bench_.SlToVl(bank, static_cast<int>(in), static_cast<int>(out), half),
                    expected[half]);
        }
      }
    }
  }
};
TYPED_TEST_SUITE(TableTest, Kinds);

TYPED_TEST(TableTest, AreInitializedAfterReset) {
  Data unreachable;
  unreachable.fill(0xFFFFFFFF);
  for (uint32_t block = 0; block < this->kBlocks; ++block) {
    this->ExpectGet(kLft, block, unreachable);
    this->ExpectGet(kLftOther, block, unreachable);
    this->ExpectBroadcastLft(0, block, unreachable);
    this->ExpectBroadcastLft(1, block, unreachable);
  }
  const int pairs = (TypeParam::kPorts + 1) * (TypeParam::kPorts + 1);
  EXPECT_EQ(this->bench_.table_writes, 2 * (TypeParam::kLftDepth / 4 + 2 * pairs))
      << "every word once";
  this->ExpectGet(kSlToVl, TypeParam::kPorts << 8 | TypeParam::kPorts, {});
}

TYPED_TEST(TableTest, NothingIsAcceptedBeforeInitialization) {
  auto& dut = this->bench_.dut();
  dut.rst_i = 1;
  this->bench_.Step(2);
  dut.rst_i = 0;
  this->bench_.Send(0, {.words = Build(this->Request(kGet, 0x0010)), .port = 1});
  this->bench_.Step(100);
  EXPECT_EQ(dut.in_ready_o, 0);
  EXPECT_EQ(dut.idle_o, 0);
  EXPECT_TRUE(this->bench_.Drain());
  EXPECT_EQ(this->bench_.departures[0].size(), 1u);
}

TYPED_TEST(TableTest, BanksAreWrittenReadAndSwappedApart) {
  const auto active = this->Fill(kLft, kSlToVl);
  const auto other = this->Fill(kLftOther, kSlToVlOther);
  this->ExpectTables(kLft, kSlToVl, 0, active);
  this->ExpectTables(kLftOther, kSlToVlOther, 1, other);
  this->ExpectSet(kBank, 0, {0x8000000A}, {0x10A});
  EXPECT_EQ(this->bench_.dut().bank_o, 1);
  EXPECT_EQ(this->bench_.dut().epoch_o, 10);
  this->ExpectTables(kLft, kSlToVl, 1, other);
  this->ExpectTables(kLftOther, kSlToVlOther, 0, active);
  const auto rewritten = this->Fill(kLft, kSlToVl);
  this->ExpectTables(kLft, kSlToVl, 1, rewritten);
  this->ExpectTables(kLftOther, kSlToVlOther, 0, active);
}

// Optimized programming: bit 17 of the modifier means all input ports, bit 16 all output ports.
TYPED_TEST(TableTest, OneSetCanSpreadOverPorts) {
  for (const uint32_t wild : {1u, 2u, 3u}) {
    auto tables = this->Fill(kLft, kSlToVl);
    const Data data = this->RandomData();
    const uint32_t in = (wild & 2) != 0 ? 0 : 2;
    const uint32_t out = (wild & 1) != 0 ? 0 : 3;
    this->ExpectSet(kSlToVl, wild << 16 | in << 8 | out, data, {data[0], data[1]});
    for (uint32_t i = 0; i <= TypeParam::kPorts; ++i) {
      for (uint32_t o = 0; o <= TypeParam::kPorts; ++o) {
        if (((wild & 2) != 0 || i == in) && ((wild & 1) != 0 || o == out)) {
          tables.sl[i * (TypeParam::kPorts + 1) + o] = {data[0], data[1]};
        }
      }
    }
    this->ExpectTables(kLft, kSlToVl, 0, tables);
  }
  this->ExpectStatus(this->Request(kGet, kSlToVl, 0x30000), 0x001C);
}

TYPED_TEST(TableTest, BankChangesOnlyByCommit) {
  this->ExpectGet(kBank, 0, {0});
  this->ExpectSet(kBank, 0, {0x7FFFFFFF}, {0});
  this->ExpectSet(kBank, 0, {0x80000001}, {0x101});
  this->ExpectSet(kBank, 0, {0x8000001F}, {0x01F});
  this->ExpectGet(kBank, 0, {0x01F});
}

TYPED_TEST(TableTest, RefusedSetsLeaveTheTablesAlone) {
  const int before = this->bench_.table_writes;
  this->ExpectStatus(this->Request(kSet, kLft, this->kBlocks, this->RandomData()), 0x001C);
  this->ExpectStatus(this->Request(kSet, kSlToVl, 0x1000, this->RandomData()), 0x001C);
  EXPECT_EQ(this->bench_.table_writes, before);
}

TYPED_TEST(TableTest, TablesHaveChangedBeforeTheAnswerLeaves) {
  Data data;
  data.fill(0x01020304);
  this->bench_.blocked = true;
  this->bench_.Send(0, {.words = Build(this->Request(kSet, kLft, 1, data)), .port = 1});
  while (!this->bench_.dut().out_req_o) this->bench_.Step();
  this->ExpectBroadcastLft(0, 1, data);
  this->bench_.blocked = false;
  ASSERT_TRUE(this->bench_.Drain());
}

}  // namespace
}  // namespace lanecut::mgmt_test
