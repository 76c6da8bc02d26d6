// SPDX-License-Identifier: Apache-2.0
//
// Replaces the tables of a running fabric while no packet is in it: stop injection everywhere, wait
// until the network is empty, load what differs, bring up new links, let injection go on.
//
// The network counts as empty when two successive polls of every switch find all queues empty and
// the same packet counters: a single poll races with packets that move from a switch not yet asked
// to one that was. End nodes are asked until they have sent their last packet. Injection is stopped
// and started node by node, through the window of outstanding SMPs, or by a flood: then those who
// have missed it are told again when a poll finds them. Source of the scheme: static
// reconfiguration of InfiniBand-like networks, as the baseline of the reconfiguration papers.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "sw/subnet_manager/computed_reconfiguration.h"

namespace lanecut {

// It reports kTablesComputed, kHalted, kDrained, kTablesLoaded and kResumed. Injection stays
// stopped until a run is complete.
class StaticReconfiguration : public ComputedReconfiguration {
 public:
  explicit StaticReconfiguration(const ReconfigurationTools& tools);

  void Run(const RoutePlan& before, const RoutePlan& after, Report report, Done done) override;
  bool IsCommitted() const override { return false; }

 private:
  struct NodeActivity {
    bool busy = false;
    std::uint32_t received = 0;
    std::uint32_t sent = 0;
    std::uint32_t dropped = 0;
    friend bool operator==(const NodeActivity&, const NodeActivity&) = default;
  };

  void SetInjection(bool halted, std::function<void()> next);
  void FloodInjection(bool halted);
  void SendInjection(int node, bool halted);
  void AskWhoIsHalted(std::function<void()> next);
  void OnHalted();
  void NoteHalted();
  void StartDrain();
  void Poll();
  void OnPolled();
  bool IsDrained() const;
  std::string BusyNodes() const;
  void OnComputed() override;
  void LoadInactiveBanks();
  void TryReload();
  void LoadTables();
  void OnTablesLoaded();
  void Resume();
  void LoadRest();

  Cycle drain_deadline_ = 0;
  bool is_drained_ = false;
  bool is_halted_ = false;     // every end node has said so
  bool is_preloaded_ = false;  // the inactive banks hold the new tables
  std::vector<NodeActivity> previous_;
  // End nodes that were seen halted and idle, and stay so. What they still receive has left the
  // last switch.
  std::set<int> stopped_;
  std::vector<NodeActivity> current_;  // by node of the map
};

}  // namespace lanecut
