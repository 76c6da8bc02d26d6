// SPDX-License-Identifier: Apache-2.0
//
// Tells nodes that are new what the numbers of routing functions mean, and brings them to the
// number that everybody else has.
//
// The number in force is what most switches report when the manager first looks; afterwards the
// reconfigurations move it on. A switch with another number gets this one by a commit of its
// inactive bank, an end node by a command while it is told to send no tokens. A switch that was cut
// off in the middle of a change ends that first. All of this is harmless as long as the links of
// the node are not Active. All numbers count modulo 8.
#pragma once

#include <cstdint>
#include <functional>
#include <set>

#include "sw/subnet_manager/fabric_map.h"
#include "sw/subnet_manager/smp_batch.h"
#include "sw/subnet_manager/table_loader.h"

namespace lanecut {

class Numbering {
 public:
  using Done = std::function<void(const StageResult&)>;

  Numbering(const SmConfig& config, FabricMap& map, SmpEngine& engine, TableLoader& loader);

  // Does so with all nodes that are new. With `hold`, end nodes among them do not inject until they
  // are released: there are no tables for them yet.
  void Run(bool hold, Done done);
  void Abandon() { batch_.Abandon(); }
  // What another manager has left behind: the newest number, and end nodes that it holds.
  void Inherit(std::uint8_t number, std::set<int> held);
  // Some reachable node is new.
  static bool IsNeeded(const FabricMap& map);

  // Lets an end node inject, if it was held; as part of a batch that is running.
  void Release(SmpBatch& batch, StageResult& result, int node);
  const std::set<int>& held() const { return held_; }

  // What the numbers shall mean to all nodes.
  ib::FunctionScheme Scheme() const;
  // The newest number in use.
  std::uint8_t number() const { return number_; }
  void set_number(std::uint8_t number) { number_ = number; }

 private:
  void FindNumber();
  void ForEachNew(bool switches, const std::function<void(int)>& submit,
                  std::function<void()> next);
  std::uint8_t Reported(int node) const;
  void NumberSwitch(int node);
  void ReadBank(int node);
  void EndChange(int node);
  void AwaitEnd(int node, std::uint8_t number, int polls_left);
  void AlignSwitch(int node);
  void Hold(int node);
  void NumberEndNode(int node);
  void StartEndNode(int node, std::uint8_t number, std::function<void()> next);
  void Ask(int node, SmpRequest request, std::function<void(const Mad&)> next);
  void SetScheme(int node, ib::FunctionScheme scheme, std::function<void()> next);
  void Finish(int node);

  const SmConfig& config_;
  FabricMap& map_;
  SmpBatch batch_;
  TableLoader& loader_;
  StageResult result_;
  bool is_found_ = false;
  std::uint8_t number_ = 0;
  std::set<int> held_;  // end nodes
};

}  // namespace lanecut
