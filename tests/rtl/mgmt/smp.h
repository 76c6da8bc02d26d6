// SPDX-License-Identifier: Apache-2.0
//
// Management packets as the tests see them: 72 words, LRH to ICRC, built and checked by the letter
// of the formats and independently of everything in sw/. The ICRC is computed bit by bit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace lanecut::mgmt_test {

using Words = std::vector<uint32_t>;
using Data = std::array<uint32_t, 16>;

inline constexpr int kSmpWords = 72;  // without the end word
inline constexpr int kMad = 7;        // index of MAD word 0
inline constexpr int kData = kMad + 16;
inline constexpr int kInitialPath = kMad + 32;
inline constexpr int kReturnPath = kMad + 48;

inline constexpr uint8_t kGet = 0x01;
inline constexpr uint8_t kSet = 0x02;
inline constexpr uint8_t kTrap = 0x05;
inline constexpr uint8_t kTrapRepress = 0x07;
inline constexpr uint8_t kGetResp = 0x81;

inline constexpr uint8_t kClassLid = 0x01;
inline constexpr uint8_t kClassDirected = 0x81;

// ICRC of the bytes, as the word on the wire. `bytes` starts with the LRH.
uint32_t IcrcOfBytes(std::vector<uint8_t> bytes);

// Puts the right ICRC into the last word.
void SealIcrc(Words& words);

struct Smp {
  uint8_t mgmt_class = kClassDirected;
  uint8_t method = kGet;
  uint16_t status = 0;
  uint8_t hop_pointer = 0;
  uint8_t hop_count = 0;
  uint64_t tid = 0x0123456789ABCDEF;
  uint16_t attribute = 0x0011;
  uint32_t modifier = 0;
  uint64_t m_key = 0;
  Data data{};
  uint16_t slid = 0xFFFF;
  uint16_t dlid = 0xFFFF;
  uint8_t sl = 0;
  uint32_t dr_lids = 0xFFFFFFFF;
  std::vector<uint8_t> initial_path;  // from index 1
  std::vector<uint8_t> return_path;   // from index 1
};

// The packet, sealed.
Words Build(const Smp& smp);

}  // namespace lanecut::mgmt_test
