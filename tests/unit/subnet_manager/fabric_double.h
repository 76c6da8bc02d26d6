// SPDX-License-Identifier: Apache-2.0
//
// A fabric in software for tests of the subnet manager: an agent per node, SMPs that walk hop by
// hop over a topology, and an event queue. It moves no data packets; a switch can be told to look
// busy. Of the tokens of a change it models that a switch starts when a neighbour has, and changes
// its bank when it is ready and all neighbours have started. Under Double Scheme a node's VLs take
// as long to run empty, once it drains and once it has switched over.
//
// Compact packets walk by their own path, and are flooded, as sw/wire/compact.h says.
//
// SMPs take `hop_cycles` per hop, compact packets a sixth of it; a manager's own link takes a cycle
// per word and direction, 73 for an SMP, as in hardware. Tables hold rubbish after reset. A switch
// sends trap 128 and repeats it until repressed, once it has a LID and knows the manager.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sw/mad/attributes.h"
#include "sw/routing/feeder_rows.h"
#include "sw/subnet_manager/route_plan.h"
#include "sw/subnet_manager/subnet_manager.h"
#include "sw/topology/topology.h"
#include "sw/wire/flood_filter.h"

namespace lanecut {

struct DoubleOptions {
  Cycle hop_cycles = 90;
  double loss = 0;  // of every SMP, once per direction
  std::uint32_t seed = 1;
  bool send_traps = true;
  bool traps_for_sets = false;      // a state set by the manager counts as a change, too
  bool optimized_sl_to_vl = false;  // wildcards in SLtoVL Sets
  int lft_depth = 1024;
  std::uint8_t arbitration_entries = 8;
  int vls = 2;
  int manager = -1;          // node with the manager; the first end node if -1
  int standby = -1;          // node with the standby; the last end node if -1
  Cycle token_cycles = 400;  // from one node to the next; of a VL, to run empty
};

class FabricDouble {
 public:
  struct Port {
    bool phy_up = false;
    ib::PortState state = ib::PortState::kDown;
    ib::PortInfo set;                                             // as last set
    std::map<std::uint32_t, ib::VlArbitrationBlock> arbitration;  // by block
  };
  struct Agent {
    Lid lid = 0;
    Lid master_lid = 0;
    std::uint16_t fdb_top = 0;
    std::uint8_t life_time = 31;
    bool state_change = false;
    std::uint64_t trap_tid = 0;
    bool trap_pending = false;
    bool halted = false;
    std::map<Lid, ib::VendorPaths::Entry> paths;  // end node: as last told, by destination
    int busy_polls = 0;    // Status reads that will still find a packet waiting
    int moving_polls = 0;  // Status reads that will still find the counters moved
    std::uint32_t moved = 0;
    int bank = 0;
    std::uint8_t epoch = 5;  // end node: of what it injects
    std::uint16_t data_blocks = 16;
    std::vector<std::uint8_t> lft[2];
    std::map<std::pair<int, int>, ib::SlToVlBlock> sl_to_vl[2];
    std::vector<Port> ports;
    int commits = 0;
    ib::VendorEndNodePorts end_node_ports;
    ib::FunctionScheme scheme = ib::FunctionScheme::kNone;
    std::uint32_t hold_cycles = 0;
    std::map<int, FeederRows::Block> rows[2];
    bool ready = false;
    bool started = false;
    bool draining = false;
    bool restricted = false;
    Cycle empty_at = 0;  // the VL that it waits for
    int flips = 0;
    int late_writes = 0;   // to an inactive bank that could become active at any time
    int busy_answers = 0;  // Sets of Function, VlDrain and Bank that will still be answered "busy"
    bool mute = false;     // does not answer
    FloodFilter floods;
    int floods_taken = 0;
  };

  FabricDouble(Topology topology, DoubleOptions options);

  // Creates and starts a manager; may be called once.
  SubnetManager& StartManager(SmConfig config);
  // ... and another one, which waits until the first is lost.
  SubnetManager& StartStandby(SmConfig config);
  // The master: the standby once it has taken over.
  SubnetManager& manager();
  SubnetManager& first_manager() { return *stations_[0].manager; }

  // Runs until `done` says so; false at `limit` cycles, or when nothing is left to happen.
  bool RunUntil(const std::function<bool()>& done, Cycle limit);
  void RunFor(Cycle cycles);
  void At(Cycle cycle, std::function<void()> action) { Schedule(cycle, std::move(action)); }
  Cycle now() const { return now_; }

  void Cut(int cable);
  void Restore(int cable);

  const Topology& topology() const { return topology_; }
  Agent& agent(int node) { return agents_[node]; }
  Agent& agent(const std::string& name) { return agents_[*topology_.FindNode(name)]; }
  int manager_node() const { return stations_[0].node; }
  int standby_node() const { return stations_[1].node; }
  // Switches in the order in which they committed a bank, by name.
  std::vector<std::string> commits;

