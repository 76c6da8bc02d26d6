// SPDX-License-Identifier: Apache-2.0
//
// Writes down how a change of routing functions goes through the fabric, as the hardware shows it
// and not as the manager hears of it: each channel's token, each node's VLs, each switch's number,
// and the cycle in which the last switch and the last end node have the new function.
//
// Events: "token-passed" (an input channel, or an end node, has processed its token), "token-sent"
// (an output channel has), "number" (a switch's function); under Double Scheme, of switches and end
// nodes, "vl-drain", "vl-idle" (the others are empty, for the first time), "switch-over" and
// "reopened" (all VLs may be used); under EBR "epoch-drop", with the three numbers
// that the drop test has seen; "path", an end node takes another path to a destination, which is
// named by its lowest LID. The milestone "in-force" is the end of a change: under OSR the
// last end node has its tokens, under EBR the last switch its tables, under Double Scheme the last
// node all VLs. A change that does not reach a switch or end node, because it has been cut off, has
// no such end.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "models/hca/hca_observer.h"
#include "models/reference/reference_model.h"
#include "sw/results/recorder.h"
#include "sw/subnet_manager/sm_config.h"
#include "sw/topology/topology.h"

namespace lanecut {

class ChangeLog {
 public:
  // `vls`: data VLs. The topology is kept.
  ChangeLog(const Topology* topology, int vls, ReconfigurationScheme scheme);
  // Nothing is recorded before.
  void SetRecorder(Recorder* recorder) { recorder_ = recorder; }

  void OnSwitchState(int node, const SwitchState& state, Cycle t);
  // A switch has dropped the head of an output queue by HOQLife or by LifeTimeValue, of an input
  // queue under EBR.
  void OnHoqDrop(int node, int port, int vl, Cycle t);
  void OnLifeDrop(int node, int port, int vl, Cycle t);
  void OnEpochDrop(int node, int port, int vl, const EpochNumbers& numbers, Cycle t);
  // An end node has its token of `number` on data VL `vl`.
  void OnTokenPassed(int hca, int vl, std::uint8_t number, Cycle t);
  // An end node under Double Scheme stands there now.
  void OnDrain(int hca, const HcaDrain& drain, Cycle t);
  // An end node takes another path to a destination.
  void OnPathChange(int hca, const PathTable::Change& change, Cycle t);
  // A cable of the topology has gone down or come up. Nobody waits for a node without a link.
  void OnLink(int cable, bool is_up, Cycle t);

 private:
  struct Channels {
    const char* event;
    std::bitset<SwitchState::kChannels> before;
    std::bitset<SwitchState::kChannels> now;
  };

  void FollowVls(int node, HcaDrain now, Cycle t);
  // Which VLs a node may use, if it has changed.
  void RecordVls(int node, const HcaDrain& before, const HcaDrain& now, Cycle t);
  void RecordChannels(int node, const Channels& channels, Cycle t);
  bool HasFunction(int node) const;
  void CheckInForce(Cycle t);

  const Topology* topology_;
  int vls_;
  ReconfigurationScheme scheme_;
  Recorder* recorder_ = nullptr;
  std::uint8_t newest_ = 0;
  bool under_way_ = false;
  std::vector<bool> is_up_;                        // by cable
  std::vector<int> links_;                         // by node: those that are up
  std::vector<SwitchState> states_;                // by node
  std::vector<HcaDrain> drains_;                   // by node
  std::vector<std::vector<std::uint8_t>> passed_;  // by node, then VL: number of the last token
};

}  // namespace lanecut
