// SPDX-License-Identifier: Apache-2.0
#include "tb/run/capture.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanecut {
namespace {

// Netlists may call a node anything.
bool IsPlain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-' || c == '.';
}

}  // namespace

std::string CaptureFileName(const Topology& topology, int cable) {
  const Cable& ends = topology.cables()[static_cast<std::size_t>(cable)];
  std::string name = fmt::format("link{}.{}-{}.{}-{}.erf", cable, topology.node(ends.a.node).name,
                                 ends.a.port, topology.node(ends.b.node).name, ends.b.port);
  std::ranges::replace_if(
      name, [](char c) { return !IsPlain(c); }, '_');
  return name;
}

Capture::Capture(const CaptureOptions& options, const std::filesystem::path& folder,
                 std::uint64_t ns_per_cycle, Fabric* fabric, LinkObserver* other)
    : other_(other) {
  for (const int cable : options.cables) {
    files_.try_emplace(cable, folder / CaptureFileName(fabric->topology(), cable), ns_per_cycle,
                       options.window);
    fabric->SetLinkObserver(cable, this);
  }
}

void Capture::Finish() {
  for (auto& [cable, file] : files_) file.Finish();
}

void Capture::OnPut(const Lane& lane, Cycle t, Word word) {
  if (other_ != nullptr) other_->OnPut(lane, t, word);
}

void Capture::OnGet(const Lane& lane, Cycle t, Word word) {
  FileOf(lane).OnWord(lane.id() % 2, t, word);
  if (other_ != nullptr) other_->OnGet(lane, t, word);
}

void Capture::OnCut(const Lane& lane, Cycle t) {
  FileOf(lane).OnCut(lane.id() % 2);
  if (other_ != nullptr) other_->OnCut(lane, t);
}

void Capture::OnRestore(const Lane& lane, Cycle t) {
  if (other_ != nullptr) other_->OnRestore(lane, t);
}

void Capture::OnLost(const Lane& lane, Cycle t, Word word) {
  if (other_ != nullptr) other_->OnLost(lane, t, word);
}

}  // namespace lanecut
