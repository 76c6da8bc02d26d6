// SPDX-License-Identifier: Apache-2.0
//
// Writes down every packet by which the manager changes tables, banks and functions: when it goes
// out and when its answer is back. Events "table-sent" and "table-answered"; place: the node it is
// for; detail: attribute, modifier and transaction ID, which tells repetitions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "sw/mad/mad.h"
#include "sw/results/recorder.h"
#include "sw/topology/topology.h"

namespace lanecut {

// A Set of tables, of a bank or of a function.
bool ChangesTables(const Mad& mad);
// Attribute, modifier and transaction ID.
std::string DescribeTablePacket(const Mad& mad);

class TableLog {
 public:
  // `manager`: its end node. The topology is kept.
  TableLog(const Topology* topology, int manager) : topology_(topology), manager_(manager) {}
  // Nothing is recorded before.
  void SetRecorder(Recorder* recorder) { recorder_ = recorder; }

  void OnSent(const Mad& mad, Cycle t);
  void OnReceived(const Mad& mad, Cycle t);

 private:
  void Record(std::string_view kind, const Mad& mad, Cycle t);

  const Topology* topology_;
  int manager_;
  Recorder* recorder_ = nullptr;
  std::unordered_set<std::uint64_t> sent_;  // transaction IDs
};

}  // namespace lanecut
