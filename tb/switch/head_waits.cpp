// SPDX-License-Identifier: Apache-2.0
#include "tb/switch/head_waits.h"

#include <span>
#include <utility>

#include "sw/wire/packet.h"

namespace lanecut {
namespace {

constexpr Cycle kAcceptance = 3;  // cycles from the first word on the pins to the trace port

int VlOf(std::uint32_t first_word) { return static_cast<int>(first_word >> 28); }

}  // namespace

HeadWaits::HeadWaits(int ports, int vls, Report report)
    : vls_(vls),
      report_(std::move(report)),
      arriving_(static_cast<std::size_t>(ports)),
      waiting_(static_cast<std::size_t>(ports * vls)) {}

void HeadWaits::OnWord(int port, Cycle t, Word word) {
  Arriving& arriving = arriving_[static_cast<std::size_t>(port)];
  if (word.ctrl == Ctrl::kStartData) {
    const int vl_before = VlOf(arriving.first[0]);
    arriving = {};
    arriving.start = t;
    arriving.vl_before = vl_before;
  }
  if (arriving.words >= kIdWords) return;
  if (word.ctrl != Ctrl::kStartData && (arriving.words == 0 || word.ctrl == Ctrl::kStartLink ||
                                        t != arriving.start + arriving.words)) {
    arriving.words = kIdWords;  // it has been cut short
    return;
  }
  arriving.first[arriving.words++] = word.data;
  if (arriving.words == kIdWords) Identify(arriving);
}

void HeadWaits::Identify(Arriving& arriving) {
  if (arriving.channel < 0) return;
  const std::uint64_t id = PacketIdOf(std::span(arriving.first));
  if (!arriving.has_left) {
    waiting_[static_cast<std::size_t>(arriving.channel)].back().id = id;
  } else if (arriving.held > 0) {
    report_(id, arriving.held);
  }
}

void HeadWaits::OnAccepted(int port, Cycle t) {
  Arriving& arriving = arriving_[static_cast<std::size_t>(port)];
  const bool is_last = arriving.start + kAcceptance == t;
  const int vl = is_last ? VlOf(arriving.first[0]) : arriving.vl_before;
  const int channel = port * vls_ + vl;
  waiting_[static_cast<std::size_t>(channel)].emplace_back();
  if (is_last) arriving.channel = channel;
}

void HeadWaits::OnHeld(int channel) {
  auto& waiting = waiting_[static_cast<std::size_t>(channel)];
  if (!waiting.empty()) ++waiting.front().held;
}

void HeadWaits::OnTaken(int channel) {
  auto& waiting = waiting_[static_cast<std::size_t>(channel)];
  if (waiting.empty()) return;
  const Waiting head = waiting.front();
  waiting.pop_front();
  Arriving& arriving = arriving_[static_cast<std::size_t>(channel / vls_)];
  if (waiting.empty() && arriving.channel == channel && !arriving.has_left) {
    arriving.has_left = true;
    arriving.held = head.held;
  }
  if (head.id != 0 && head.held > 0) report_(head.id, head.held);
}

}  // namespace lanecut
