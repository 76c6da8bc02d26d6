// SPDX-License-Identifier: Apache-2.0
//
// The reference model: follows every packet through the fabric from what is seen on the links and
// on the switches' trace ports, predicts output port, VL and fate at each hop from its header and
// from the tables that the packet's switch has been sent, and stops at the first difference. It
// shares no code with the RTL, with its management agent or with the host's MAD library; headers
// and CRCs come from sw/wire.
//
// Use: add the nodes and the lanes (one per direction of a cable), then report every event below in
// the order of its cycle. Within a cycle the order is free, but that trace pulses of a cycle follow
// its arrivals (OnGet). Idle words need not be reported. Times are cycles; a value on a node's pins
// in cycle t is put in cycle t, and arrives (OnGet) in cycle t + fly.
//
// Errors: nothing throws. The first mismatch is kept, every later event is ignored, and `failed()`
// turns true: the run loop looks once per cycle.
//
// Cost: flat arrays; a body word is an index, a compare and a CRC step. Nothing is allocated per
// word.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/reference/mismatch.h"
#include "sw/wire/drop_reason.h"
#include "sw/wire/word.h"

namespace lanecut {

// Parameters of a switch; equal to those of the RTL instance.
struct SwitchShape {
  int ports = 6;          // external ports 1..ports
  int vls = 2;            // data VLs
  int buf_blocks = 16;    // blocks per data VL, at inputs and at outputs
  int vl15_blocks = 32;   // blocks of VL15 at inputs
  int lft_depth = 256;    // LIDs 0..lft_depth-1 are in the table
  int route_cycles = 6;   // least number of cycles from header in to header out
  bool lifetime = false;  // packets are discarded by HOQLife and by LifeTimeValue
  Cycle life_unit = 256;  // cycles in the unit of both, 4.096 us
  // EBR: packets leave with the number that the switch has when it sends them on, not with that of
  // the function that routed them.
  bool ebr_literal = false;
};

// Parameters of an end node's port.
struct EndNodeShape {
  int vls = 2;
  int buf_blocks = 16;
};

// Levels of a switch's trace port: the routing function in force and how far the change to the next
// one is, under OSR and under Double Scheme. Channel (port - 1) * vls + vl.
struct SwitchState {
  static constexpr std::size_t kChannels = 256;

  std::uint8_t epoch = 0;       // number of the active bank
  bool change = false;          // a change is under way
  std::bitset<kChannels> done;  // input channels that have passed their token
  std::bitset<kChannels> sent;  // output channels that have sent theirs
  bool draining = false;        // old packets go to VL0
  bool vl_idle = false;         // ... and the other VLs have none
  bool restricted = false;      // packets go to VL1, but for
  std::bitset<kChannels> open;  // ports whose VL0 is open again: bit port - 1
  friend bool operator==(const SwitchState&, const SwitchState&) = default;
};

// What the drop test of EBR has seen at the head of an input queue: the numbers of the function
// that sent the packet there (E_PCK), of the one that routed it (E_RTD), of the switch's own
// (E_SCHD).
struct EpochNumbers {
  std::uint8_t packet = 0;
  std::uint8_t routed = 0;
  std::uint8_t now = 0;
  friend bool operator==(const EpochNumbers&, const EpochNumbers&) = default;
};

// Where an end node under Double Scheme stands in the change to function `number`, or after it.
struct EndNodeState {
  std::uint8_t number = 0;  // of what it injects
  bool draining = false;
  bool vl_idle = false;
  bool restricted = false;
  friend bool operator==(const EndNodeState&, const EndNodeState&) = default;
};

// What became of all copies so far. Data and management packets are counted apart.
struct CopyCounts {
  std::uint64_t sent = 0;  // entered a link at an end node, or were made by a switch's agent
  std::uint64_t delivered =
      0;  // reached an end node whole and good, or were taken by a switch's agent
  std::array<std::uint64_t, kDropReasons>
      dropped{};                // by `DropReason`, in the network and at end nodes
  std::uint64_t in_flight = 0;  // on a link or in a switch

