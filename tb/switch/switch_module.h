// SPDX-License-Identifier: Apache-2.0
//
// A verilated switch as a SystemC module, between the lanes of its ports.
//
// In cycle t it takes the words that the lanes deliver in t, gives the RTL one clock edge, and puts
// what then stands on the output pins, the words of cycle t+1. With `skip_idle` a switch that calls
// itself idle sleeps until a word is under way to it, a cable changes or the tick comes; the
// results are the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/link/link.h"
#include "sw/wire/drop_reason.h"
#include "tb/fabric/fabric_clock.h"
#include "tb/switch/head_waits.h"
#include "tb/switch/packet_tap.h"
#include "tb/switch/switch_model.h"

namespace lanecut {

// Receives the trace port of switches. `lane` is the index of a VL's queue, VL15 last; cycles are
// those of the pulse.
class SwitchObserver {
 public:
  virtual ~SwitchObserver() = default;
  virtual void OnRxDrop(int node, int port, DropReason reason, Cycle t) = 0;
  // `numbers` if EBR dropped it.
  virtual void OnInputDrop(int node, int port, int lane, DropReason reason, Cycle t,
                           const std::optional<EpochNumbers>& numbers) = 0;
  virtual void OnOutputDrop(int node, int port, int lane, DropReason reason, Cycle t) = 0;
  // The levels of the trace port, from cycle `t` on; only of a switch with schemes, when they
  // change.
  virtual void OnSwitchState(int node, const SwitchState& state, Cycle t) = 0;
  // The switch's `error_o` has risen.
  virtual void OnSwitchError(int node, Cycle t) = 0;
  // The channel gate has held this data packet for so many cycles; see HeadWaits.
  virtual void OnHeld(int node, std::uint64_t id, Cycle cycles) = 0;
  // A management packet with a good end, LRH to the word with the VCRC: the cycle after its last
  // word was on the input pins, and that in which its first word is on the output pins.
  virtual void OnManagementIn(int node, std::span<const std::uint32_t> words, Cycle t) = 0;
  virtual void OnManagementOut(int node, std::span<const std::uint32_t> words, Cycle t) = 0;
};

// Sees the pins of switches: in each cycle `t` in which a switch gets a clock edge, before it, the
// inputs and outputs of that cycle. In the cycles between, inputs are idle and nothing changes.
class EdgeObserver {
 public:
  virtual ~EdgeObserver() = default;
  virtual void OnEdge(int node, const SwitchModel& model, Cycle t) = 0;
};

// Told when a manager has disabled or enabled a port, in the cycle before that in which the pin
// says so.
using PortEnableHandler = std::function<void(int node, int port, bool enabled)>;

class SwitchModule : public sc_core::sc_module {
 public:
  // `node` is the switch's number in the fabric, and that of its activity counter in the clock.
  SwitchModule(const sc_core::sc_module_name& name, FabricClock* clock, int node,
               std::unique_ptr<SwitchModel> model, bool skip_idle);

  // All cables must be connected before the first cycle.
  void Connect(int port, Lane* in, Lane* out);
  // The physical layer of a port, low until first set.
  void SetPhyUp(int port, bool up);
  // May be null.
  void SetObserver(SwitchObserver* observer) { observer_ = observer; }
  void SetEdgeObserver(EdgeObserver* observer) { edges_ = observer; }
  void SetPortEnableHandler(PortEnableHandler handler) { enable_handler_ = std::move(handler); }
  // Reports which packets the channel gate holds; only a switch with schemes, before the first
  // packet.
  void FollowHeads();

  // A packet is in the switch, arriving or being answered (or flow control is due).
  bool PacketsWait() const { return !model_->pins.idle; }
  std::uint64_t evaluations() const { return evaluations_; }
  // Packets begun on the outgoing links; of these, data.
  std::uint64_t packet_starts() const { return packet_starts_; }
  std::uint64_t data_packet_starts() const { return data_packet_starts_; }

 private:
  struct Port {
    Lane* in = nullptr;
    Lane* out = nullptr;
    PacketTap arriving;
    PacketTap leaving;
  };

  void Reset();
  void Edge();
  void Receive(Cycle t);
  void Send(Cycle t);
  void ReportTrace(Cycle t);
  void ReportHeads(Cycle t);
  void FollowEnables();

  FabricClock* clock_;
  AwakeState awake_;
  const int* activity_;
  std::unique_ptr<SwitchModel> model_;
  std::vector<Port> ports_;  // [port - 1]
  SwitchObserver* observer_ = nullptr;
  EdgeObserver* edges_ = nullptr;
  std::optional<HeadWaits> heads_;
  PortEnableHandler enable_handler_;
  std::uint32_t enabled_ = 0;  // ports, as last reported
  std::uint64_t evaluations_ = 0;
  std::uint64_t packet_starts_ = 0;
  std::uint64_t data_packet_starts_ = 0;
  int node_;
  bool skip_idle_;
  bool error_seen_ = false;
};

}  // namespace lanecut
