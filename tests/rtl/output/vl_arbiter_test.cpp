// SPDX-License-Identifier: Apache-2.0
//
// VL arbitration in the switch: against the end node's model of it, choice by choice, and by the
// shares of the link that the weights promise.
#include "models/hca/vl_arbiter.h"

#include <gtest/gtest.h>
#include <verilated.h>

#include <array>
#include <memory>
#include <vector>

#include "Vvl_arbiter_v2e4.h"
#include "Vvl_arbiter_v8e8.h"
#include "models/random.h"

namespace lanecut::test {
namespace {

using ib::VlArbitrationEntry;
using Priority = VlArbiter::Priority;
using Entries = std::vector<VlArbitrationEntry>;

struct Narrow {
  using Dut = Vvl_arbiter_v2e4;
  static constexpr int kVls = 2;
  static constexpr int kEntries = 4;
};

struct Wide {
  using Dut = Vvl_arbiter_v8e8;
  static constexpr int kVls = 8;
  static constexpr int kEntries = 8;
};

template <typename Kind>
class Arbiter : public testing::Test {
 protected:
  static constexpr int kVl15 = Kind::kVls;
  using Blocks = std::array<int, Kind::kVls>;

  Arbiter() : dut_(context_.get(), "arbiter") {
    dut_.rst_i = 1;
    Edge();
    dut_.rst_i = 0;
    dut_.send_data_i = 1;
  }

  void Edge() {
    dut_.clk_i = 0;
    dut_.eval();
    dut_.clk_i = 1;
    dut_.eval();
    dut_.we_i = 0;
    dut_.start_i = 0;
  }

  void Write(Priority priority, const Entries& entries) {
    for (std::size_t w = 0; w < Kind::kEntries / 2; ++w) {
      const auto half = [&](std::size_t i) -> std::uint32_t {
        return i < entries.size() ? entries[i].vl << 8U | entries[i].weight : 0;
      };
      dut_.we_i = 1;
      dut_.waddr_i = static_cast<std::uint8_t>((priority == Priority::kHigh ? 16 : 0) | w);
      dut_.wdata_i = half(2 * w) << 16 | half(2 * w + 1);
      Edge();
    }
  }
  void SetHighLimit(int limit) {
    dut_.we_i = 1;
    dut_.waddr_i = 32;
    dut_.wdata_i = 0xFFFF00FFU | static_cast<std::uint32_t>(limit) << 8;
    Edge();
  }

  // The lane that starts, or -1: packets of these lengths are ready, 0 for none.
  int Choose(const Blocks& blocks, bool vl15 = false) {
    std::uint64_t lengths = 0;
    std::uint32_t ready = vl15 ? 1U << kVl15 : 0;
    for (int vl = 0; vl < Kind::kVls; ++vl) {
      lengths |= static_cast<std::uint64_t>(blocks[vl]) << (8 * vl);
      if (blocks[vl] != 0) ready |= 1U << vl;
    }
    dut_.ready_i = static_cast<std::remove_reference_t<decltype(dut_.ready_i)>>(ready);
    dut_.blocks_i = static_cast<std::remove_reference_t<decltype(dut_.blocks_i)>>(lengths);
    dut_.choose_i = 1;
    dut_.eval();
    const std::uint32_t chosen = dut_.chosen_o;
    EXPECT_EQ(chosen & ~ready, 0U);
    EXPECT_EQ(chosen & (chosen - 1), 0U);
    dut_.start_i = chosen != 0;
    Edge();
    dut_.choose_i = 0;
    for (int lane = 0; lane <= kVl15; ++lane) {
      if (chosen == 1U << lane) return lane;
    }
    return -1;
  }

