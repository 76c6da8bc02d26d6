// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/packet.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sw/wire/crc.h"

namespace lanecut {

namespace {

constexpr std::uint32_t kMask24 = 0xFFFFFF;
constexpr std::size_t kPayloadWord = kLrhWords + kBthWords;
constexpr std::size_t kFillerWord = kPayloadWord + 5;
constexpr std::size_t kMadWord = kPayloadWord + kDethWords;
// IBA 14.2.1: SMPs use the well-known queue key zero, as QP0 checks none.
constexpr Deth kSmpDeth{.qkey = 0, .src_qp = 0};
// IBA 3.9.5.1.1: the well-known queue key of QP1.
constexpr std::uint32_t kGeneralQp = 1;
constexpr Deth kGmpDeth{.qkey = 0x80010000, .src_qp = kGeneralQp};
constexpr std::uint32_t kDataQp = 2;         // 0 and 1 are management's
constexpr std::uint32_t kAckQps = 0x800000;  // plus the node that acknowledges
// IBA 9.7.5.1: an ACK that says nothing about end-to-end credits.
constexpr std::uint8_t kAckSyndrome = 0x1F;

constexpr std::uint32_t Low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t High(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

// Any pattern that depends on packet and place will do: it shows words of one packet that end up in
// another.
constexpr std::uint32_t Filler(std::uint64_t id, std::size_t place) {
  return (Low(id) ^ High(id) * 0x01000193U) * 0x9E3779B1U +
         static_cast<std::uint32_t>(place) * 0x85EBCA6BU;
}

template <std::size_t kSize>
std::uint32_t* Put(const std::array<std::uint32_t, kSize>& words, std::uint32_t* to) {
  return std::copy(words.begin(), words.end(), to);
}

}  // namespace

std::array<std::uint32_t, kLrhWords> Lrh::Encode() const {
  return {(vl & 0xFU) << 28 | (lver & 0xFU) << 24 | (sl & 0xFU) << 20 | (lnh & 0x3U) << 16 | dlid,
          (epoch & 0x1FU) << 27 | (pkt_len & 0x7FFU) << 16 | slid};
}

Lrh Lrh::Decode(std::uint32_t word0, std::uint32_t word1) {
  return {.vl = static_cast<std::uint8_t>(word0 >> 28),
          .lver = static_cast<std::uint8_t>(word0 >> 24 & 0xF),
          .sl = static_cast<std::uint8_t>(word0 >> 20 & 0xF),
          .lnh = static_cast<std::uint8_t>(word0 >> 16 & 0x3),
          .dlid = static_cast<std::uint16_t>(word0),
          .epoch = static_cast<std::uint8_t>(word1 >> 27),
          .pkt_len = static_cast<std::uint16_t>(word1 >> 16 & 0x7FF),
          .slid = static_cast<std::uint16_t>(word1)};
}

std::array<std::uint32_t, kBthWords> Bth::Encode() const {
  return {std::uint32_t{opcode} << 24 | std::uint32_t{flags} << 16 | pkey,
          std::uint32_t{resv8a} << 24 | (dest_qp & kMask24),
          (ack_request ? 0x80000000U : 0U) | (psn & kMask24)};
}

Bth Bth::Decode(std::span<const std::uint32_t, kBthWords> words) {
  return {.opcode = static_cast<std::uint8_t>(words[0] >> 24),
          .flags = static_cast<std::uint8_t>(words[0] >> 16),
          .pkey = static_cast<std::uint16_t>(words[0]),
          .resv8a = static_cast<std::uint8_t>(words[1] >> 24),
          .dest_qp = words[1] & kMask24,
          .ack_request = (words[2] & 0x80000000U) != 0,
          .psn = words[2] & kMask24};
}

std::array<std::uint32_t, kDethWords> Deth::Encode() const { return {qkey, src_qp & kMask24}; }

Deth Deth::Decode(std::span<const std::uint32_t, kDethWords> words) {
  return {.qkey = words[0], .src_qp = words[1] & kMask24};
}

std::array<std::uint32_t, kAethWords> Aeth::Encode() const {
  return {std::uint32_t{syndrome} << 24 | (msn & kMask24)};
}

Aeth Aeth::Decode(std::uint32_t word) {
  return {.syndrome = static_cast<std::uint8_t>(word >> 24), .msn = word & kMask24};
}

void SealIcrc(Packet* packet) {
  const std::span<const std::uint32_t> words = packet->words;
  packet->words.back() = Icrc(words.first(words.size() - 1));
}

bool IcrcOk(std::span<const std::uint32_t> lrh_to_icrc) {
  return Icrc(lrh_to_icrc.first(lrh_to_icrc.size() - 1)) == lrh_to_icrc.back();
}

bool VcrcOk(std::span<const std::uint32_t> wire_words) {
  return Vcrc(wire_words.first(wire_words.size() - 1)) == wire_words.back() >> 16;
}

void BuildWire(const Packet& packet, std::vector<Word>* wire) {
  wire->clear();
  for (const std::uint32_t word : packet.words) wire->push_back({word, Ctrl::kBody});
  wire->front().ctrl = Ctrl::kStartData;
  wire->push_back({std::uint32_t{Vcrc(packet.words)} << 16, Ctrl::kGoodEnd});
}

void CheckPayloadSize(int bytes) {
  if (IsPayloadSize(bytes)) return;
  throw std::invalid_argument(
      "payload of " + std::to_string(bytes) + " bytes: expected a multiple of 4 in " +
      std::to_string(kMinPayloadBytes) + ".." + std::to_string(kMaxPayloadBytes));
}

void BuildDataPacket(const DataPacket& data, Packet* packet) {
  CheckPayloadSize(data.payload_bytes);
  const auto size = static_cast<std::size_t>(DataWireWords(data.payload_bytes) - 1);
  packet->words.resize(size);
  std::uint32_t* to = packet->words.data();
  to = Put(Lrh{.vl = data.vl,
               .sl = data.sl,
               .dlid = data.dlid,
               .epoch = data.epoch,
               .pkt_len = static_cast<std::uint16_t>(size),
               .slid = data.slid}
               .Encode(),
           to);
  to = Put(Bth{.opcode = kOpcodeRcSendOnly,
               .dest_qp = kDataQp,
               .ack_request = data.ack_request,
               .psn = data.ack_request ? data.psn : Low(data.id)}
               .Encode(),
           to);
  to = Put(std::array{High(data.id), Low(data.id), High(data.generated), Low(data.generated),
                      data.queue_cycles},
           to);
  for (std::size_t place = kFillerWord; place + 1 < size; ++place) *to++ = Filler(data.id, place);
  SealIcrc(packet);
}

std::optional<DataPacket> ParseDataPacket(std::span<const std::uint32_t> lrh_to_icrc) {
  const auto& words = lrh_to_icrc;
  if (words.size() < kFillerWord + 1) return std::nullopt;
  const Lrh lrh = Lrh::Decode(words[0], words[1]);
  const Bth bth = Bth::Decode(words.subspan<kLrhWords, kBthWords>());
  if (lrh.vl == kVl15 || lrh.lnh != kLnhLocal || lrh.pkt_len != words.size() ||
      bth.opcode != kOpcodeRcSendOnly || bth.dest_qp != kDataQp) {
    return std::nullopt;
  }
  const std::uint64_t id = PacketIdOf(words);
  for (std::size_t place = kFillerWord; place + 1 < words.size(); ++place) {
    if (words[place] != Filler(id, place)) return std::nullopt;
  }
  return DataPacket{
      .id = id,
      .generated = std::uint64_t{words[kPayloadWord + 2]} << 32 | words[kPayloadWord + 3],
      .queue_cycles = words[kPayloadWord + 4],
      .slid = lrh.slid,
      .dlid = lrh.dlid,
      .sl = lrh.sl,
      .vl = lrh.vl,
      .epoch = lrh.epoch,
      .payload_bytes = static_cast<int>(words.size() - kPayloadWord - 1) * 4,
      .ack_request = bth.ack_request,
      .psn = bth.ack_request ? bth.psn : 0};
}

void BuildAckPacket(const AckPacket& ack, Packet* packet) {
  constexpr int kWords = kAckWireWords - 1;
  packet->words.resize(kWords);
  std::uint32_t* to = packet->words.data();
  to = Put(Lrh{.vl = ack.vl,
               .sl = ack.sl,
               .dlid = ack.dlid,
               .epoch = ack.epoch,
               .pkt_len = kWords,
               .slid = ack.slid}
               .Encode(),
           to);
  to = Put(
      Bth{.opcode = kOpcodeRcAcknowledge, .dest_qp = kAckQps | ack.source, .psn = ack.psn}.Encode(),
      to);
  Put(Aeth{.syndrome = kAckSyndrome, .msn = ack.number}.Encode(), to);
  SealIcrc(packet);
}

std::optional<AckPacket> ParseAckPacket(std::span<const std::uint32_t> lrh_to_icrc) {
  const auto& words = lrh_to_icrc;
  if (words.size() != kAckWireWords - 1) return std::nullopt;
  const Lrh lrh = Lrh::Decode(words[0], words[1]);
  const Bth bth = Bth::Decode(words.subspan<kLrhWords, kBthWords>());
  const Aeth aeth = Aeth::Decode(words[kPayloadWord]);
  if (lrh.vl == kVl15 || lrh.lnh != kLnhLocal || lrh.pkt_len != words.size() ||
      bth.opcode != kOpcodeRcAcknowledge || bth.dest_qp >> 16 != kAckQps >> 16 ||
      aeth.syndrome != kAckSyndrome) {
    return std::nullopt;
  }
  return AckPacket{.slid = lrh.slid,
                   .dlid = lrh.dlid,
                   .sl = lrh.sl,
                   .vl = lrh.vl,
                   .epoch = lrh.epoch,
                   .source = static_cast<std::uint16_t>(bth.dest_qp),
                   .number = aeth.msn,
                   .psn = bth.psn};
}

namespace {

// MAD and ICRC.
void PutMad(const MadBytes& mad, std::uint32_t* to, Packet* packet) {
  for (std::size_t i = 0; i < mad.size(); i += 4) {
    *to++ = std::uint32_t{mad[i]} << 24 | std::uint32_t{mad[i + 1]} << 16 |
            std::uint32_t{mad[i + 2]} << 8 | mad[i + 3];
  }
  SealIcrc(packet);
}

MadBytes MadIn(std::span<const std::uint32_t> lrh_to_icrc) {
  MadBytes mad{};
  for (std::size_t i = 0; i < mad.size(); ++i) {
    mad[i] = static_cast<std::uint8_t>(lrh_to_icrc[kMadWord + i / 4] >> (24 - 8 * (i % 4)));
  }
  return mad;
}

// UD SEND Only of a MAD's size, between the queue pairs `qp`.
bool IsMadPacket(std::span<const std::uint32_t> words, std::uint32_t qp) {
  if (words.size() != kSmpPacketWords) return false;
  const Lrh lrh = Lrh::Decode(words[0], words[1]);
  const Bth bth = Bth::Decode(words.subspan<kLrhWords, kBthWords>());
  const Deth deth = Deth::Decode(words.subspan<kPayloadWord, kDethWords>());
  return lrh.lnh == kLnhLocal && lrh.pkt_len == kSmpPacketWords &&
         bth.opcode == kOpcodeUdSendOnly && bth.dest_qp == qp && deth.src_qp == qp;
}

}  // namespace

void BuildSmpPacket(const SmpPacket& smp, Packet* packet) {
  packet->words.resize(kSmpPacketWords);
  std::uint32_t* to = packet->words.data();
  to =
      Put(Lrh{.vl = kVl15, .dlid = smp.dlid, .pkt_len = kSmpPacketWords, .slid = smp.slid}.Encode(),
          to);
  to = Put(Bth{.opcode = kOpcodeUdSendOnly}.Encode(), to);
  to = Put(kSmpDeth.Encode(), to);
  PutMad(smp.mad, to, packet);
}

std::optional<SmpPacket> ParseSmpPacket(std::span<const std::uint32_t> lrh_to_icrc) {
  if (!IsMadPacket(lrh_to_icrc, 0)) return std::nullopt;
  const Lrh lrh = Lrh::Decode(lrh_to_icrc[0], lrh_to_icrc[1]);
  if (lrh.vl != kVl15) return std::nullopt;
  return SmpPacket{.slid = lrh.slid, .dlid = lrh.dlid, .mad = MadIn(lrh_to_icrc)};
}

void BuildGmpPacket(const GmpPacket& gmp, Packet* packet) {
  packet->words.resize(kSmpPacketWords);
  std::uint32_t* to = packet->words.data();
  to = Put(Lrh{.vl = gmp.vl,
               .sl = gmp.sl,
               .dlid = gmp.dlid,
               .epoch = gmp.epoch,
               .pkt_len = kSmpPacketWords,
               .slid = gmp.slid}
               .Encode(),
           to);
  to = Put(Bth{.opcode = kOpcodeUdSendOnly, .dest_qp = kGeneralQp, .psn = gmp.psn}.Encode(), to);
  to = Put(kGmpDeth.Encode(), to);
  PutMad(gmp.mad, to, packet);
}

std::optional<GmpPacket> ParseGmpPacket(std::span<const std::uint32_t> lrh_to_icrc) {
  if (!IsMadPacket(lrh_to_icrc, kGeneralQp) || !IsGmp(lrh_to_icrc)) return std::nullopt;
  const Lrh lrh = Lrh::Decode(lrh_to_icrc[0], lrh_to_icrc[1]);
  const Bth bth = Bth::Decode(lrh_to_icrc.subspan<kLrhWords, kBthWords>());
  return GmpPacket{.slid = lrh.slid,
                   .dlid = lrh.dlid,
                   .sl = lrh.sl,
                   .vl = lrh.vl,
                   .epoch = lrh.epoch,
                   .psn = bth.psn,
                   .mad = MadIn(lrh_to_icrc)};
}

}  // namespace lanecut
