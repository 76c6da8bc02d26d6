// SPDX-License-Identifier: Apache-2.0
#include "sw/capture/link_file.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "sw/results/recorder.h"

namespace lanecut {
namespace {

// Files are opened for each piece of this size: a fabric has more links than a process may have
// files.
constexpr std::size_t kPieceBytes = 65'536;
constexpr std::size_t kWordBytes = 4;
constexpr std::size_t kCrcBytes = 2;  // of the last word; the rest is no part of the packet

bool IsStart(Ctrl ctrl) { return ctrl == Ctrl::kStartData || ctrl == Ctrl::kStartLink; }
bool IsEnd(Ctrl ctrl) { return ctrl == Ctrl::kGoodEnd || ctrl == Ctrl::kBadEnd; }

}  // namespace

LinkFile::LinkFile(std::filesystem::path file, std::uint64_t ns_per_cycle, CaptureWindow window)
    : file_(std::move(file)), ns_per_cycle_(ns_per_cycle), window_(window) {
  Write();
}

void LinkFile::OnWord(int direction, Cycle t, Word word) {
  Direction& way = directions_[static_cast<std::size_t>(direction)];
  if (way.entry != nullptr && (IsStart(word.ctrl) || t != way.next)) End(&way, false);
  if (IsStart(word.ctrl) && t >= window_.begin && t < window_.end) Start(direction, t, word.ctrl);
  if (way.entry == nullptr) return;
  Add(&way, word);
  way.next = t + 1;
  if (IsEnd(word.ctrl)) End(&way, word.ctrl == Ctrl::kGoodEnd);
}

void LinkFile::OnCut(int direction) {
  Direction& way = directions_[static_cast<std::size_t>(direction)];
  if (way.entry != nullptr) End(&way, false);
}

void LinkFile::Finish() {
  for (Direction& way : directions_) {
    if (way.entry != nullptr) End(&way, false);
  }
  Write();
}

void LinkFile::Start(int direction, Cycle t, Ctrl ctrl) {
  const ErfType type = ctrl == Ctrl::kStartLink ? ErfType::kInfinibandLink : ErfType::kInfiniband;
  entries_.push_back(
      {.record = {.type = type, .ns = t * ns_per_cycle_, .interface = direction}, .open = true});
  directions_[static_cast<std::size_t>(direction)].entry = &entries_.back();
}

void LinkFile::Add(Direction* direction, Word word) {
  const std::size_t bytes = IsEnd(word.ctrl) ? kCrcBytes : kWordBytes;
  for (std::size_t i = 0; i < bytes; ++i) {
    direction->entry->record.bytes.push_back(static_cast<char>(word.data >> (24 - 8 * i) & 0xFF));
  }
}

// The deque does not move its entries.
void LinkFile::End(Direction* direction, bool good) {
  direction->entry->record.rx_error = !good;
  direction->entry->open = false;
  direction->entry = nullptr;
  for (; !entries_.empty() && !entries_.front().open; entries_.pop_front()) {
    AppendErf(entries_.front().record, &encoded_);
  }
  if (encoded_.size() >= kPieceBytes) Write();
}

void LinkFile::Write() {
  std::ofstream stream(file_, std::ios::binary | std::ios::app);
  stream << encoded_;
  stream.close();
  if (!stream) throw ResultsError(fmt::format("{}: cannot be written", file_.string()));
  encoded_.clear();
}

}  // namespace lanecut
