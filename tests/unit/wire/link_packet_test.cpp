// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/link_packet.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace lanecut {
namespace {

constexpr LinkPacket kPacket{.op = 1, .fctbs = 0xABC, .vl = 3, .fccl = 0x123};

TEST(LinkPacket, FieldsStandWhereTheStandardHasThem) {
  const auto words = EncodeLinkPacket(kPacket);
  EXPECT_EQ(words[0].data, 0x1ABC3123U);
  EXPECT_EQ(words[0].ctrl, Ctrl::kStartLink);
  EXPECT_EQ(words[1].data & 0xFFFF, 0U);
  EXPECT_EQ(words[1].ctrl, Ctrl::kGoodEnd);
}

TEST(LinkPacket, RoundTrip) {
  const auto words = EncodeLinkPacket(kPacket);
  EXPECT_EQ(DecodeLinkPacket(words[0].data, words[1].data), kPacket);
}

TEST(LinkPacket, EveryBitIsChecked) {
  const auto words = EncodeLinkPacket(kPacket);
  for (int bit = 0; bit < 32; ++bit) {
    EXPECT_FALSE(DecodeLinkPacket(words[0].data ^ std::uint32_t{1} << bit, words[1].data));
  }
  for (int bit = 16; bit < 32; ++bit) {
    EXPECT_FALSE(DecodeLinkPacket(words[0].data, words[1].data ^ std::uint32_t{1} << bit));
  }
}

TEST(LinkPacket, TokenCarriesItsNumberWhereFctbsWouldBe) {
  const auto token = EncodeLinkPacket(TokenPacket(kOpToken, 3, 5));
  EXPECT_EQ(token[0].data, 0x80053000U);
  const auto ack = EncodeLinkPacket(TokenPacket(kOpTokenAck, 14, 7));
  EXPECT_EQ(ack[0].data, 0x9007E000U);
  const auto decoded = DecodeLinkPacket(ack[0].data, ack[1].data);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->op, kOpTokenAck);
  EXPECT_EQ(decoded->vl, 14);
  EXPECT_EQ(decoded->number(), 7);
}

TEST(LinkPacket, CreditIsModulo4096) {
  EXPECT_TRUE(HasCredit(16, 0, 16));
  EXPECT_FALSE(HasCredit(16, 0, 17));
  EXPECT_FALSE(HasCredit(16, 16, 1));
  EXPECT_TRUE(HasCredit(3, 4090, 9));  // 4090 + 9 = 4099 = 3
  EXPECT_FALSE(HasCredit(3, 4090, 10));
  EXPECT_TRUE(HasCredit(2048, 0, 1));
  EXPECT_FALSE(HasCredit(4095, 0, 1));  // the limit lies behind, not far ahead
}

}  // namespace
}  // namespace lanecut
