// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/compact.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "sw/wire/flood_filter.h"

namespace lanecut {
namespace {

using Words = std::vector<std::uint32_t>;

std::vector<std::uint8_t> Ports(std::vector<std::uint8_t> ports) { return CompactPath(ports); }

// Three hops, the second of which is next: the first entry is already the way back.
CompactPacket SomeRequest() {
  return {.hop_pointer = 2,
          .number = 0xABCDEF,
          .path = Ports({5, 3, 1}),
          .attribute = 0xFF08,
          .method = 2,
          .data = {0x40000003}};
}

// The checksums are those of another program.
TEST(Compact, RequestWordByWord) {
  Packet packet;
  BuildCompactPacket(SomeRequest(), &packet);
  EXPECT_EQ(packet.words,
            (Words{0xF002FFFF, 0x000CFFFF, 0xC300FFFF, 0x02000000, 0x00ABCDEF, 0x53100000,
                   0x00000000, 0x00000000, 0xFF080002, 0x00000000, 0x40000003, 0xBAC7AE19}));
  EXPECT_EQ(ParseCompactPacket(packet.words), SomeRequest());
}

TEST(Compact, AnswerWordByWord) {
  const CompactPacket answer{.kind = CompactKind::kAnswer,
                             .hop_pointer = 1,
                             .number = 0xABCDEF,
                             .path = Ports({5, 3, 1}),
                             .attribute = 0xFF00,
                             .data = {0x101, 5}};
  Packet packet;
  BuildCompactPacket(answer, &packet);
  EXPECT_EQ(packet.words,
            (Words{0xF002FFFF, 0x000CFFFF, 0xE300FFFF, 0x01000000, 0x00ABCDEF, 0x53100000,
                   0x00000000, 0x00000000, 0xFF000000, 0x00000101, 0x00000005, 0x9DCB2310}));
  EXPECT_EQ(ParseCompactPacket(packet.words), answer);
}

TEST(Compact, FloodWordByWord) {
  const CompactPacket flood{.kind = CompactKind::kFlood,
                            .slid = 7,
                            .number = 0x10,
                            .path = {},
                            .attribute = 0xFF01,
                            .method = 2,
                            .data = {0x80000000}};
  Packet packet;
  BuildCompactPacket(flood, &packet);
  EXPECT_EQ(packet.words, (Words{0xF002FFFF, 0x00090007, 0xD000FFFF, 0x00000000, 0x00000010,
                                 0xFF010002, 0x00000000, 0x80000000, 0xE07A1A1E}));
  EXPECT_EQ(ParseCompactPacket(packet.words), flood);
}

// 58 bytes with three words of data; a whole table of 128 end nodes about 128 more.
TEST(Compact, Sizes) {
  CompactPacket compact = SomeRequest();
  Packet packet;
  const auto bytes = [&](std::size_t data) {
    compact.data.resize(data);
    BuildCompactPacket(compact, &packet);
    return 4 * static_cast<int>(packet.words.size()) + 2;
  };
  EXPECT_EQ(bytes(1), 50);
  EXPECT_EQ(bytes(3), 58);
  EXPECT_EQ(bytes(1 + 33), 182);  // LIDs 64 to 195
  EXPECT_EQ(bytes(kCompactDataWords), 26 + 256);
  EXPECT_THROW(bytes(kCompactDataWords + 1), std::invalid_argument);
}

TEST(Compact, WhatChangesOnTheWayDoesNotSpoilTheIcrc) {
  Packet packet;
  BuildCompactPacket(SomeRequest(), &packet);
  packet.words[0] &= 0x0FFFFFFF;
  packet.words[3] ^= 0xFF000000;
  for (const std::size_t path : {5, 6, 7}) packet.words[path] ^= 0x5A5A5A5A;
  EXPECT_TRUE(IcrcOk(packet.words));
  for (std::size_t i = 1; i < packet.words.size(); ++i) {
    if (i >= 5 && i <= 7) continue;
    for (const std::uint32_t bit : {1U, 0x00400000U}) {
      if (i == 3 && bit > 0xFFFFFF) continue;
      packet.words[i] ^= bit;
      EXPECT_FALSE(IcrcOk(packet.words)) << i;
      packet.words[i] ^= bit;
    }
  }
}

TEST(Compact, PathsAreAsLongAsTheyMustBe) {
  const auto words = [](std::size_t switches) {
    return static_cast<int>(CompactPath(std::vector<std::uint8_t>(switches, 2)).size() /
                            kEntriesPerWord);
  };
  EXPECT_EQ(words(0), 3);
  EXPECT_EQ(words(23), 3);
  EXPECT_EQ(words(24), 4);  // the entry behind the last one is 0
  EXPECT_EQ(words(63), 8);
  EXPECT_THROW(words(64), std::invalid_argument);
  EXPECT_THROW(Ports({1, 0, 2}), std::invalid_argument);
  EXPECT_THROW(Ports({16}), std::invalid_argument);
  CompactPacket longest = SomeRequest();
  longest.path = CompactPath(std::vector<std::uint8_t>(63, 15));
  longest.data.resize(kCompactDataWords);
  Packet packet;
  BuildCompactPacket(longest, &packet);
  EXPECT_EQ(packet.words.size(), 75U);
  EXPECT_EQ(ParseCompactPacket(packet.words), longest);
  EXPECT_EQ(PathEntry(packet.words, 62), 15);
  EXPECT_EQ(PathEntry(packet.words, 63), 0);
}

TEST(Compact, WhatIsNoneIsNotParsed) {
  Packet packet;
  BuildCompactPacket(SomeRequest(), &packet);
  const auto parses = [&](std::size_t word, std::uint32_t change) {
    Words words = packet.words;
    words[word] ^= change;
    return ParseCompactPacket(words).has_value();
  };
  EXPECT_TRUE(parses(10, 1));
  EXPECT_FALSE(parses(0, 0x10000000));  // VL 14
  EXPECT_FALSE(parses(0, 0x00010000));  // a GRH
  EXPECT_FALSE(parses(0, 1));           // a DLID
  EXPECT_FALSE(parses(1, 0x00010000));  // PktLen
  EXPECT_FALSE(parses(2, 0x80000000));  // opcode below 0xC0
  EXPECT_FALSE(parses(2, 0x0C000000));  // 15 words of path
  EXPECT_FALSE(parses(2, 0x30000000));  // an answer and a flood
  EXPECT_FALSE(parses(3, 1));           // QP 1
  for (std::size_t words = 0; words < 10; ++words) {
    Words cut(packet.words.begin(), packet.words.begin() + static_cast<std::ptrdiff_t>(words));
    if (words > 1) cut[1] = static_cast<std::uint32_t>(words) << 16 | 0xFFFF;
    EXPECT_FALSE(ParseCompactPacket(cut)) << words;
  }
}

TEST(Compact, FloodsAreTakenOnce) {
  FloodFilter filter;
  EXPECT_TRUE(filter.Take(100, 0));
  EXPECT_FALSE(filter.Take(100, 1));
  EXPECT_TRUE(filter.Take(101, 2));
  EXPECT_FALSE(filter.Take(100, 3));
  EXPECT_FALSE(filter.Take(99, kFloodForgotten));
  EXPECT_TRUE(filter.Take(99, kFloodForgotten + 2));
  EXPECT_TRUE(IsFloodAhead(0, 0xFFFFFF));
  EXPECT_FALSE(IsFloodAhead(0xFFFFFF, 0));
  EXPECT_FALSE(IsFloodAhead(0x800000, 0));
}

}  // namespace
}  // namespace lanecut