  // Events of the managers.
  const std::vector<SmEvent>& events() const { return log_.events; }
  int Count(SmEventKind kind) const;
  // The first event of this kind from `from` on.
  std::optional<SmEvent> Find(SmEventKind kind, Cycle from = 0) const;

  // See every SMP that the manager sends, is about to receive, and every trap; false loses it.
  std::function<bool(const Mad&)> outbound_filter;
  std::function<bool(const Mad&)> inbound_filter;
  std::function<bool(const Mad&)> trap_filter;
  // Sees every copy of a flooded command that is about to arrive at a node.
  std::function<bool(int node)> flood_filter;

  bool refuse_all = false;  // the transport has no room for anything but the manager's own node

  std::uint64_t compact_words = 0;  // sent by managers

  // Would a data packet arrive? Follows LFT, SLtoVL and port states as they are in the agents, on
  // the path that the source has been told, else on the first one of the manager's tables; empty if
  // it would, else why not.
  std::string WhyUndeliverable(int source, int destination);

 private:
  struct Log : SmObserver {
    void OnEvent(const SmEvent& event) override { events.push_back(event); }
    std::vector<SmEvent> events;
  };
  // A manager and its port.
  struct Station : MadTransport {
    bool Send(const Mad& mad, std::uint16_t dlid) override {
      return fabric->Send(*this, mad, dlid);
    }
    bool SendCompact(const CompactPacket& compact) override {
      return fabric->SendCompact(*this, compact);
    }
    FabricDouble* fabric = nullptr;
    int node = -1;
    std::unique_ptr<SubnetManager> manager;
    Cycle tx_free = 0;
    Cycle rx_free = 0;
  };
  struct Event {
    Cycle cycle;
    std::uint64_t order;
    std::function<void()> action;
    bool operator<(const Event& other) const {
      return std::tie(other.cycle, other.order) < std::tie(cycle, order);
    }
  };

  void Schedule(Cycle cycle, std::function<void()> action);
  SubnetManager& StartAt(Station& station, SmConfig config);
  Station* StationAt(int node);
  bool Send(Station& station, const Mad& mad, Lid dlid);
  bool SendCompact(Station& station, const CompactPacket& compact);
  bool IsLost();
  void Inject(int node, Mad mad, Lid dlid);
  void Traverse(int node, int port, Mad mad, Lid dlid);
  void Arrive(int node, int port, Mad mad, Lid dlid);
  void RouteByLid(int node, Mad mad, Lid dlid);
  void Process(int node, int port, Mad mad);
  void TraverseCompact(int node, int port, const CompactPacket& compact);
  void ArriveCompact(int node, int port, CompactPacket compact);
  void ArriveFlood(int node, int port, const CompactPacket& flood);
  void ProcessCompact(int node, int port, const CompactPacket& request);
  ib::MadStatus AnswerUpdate(int node, const CompactPacket& request);
  ib::MadStatus WriteUpdate(int node, const CompactPacket& request);
  void Deliver(Station& station, const Mad& mad, Cycle words);
  ib::MadStatus Answer(int node, int port, Mad* mad);
  ib::MadStatus AnswerPortInfo(int node, int port, Mad* mad);
  ib::MadStatus AnswerSwitchInfo(int node, Mad* mad);
  ib::MadStatus AnswerBlock(int node, Mad* mad, int bank);
  ib::MadStatus AnswerSlToVl(int node, Mad* mad, int bank);
  ib::MadStatus AnswerStatus(int node, Mad* mad);
  ib::MadStatus AnswerBank(int node, Mad* mad);
  ib::MadStatus AnswerCounters(int node, Mad* mad);
  ib::MadStatus AnswerFunction(int node, Mad* mad);
  ib::MadStatus AnswerRows(int node, Mad* mad);
  ib::MadStatus AnswerVlDrain(int node, Mad* mad);
  ib::MadStatus SetVlDrain(int node, const ib::VendorVlDrain& wanted);
  void EncodeVlDrain(int node, Mad* mad);
  bool SaysBusy(int node, const Mad& mad);
  void NoteWrite(int node, int bank);
  bool WaitsForToken(int node) const;
  void ScheduleTokens();
  void PassTokens();
  void SetState(int node, int port, ib::PortState state);
  void TellManager(int node, bool is_up);
  void NoteChange(int node);
  void SendTrap(int node);

  Topology topology_;
  DoubleOptions options_;
  std::array<Station, 2> stations_;  // of the manager and of the standby
  std::vector<Agent> agents_;
  std::vector<bool> cable_up_;
  Log log_;
  std::priority_queue<Event> queue_;
  std::uint64_t order_ = 0;
  std::mt19937 random_;
  Cycle now_ = 0;
};

}  // namespace lanecut
