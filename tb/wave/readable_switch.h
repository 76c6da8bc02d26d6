// SPDX-License-Identifier: Apache-2.0
//
// The queues of a switch as readable signals: NAME.port1.in_vl0.state and so on, NAME being the
// scope of the switch. VL15's queues are in_vl15 and out_vl15.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sw/topology/topology.h"
#include "tb/wave/readable.h"
#include "tb/wave/switch_view.h"

namespace lanecut {

// A node's name as that of a scope: other characters than letters, digits and _ become _, and then
// the node's number follows.
std::string ScopeName(const Topology& topology, int node);

// The scope of a queue in that of its switch: {"port1", "in_vl0"}.
std::array<std::string, 2> QueueScope(const char* direction, int port, int lane, int vls);

class ReadableSwitch {
 public:
  // Pointers are kept. `lids` names LIDs.
  ReadableSwitch(const Topology& topology, int node, int vls, const SwitchView* view,
                 const ValueNames* lids);
  ReadableSwitch(const ReadableSwitch&) = delete;
  ReadableSwitch& operator=(const ReadableSwitch&) = delete;

  std::vector<ReadableSignal> Signals() const;

 private:
  using Value = std::uint64_t (*)(const SwitchView& view, std::size_t queue);
  struct Column {
    const char* name;
    int bits;
    const ValueNames* names;
    Value value;
  };

  void AddQueue(const std::array<std::string, 2>& scope, std::size_t queue,
                const std::vector<Column>& columns, std::vector<ReadableSignal>* to) const;
  std::vector<Column> InputColumns() const;
  std::vector<Column> OutputColumns() const;

  std::string name_;
  int ports_;
  int vls_;
  const SwitchView* view_;
  const ValueNames* lids_;
  ValueNames input_states_;
  ValueNames output_states_;
  ValueNames outputs_;  // as what a head wants
  ValueNames inputs_;   // as who holds an output
};

}  // namespace lanecut
