// SPDX-License-Identifier: Apache-2.0
//
// The checksums against known values and against a version that works bit by bit, as the standard
// words it.
#include "sw/wire/crc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace lanecut {
namespace {

// LRH, BTH and 32 bytes of payload, and what follows them on the wire (computed independently,
// twice).
const std::vector<std::uint8_t> kBytes = {
    0x70, 0x12, 0x37, 0x5C, 0x00, 0x0E, 0x17, 0xD2, 0x0A, 0x20, 0x24, 0x87, 0x00,
    0x87, 0xB1, 0xB3, 0x00, 0x0D, 0xEC, 0x2A, 0x01, 0x71, 0x0A, 0x1C, 0x01, 0x5D,
    0x40, 0x02, 0x38, 0xF2, 0x7A, 0x05, 0x00, 0x00, 0x00, 0x0E, 0xBB, 0x88, 0x4D,
    0x85, 0xFD, 0x5C, 0xFB, 0xA4, 0x72, 0x8B, 0xC0, 0x69, 0x0E, 0xD4, 0x00, 0x00};
constexpr std::uint32_t kIcrc = 0x9625B75A;
constexpr std::uint16_t kVcrc = 0x45FA;

std::vector<std::uint32_t> ToWords(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    words.push_back(std::uint32_t{bytes[i]} << 24 | std::uint32_t{bytes[i + 1]} << 16 |
                    std::uint32_t{bytes[i + 2]} << 8 | bytes[i + 3]);
  }
  return words;
}

std::vector<std::uint8_t> ToBytes(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint32_t word : words) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<std::uint8_t>(word >> shift));
    }
  }
  return bytes;
}

// Division of the message by the polynomial, least significant bit of each byte first; the
// remainder's highest power goes first, into bit 0 of the first byte.
std::uint32_t BitSerial(const std::vector<std::uint8_t>& bytes, int width,
                        std::uint32_t polynomial) {
  const std::uint32_t top = std::uint32_t{1} << (width - 1);
  const std::uint32_t mask = top | (top - 1);
  std::uint32_t remainder = mask;
  for (const std::uint8_t byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const bool feedback = ((remainder & top) != 0) != ((byte >> bit & 1) != 0);
      remainder = (remainder << 1 ^ (feedback ? polynomial : 0)) & mask;
    }
  }
  remainder = ~remainder & mask;
  std::uint32_t wire = 0;
  for (int i = 0; i < width; ++i) {
    const std::uint32_t bit = remainder >> (width - 1 - i) & 1;
    wire |= bit << (width - 8 - i / 8 * 8 + i % 8);
  }
  return wire;
}

std::uint32_t BitSerialIcrc(std::vector<std::uint8_t> bytes) {
  bytes[0] |= 0xF0;        // LRH.VL
  bytes[4] &= 0x07;        // epoch
  bytes[12] = 0xFF;        // BTH.Resv8a
  if (bytes[8] >= 0xC0) {  // the path of a compact packet
    const std::size_t path = 4 * std::size_t{bytes[8] & 0xFU};
    for (std::size_t i = 20; i < std::min(bytes.size(), 20 + path); ++i) bytes[i] = 0xFF;
  }
  return BitSerial(bytes, 32, 0x04C11DB7);
}

TEST(Crc, KnownPacket) {
  std::vector<std::uint32_t> words = ToWords(kBytes);
  EXPECT_EQ(Icrc(words), kIcrc);
  words.push_back(kIcrc);
  EXPECT_EQ(Vcrc(words), kVcrc);
}

TEST(Crc, BitSerialAgreesWithKnownPacket) {
  std::vector<std::uint8_t> bytes = kBytes;
  EXPECT_EQ(BitSerialIcrc(bytes), kIcrc);
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<std::uint8_t>(kIcrc >> shift));
  }
  EXPECT_EQ(BitSerial(bytes, 16, 0x100B), kVcrc);
}

TEST(Crc, RandomPacketsMatchBitSerial) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint32_t> words(5 + random() % 80);
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
    ASSERT_EQ(Icrc(words), BitSerialIcrc(ToBytes(words)));
    ASSERT_EQ(Vcrc(words), BitSerial(ToBytes(words), 16, 0x100B));
    ASSERT_EQ(Lpcrc(words[0]), BitSerial(ToBytes({words[0]}), 16, 0x100B));
  }
}

TEST(Crc, IcrcIgnoresWhatSwitchesChange) {
  std::vector<std::uint32_t> words = ToWords(kBytes);
  words[0] ^= 0xF0000000;  // VL
  words[1] ^= 0xF8000000;  // epoch
  words[3] ^= 0xFF000000;  // Resv8a
  EXPECT_EQ(Icrc(words), kIcrc);
  words[0] ^= 0x00100000;  // SL
  EXPECT_NE(Icrc(words), kIcrc);
}

TEST(Crc, EverySingleBitErrorShows) {
  const std::vector<std::uint32_t> words = ToWords(kBytes);
  const std::uint16_t good = Vcrc(words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (int bit = 0; bit < 32; ++bit) {
      std::vector<std::uint32_t> bad = words;
      bad[i] ^= std::uint32_t{1} << bit;
      ASSERT_NE(Vcrc(bad), good);
    }
  }
}

}  // namespace
}  // namespace lanecut