  std::uint64_t Dropped() const;
  bool Balanced() const { return sent == delivered + Dropped() + in_flight; }
};

struct Accounts {
  CopyCounts data;
  CopyCounts management;
  std::uint64_t generated = 0;       // data packets offered by the traffic source
  std::uint64_t source_dropped = 0;  // ... that found the source queue full
};

// A queue whose head packet waits, for the stall detector.
struct WaitingChannel {
  enum class Kind : std::uint8_t { kInput, kOutput, kSource };
  Kind kind = Kind::kInput;  // input queue, output queue, or source queue of an end node
  int node = -1;
  int port = 0;
  int vl = 0;
  int packets = 0;   // packets in the queue
  std::string head;  // the head packet
  int waits_for =
      -1;  // index of the channel it waits for in the same vector; -1: of none that is listed
  std::optional<EpochNumbers> numbers;  // under EBR, at an input of a switch: of the head
  std::string
      text;  // "input queue of S0_1 port 3 VL 0: 12 packets, head 0x17 (LID 4 -> 9) waits for ..."
};

class ReferenceModel {
 public:
  ReferenceModel();
  ~ReferenceModel();
  ReferenceModel(const ReferenceModel&) = delete;
  ReferenceModel& operator=(const ReferenceModel&) = delete;

  // --- Build. Nodes are numbered from 0 in the order of these calls, lanes likewise.
  int AddSwitch(const std::string& name, const SwitchShape& shape);
  int AddEndNode(const std::string& name, const EndNodeShape& shape);
  // One direction of a cable. Ports: 1..ports at switches, 1 at end nodes. The physical layer is up
  // from the start.
  int AddLane(int from_node, int from_port, int to_node, int to_port, Cycle fly);

  // --- Links.
  void OnPut(int lane, Cycle t, Word word);
  void OnGet(int lane, Cycle t, Word word);
  // Both directions of a cable are cut or restored in the same cycle; called once per lane.
  void OnCut(int lane, Cycle t);
  void OnRestore(int lane, Cycle t);

  // --- Switch trace port, only when a bit is set. `vl` is the lane index (number of data VLs:
  // VL15).
  void OnRxDrop(int node, int port, DropReason reason, Cycle t);
  // An output drops its head for kPortInactive, kHoqLife or kLifeTime.
  // `numbers` is what the switch says of a drop by EBR, if it says anything.
  void OnInputDrop(int node, int port, int vl, DropReason reason, Cycle t,
                   const std::optional<EpochNumbers>& numbers = {});
  void OnOutputDrop(int node, int port, int vl, DropReason reason, Cycle t);

  // Levels of the trace port, in the first cycle `t` in which they differ from those reported last
  // (from all zero at first), no change left out. Under OSR and Double Scheme a switch must report,
  // as nothing else tells when it changes functions.
  void OnSwitchState(int node, const SwitchState& state, Cycle t);

  // --- End nodes, data packets only. Injection is seen on the lane.
  void OnGenerated(int node, std::uint64_t id, Cycle t);
  void OnSourceDrop(int node, std::uint64_t id,
                    Cycle t);  // the packet just generated found no room
  void OnCutShort(int node, std::uint64_t id,
                  Cycle t);  // the link went down while it was being sent
  void OnDelivered(int node, std::uint64_t id, Cycle t);  // the sink took it
  void OnGeneralPacket(int node, Cycle t);  // the sink took a general management packet
  void OnSinkDrop(int node, DropReason reason,
                  Cycle t);  // the receiver refused a packet: bad, misdelivered, ...

  // Told of each data packet that is lost in the network or refused at its end, once, as soon as it
  // is known which one it is: perhaps later than the drop. `node` is where, or where it was going.
  using DropHandler = std::function<void(std::uint64_t id, DropReason reason, int node)>;
  void SetDropHandler(DropHandler handler);

  // An end node stands there from now on: before the first word that it sends so. Only under Double
  // Scheme, when it changes; all zero at first.
  void OnEndNodeState(int node, const EndNodeState& state, Cycle t);

  // --- Result.
  bool failed() const;
  const Mismatch* mismatch() const;  // null while all is well
  Accounts accounts() const;

  // Checks that the copies add up and, when `drained`, that nothing is left anywhere: a packet that
  // is makes the mismatch.
  void Finish(Cycle t, bool drained);
  // Up to `limit` packets that are still somewhere, one line each.
  std::vector<std::string> Leftovers(int limit) const;

  // --- Stall detection. Exact when nothing has moved for a few thousand cycles (credits have been
  // told); else an estimate.
  std::vector<WaitingChannel> Waiting() const;
  // A cycle of channels that wait for each other, one line each with the head packets; empty: there
  // is none.
  std::vector<std::string> WaitingCycle() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lanecut
