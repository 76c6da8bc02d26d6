// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/mgmt/smp.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanecut::mgmt_test {
namespace {

// ICRC of the first `count` words.
uint32_t Icrc(const Words& words, int count) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < count; ++i) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<uint8_t>(words[i] >> shift));
    }
  }
  return IcrcOfBytes(bytes);
}

void SetByte(Words& words, int word, int index, uint8_t value) {
  uint32_t& target = words[word + index / 4];
  const int shift = 24 - 8 * (index % 4);
  target = (target & ~(0xFFu << shift)) | static_cast<uint32_t>(value) << shift;
}

}  // namespace

uint32_t IcrcOfBytes(std::vector<uint8_t> bytes) {
  bytes[0] |= 0xF0;   // LRH.VL
  bytes[4] &= 0x07;   // reserved bits beside PktLen
  bytes[12] |= 0xFF;  // reserved byte of the BTH
  uint32_t crc = 0xFFFFFFFF;
  for (const uint8_t byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const uint32_t feedback = (crc ^ (byte >> bit)) & 1;
      crc = (crc >> 1) ^ (feedback ? 0xEDB88320 : 0);
    }
  }
  crc = ~crc;
  return crc << 24 | (crc & 0xFF00) << 8 | ((crc >> 8) & 0xFF00) | crc >> 24;
}

void SealIcrc(Words& words) { words.back() = Icrc(words, static_cast<int>(words.size()) - 1); }

Words Build(const Smp& smp) {
  Words w(kSmpWords, 0);
  w[0] = 0xF0020000u | static_cast<uint32_t>(smp.sl) << 20 | smp.dlid;
  w[1] = 72u << 16 | smp.slid;
  w[2] = 0x6400FFFF;
  w[4] = 0x00000123;  // PSN
  w[kMad] = 0x01000100u | static_cast<uint32_t>(smp.mgmt_class) << 16 | smp.method;
  w[kMad + 1] = static_cast<uint32_t>(smp.status) << 16 | smp.hop_pointer << 8 | smp.hop_count;
  w[kMad + 2] = static_cast<uint32_t>(smp.tid >> 32);
  w[kMad + 3] = static_cast<uint32_t>(smp.tid);
  w[kMad + 4] = static_cast<uint32_t>(smp.attribute) << 16;
  w[kMad + 5] = smp.modifier;
  w[kMad + 6] = static_cast<uint32_t>(smp.m_key >> 32);
  w[kMad + 7] = static_cast<uint32_t>(smp.m_key);
  w[kMad + 8] = smp.mgmt_class == kClassDirected ? smp.dr_lids : 0;
  for (int i = 0; i < 16; ++i) w[kData + i] = smp.data[i];
  for (std::size_t i = 0; i < smp.initial_path.size(); ++i) {
    SetByte(w, kInitialPath, static_cast<int>(i) + 1, smp.initial_path[i]);
  }
  for (std::size_t i = 0; i < smp.return_path.size(); ++i) {
    SetByte(w, kReturnPath, static_cast<int>(i) + 1, smp.return_path[i]);
  }
  SealIcrc(w);
  return w;
}

}  // namespace lanecut::mgmt_test