  // Blocks that each VL has sent after so many packets; all VLs always have one of their length.
  Blocks Share(const Blocks& blocks, int packets) {
    Blocks sent{};
    for (int i = 0; i < packets; ++i) {
      const int vl = Choose(blocks);
      if (vl >= 0) sent[vl] += blocks[vl];
    }
    return sent;
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  typename Kind::Dut dut_;
};

using Kinds = testing::Types<Narrow, Wide>;
TYPED_TEST_SUITE(Arbiter, Kinds);

TYPED_TEST(Arbiter, ChoosesAsTheModelDoes) {
  Random random(7);
  VlArbiter model(TypeParam::kEntries, TypeParam::kVls);
  const auto write = [&](Priority priority) {
    Entries entries(TypeParam::kEntries);
    for (VlArbitrationEntry& entry : entries) {
      entry.vl = static_cast<std::uint8_t>(random.Below(4) == 0 ? random.Below(16)
                                                                : random.Below(TypeParam::kVls));
      const std::uint32_t kind = random.Below(4);
      entry.weight = static_cast<std::uint8_t>(kind == 0   ? 0
                                               : kind == 1 ? random.Below(256)
                                                           : random.Below(20));
    }
    this->Write(priority, entries);
    model.Write(priority, entries);
  };
  int high_and_low = 0;
  write(Priority::kLow);
  for (int i = 0; i < 200'000; ++i) {
    if (random.Below(300) == 0) write(random.Below(2) == 0 ? Priority::kLow : Priority::kHigh);
    if (random.Below(500) == 0) {
      const std::array<int, 6> limits{0, 1, 2, 3, 254, 255};
      const int limit = limits[random.Below(6)];
      this->SetHighLimit(limit);
      model.SetHighLimit(static_cast<std::uint8_t>(limit));
    }
    typename TestFixture::Blocks blocks{};
    const std::uint32_t load = random.Below(5);
    for (int& length : blocks) {
      if (random.Below(5) <= load)
        length = static_cast<int>(random.Below(10) == 0 ? random.Below(129) : random.Below(4));
    }
    if (random.Below(20) == 0) {
      ASSERT_EQ(this->Choose(blocks, true), this->kVl15);
      continue;
    }
    const int wanted = model.Next(blocks);
    ASSERT_EQ(this->Choose(blocks), wanted) << "choice " << i;
    high_and_low += wanted >= 0;
  }
  EXPECT_GT(high_and_low, 50'000);
}

TYPED_TEST(Arbiter, WithoutATableVlsTakeTurnsByPacket) {
  typename TestFixture::Blocks blocks;
  for (int vl = 0; vl < TypeParam::kVls; ++vl) blocks[vl] = 1 + 9 * vl;
  for (int i = 0; i < 80; ++i) EXPECT_EQ(this->Choose(blocks), i % TypeParam::kVls);
  // A limit alone makes none.
  this->SetHighLimit(3);
  for (int i = 0; i < 80; ++i) EXPECT_EQ(this->Choose(blocks), i % TypeParam::kVls);
}

TYPED_TEST(Arbiter, TheListAfterResetMeansTurnsByPacket) {
  typename TestFixture::Blocks blocks;
  for (int vl = 0; vl < TypeParam::kVls; ++vl) blocks[vl] = 1 + 9 * vl;
  this->Write(Priority::kHigh, {});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(this->Choose(blocks), i % TypeParam::kVls);
}

TYPED_TEST(Arbiter, SharesFollowTheWeightsToAPacket) {
  this->Write(Priority::kLow, {{0, 60}, {1, 20}});
  typename TestFixture::Blocks blocks{};
  blocks[0] = 3;
  blocks[1] = 5;
  const auto sent = this->Share(blocks, 24 * 100);  // 20 + 4 packets in a round
  EXPECT_EQ(sent[0], 60 * 100);
  EXPECT_EQ(sent[1], 20 * 100);
}

TYPED_TEST(Arbiter, APacketMayOverrunItsWeight) {
  this->Write(Priority::kLow, {{0, 1}, {1, 10}});
  typename TestFixture::Blocks blocks{};
  blocks[0] = 9;
  blocks[1] = 4;
  const auto sent = this->Share(blocks, 4 * 100);  // one packet, then three
  EXPECT_EQ(sent[0], 9 * 100);
  EXPECT_EQ(sent[1], 12 * 100);
}

TYPED_TEST(Arbiter, WhatAVlDoesNotUseIsLost) {
  this->Write(Priority::kLow, {{0, 100}, {1, 1}});
  typename TestFixture::Blocks both{};
  both[0] = both[1] = 1;
  typename TestFixture::Blocks second{};
  second[1] = 1;
  for (int i = 0; i < 50; ++i) EXPECT_EQ(this->Choose(both), 0);
  EXPECT_EQ(this->Choose(second), 1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(this->Choose(both), 0);
  EXPECT_EQ(this->Choose(both), 1);
}

TYPED_TEST(Arbiter, HighGoesFirstUpToItsLimit) {
  this->Write(Priority::kHigh, {{1, 10}});
  this->Write(Priority::kLow, {{0, 10}});
  typename TestFixture::Blocks blocks{};
  blocks[0] = 1;
  blocks[1] = 4;
  for (const int limit : {1, 3, 254}) {
    this->SetHighLimit(limit);
    const auto sent = this->Share(blocks, (limit * 16 + 1) * 10);
    EXPECT_EQ(sent[0], 10) << limit;
    EXPECT_EQ(sent[1], limit * 640) << limit;
  }
  this->SetHighLimit(0);
  const auto one_each = this->Share(blocks, 1000);
  EXPECT_EQ(one_each[0], 500);
  EXPECT_EQ(one_each[1], 2000);
  this->SetHighLimit(255);
  const auto high_only = this->Share(blocks, 100'000);
  EXPECT_EQ(high_only[0], 0);
}

TYPED_TEST(Arbiter, AVlInNoListDoesNotSendAndOneInBothDoes) {
  typename TestFixture::Blocks first{};
  first[0] = 1;
  this->Write(Priority::kLow, {{0, 0}, {1, 1}, {15, 8}, {14, 8}});
  EXPECT_EQ(this->Choose(first), -1);
  this->Write(Priority::kHigh, {{0, 1}});
  EXPECT_EQ(this->Choose(first), 0);
  // A port that may not send discards all the same, VL by VL.
  this->Write(Priority::kHigh, {{1, 1}});
  this->dut_.send_data_i = 0;
  typename TestFixture::Blocks both = first;
  both[1] = 1;
  const auto sent = this->Share(both, 100);
  EXPECT_EQ(sent[0], 50);
  EXPECT_EQ(sent[1], 50);
}

}  // namespace
}  // namespace lanecut::test
