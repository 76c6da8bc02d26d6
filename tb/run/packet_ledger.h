// SPDX-License-Identifier: Apache-2.0
//
// Follows every data packet from its source to its end, from what the end nodes and the checker
// report, and passes it on to the recorder. A packet that ends twice, or was never sent, is a
// failure; so is one that overtakes its flow.
//
// With the end-to-end protocol these are copies, acknowledgements among them: sent = delivered +
// dropped + in the network holds for copies, and one that the protocol discards counts as
// delivered. Messages are followed apart: each must be handed on once, in the order of its flow.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "models/hca/hca_observer.h"
#include "sw/results/recorder.h"
#include "sw/topology/topology.h"
#include "sw/wire/packet.h"
#include "tb/run/failure.h"
#include "tb/run/message_ledger.h"
#include "tb/run/path_records.h"

namespace lanecut {

class PacketLedger : public HcaObserver {
 public:
  // Pointers are kept. Nothing is recorded before SetRecorder.
  PacketLedger(const Topology* topology, const PathRecords* paths, Failure* failure);
  void SetRecorder(Recorder* recorder) { recorder_ = recorder; }
  // Packets of a flow may overtake one another while routing functions change.
  void AllowReordering() { keeps_order_ = false; }
  // The end nodes have the end-to-end protocol.
  void FollowMessages() { reliable_ = true; }

  // Lost in the network, and where; told by the checker, or found at the end. A packet that its
  // source reports as cut short is lost by that: what becomes of its torso does not count.
  void Dropped(std::uint64_t id, DropReason reason, const std::string& where, Cycle t);
  // A channel gate has held it for so many cycles.
  void Held(std::uint64_t id, Cycle cycles);

  std::uint64_t sent() const { return sent_; }
  std::uint64_t delivered() const { return delivered_; }
  // Of these, data that was of use: no acknowledgement, and not discarded.
  std::uint64_t taken() const { return taken_; }
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t in_network() const { return in_network_.size(); }

  struct Sent {
    std::uint64_t id = 0;
    Cycle cycle = 0;
  };
  // The packet that has been in the network for longest.
  std::optional<Sent> FindOldest();
  // All that are in the network, in the order in which they were sent.
  std::vector<Sent> InNetwork() const;
  // Messages that were sent and not handed on.
  std::uint64_t open_messages() const { return messages_.open(); }
  // Takes a packet's source from its id.
  std::string Describe(std::uint64_t id) const;

  // `action` runs when that many packets have been taken.
  void CallAtTaken(std::uint64_t count, std::function<void()> action);

  // Sees every packet that is delivered, before it is accounted for.
  using DeliveryHook = std::function<void(int hca, const HcaPacket& packet)>;
  void SetDeliveryHook(DeliveryHook hook) { delivery_hook_ = std::move(hook); }

  void OnGenerated(int hca, const HcaPacket& packet) override;
  void OnSourceDrop(int hca, const HcaPacket& packet, DropReason reason, Cycle t) override;
  void OnInjected(int hca, const HcaPacket& packet) override;
  void OnReaddressed(int hca, std::uint64_t id, std::uint8_t sl) override;
  void OnCutShort(int hca, const HcaPacket& packet, Cycle t) override;
  void OnDelivered(int hca, const HcaPacket& packet) override;
  void OnReceiveDrop(int, std::uint64_t, DropReason, Cycle) override {}
  void OnOrderError(int hca, const HcaPacket& packet) override;
  void OnMessage(int hca, const HcaMessage& message, Cycle t) override;

 private:
  void End(std::uint64_t id, const char* how);

  const Topology* topology_;
  const PathRecords* paths_;
  Failure* failure_;
  Recorder* recorder_ = nullptr;
  bool reliable_ = false;
  bool keeps_order_ = true;
  std::uint64_t sent_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t dropped_ = 0;
  struct Travel {
    Cycle injected = 0;
    Cycle held = 0;  // by channel gates
  };
  std::unordered_map<std::uint64_t, Travel> in_network_;
  std::unordered_set<std::uint64_t> cut_short_;
  MessageLedger messages_;
  std::deque<Sent> by_age_;  // those that have ended are taken away when they come to the front
  DeliveryHook delivery_hook_;
  std::uint64_t call_at_ = 0;
  std::function<void()> call_;
};

}  // namespace lanecut
