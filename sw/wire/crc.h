// SPDX-License-Identifier: Apache-2.0
//
// The three InfiniBand checksums, a 32-bit word at a time (four table look-ups per word).
//
// ICRC: CRC-32 over LRH..payload, with LRH.VL and BTH.Resv8a as ones and the epoch number in the
// LRH's reserved bits as zero (IBA 7.8.1); the path of a compact packet as ones (compact.h). VCRC
// and LPCRC: CRC-16, polynomial 0x100B, over LRH..ICRC and over the first word of a link packet
// (IBA 7.8.2, 7.9.5). All are computed least significant bit of each byte first, start from ones
// and are sent complemented. Words hold bytes in wire order, first byte in bits 31:24; results are
// returned in that order too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lanecut {

namespace crc_internal {

template <typename T>
using Tables = std::array<std::array<T, 256>, 4>;

// tables[k][b]: the effect of byte b followed by k zero bytes, for a reflected polynomial.
template <typename T>
consteval Tables<T> MakeTables(T reflected_polynomial) {
  Tables<T> tables{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    T crc = static_cast<T>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      crc = static_cast<T>((crc >> 1) ^ ((crc & 1) != 0 ? reflected_polynomial : 0));
    }
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 4; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const T previous = tables[k - 1][byte];
      tables[k][byte] = static_cast<T>((previous >> 8) ^ tables[0][previous & 0xFF]);
    }
  }
  return tables;
}

inline constexpr Tables<std::uint32_t> kTables32 = MakeTables<std::uint32_t>(0xEDB88320);
inline constexpr Tables<std::uint16_t> kTables16 = MakeTables<std::uint16_t>(0xD008);

constexpr std::uint32_t SwapBytes(std::uint32_t word) {
  return (word >> 24) | ((word >> 8) & 0xFF00) | ((word << 8) & 0xFF0000) | (word << 24);
}

// One word's worth of both CRC widths: `mixed` is the register xor the byte-swapped word.
template <typename T>
constexpr T Reduce(const Tables<T>& tables, std::uint32_t mixed) {
  return static_cast<T>(tables[3][mixed & 0xFF] ^ tables[2][(mixed >> 8) & 0xFF] ^
                        tables[1][(mixed >> 16) & 0xFF] ^ tables[0][mixed >> 24]);
}

}  // namespace crc_internal

inline constexpr std::uint32_t kIcrcInit = 0xFFFFFFFF;
inline constexpr std::uint16_t kVcrcInit = 0xFFFF;

// Registers after one more word.
constexpr std::uint32_t IcrcStep(std::uint32_t crc, std::uint32_t word) {
  return crc_internal::Reduce(crc_internal::kTables32, crc ^ crc_internal::SwapBytes(word));
}
constexpr std::uint16_t VcrcStep(std::uint16_t crc, std::uint32_t word) {
  return crc_internal::Reduce(crc_internal::kTables16, crc ^ crc_internal::SwapBytes(word));
}

// What is sent for a register value, in wire order.
constexpr std::uint32_t IcrcWire(std::uint32_t crc) { return crc_internal::SwapBytes(~crc); }
constexpr std::uint16_t VcrcWire(std::uint16_t crc) {
  const unsigned sent = ~static_cast<unsigned>(crc) & 0xFFFF;
  return static_cast<std::uint16_t>((sent >> 8) | (sent << 8));
}

// The ICRC word of a packet given its words from the LRH to the end of the payload (at least LRH
// and BTH: 5 words).
std::uint32_t Icrc(std::span<const std::uint32_t> lrh_to_payload);

// The two VCRC bytes of a packet given its words from the LRH to the ICRC.
std::uint16_t Vcrc(std::span<const std::uint32_t> lrh_to_icrc);

// The two LPCRC bytes of a link packet given its first word.
constexpr std::uint16_t Lpcrc(std::uint32_t word) { return VcrcWire(VcrcStep(kVcrcInit, word)); }

}  // namespace lanecut
