// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/packet.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace lanecut {
namespace {

DataPacket SomeData(int payload_bytes) {
  return {.id = MakePacketId(0xBEEF, 0x123456789ABC),
          .generated = 0x1122334455667788,
          .queue_cycles = 77,
          .slid = 0x0102,
          .dlid = 0x0304,
          .sl = 5,
          .vl = 1,
          .epoch = 9,
          .payload_bytes = payload_bytes};
}

std::vector<std::uint32_t> WireData(const Packet& packet) {
  std::vector<Word> wire;
  BuildWire(packet, &wire);
  std::vector<std::uint32_t> data;
  for (const Word& word : wire) data.push_back(word.data);
  return data;
}

TEST(Headers, LrhLayout) {
  const Lrh lrh{.vl = 7,
                .lver = 2,
                .sl = 1,
                .lnh = 2,
                .dlid = 0x375C,
                .epoch = 0x15,
                .pkt_len = 14,
                .slid = 0x17D2};
  const auto words = lrh.Encode();
  EXPECT_EQ(words[0], 0x7212375CU);
  EXPECT_EQ(words[1], 0xA80E17D2U);
  EXPECT_EQ(Lrh::Decode(words[0], words[1]), lrh);
}

TEST(Headers, BthLayout) {
  const Bth bth{.opcode = 0x0A,
                .flags = 0x20,
                .pkey = 0x2487,
                .resv8a = 0x55,
                .dest_qp = 0x87B1B3,
                .ack_request = true,
                .psn = 0x0DEC2A};
  const auto words = bth.Encode();
  EXPECT_EQ(words[0], 0x0A202487U);
  EXPECT_EQ(words[1], 0x5587B1B3U);
  EXPECT_EQ(words[2], 0x800DEC2AU);
  EXPECT_EQ(Bth::Decode(words), bth);
}

TEST(Headers, DethLayout) {
  const Deth deth{.qkey = 0x80010000, .src_qp = 0x123456};
  EXPECT_EQ(deth.Encode()[1], 0x123456U);
  EXPECT_EQ(Deth::Decode(deth.Encode()), deth);
}

TEST(DataPacket, FiftyEightBytesAreFifteenWords) {
  Packet packet;
  BuildDataPacket(SomeData(32), &packet);
  EXPECT_EQ(packet.words.size(), 14U);
  EXPECT_EQ(packet.lrh().pkt_len, 14);
  EXPECT_EQ(packet.WireWords(), 15);
  EXPECT_EQ(DataWireWords(32), 15);
  EXPECT_EQ(DataWireBytes(32), 58);
  EXPECT_EQ(packet.words[2] >> 24, kOpcodeRcSendOnly);
  EXPECT_EQ(PacketIdOf(packet.words), SomeData(32).id);
  EXPECT_EQ(packet.words[7], 0x11223344U);
  EXPECT_EQ(packet.words[8], 0x55667788U);
}

TEST(DataPacket, RoundTripOfEverySize) {
  Packet packet;
  for (int bytes = kMinPayloadBytes; bytes <= kMaxPayloadBytes; bytes += 4) {
    BuildDataPacket(SomeData(bytes), &packet);
    ASSERT_EQ(packet.WireWords(), DataWireWords(bytes));
    ASSERT_TRUE(IcrcOk(packet.words));
    ASSERT_EQ(ParseDataPacket(packet.words), SomeData(bytes));
  }
}

TEST(DataPacket, RefusesOtherSizes) {
  Packet packet;
  for (const int bytes : {0, 16, 30, 33, 4100, -4}) {
    EXPECT_THROW(BuildDataPacket(SomeData(bytes), &packet), std::invalid_argument) << bytes;
  }
}

TEST(DataPacket, AnyChangedBitIsNoticed) {
  Packet packet;
  BuildDataPacket(SomeData(32), &packet);
  const std::vector<std::uint32_t> good = WireData(packet);
  ASSERT_TRUE(VcrcOk(good));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int bit = i + 1 == good.size() ? 16 : 0; bit < 32; ++bit) {
      std::vector<std::uint32_t> bad = good;
      bad[i] ^= std::uint32_t{1} << bit;
      ASSERT_FALSE(VcrcOk(bad)) << "word " << i << " bit " << bit;
    }
  }
}

