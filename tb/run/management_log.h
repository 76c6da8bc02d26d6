// SPDX-License-Identifier: Apache-2.0
//
// Writes down management packets as they pass the pins of switches: "trap-sent" when a switch sends
// its trap 128, for the first time or again (detail: the transaction ID, which a repetition keeps);
// "table-arrived" when a packet that changes tables, banks or functions has come whole and
// undamaged to the switch that it is for (detail: as of "table-sent"). The agent carries it out
// some ten cycles later; a packet that finds the buffer full is lost and arrives again. Floods are
// left out.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "sw/results/recorder.h"
#include "sw/topology/topology.h"

namespace lanecut {

class ManagementLog {
 public:
  // The topology is kept.
  explicit ManagementLog(const Topology* topology) : topology_(topology) {}
  // Nothing is recorded before.
  void SetRecorder(Recorder* recorder) { recorder_ = recorder; }

  // As of SwitchObserver.
  void OnIn(int node, std::span<const std::uint32_t> words, Cycle t);
  void OnOut(int node, std::span<const std::uint32_t> words, Cycle t);

 private:
  const Topology* topology_;
  Recorder* recorder_ = nullptr;
  // By LID: the switch that has sent a trap under it first. Others pass it on.
  std::map<std::uint16_t, int> issuers_;
};

}  // namespace lanecut
