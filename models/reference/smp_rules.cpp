// SPDX-License-Identifier: Apache-2.0
#include "models/reference/smp_rules.h"

#include <algorithm>

#include "sw/wire/crc.h"
#include "sw/wire/packet.h"

namespace lanecut::reference {

namespace {

constexpr int kIcrcWord = kSmpWireWords - 2;
constexpr int kDrHopWord = kMadOffset + 1;
constexpr int kInitialPath = kMadOffset + 32;
constexpr int kReturnPath = kMadOffset + 48;
constexpr int kMaxHops = 63;

std::uint8_t PathEntry(const std::vector<std::uint32_t>& words, int path, int hop) {
  return static_cast<std::uint8_t>(words[static_cast<std::size_t>(path + hop / 4)] >>
                                   (24 - 8 * (hop % 4)));
}

void SetPathEntry(std::vector<std::uint32_t>* words, int path, int hop, int port) {
  std::uint32_t& word = (*words)[static_cast<std::size_t>(path + hop / 4)];
  const int shift = 24 - 8 * (hop % 4);
  word = (word & ~(0xFFU << shift)) | static_cast<std::uint32_t>(port) << shift;
}

void SetHopPointer(std::vector<std::uint32_t>* words, int hop) {
  (*words)[kDrHopWord] = ((*words)[kDrHopWord] & 0xFFFF00FF) | static_cast<std::uint32_t>(hop) << 8;
}

void Seal(std::vector<std::uint32_t>* words) {
  (*words)[kIcrcWord] = Icrc(std::span(words->data(), kIcrcWord));
}

SmpStep StepOutbound(std::vector<std::uint32_t>* words, const SmpFields& smp, int in_port,
                     int ports) {
  if (smp.hop_pointer == 0 || smp.hop_pointer > smp.hop_count) return {};
  SetPathEntry(words, kReturnPath, smp.hop_pointer, in_port);
  SetHopPointer(words, smp.hop_pointer + 1);
  Seal(words);
  if (smp.hop_pointer == smp.hop_count) return {SmpAction::kConsume, 0};
  const int out = PathEntry(*words, kInitialPath, smp.hop_pointer + 1);
  if (out < 1 || out > ports) return {};
  return {SmpAction::kRelay, out};
}

SmpStep StepReturning(std::vector<std::uint32_t>* words, const SmpFields& smp, int ports) {
  if (smp.hop_pointer < 2 || smp.hop_pointer > smp.hop_count) return {};
  SetHopPointer(words, smp.hop_pointer - 1);
  Seal(words);
  const int out = PathEntry(*words, kReturnPath, smp.hop_pointer - 1);
  if (out < 1 || out > ports) return {};
  return {SmpAction::kRelay, out};
}

}  // namespace

SmpFields::SmpFields(const std::vector<std::uint32_t>& words)
    : mad_class(static_cast<std::uint8_t>(words[kMadOffset] >> 16)),
      method(static_cast<std::uint8_t>(words[kMadOffset])),
      returning(mad_class == 0x81 && words[kDrHopWord] >> 31 != 0),
      status(static_cast<std::uint16_t>((words[kDrHopWord] >> 16) &
                                        (mad_class == 0x81 ? 0x7FFF : 0xFFFF))),
      hop_pointer(static_cast<std::uint8_t>(words[kDrHopWord] >> 8)),
      hop_count(static_cast<std::uint8_t>(words[kDrHopWord])),
      tid(std::uint64_t{words[kMadOffset + 2]} << 32 | words[kMadOffset + 3]),
      attribute(static_cast<std::uint16_t>(words[kMadOffset + 4] >> 16)) {}

SmpStep StepSmp(std::vector<std::uint32_t>* words, int in_port, int ports) {
  if (words->size() != kSmpWireWords) return {};
  if (!IcrcOk(std::span(words->data(), kIcrcWord + 1))) return {};
  const SmpFields smp(*words);
  if (!smp.Directed()) {
    return {smp.mad_class == 0x01 ? SmpAction::kConsume : SmpAction::kDiscard, 0};
  }
  if (((*words)[0] & 0xFFFF) != kPermissiveLid || smp.hop_count > kMaxHops) return {};
  return smp.returning ? StepReturning(words, smp, ports)
                       : StepOutbound(words, smp, in_port, ports);
}

const char* WrongAnswer(const PendingRequest& request, const std::vector<std::uint32_t>& answer,
                        int port) {
  const SmpFields asked(request.words);
  const SmpFields said(answer);
  if (said.mad_class != asked.mad_class) return "the class of the request";
  if (said.attribute != asked.attribute) return "the attribute of the request";
  if (answer[kMadOffset + 5] != request.words[kMadOffset + 5]) return "the modifier of the request";
  if (!asked.Directed()) return nullptr;
  if (!said.returning) return "D = 1 in an answer";
  if (port != request.in_port) return "the port of the request";
  if (said.hop_count != asked.hop_count || said.hop_pointer != asked.hop_count) {
    return "hop pointer = hop count of the request";
  }
  const bool same_paths = std::equal(answer.begin() + kInitialPath, answer.begin() + kIcrcWord,
                                     request.words.begin() + kInitialPath);
  return same_paths ? nullptr : "the paths of the request";
}

}  // namespace lanecut::reference