TEST(DataPacket, WordsOfAnotherPacketAreNoticed) {
  Packet packet;
  BuildDataPacket(SomeData(32), &packet);
  Packet other;
  DataPacket other_data = SomeData(32);
  ++other_data.id;
  BuildDataPacket(other_data, &other);
  packet.words[11] = other.words[11];
  SealIcrc(&packet);
  EXPECT_FALSE(ParseDataPacket(packet.words));
}

TEST(DataPacket, IdsHoldSourceAndSequence) {
  const std::uint64_t id = MakePacketId(65535, (std::uint64_t{1} << 48) - 1);
  EXPECT_EQ(id, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(PacketSource(MakePacketId(300, 5)), 300);
  EXPECT_EQ(PacketSequence(MakePacketId(300, 5)), 5U);
}

TEST(DataPacket, AskingForAcknowledgement) {
  DataPacket data = SomeData(32);
  data.ack_request = true;
  data.psn = 0xABCDEF;
  Packet packet;
  BuildDataPacket(data, &packet);
  EXPECT_EQ(packet.words[4], 0x80ABCDEFU);
  EXPECT_EQ(ParseDataPacket(packet.words), data);
  EXPECT_EQ(PacketIdOf(packet.words), data.id);
}

TEST(Headers, AethLayout) {
  const Aeth aeth{.syndrome = 0x1F, .msn = 0x123456};
  EXPECT_EQ(aeth.Encode()[0], 0x1F123456U);
  EXPECT_EQ(Aeth::Decode(0x1F123456), aeth);
}

TEST(AckPacket, LayoutAndRoundTrip) {
  const AckPacket ack{.slid = 8,
                      .dlid = 4,
                      .sl = 1,
                      .vl = 1,
                      .epoch = 3,
                      .source = 300,
                      .number = 0xFFFFFF,
                      .psn = 0x123456};
  Packet packet;
  BuildAckPacket(ack, &packet);
  ASSERT_EQ(packet.WireWords(), kAckWireWords);
  EXPECT_EQ(packet.WireWords(), 8);
  EXPECT_EQ(packet.words[0], 0x10120004U);  // VL 1, SL 1, BTH next
  EXPECT_EQ(packet.words[1], 0x18070008U);
  EXPECT_EQ(packet.words[2], 0x1100FFFFU);
  EXPECT_EQ(packet.words[3], 0x0080012CU);
  EXPECT_EQ(packet.words[4], 0x00123456U);
  EXPECT_EQ(packet.words[5], 0x1FFFFFFFU);
  EXPECT_TRUE(IcrcOk(packet.words));
  EXPECT_TRUE(VcrcOk(WireData(packet)));
  EXPECT_EQ(ParseAckPacket(packet.words), ack);
}

TEST(AckPacket, IdIsItsSourceAndNumber) {
  AckPacket ack{.source = 300, .number = 5, .psn = 17};
  Packet packet;
  BuildAckPacket(ack, &packet);
  EXPECT_EQ(PacketIdOf(packet.words), ack.id());
  EXPECT_EQ(PacketSource(ack.id()), 300);
  EXPECT_NE(ack.id(), MakePacketId(300, 5));
  const std::uint64_t id = ack.id();
  ++ack.number;
  EXPECT_NE(ack.id(), id);
}

TEST(AckPacket, NothingElseIsTakenForOne) {
  Packet packet;
  BuildDataPacket(SomeData(32), &packet);
  EXPECT_FALSE(ParseAckPacket(packet.words));
  BuildAckPacket({.source = 3}, &packet);
  EXPECT_FALSE(ParseDataPacket(packet.words));
  packet.words[5] |= 0x60000000;  // a NAK
  EXPECT_FALSE(ParseAckPacket(packet.words));
}

TEST(Wire, StartsAndEnds) {
  Packet packet;
  BuildDataPacket(SomeData(32), &packet);
  std::vector<Word> wire(3);
  BuildWire(packet, &wire);
  ASSERT_EQ(wire.size(), 15U);
  EXPECT_EQ(wire.front().ctrl, Ctrl::kStartData);
  for (std::size_t i = 1; i < 14; ++i) EXPECT_EQ(wire[i].ctrl, Ctrl::kBody);
  EXPECT_EQ(wire.back().ctrl, Ctrl::kGoodEnd);
  EXPECT_EQ(wire.back().data & 0xFFFF, 0U);
}

TEST(Wire, Blocks) {
  EXPECT_EQ(BlocksOfWords(15), 1);
  EXPECT_EQ(BlocksOfWords(16), 1);
  EXPECT_EQ(BlocksOfWords(17), 2);
  EXPECT_EQ(BlocksOfWords(kSmpPacketWords + 1), 5);
}

SmpPacket SomeSmp() {
  SmpPacket smp;
  for (std::size_t i = 0; i < smp.mad.size(); ++i) smp.mad[i] = static_cast<std::uint8_t>(i * 7);
  return smp;
}

TEST(Smp, LayoutAndRoundTrip) {
  Packet packet;
  BuildSmpPacket(SomeSmp(), &packet);
  ASSERT_EQ(packet.WireWords(), 73);
  EXPECT_EQ(packet.words[0], 0xF002FFFFU);
  EXPECT_EQ(packet.words[1], 0x0048FFFFU);
  EXPECT_EQ(packet.words[2] >> 24, kOpcodeUdSendOnly);
  EXPECT_EQ(packet.words[7], 0x00070E15U);  // first bytes of the MAD
  EXPECT_TRUE(IcrcOk(packet.words));
  EXPECT_TRUE(VcrcOk(WireData(packet)));
  EXPECT_EQ(ParseSmpPacket(packet.words), SomeSmp());
}

TEST(Smp, NothingElseIsTakenForOne) {
  Packet data;
  BuildDataPacket(SomeData(264), &data);  // as long as an SMP
  ASSERT_EQ(data.words.size(), kSmpPacketWords);
  EXPECT_FALSE(ParseSmpPacket(data.words));
  Packet smp;
  BuildSmpPacket(SomeSmp(), &smp);
  EXPECT_FALSE(ParseDataPacket(smp.words));
  smp.words[3] |= 1;  // QP1
  EXPECT_FALSE(ParseSmpPacket(smp.words));
  smp.words.resize(20);
  EXPECT_FALSE(ParseSmpPacket(smp.words));
}

TEST(GmpPacketTest, TravelsLikeDataAndIsToldFromBothOthers) {
  GmpPacket gmp{.slid = 4, .dlid = 9, .sl = 3, .vl = 1, .epoch = 2, .psn = 0x123456, .mad = {}};
  gmp.mad[0] = 1;
  gmp.mad[255] = 0xAB;
  Packet packet;
  BuildGmpPacket(gmp, &packet);
  EXPECT_EQ(packet.words.size(), 72U);
  EXPECT_TRUE(IcrcOk(packet.words));
  EXPECT_TRUE(IsGmp(packet.words));
  EXPECT_EQ(ParseGmpPacket(packet.words), gmp);
  EXPECT_FALSE(ParseSmpPacket(packet.words));
  EXPECT_FALSE(ParseDataPacket(packet.words));
  EXPECT_EQ(packet.words[3], 1U);           // to queue pair 1
  EXPECT_EQ(packet.words[5], 0x80010000U);  // with its key
  EXPECT_EQ(packet.words[6], 1U);
  BuildSmpPacket(SmpPacket{}, &packet);
  EXPECT_FALSE(IsGmp(packet.words));
  EXPECT_FALSE(ParseGmpPacket(packet.words));
}

}  // namespace
}  // namespace lanecut
