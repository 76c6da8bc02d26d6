// SPDX-License-Identifier: Apache-2.0
//
// The one clock of a fabric, as a SystemC module: cycle t takes place at simulated time t x period.
//
// In each cycle the agenda runs first, then every node that listens to `edge()` in any order (lanes
// take at least one cycle, so the order cannot matter). While no node is awake and no word is under
// way, the clock goes straight to the next tick or entry of the agenda: no node would change. Each
// node has an `AwakeState`.
#pragma once

#include <memory>
#include <systemc>

#include "models/hca/hca.h"
#include "sw/wire/word.h"
#include "tb/fabric/agenda.h"

namespace lanecut {

class FabricClock : public sc_core::sc_module {
 public:
  FabricClock(const sc_core::sc_module_name& name, std::uint64_t ns_per_cycle, int num_nodes);

  // The cycle being simulated; between two calls of RunUntil the one that comes next.
  Cycle now() const { return now_; }
  // The slow time base of switches and end nodes.
  bool tick() const { return now_ % kTickCycles == 0; }
  const sc_core::sc_event& edge() const { return edge_; }
  Agenda& agenda() { return agenda_; }

  // Simulates the cycles from now() to end - 1, or fewer if Stop() is called; then the cycle it was
  // called in is complete.
  void RunUntil(Cycle end);
  void Stop() { sc_core::sc_pause(); }

  void Wake() { ++awake_; }
  void Sleep() { --awake_; }
  // Number of words under way to a node; lanes keep it.
  int* Activity(int node) { return &activity_[node]; }

  bool WordsUnderWay() const;

  // Cycles in which the nodes were clocked: the rest was skipped.
  Cycle clocked_cycles() const { return clocked_; }

 private:
  void Edge();
  void Proceed(Cycle next);

  sc_core::sc_event edge_;
  sc_core::sc_time period_;
  Agenda agenda_;
  Cycle now_ = 0;
  Cycle upcoming_ = 0;
  Cycle end_ = 0;
  Cycle clocked_ = 0;
  int awake_ = 0;
  int num_nodes_;
  std::unique_ptr<int[]> activity_;
};

// Whether one node is awake, counted by the clock; awake at first.
class AwakeState {
 public:
  explicit AwakeState(FabricClock* clock) : clock_(clock) { clock_->Wake(); }

  explicit operator bool() const { return awake_; }
  void Set(bool awake) {
    if (awake == awake_) return;
    awake_ = awake;
    awake ? clock_->Wake() : clock_->Sleep();
  }

 private:
  FabricClock* clock_;
  bool awake_ = true;
};

}  // namespace lanecut
