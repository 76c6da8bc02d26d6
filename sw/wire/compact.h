// SPDX-License-Identifier: Apache-2.0
//
// Compact management packets: VL15, a path in front, and contents no longer than they need to be.
//
//   word     0..1   LRH, DLID permissive; SLID permissive, of a flood the manager's LID
//            2      BTH opcode 0xC0 + 0x20 (answer) or 0x10 (flood) + words of path; P_Key
//            3      hop pointer (in the reserved byte of the BTH), destination QP 0
//            4      number (in the place of the PSN): of the request, or of the flood
//            5..    path, `path words` (3..8 from here, 0 of a flood): an entry of 4 bits per hop
//            then   request, flood: {attribute, words wanted, method}, modifier, data
//                   answer:         {attribute, status}, data
//            last   ICRC
//
// The hop pointer says which entry of the path is the next switch's: the port by which the packet
// leaves, or 0 if it has arrived there. A switch writes the port by which a request came in the
// place of that entry, and steps the hop pointer; an answer starts with the entry that was written
// last and goes back by them. An end node finds its hop pointer at an entry 0 and steps nothing.
// The first hop, out of the manager's only port, is in no path. So the longest has 63 switches.
//
// What changes on the way (VL, hop pointer, path) counts as ones in the ICRC (IBA 7.8.1 has the
// first two of these: VL and the reserved byte of the BTH): nobody regenerates it. Opcodes from
// 0xC0 are the manufacturer's (IBA 9.2.1). With three words of path, which is enough for 23
// switches, a command of one word is 50 bytes long and its acknowledgement 42, and the payload is
// at most 256 bytes; longer paths make longer packets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sw/wire/packet.h"

namespace lanecut {

inline constexpr std::uint8_t kOpcodeCompact = 0xC0;  // and above
inline constexpr std::uint8_t kCompactAnswer = 0x20;
inline constexpr std::uint8_t kCompactFlood = 0x10;

inline constexpr int kCompactPathWord = 5;
inline constexpr int kEntriesPerWord = 8;
inline constexpr int kMinPathWords = 3;
inline constexpr int kMaxPathWords = 8;
inline constexpr int kCompactPayloadWords = 64;  // with the shortest path
inline constexpr std::uint32_t kCompactNumberMask = 0xFFFFFF;

// Data words of a request.
inline constexpr int kCompactDataWords = kCompactPayloadWords - kMinPathWords - 2;

enum class CompactKind : std::uint8_t { kRequest, kAnswer, kFlood };

struct CompactPacket {
  CompactKind kind = CompactKind::kRequest;
  std::uint16_t slid = kPermissiveLid;
  std::uint8_t hop_pointer = 0;
  std::uint32_t number = 0;        // 24 bits
  std::vector<std::uint8_t> path;  // entries, a multiple of 8 of them; empty: a flood
  std::uint16_t attribute = 0;
  std::uint8_t method = 0;     // request, flood
  std::uint8_t wanted = 0;     // request: words of data in the answer, 16 at the most
  std::uint16_t status = 0;    // answer
  std::uint32_t modifier = 0;  // request, flood
  std::vector<std::uint32_t> data;
  friend bool operator==(const CompactPacket&, const CompactPacket&) = default;
};

// Do the first words (at least 3) say that the packet is compact?
constexpr bool IsCompact(std::span<const std::uint32_t> words) {
  return words[2] >> 24 >= kOpcodeCompact;
}

constexpr int CompactPathWords(std::span<const std::uint32_t> words) {
  return static_cast<int>(words[2] >> 24 & 0xF);
}

// An entry of the path in the words of a packet, which must hold it.
constexpr int PathShift(int entry) { return 28 - 4 * (entry % kEntriesPerWord); }
constexpr int PathEntry(std::span<const std::uint32_t> words, int entry) {
  return static_cast<int>(
      words[static_cast<std::size_t>(kCompactPathWord + entry / kEntriesPerWord)] >>
          PathShift(entry) &
      0xF);
}

// The path to what lies behind these output ports of switches, filled up with entries 0.
// std::invalid_argument if there are more than 63, or one is not 1..15.
std::vector<std::uint8_t> CompactPath(std::span<const std::uint8_t> ports);

// Replaces the contents of `packet`. std::invalid_argument if there is more than fits.
void BuildCompactPacket(const CompactPacket& compact, Packet* packet);

// Nothing if the words LRH..ICRC are not such a packet. Does not check the CRCs.
std::optional<CompactPacket> ParseCompactPacket(std::span<const std::uint32_t> lrh_to_icrc);

}  // namespace lanecut
