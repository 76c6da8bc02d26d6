// SPDX-License-Identifier: Apache-2.0
//
// InfiniBand packets as words: headers, the data packet of the simulations, and SMPs around a
// 256-byte MAD.
//
// A Packet holds the words LRH..ICRC (as many as LRH.PktLen says); on the wire one more word
// follows, with the VCRC in its upper half. Lengths: `words` counts LRH..ICRC, `wire words` that
// plus one, `wire bytes` the InfiniBand packet with its VCRC and without delimiters, `blocks` are
// 64-byte units of credit. Headers as in IBA 7.7 (LRH), 9.2 (BTH), 9.3.3 (DETH),
// 9.3.5 (AETH).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sw/wire/word.h"

namespace lanecut {

inline constexpr int kVl15 = 15;                         // management lane: no credits
inline constexpr std::uint16_t kPermissiveLid = 0xFFFF;  // both LIDs of a directed-route SMP
inline constexpr std::uint8_t kLnhLocal = 2;             // a BTH follows the LRH
inline constexpr std::uint8_t kOpcodeRcSendOnly = 0x04;  // data
inline constexpr std::uint8_t kOpcodeRcAcknowledge = 0x11;
inline constexpr std::uint8_t kOpcodeUdSendOnly = 0x64;  // management
inline constexpr std::uint16_t kDefaultPkey = 0xFFFF;

inline constexpr int kWordsPerBlock = 16;
inline constexpr int kLrhWords = 2;
inline constexpr int kBthWords = 3;
inline constexpr int kDethWords = 2;
inline constexpr int kAethWords = 1;
inline constexpr int kDataOverheadWords = kLrhWords + kBthWords + 2;  // and ICRC, VCRC
inline constexpr int kDataOverheadBytes = 26;  // LRH 8, BTH 12, ICRC 4, VCRC 2
inline constexpr int kSmpPacketWords = 72;     // PktLen of a MAD's packet; 73 words on the wire

// Credit blocks that a packet takes.
constexpr int BlocksOfWords(int wire_words) {
  return (wire_words + kWordsPerBlock - 1) / kWordsPerBlock;
}

struct Lrh {
  std::uint8_t vl = 0;
  std::uint8_t lver = 0;
  std::uint8_t sl = 0;
  std::uint8_t lnh = kLnhLocal;
  std::uint16_t dlid = 0;
  std::uint8_t epoch = 0;     // routing-function number, in bits that InfiniBand reserves
  std::uint16_t pkt_len = 0;  // words LRH..ICRC
  std::uint16_t slid = 0;

  std::array<std::uint32_t, kLrhWords> Encode() const;
  static Lrh Decode(std::uint32_t word0, std::uint32_t word1);
  friend bool operator==(const Lrh&, const Lrh&) = default;
};

struct Bth {
  std::uint8_t opcode = 0;
  std::uint8_t flags = 0;  // SE 1, M 1, PadCnt 2, TVer 4
  std::uint16_t pkey = kDefaultPkey;
  std::uint8_t resv8a = 0;
  std::uint32_t dest_qp = 0;  // 24 bits
  bool ack_request = false;
  std::uint32_t psn = 0;  // 24 bits

  std::array<std::uint32_t, kBthWords> Encode() const;
  static Bth Decode(std::span<const std::uint32_t, kBthWords> words);
  friend bool operator==(const Bth&, const Bth&) = default;
};

struct Deth {
  std::uint32_t qkey = 0;
  std::uint32_t src_qp = 0;  // 24 bits

  std::array<std::uint32_t, kDethWords> Encode() const;
  static Deth Decode(std::span<const std::uint32_t, kDethWords> words);
  friend bool operator==(const Deth&, const Deth&) = default;
};

struct Aeth {
  std::uint8_t syndrome = 0;
  std::uint32_t msn = 0;  // 24 bits

  std::array<std::uint32_t, kAethWords> Encode() const;
  static Aeth Decode(std::uint32_t word);
  friend bool operator==(const Aeth&, const Aeth&) = default;
};

struct Packet {
  std::vector<std::uint32_t> words;  // LRH..ICRC

