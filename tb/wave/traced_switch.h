// SPDX-License-Identifier: Apache-2.0
//
// A second instance of a switch, verilated so that it can write waves. It does not take part in the
// fabric: it is given what the switch that does is given, cycle by cycle, and so is in the same
// state.
//
// Beside its raw signals it shows what stands in its queues (tb/wave/wave_view.sv). Queue (port,
// lane) has index (port - 1) * (vls + 1) + lane; VL15's lane is the last.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/switch/switch_model.h"

class VerilatedFstC;

namespace lanecut {

// What a queue does in one cycle; it takes effect at the clock edge that ends the cycle.
struct QueueSignals {
  bool write = false;      // `word` is written
  bool start = false;      // ... and begins a packet
  std::uint32_t word = 0;  // as queued: the VL in it is that of the link before
  bool head = false;       // a packet waits whose reading has not begun
  bool take = false;       // its reading begins in the next cycle
  bool pop = false;        // a word of the packet being read leaves
  bool end = false;        // ... the last one, if `pop`
  bool drop = false;       // the packet that is taken, or read, goes nowhere
};

struct InputSignals : QueueSignals {
  bool request = false;  // the head asks for crossbar output `out`
  int out = 0;           // an output queue, or beyond them: the management agent
  bool hold = false;     // the channel gate holds the head,
  bool lookup = false;   // ... because it is to be looked up again
  bool lost = false;     // ... because its port is not Active (EBR)
};

struct OutputSignals : QueueSignals {
  bool ready = false;   // the head has credits, or needs none
  int free = 0;         // blocks
  int credits = 0;      // blocks; those of VL15 mean nothing
  bool busy = false;    // the crossbar brings it a packet from crossbar input `from`
  bool last = false;    // ... the last word of it, if `busy`
  int from = 0;         // an input queue, or beyond them: the management agent
  bool chosen = false;  // the head of crossbar input `next` waits for room
  int next = 0;
  bool grant = false;  // a packet is granted, to cross from the next cycle on
};

enum class SwitchScheme : std::uint8_t { kNone, kEbr, kOsr, kDouble };

struct SwitchSignals {
  std::vector<InputSignals> inputs;    // by queue
  std::vector<OutputSignals> outputs;  // by queue
  SwitchScheme scheme = SwitchScheme::kNone;
};

class TracedSwitch {
 public:
  virtual ~TracedSwitch() = default;

  virtual const SwitchKind& kind() const = 0;
  // As of SwitchModel.
  virtual void SetStraps(std::uint64_t guid, const std::string& name, bool four_lanes) = 0;
  // Clocks it, which ends the cycle before, and settles it in the next one with these inputs; the
  // outputs of `pins` are not used.
  virtual void Step(const SwitchPins& pins) = 0;
  // The same with idle links and no tick.
  virtual void StepIdle() = 0;
  // Are these the outputs of the cycle in which it stands?
  virtual bool HasOutputs(const SwitchPins& pins) const = 0;
  // Of that cycle.
  virtual const SwitchSignals& Look() = 0;
  // Its raw signals become part of a file that is not open yet.
  virtual void AddTo(VerilatedFstC* file) = 0;
};

}  // namespace lanecut
