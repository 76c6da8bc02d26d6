// SPDX-License-Identifier: Apache-2.0
//
// Link packets: two words, {Op 4, FCTBS 12, VL 4, FCCL 12} and {LPCRC 16, 0} (IBA 7.9.4). Never
// relayed. FCTBS and FCCL count 64-byte blocks modulo 4096.
//
// Ops that InfiniBand reserves carry the tokens of OSR and their acknowledgements: {Op 4, number of
// the routing function 12, VL 4, 0}. A token says that its sender has sent all packets of older
// functions on this VL.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sw/wire/function_number.h"
#include "sw/wire/word.h"

namespace lanecut {

inline constexpr int kLinkPacketWords = 2;
inline constexpr std::uint8_t kOpFlowControl = 0;
inline constexpr std::uint8_t kOpFlowControlInit = 1;  // sent while the port is in Initialize

inline constexpr std::uint8_t kOpToken = 8;
inline constexpr std::uint8_t kOpTokenAck = 9;  // of a token with this VL and number

inline constexpr std::uint16_t kCreditMask = 0xFFF;  // block counts are modulo 4096

struct LinkPacket {
  std::uint8_t op = kOpFlowControl;
  std::uint16_t fctbs = 0;
  std::uint8_t vl = 0;
  std::uint16_t fccl = 0;

  // Of a token or its acknowledgement, which have no FCTBS.
  constexpr std::uint8_t number() const { return FunctionNumber(fctbs); }
  friend bool operator==(const LinkPacket&, const LinkPacket&) = default;
};

std::array<Word, kLinkPacketWords> EncodeLinkPacket(const LinkPacket& packet);

// `op` is kOpToken or kOpTokenAck.
constexpr LinkPacket TokenPacket(std::uint8_t op, int vl, std::uint8_t number) {
  return {.op = op, .fctbs = number, .vl = static_cast<std::uint8_t>(vl), .fccl = 0};
}

// From the data of the two words; nothing if the LPCRC does not fit.
std::optional<LinkPacket> DecodeLinkPacket(std::uint32_t first, std::uint32_t second);

// May a packet of `blocks` start, with `fctbs` blocks sent and the receiver's limit at `fccl`
// (IBA 7.9.4.3)?
constexpr bool HasCredit(std::uint16_t fccl, std::uint16_t fctbs, int blocks) {
  return ((fccl - (fctbs + blocks)) & kCreditMask) <= 2048;
}

}  // namespace lanecut
