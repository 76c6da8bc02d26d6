// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/link_packet.h"

#include "sw/wire/crc.h"

namespace lanecut {

std::array<Word, kLinkPacketWords> EncodeLinkPacket(const LinkPacket& packet) {
  const std::uint32_t first =
      (std::uint32_t{packet.op} & 0xF) << 28 | (std::uint32_t{packet.fctbs} & kCreditMask) << 16 |
      (std::uint32_t{packet.vl} & 0xF) << 12 | (std::uint32_t{packet.fccl} & kCreditMask);
  return {Word{first, Ctrl::kStartLink}, Word{std::uint32_t{Lpcrc(first)} << 16, Ctrl::kGoodEnd}};
}

std::optional<LinkPacket> DecodeLinkPacket(std::uint32_t first, std::uint32_t second) {
  if (second >> 16 != Lpcrc(first)) return std::nullopt;
  return LinkPacket{.op = static_cast<std::uint8_t>(first >> 28),
                    .fctbs = static_cast<std::uint16_t>((first >> 16) & kCreditMask),
                    .vl = static_cast<std::uint8_t>((first >> 12) & 0xF),
                    .fccl = static_cast<std::uint16_t>(first & kCreditMask)};
}

}  // namespace lanecut
