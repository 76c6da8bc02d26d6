// SPDX-License-Identifier: Apache-2.0
#include "models/reference/packet_pool.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/wire/packet.h"

namespace lanecut::reference {

void Prediction::Add(Route route) {
  if (std::find(routes.begin(), routes.begin() + count, route) != routes.begin() + count) return;
  if (count < kMax) routes[count++] = route;
}

bool Prediction::Allows(int port, int lane) const {
  for (int i = 0; i < count; ++i) {
    const Route& r = routes[i];
    if (r.drop == DropReason::kNone && r.port == port && r.lane == lane) return true;
  }
  return false;
}

bool Prediction::AllowsDrop(DropReason reason) const {
  for (int i = 0; i < count; ++i) {
    if (routes[i].drop == reason) return true;
  }
  return false;
}

bool Prediction::AllowsNumber(int port, int lane, std::uint8_t number) const {
  for (int i = 0; i < count; ++i) {
    const Route& r = routes[i];
    if (r.drop == DropReason::kNone && r.port == port && r.lane == lane && r.number == number) {
      return true;
    }
  }
  return false;
}

PacketIndex PacketPool::Make() {
  PacketIndex index;
  if (free_.empty()) {
    index = made_++;
    if (index % kSlab == 0) slabs_.push_back(std::make_unique<HopPacket[]>(kSlab));
  } else {
    index = free_.back();
    free_.pop_back();
    (*this)[index] = HopPacket{};
  }
  (*this)[index].holds = 1;
  return index;
}

void PacketPool::Free(PacketIndex i) {
  HopPacket& p = (*this)[i];
  if (p.chunk != kNoPacket) free_chunks_.push_back(p.chunk);
  p.chunk = kNoPacket;
  free_.push_back(i);
}

void PacketPool::SetLongWord(HopPacket& p, int index, std::uint32_t word) {
  if (p.chunk == kNoPacket) {
    if (free_chunks_.empty()) {
      p.chunk = static_cast<std::uint32_t>(chunks_.size());
      chunks_.emplace_back();
    } else {
      p.chunk = free_chunks_.back();
      free_chunks_.pop_back();
    }
  }
  std::vector<std::uint32_t>& chunk = chunks_[p.chunk];
  const std::size_t at = static_cast<std::size_t>(index - kInlineWords);
  if (chunk.size() <= at) chunk.resize(std::max<std::size_t>(64, 2 * at));
  chunk[at] = word;
}

std::vector<std::uint32_t> PacketPool::Words(const HopPacket& p, int first, int last) const {
  std::vector<std::uint32_t> words;
  words.reserve(static_cast<std::size_t>(last - first));
  for (int i = first; i < last; ++i) words.push_back(WordAt(p, i));
  return words;
}

std::string Describe(const PacketPool& pool, const HopPacket& p) {
  const int known = std::max<int>(p.put_words, p.got_words);
  if (known < 2) return "packet of unknown identity";
  if (p.words[0] >> 28 == 15) {
    if (known < 12) return "SMP, cut in its header";
    const std::uint64_t tid = std::uint64_t{pool.WordAt(p, 9)} << 32 | pool.WordAt(p, 10);
    const std::uint32_t hops = pool.WordAt(p, 8);
    return fmt::format("SMP TID 0x{:x} attribute 0x{:04x} method 0x{:02x} hop {}/{}", tid,
                       pool.WordAt(p, 11) >> 16, pool.WordAt(p, 7) & 0xFF, (hops >> 8) & 0xFF,
                       hops & 0xFF);
  }
  const std::string lids = fmt::format("LID {} -> {}, SL {}", p.words[1] & 0xFFFF,
                                       p.words[0] & 0xFFFF, (p.words[0] >> 20) & 0xF);
  if (known < kIdentityWords) return fmt::format("packet ({})", lids);
  const bool ack = p.words[2] >> 24 == kOpcodeRcAcknowledge;
  return fmt::format("{}0x{:x} ({})", ack ? "ACK " : "", PacketIdOf(p.words), lids);
}

}  // namespace lanecut::reference
