// SPDX-License-Identifier: Apache-2.0
#include "sw/wire/compact.h"

#include <algorithm>
#include <stdexcept>

namespace lanecut {

namespace {

constexpr std::uint8_t kPathWordsMask = 0xF;

std::uint8_t OpcodeOf(const CompactPacket& compact) {
  const auto words = static_cast<std::uint8_t>(compact.path.size() / kEntriesPerWord);
  const std::uint8_t kind = compact.kind == CompactKind::kAnswer  ? kCompactAnswer
                            : compact.kind == CompactKind::kFlood ? kCompactFlood
                                                                  : 0;
  return static_cast<std::uint8_t>(kOpcodeCompact | kind | words);
}

void Check(const CompactPacket& compact) {
  const std::size_t header = compact.kind == CompactKind::kAnswer ? 1 : 2;
  const std::size_t path = compact.path.size() / kEntriesPerWord;
  if (compact.path.size() % kEntriesPerWord != 0 || path > kMaxPathWords) {
    throw std::invalid_argument("a compact packet has a path of 0..8 words");
  }
  if (kMinPathWords + header + compact.data.size() > kCompactPayloadWords) {
    throw std::invalid_argument("a compact packet has at most 59 words of data");
  }
}

// Words behind the LRH and the BTH, but for the ICRC, of which there is room for one more.
void AppendPayload(const CompactPacket& compact, std::vector<std::uint32_t>* words) {
  for (std::size_t i = 0; i < compact.path.size(); i += kEntriesPerWord) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < kEntriesPerWord; ++k) {
      word = word << 4 | (compact.path[i + k] & 0xFU);
    }
    words->push_back(word);
  }
  const std::uint32_t attribute = std::uint32_t{compact.attribute} << 16;
  if (compact.kind == CompactKind::kAnswer) {
    words->push_back(attribute | compact.status);
  } else {
    words->push_back(attribute | std::uint32_t{compact.wanted} << 8 | compact.method);
    words->push_back(compact.modifier);
  }
  words->insert(words->end(), compact.data.begin(), compact.data.end());
}

}  // namespace

std::vector<std::uint8_t> CompactPath(std::span<const std::uint8_t> ports) {
  const auto most = static_cast<std::size_t>(kMaxPathWords * kEntriesPerWord - 1);
  if (ports.size() > most) throw std::invalid_argument("a compact path has at most 63 switches");
  if (std::any_of(ports.begin(), ports.end(), [](int port) { return port < 1 || port > 15; })) {
    throw std::invalid_argument("a compact path has ports 1..15");
  }
  const std::size_t words =
      std::max<std::size_t>(kMinPathWords, ports.size() / kEntriesPerWord + 1);
  std::vector<std::uint8_t> path(ports.begin(), ports.end());
  path.resize(words * kEntriesPerWord, 0);
  return path;
}

void BuildCompactPacket(const CompactPacket& compact, Packet* packet) {
  Check(compact);
  std::vector<std::uint32_t>& words = packet->words;
  words.assign(kLrhWords, 0);
  const Bth bth{.opcode = OpcodeOf(compact),
                .resv8a = compact.hop_pointer,
                .psn = compact.number & kCompactNumberMask};
  for (const std::uint32_t word : bth.Encode()) words.push_back(word);
  AppendPayload(compact, &words);
  words.push_back(0);
  const auto lrh = Lrh{.vl = kVl15,
                       .dlid = kPermissiveLid,
                       .pkt_len = static_cast<std::uint16_t>(words.size()),
                       .slid = compact.slid}
                       .Encode();
  std::copy(lrh.begin(), lrh.end(), words.begin());
  SealIcrc(packet);
}

std::optional<CompactPacket> ParseCompactPacket(std::span<const std::uint32_t> lrh_to_icrc) {
  const auto& words = lrh_to_icrc;
  if (words.size() <= kCompactPathWord || !IsCompact(words)) return std::nullopt;
  const Lrh lrh = Lrh::Decode(words[0], words[1]);
  const Bth bth = Bth::Decode(words.subspan<kLrhWords, kBthWords>());
  const int path_words = bth.opcode & kPathWordsMask;
  const bool is_answer = (bth.opcode & kCompactAnswer) != 0;
  const bool is_flood = (bth.opcode & kCompactFlood) != 0;
  const std::size_t attribute = kCompactPathWord + static_cast<std::size_t>(path_words);
  const std::size_t data = attribute + (is_answer ? 1 : 2);
  if (lrh.vl != kVl15 || lrh.lnh != kLnhLocal || lrh.dlid != kPermissiveLid ||
      lrh.pkt_len != words.size() || bth.dest_qp != 0 || path_words > kMaxPathWords ||
      (is_answer && is_flood) || words.size() < data + 1 ||
      words.size() > kCompactPathWord + kMaxPathWords - kMinPathWords + kCompactPayloadWords + 1) {
    return std::nullopt;
  }
  CompactPacket compact{.kind = is_answer  ? CompactKind::kAnswer
                                : is_flood ? CompactKind::kFlood
                                           : CompactKind::kRequest,
                        .slid = lrh.slid,
                        .hop_pointer = bth.resv8a,
                        .number = bth.psn,
                        .path = {},
                        .attribute = static_cast<std::uint16_t>(words[attribute] >> 16),
                        .data = {}};
  for (int i = 0; i < path_words * kEntriesPerWord; ++i) {
    compact.path.push_back(static_cast<std::uint8_t>(PathEntry(words, i)));
  }
  if (is_answer) {
    compact.status = static_cast<std::uint16_t>(words[attribute]);
  } else {
    compact.wanted = static_cast<std::uint8_t>(words[attribute] >> 8);
    compact.method = static_cast<std::uint8_t>(words[attribute]);
    compact.modifier = words[attribute + 1];
  }
  compact.data.assign(words.begin() + static_cast<std::ptrdiff_t>(data), words.end() - 1);
  return compact;
}

}  // namespace lanecut
