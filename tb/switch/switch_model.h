// SPDX-License-Identifier: Apache-2.0
//
// One verilated switch behind an interface that is the same for every kind (number of ports and
// VLs).
//
// Port p (1..ports) is word p-1 of the data arrays and bits 3(p-1)+2 .. 3(p-1) of the packed
// control codes, as on the RTL's pins. The caller sets the inputs that the switch shall sample at
// the end of cycle t and calls `ClockEdge()`; afterwards the outputs are the pin values of cycle
// t+1. Nothing is evaluated between two calls, so a call may be left out when the switch has said
// `idle` and its inputs have not changed since.
#pragma once

#include <cstdint>
#include <string>

#include "models/reference/reference_model.h"
#include "sw/wire/word.h"

namespace lanecut {

inline constexpr int kResetCycles = 4;  // clock edges with the pin reset, before anything else

// What selects a verilated class.
struct SwitchKind {
  int ports = 6;             // external ports
  int vls = 2;               // data VLs
  int buf_blocks = 16;       // 64-byte blocks of buffer per data VL, at inputs and at outputs
  int route_cycles = 6;      // header latency
  int lids = 256;            // entries of the forwarding table
  bool schemes = false;      // EBR, OSR, Double Scheme, compact packets
  bool lifetime = false;     // HOQLife and LifeTimeValue
  bool ebr_literal = false;  // see SwitchShape; in test programs only
  friend bool operator==(const SwitchKind&, const SwitchKind&) = default;
};

// The pins. Data arrays point into the verilated instance; narrow pins are copied at the clock
// edge.
struct SwitchPins {
  // Inputs.
  std::uint32_t* rx_data = nullptr;  // [ports]
  std::uint64_t rx_ctrl = 0;
  std::uint32_t phy_up = 0;
  bool tick = false;
  bool reset = false;
  // Outputs.
  const std::uint32_t* tx_data = nullptr;  // [ports]
  std::uint64_t tx_ctrl = 0;
  bool idle = false;
  bool error = false;
  std::uint32_t phy_enable = ~0u;  // by port, as phy_up
  // Trace port; a bit per port, or per (port, lane) at (p-1)*(vls+1)+lane; reasons are four bits
  // each in the same order.
  bool traced = false;  // any of the three below it is not zero
  bool moved = false;   // the levels of State() are not those of one clock edge before
  std::uint32_t rx_drop = 0;
  std::uint64_t in_drop = 0;
  std::uint64_t out_drop = 0;
  std::uint64_t out_expired = 0;  // of these, by HOQLife
  std::uint64_t out_old = 0;      // ... by LifeTimeValue
  // With schemes: a bit per port, or per channel at (p-1)*vls+vl.
  std::uint32_t accepted = 0;  // it has accepted the data packet that began three cycles ago
  std::uint64_t taken = 0;     // the head of the input queue has left it
  std::uint64_t held = 0;      // ... could ask for its output, but the channel gate holds it
};

class SwitchModel {
 public:
  virtual ~SwitchModel() = default;

  virtual const SwitchKind& kind() const = 0;
  // Sets the straps; to be called before the first clock edge. `name` is cut at 16 characters;
  // `four_lanes`: a cycle is 4 ns (4X SDR), else 16 ns (1X SDR).
  virtual void SetStraps(std::uint64_t guid, const std::string& name, bool four_lanes) = 0;
  // One positive clock edge.
  virtual void ClockEdge() = 0;
  // Reasons on the trace port (a `DropReason` value); valid while the drop bit with the same index
  // is set.
  virtual int RxDropReason(int index) const = 0;
  virtual int InDropReason(int index) const = 0;
  // What the drop test of EBR has seen, of the input whose drop bit has that index; as above.
  virtual EpochNumbers InDropNumbers(int index) const = 0;
  // Where the switch stands in a change of routing functions; all zero without schemes.
  virtual SwitchState State() const = 0;

  SwitchPins pins;
};

}  // namespace lanecut