  int WireWords() const { return static_cast<int>(words.size()) + 1; }
  Lrh lrh() const { return Lrh::Decode(words[0], words[1]); }
};

// Replaces the last word by the ICRC of those before it.
void SealIcrc(Packet* packet);

// Do the words LRH..ICRC end with their ICRC? At least 6 words.
bool IcrcOk(std::span<const std::uint32_t> lrh_to_icrc);

// Does a packet as received, last word with the VCRC included, end with its VCRC? At least 2 words.
bool VcrcOk(std::span<const std::uint32_t> wire_words);

// What goes over the link: start, bodies, and the VCRC word with a good end. Replaces the contents
// of `wire`.
void BuildWire(const Packet& packet, std::vector<Word>* wire);

// The data packet of the simulations: RC SEND Only, its payload starting with what the receiver
// needs to account for it. Payload words: id (2), generation cycle (2), cycles spent in the source
// queue (1), then a filler derived from the id.
struct DataPacket {
  std::uint64_t id = 0;  // unique: see MakePacketId; 0 is none
  Cycle generated = 0;
  std::uint32_t queue_cycles = 0;  // first word on the wire - generated
  std::uint16_t slid = 0;
  std::uint16_t dlid = 0;
  std::uint8_t sl = 0;
  std::uint8_t vl = 0;
  std::uint8_t epoch = 0;
  int payload_bytes = 32;
  bool ack_request = false;  // it is part of a flow that is acknowledged
  std::uint32_t psn = 0;     // 24 bits, of such a flow; of others the low bits of the id go out
  friend bool operator==(const DataPacket&, const DataPacket&) = default;
};

inline constexpr int kMinPayloadBytes = 20;
inline constexpr int kMaxPayloadBytes = 4096;

constexpr bool IsPayloadSize(int bytes) {
  return bytes % 4 == 0 && bytes >= kMinPayloadBytes && bytes <= kMaxPayloadBytes;
}
// std::invalid_argument, with what was expected, if it is none.
void CheckPayloadSize(int bytes);

constexpr std::uint64_t MakePacketId(std::uint16_t source, std::uint64_t sequence) {
  return std::uint64_t{source} << 48 | (sequence & 0xFFFFFFFFFFFF);
}
constexpr std::uint16_t PacketSource(std::uint64_t id) {
  return static_cast<std::uint16_t>(id >> 48);
}
constexpr std::uint64_t PacketSequence(std::uint64_t id) { return id & 0xFFFFFFFFFFFF; }

constexpr int DataWireWords(int payload_bytes) { return kDataOverheadWords + payload_bytes / 4; }
constexpr int DataWireBytes(int payload_bytes) { return kDataOverheadBytes + payload_bytes; }

// Checks the payload size; replaces the contents of `packet`.
void BuildDataPacket(const DataPacket& data, Packet* packet);

// Nothing if the words LRH..ICRC are not such a packet. Does not check the CRCs.
std::optional<DataPacket> ParseDataPacket(std::span<const std::uint32_t> lrh_to_icrc);

// An acknowledgement: RC Acknowledge, BTH and AETH. It has no payload, so what its id is made of
// stands in its headers: the destination's queue pair is the one for the node that acknowledges,
// and the MSN numbers that node's acknowledgements. (InfiniBand counts messages there, so that two
// acknowledgements may be alike.) Ids repeat after 2^24 acknowledgements of a node: they are unique
// among the packets that are under way, which is what accounting needs.
struct AckPacket {
  std::uint16_t slid = 0;
  std::uint16_t dlid = 0;
  std::uint8_t sl = 0;
  std::uint8_t vl = 0;
  std::uint8_t epoch = 0;    // routing-function number
  std::uint16_t source = 0;  // the node, as in its packet ids
  std::uint32_t number = 0;  // 24 bits
  std::uint32_t psn = 0;     // all packets up to this one have arrived
  friend bool operator==(const AckPacket&, const AckPacket&) = default;

  // No packet that was offered has such a sequence.
  constexpr std::uint64_t id() const {
    return MakePacketId(source, std::uint64_t{1} << 47 | (number & 0xFFFFFF));
  }
};

inline constexpr int kAckWireWords = kLrhWords + kBthWords + kAethWords + 2;
inline constexpr int kAckWireBytes = kDataOverheadBytes + 4 * kAethWords;

// Replaces the contents of `packet`.
void BuildAckPacket(const AckPacket& ack, Packet* packet);

// Nothing if the words LRH..ICRC are not such a packet. Does not check the CRCs.
std::optional<AckPacket> ParseAckPacket(std::span<const std::uint32_t> lrh_to_icrc);

// What a packet on a data lane is to the end nodes.
enum class PacketKind : std::uint8_t { kData, kRetransmission, kAck };

// The id of a data packet (words 5 and 6) or an acknowledgement, of which at least 7 words are
// there.
constexpr std::uint64_t PacketIdOf(std::span<const std::uint32_t> words) {
  if (words[2] >> 24 != kOpcodeRcAcknowledge) return std::uint64_t{words[5]} << 32 | words[6];
  return AckPacket{.source = static_cast<std::uint16_t>(words[3]), .number = words[5]}.id();
}

using MadBytes = std::array<std::uint8_t, 256>;

// A subnet management packet: VL15, UD SEND Only, QP0 to QP0, one MAD.
struct SmpPacket {
  std::uint16_t slid = kPermissiveLid;
  std::uint16_t dlid = kPermissiveLid;
  MadBytes mad{};
  friend bool operator==(const SmpPacket&, const SmpPacket&) = default;
};

// Replaces the contents of `packet`.
void BuildSmpPacket(const SmpPacket& smp, Packet* packet);

// Nothing if the words LRH..ICRC are not such a packet. Does not check the CRCs.
std::optional<SmpPacket> ParseSmpPacket(std::span<const std::uint32_t> lrh_to_icrc);

// A general management packet: a data VL, UD SEND Only, QP1 to QP1, one MAD.
struct GmpPacket {
  std::uint16_t slid = 0;
  std::uint16_t dlid = 0;
  std::uint8_t sl = 0;
  std::uint8_t vl = 0;
  std::uint8_t epoch = 0;  // routing-function number
  std::uint32_t psn = 0;   // 24 bits; means nothing
  MadBytes mad{};
  friend bool operator==(const GmpPacket&, const GmpPacket&) = default;
};

// Of a packet with at least 3 words.
constexpr bool IsGmp(std::span<const std::uint32_t> words) {
  return words[0] >> 28 != kVl15 && words[2] >> 24 == kOpcodeUdSendOnly;
}

// Replaces the contents of `packet`.
void BuildGmpPacket(const GmpPacket& gmp, Packet* packet);

// Nothing if the words LRH..ICRC are not such a packet. Does not check the CRCs.
std::optional<GmpPacket> ParseGmpPacket(std::span<const std::uint32_t> lrh_to_icrc);

}  // namespace lanecut
