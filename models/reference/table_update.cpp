// SPDX-License-Identifier: Apache-2.0
//
// Writes by compact packets: table updates (0xFF0A) and what is like in an SMP.
#include <algorithm>

#include "models/reference/table_mirror.h"
#include "sw/wire/function_number.h"

namespace lanecut::reference {

namespace {

constexpr std::uint16_t kTableUpdate = 0xFF0A;
constexpr std::uint32_t kCommit = 1U << 31;
constexpr std::uint32_t kReady = 1U << 30;
constexpr std::uint32_t kActiveBank = 1U << 29;
constexpr std::uint32_t kNumber = 0x1F;
constexpr std::size_t kEntriesPerWrite = 64;

constexpr int FirstLid(std::uint32_t head) { return static_cast<int>(head >> 16); }
constexpr int NumLids(std::uint32_t head) { return static_cast<int>(head & 0xFFFF); }

}  // namespace

void TableMirror::RequestCompact(int in_port, const CompactPacket& compact, Cycle t) {
  if (MustDeny(0, t)) return;
  if (compact.attribute == kTableUpdate) {
    return WriteUpdate(NewWindow(in_port, compact.number, t), compact);
  }
  std::array<std::uint32_t, kMadWords> mad{};
  mad[3] = compact.number;
  mad[4] = std::uint32_t{compact.attribute} << 16;
  mad[5] = compact.modifier;
  const std::size_t words = std::min<std::size_t>(compact.data.size(), 16);
  std::copy_n(compact.data.begin(), words, mad.begin() + kSmpData);
  Request(in_port, mad, t);
}

bool TableMirror::IsUpdateValid(const CompactPacket& compact) const {
  const std::uint32_t modifier = compact.modifier;
  const bool changes = (modifier & (kCommit | kReady)) != 0;
  if ((modifier & ~(kCommit | kReady | kActiveBank | kNumber)) != 0 || (modifier >> 30) == 3 ||
      (changes && (modifier & kActiveBank) != 0)) {
    return false;
  }
  std::size_t i = 0;
  while (i < compact.data.size()) {
    const std::uint32_t head = compact.data[i];
    if (FirstLid(head) % 4 != 0 || NumLids(head) % 4 != 0) return false;
    if (FirstLid(head) + NumLids(head) > lft_depth_) return false;
    i += 1 + static_cast<std::size_t>(NumLids(head) / 4);
  }
  return i == compact.data.size();
}

// What is in force has been carried out before. (So has what is on its way, but then it only writes
// the same again.)
bool TableMirror::IsUpdateDone(std::uint32_t modifier) const {
  return (modifier & (kCommit | kReady)) != 0 && FunctionNumber(modifier) == FunctionNumber(epoch_);
}

void TableMirror::WriteUpdate(const Window& window, const CompactPacket& compact) {
  const std::uint32_t modifier = compact.modifier;
  if (lft_depth_ == 0 || !IsUpdateValid(compact) || IsUpdateDone(modifier)) return;
  const bool announces = (modifier & kReady) != 0;
  if (announces && FunctionNumber(modifier) != NextNumber(epoch_)) return;
  Window entries = window;
  entries.bank = static_cast<std::uint8_t>((modifier & kActiveBank) != 0 ? bank_ : bank_ ^ 1);
  for (std::size_t i = 0; i < compact.data.size();) {
    const std::uint32_t head = compact.data[i++];
    const auto words = static_cast<std::size_t>(NumLids(head) / 4);
    WritePiece(entries, FirstLid(head), std::span(compact.data).subspan(i, words));
    i += words;
  }
  Window change = window;
  if ((modifier & kCommit) != 0) {
    change.kind = Kind::kBank;
    change.new_epoch = static_cast<std::uint8_t>(modifier & kNumber);
    windows_.push_back(change);
    bank_ ^= 1;
    epoch_ = change.new_epoch;
    ready_ = started_ = false;
  } else if (announces) {
    change.kind = Kind::kFunction;
    windows_.push_back(change);
    ready_ = true;
  }
}

// In windows of as many entries as an SMP has. Entries behind the piece keep what they have.
void TableMirror::WritePiece(Window window, int first, std::span<const std::uint32_t> entries) {
  window.kind = Kind::kLft;
  for (std::size_t at = 0; at < 4 * entries.size(); at += kEntriesPerWrite) {
    window.base = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(at);
    for (std::size_t i = 0; i < kEntriesPerWrite; ++i) {
      const std::size_t lid = window.base + i;
      if (lid >= static_cast<std::size_t>(lft_depth_)) break;
      std::uint8_t& entry = lft_[LftIndex(window.bank, static_cast<int>(lid))];
      window.old[i] = entry;
      const std::size_t k = at + i;
      if (k >= 4 * entries.size()) continue;
      entry = static_cast<std::uint8_t>(entries[k / 4] >> (24 - 8 * (k % 4)));
    }
    windows_.push_back(window);
  }
}

}  // namespace lanecut::reference
