// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/crc.h"

#include "sw/wire/compact.h"

namespace lanecut {

namespace {

constexpr std::uint32_t kLrhVlOnes = 0xF0000000;
constexpr std::uint32_t kEpochBits = 0xF8000000;
constexpr std::uint32_t kBthResv8aOnes = 0xFF000000;

}  // namespace

std::uint32_t Icrc(std::span<const std::uint32_t> lrh_to_payload) {
  const auto& words = lrh_to_payload;
  std::uint32_t crc = IcrcStep(kIcrcInit, words[0] | kLrhVlOnes);
  crc = IcrcStep(crc, words[1] & ~kEpochBits);
  crc = IcrcStep(crc, words[2]);
  crc = IcrcStep(crc, words[3] | kBthResv8aOnes);
  // The path of a compact packet.
  const auto ones = static_cast<std::size_t>(IsCompact(words) ? CompactPathWords(words) : 0);
  for (std::size_t i = 4; i < words.size(); ++i) {
    const bool is_path = i >= kCompactPathWord && i < kCompactPathWord + ones;
    crc = IcrcStep(crc, is_path ? ~std::uint32_t{0} : words[i]);
  }
  return IcrcWire(crc);
}

std::uint16_t Vcrc(std::span<const std::uint32_t> lrh_to_icrc) {
  std::uint16_t crc = kVcrcInit;
  for (const std::uint32_t word : lrh_to_icrc) crc = VcrcStep(crc, word);
  return VcrcWire(crc);
}

}  // namespace lanecut
