// SPDX-License-Identifier: Apache-2.0
//
// Finds where and when something happens in a simulation, for a second one to show it in waves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/cli/cli.h"
#include "tb/run/simulation.h"
#include "tb/wave/wave_place.h"

namespace lanecut {

struct FoundEvent {
  Cycle first = 0;                // cycles that belong to it
  Cycle last = 0;                 // included
  std::vector<WavePlace> places;  // where it happens
  std::string text;               // what it was
};

class EventSearch {
 public:
  // Looks for one event at these switches, from before the first cycle of the simulation on, which
  // ends when it has been seen. Pointers are kept.
  static std::unique_ptr<EventSearch> Make(const WaveEvent& event, const Scenario& scenario,
                                           Simulation* simulation, const std::vector<int>& nodes);
  virtual ~EventSearch() = default;

  // After the simulation.
  virtual std::optional<FoundEvent> Found() = 0;
};

}  // namespace lanecut
