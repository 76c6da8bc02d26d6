// SPDX-License-Identifier: Apache-2.0
#include "tb/run/stall_detector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace lanecut {
namespace {

constexpr Cycle kStarvationFactor = 20;
constexpr std::size_t kMostNamed = 8;

}  // namespace

StallDetector::StallDetector(const Fabric* fabric, PacketLedger* ledger,
                             const ReferenceModel* reference, Cycle stall_cycles, Failure* failure)
    : fabric_(fabric),
      ledger_(ledger),
      reference_(reference),
      stall_cycles_(stall_cycles),
      failure_(failure) {}

void StallDetector::Look(Cycle now) {
  const FabricTraffic traffic = fabric_->traffic();
  const std::uint64_t moves = traffic.packet_starts + traffic.delivered;
  if (moves != moves_ || !fabric_->PacketsWait()) {
    moves_ = moves;
    last_move_ = now;
  } else if (now - last_move_ >= stall_cycles_) {
    failure_->Set("stall",
                  fmt::format("cycle {}: nothing has moved for {} cycles while packets wait: {}",
                              now, now - last_move_, WhoWaits()),
                  "--around stall");
  }
  if (reference_ != nullptr) LookForStarvation(now);
}

void StallDetector::LookForStarvation(Cycle now) {
  const auto oldest = ledger_->FindOldest();
  if (!oldest || now < oldest->cycle + kStarvationFactor * stall_cycles_) return;
  failure_->Set("starvation",
                fmt::format("cycle {}: {} has been in the network since cycle {}: {}", now,
                            ledger_->Describe(oldest->id), oldest->cycle, WhoWaits()),
                fmt::format("--around packet:{:#x}", oldest->id));
}

std::string StallDetector::WhoWaits() const {
  if (reference_ == nullptr) {
    return fmt::format("{} packets in the network (run with checks to see where)",
                       ledger_->in_network());
  }
  const std::vector<std::string> cycle = reference_->WaitingCycle();
  if (!cycle.empty()) {
    return fmt::format("a cycle of {} channels: {}", cycle.size(), fmt::join(cycle, " -> "));
  }
  std::vector<std::string> channels;
  for (const WaitingChannel& channel : reference_->Waiting()) {
    if (channels.size() < kMostNamed) channels.push_back(channel.text);
  }
  return channels.empty() ? "no queue with a head packet is known"
                          : fmt::format("{}", fmt::join(channels, "; "));
}

}  // namespace lanecut
