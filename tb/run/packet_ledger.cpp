// SPDX-License-Identifier: Apache-2.0
#include "tb/run/packet_ledger.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanecut {

PacketLedger::PacketLedger(const Topology* topology, const PathRecords* paths, Failure* failure)
    : topology_(topology), paths_(paths), failure_(failure) {}

void PacketLedger::Dropped(std::uint64_t id, DropReason reason, const std::string& where, Cycle t) {
  if (cut_short_.contains(id)) return;
  ++dropped_;
  End(id, "dropped");
  if (recorder_ != nullptr) recorder_->Dropped(id, t, reason, where);
}

void PacketLedger::Held(std::uint64_t id, Cycle cycles) {
  const auto packet = in_network_.find(id);
  if (packet != in_network_.end()) packet->second.held += cycles;
}

std::optional<PacketLedger::Sent> PacketLedger::FindOldest() {
  while (!by_age_.empty() && !in_network_.contains(by_age_.front().id)) by_age_.pop_front();
  if (by_age_.empty()) return std::nullopt;
  return by_age_.front();
}

std::vector<PacketLedger::Sent> PacketLedger::InNetwork() const {
  std::vector<Sent> all;
  for (const Sent& sent : by_age_) {
    if (in_network_.contains(sent.id)) all.push_back(sent);
  }
  return all;
}

std::string PacketLedger::Describe(std::uint64_t id) const {
  const std::size_t source = PacketSource(id);
  const auto& hcas = topology_->hcas();
  return fmt::format("packet {:#x} of {}", id,
                     source < hcas.size() ? topology_->node(hcas[source]).name : "nobody");
}

void PacketLedger::CallAtTaken(std::uint64_t count, std::function<void()> action) {
  call_at_ = count;
  call_ = std::move(action);
}

void PacketLedger::OnGenerated(int hca, const HcaPacket& packet) {
  if (recorder_ == nullptr) return;
  PacketInfo info;
  info.id = packet.id;
  info.source = static_cast<std::uint32_t>(hca);
  info.destination = static_cast<std::uint32_t>(std::max(0, paths_->EndNodeOf(packet.dlid)));
  info.sl = packet.sl;
  info.bytes = packet.wire_bytes;
  info.words = (packet.wire_bytes + 3) / 4;
  info.kind = packet.kind;
  recorder_->Generated(info, packet.generated);
}

void PacketLedger::OnSourceDrop(int, const HcaPacket& packet, DropReason reason, Cycle t) {
  if (recorder_ != nullptr) recorder_->Refused(packet.id, t, reason);
}

void PacketLedger::OnInjected(int hca, const HcaPacket& packet) {
  ++sent_;
  in_network_.emplace(packet.id, Travel{packet.injected});
  by_age_.push_back({packet.id, packet.injected});
  if (reliable_ && packet.kind == PacketKind::kData)
    messages_.Sent(hca, paths_->EndNodeOf(packet.dlid), packet.generated);
  if (recorder_ == nullptr) return;
  recorder_->Injected(packet.id, packet.injected);
  recorder_->InjectedOn(packet.vl, packet.wire_bytes, packet.injected);
}

void PacketLedger::OnReaddressed(int, std::uint64_t id, std::uint8_t sl) {
  if (recorder_ != nullptr) recorder_->Readdressed(id, sl);
}

void PacketLedger::OnCutShort(int hca, const HcaPacket& packet, Cycle t) {
  Dropped(packet.id, DropReason::kLinkCut, topology_->node(topology_->hcas()[hca]).name, t);
  cut_short_.insert(packet.id);
}

void PacketLedger::OnDelivered(int hca, const HcaPacket& packet) {
  if (delivery_hook_) delivery_hook_(hca, packet);
  ++delivered_;
  const auto travel = in_network_.find(packet.id);
  const Cycle held = travel == in_network_.end() ? 0 : travel->second.held;
  End(packet.id, "delivered");
  if (recorder_ != nullptr) {
    recorder_->Delivered(packet.id, packet.tail + 1, packet.discarded, held);
    recorder_->DeliveredOn(packet.vl, packet.wire_bytes, packet.tail + 1);
  }
  if (packet.kind != PacketKind::kAck && !packet.discarded) ++taken_;
  if (call_ && taken_ >= call_at_) {
    const auto action = std::exchange(call_, nullptr);
    action();
  }
}

void PacketLedger::OnOrderError(int hca, const HcaPacket& packet) {
  if (recorder_ != nullptr) recorder_->Reordered();
  if (!keeps_order_) return;
  failure_->Set("order",
                fmt::format("cycle {}: {} reached {} after a younger one of its flow", packet.tail,
                            Describe(packet.id), topology_->node(topology_->hcas()[hca]).name));
}

void PacketLedger::OnMessage(int hca, const HcaMessage& message, Cycle t) {
  const auto expected = messages_.HandedOn(hca, paths_->EndNodeOf(message.dlid), message);
  if (expected) {
    failure_->Set("messages",
                  fmt::format("cycle {}: {} has handed on message {} of {}, generated in cycle {}; "
                              "expected {}",
                              t, topology_->node(topology_->hcas()[hca]).name, message.number,
                              topology_->node(topology_->hcas()[message.source]).name,
                              message.generated, *expected));
  }
  if (recorder_ != nullptr) recorder_->MessageDelivered();
}

void PacketLedger::End(std::uint64_t id, const char* how) {
  if (in_network_.erase(id) == 1) return;
  failure_->Set(
      "accounting",
      fmt::format("{} was {} but is not in the network: twice, or never sent", Describe(id), how));
}

}  // namespace lanecut
