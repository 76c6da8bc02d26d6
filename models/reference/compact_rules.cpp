// SPDX-License-Identifier: Apache-2.0
#include "models/reference/compact_rules.h"

#include <algorithm>

namespace lanecut::reference {

namespace {

constexpr int kHopWord = 3;
constexpr std::uint8_t kGet = 1;
constexpr std::uint8_t kSet = 2;
constexpr std::size_t kMostAnswer = 16;

bool IsAnswer(std::span<const std::uint32_t> words) {
  return (words[2] >> 24 & kCompactAnswer) != 0;
}

void SetHop(std::vector<std::uint32_t>* words, int hop) {
  std::uint32_t& word = (*words)[kHopWord];
  word = (word & 0x00FFFFFF) | static_cast<std::uint32_t>(hop & 0xFF) << 24;
}

void SetEntry(std::vector<std::uint32_t>* words, const CompactStep& step, int port) {
  std::uint32_t& word = (*words)[static_cast<std::size_t>(step.word)];
  const int shift = PathShift(step.entry);
  word = (word & ~(0xFU << shift)) | static_cast<std::uint32_t>(port) << shift;
}

}  // namespace

CompactStep::CompactStep(std::span<const std::uint32_t> words)
    : is_answer(IsAnswer(words)),
      entry(static_cast<int>((words[kHopWord] >> 24) - (is_answer ? 1 : 0)) & 0xFF),
      is_outside(entry / kEntriesPerWord >= CompactPathWords(words)) {
  word = kCompactPathWord + (is_outside ? 0 : entry / kEntriesPerWord % kMaxPathWords);
}

bool HasCompactPath(std::span<const std::uint32_t> words) {
  return (words[0] & 0xFFFF) == kPermissiveLid && IsCompact(words) &&
         (words[2] >> 24 & kCompactFlood) == 0;
}

void StepCompact(std::vector<std::uint32_t>* words, int in_port) {
  const CompactStep step(*words);
  SetHop(words, step.is_answer ? step.entry : step.entry + 1);
  if (!step.is_answer) SetEntry(words, step, in_port);
}

void UnstepCompact(std::vector<std::uint32_t>* words, int out_port) {
  const bool is_answer = IsAnswer(*words);
  const int hop = static_cast<int>((*words)[kHopWord] >> 24);
  SetHop(words, is_answer ? hop + 1 : hop - 1);
  if (!is_answer) SetEntry(words, CompactStep(*words), out_port);
}

bool IsServed(const CompactPacket& packet) {
  if (packet.kind == CompactKind::kAnswer) return false;
  if (packet.method == kSet) return !packet.data.empty();
  return packet.method == kGet && packet.kind == CompactKind::kRequest;
}

const char* WrongCompactAnswer(const CompactRequest& request, const CompactPacket& answer,
                               int port) {
  const CompactPacket& asked = request.packet;
  if (answer.attribute != asked.attribute) return "the attribute of the request";
  if (port != request.in_port) return "the port of the request";
  if (answer.hop_pointer + 1 != asked.hop_pointer)
    return "the hop pointer of the request, less one";
  if (answer.path != asked.path) return "the path of the request";
  const std::size_t words =
      answer.status == 0 ? std::min<std::size_t>(asked.wanted, kMostAnswer) : 0;
  return answer.data.size() == words ? nullptr : "as many words as were asked for";
}

}  // namespace lanecut::reference
