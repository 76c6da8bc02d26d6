// SPDX-License-Identifier: Apache-2.0
//
// Writes the waves of some switches of a simulation, in a window of its cycles. Cycle t takes place
// at t x ns per cycle in the file: there run.clk rises, and what stands there until the next cycle
// are inputs, outputs and registers of cycle t.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "tb/run/simulation.h"
#include "tb/wave/readable_switch.h"
#include "tb/wave/shadow.h"
#include "tb/wave/wave_file.h"

namespace lanecut {

struct WaveWindow {
  Cycle first = 0;
  Cycle last = 0;  // included
};

class WaveRecorder {
 public:
  // Before the simulation's first cycle. Calls `done` after the last cycle of the window. The file
  // appears when that begins. Throws std::invalid_argument if this build cannot trace such
  // switches.
  WaveRecorder(const Scenario& scenario, Simulation* simulation, const std::vector<int>& nodes,
               const WaveWindow& window, const std::filesystem::path& file,
               std::function<void()> done);

  // Completes the file if the simulation ended inside the window. False if it ended before.
  bool Finish();
  // The last cycle written.
  Cycle last() const { return last_; }

 private:
  void OnCycle(Cycle now);
  void Write(Cycle t);
  void Open();
  void Close();
  void NameLids();

  Simulation* simulation_;
  WaveWindow window_;
  std::filesystem::path path_;
  std::function<void()> done_;
  std::uint64_t ns_per_cycle_;
  Shadows shadows_;
  std::vector<int> nodes_;
  ValueNames lids_;
  std::vector<std::unique_ptr<ReadableSwitch>> readable_;
  std::unique_ptr<WaveFile> file_;
  int task_;
  Cycle last_ = 0;      // written, or being written
  bool clock_ = false;  // the value of run.clk
  bool closed_ = false;
};

}  // namespace lanecut
