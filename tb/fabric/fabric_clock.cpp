// SPDX-License-Identifier: Apache-2.0
#include "tb/fabric/fabric_clock.h"

#include <algorithm>

namespace lanecut {

FabricClock::FabricClock(const sc_core::sc_module_name& name, std::uint64_t ns_per_cycle,
                         int num_nodes)
    : sc_module(name),
      edge_("edge"),
      period_(static_cast<double>(ns_per_cycle), sc_core::SC_NS),
      num_nodes_(num_nodes),
      activity_(std::make_unique<int[]>(num_nodes)) {
  SC_HAS_PROCESS(FabricClock);
  SC_METHOD(Edge);
}

void FabricClock::RunUntil(Cycle end) {
  if (end <= now_) return;
  end_ = end;
  sc_core::sc_start();  // until somebody pauses
  now_ = upcoming_;
}

void FabricClock::Edge() {
  now_ = upcoming_;
  agenda_.RunDue(now_);
  if (awake_ == 0 && !tick() && !WordsUnderWay()) {
    const Cycle next_tick = (now_ / kTickCycles + 1) * kTickCycles;
    Proceed(std::max(now_ + 1, std::min({agenda_.next(), next_tick, end_})));
  } else {
    ++clocked_;
    edge_.notify();  // at once: the nodes run in this same evaluation phase
    Proceed(now_ + 1);
  }
}

bool FabricClock::WordsUnderWay() const {
  return std::any_of(activity_.get(), activity_.get() + num_nodes_, [](int n) { return n != 0; });
}

void FabricClock::Proceed(Cycle next) {
  next_trigger(period_ * static_cast<double>(next - now_));
  upcoming_ = next;
  if (next >= end_) sc_core::sc_pause();
}

}  // namespace lanecut

// libsystemc refers to it; the programs here have a main() of their own and enter by sc_start().
int sc_main(int, char**) { return 0; }
