// SPDX-License-Identifier: Apache-2.0
//
// A fabric in simulation: verilated switches and model end nodes joined by links, as a topology
// says, and a clock.
//
// Nodes and links have the indices of the topology. Link i is cable i; its end 0 is the cable's end
// `a`, so lane 2i goes from a to b and lane 2i+1 back. SystemC allows one fabric per process (and
// no second one after it): tests fork.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "models/link/link.h"
#include "sw/scenario/scenario.h"
#include "sw/topology/topology.h"
#include "tb/fabric/fabric_clock.h"
#include "tb/fabric/hca_module.h"
#include "tb/switch/switch_module.h"

namespace lanecut {

// Who wants to know what happens; any of them may be null.
struct FabricObservers {
  HcaObserver* hca = nullptr;          // nodes are numbered by their place among the end nodes
  SwitchObserver* switches = nullptr;  // nodes are numbered as in the topology
  LinkObserver* links = nullptr;
};

// What has moved since the start, summed over the fabric.
struct FabricTraffic {
  std::uint64_t packet_starts = 0;       // packets of any kind begun on a link
  std::uint64_t data_packet_starts = 0;  // of these, data
  std::uint64_t delivered = 0;           // data packets
  std::uint64_t switch_evaluations = 0;
};

class Fabric {
 public:
  // The verilated switch that the scenario asks for. Throws ScenarioError if there is none.
  static SwitchKind KindFor(const Scenario& scenario, const Topology& topology);

  // Takes link, switch, node, seed and run.skip_idle from the scenario. Throws as KindFor().
  Fabric(const Scenario& scenario, const Topology& topology, const FabricObservers& observers);
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  const Topology& topology() const { return topology_; }
  FabricClock& clock() { return *clock_; }
  const SwitchKind& switch_kind() const { return kind_; }
  HcaModule& hca(int index) { return *hcas_[index]; }  // by place among the end nodes
  int num_hcas() const { return static_cast<int>(hcas_.size()); }
  const Link& link(int cable) const { return *links_[cable]; }

  // To be called between cycles or from the agenda; they take effect in the cycle that is being
  // simulated, or is next. A cable has a link while it is not cut and no manager has disabled a
  // port at one of its ends.
  void Cut(int cable);
  void Restore(int cable);
  // Told when a cable gets or loses its link, in that cycle.
  using LinkHandler = std::function<void(int cable, bool up, Cycle t)>;
  void SetLinkHandler(LinkHandler handler) { link_handler_ = std::move(handler); }
  void SetLinkFaults(int cable, const LinkFaults& faults);
  // Replaces who watches all links.
  void SetLinkObserver(LinkObserver* observer);
  // Or this one.
  void SetLinkObserver(int cable, LinkObserver* observer);

  // Of one switch, by node; before the first cycle. Null: nobody.
  void SetEdgeObserver(int node, EdgeObserver* observer) {
    switches_of_node_[node]->SetEdgeObserver(observer);
  }

  FabricTraffic traffic() const;
  // Some switch holds a packet, or some end node could send one and has not.
  bool PacketsWait() const;
  // Nothing is queued in switches, on its way, or being sent or received.
  bool Quiet() const;

 private:
  void AddNodes(const Scenario& scenario, const FabricObservers& observers);
  void AddLinks(const Scenario& scenario, const FabricObservers& observers);
  void ConnectEnd(int cable, int end, const PortRef& at);
  void PhyChanged(const PortRef& at, bool up);
  void FollowEnable(int node, int port, bool enabled);
  void FollowCables();
  void FollowCable(int cable);
  SwitchModule* SwitchAt(int node) { return switches_of_node_[node]; }

  const Topology topology_;
  std::uint64_t seed_;
  SwitchKind kind_;
  std::unique_ptr<FabricClock> clock_;
  std::vector<std::unique_ptr<Link>> links_;
  std::vector<std::unique_ptr<SwitchModule>> switches_;
  std::vector<std::unique_ptr<HcaModule>> hcas_;
  std::vector<SwitchModule*> switches_of_node_;  // by node; null for end nodes
  std::vector<HcaModule*> hcas_of_node_;         // by node; null for switches
  struct CableState {
    bool cut = false;
    std::array<bool, 2> disabled = {};  // by its ends
  };
  std::vector<CableState> cables_;
  std::vector<int> changed_;  // cables, to be looked at in the next cycle
  int follow_task_;
  LinkHandler link_handler_;
};

}  // namespace lanecut
