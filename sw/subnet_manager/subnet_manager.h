// SPDX-License-Identifier: Apache-2.0
//
// The subnet manager: brings a fabric up and keeps it routed, by management packets and nothing
// else.
//
// Bring-up: discovery by directed routes; tables computed and checked; LIDs, ports to Armed; tables
// loaded; ports to Active. Then it answers trap 128 and sweeps the switches for changes it was not
// told of. A changed topology is routed anew by a reconfiguration, with the scheme of the
// configuration (see Reconfiguration). A link that only bounced is activated again.
//
// It is driven by events and keeps no clock: the owner calls OnMad() for every MAD that arrives and
// OnTimer() no later than NextDeadline(). Given the same calls it does the same, bit for bit. Every
// wait ends: with an answer, or after the last retry with a restart, or with event kFailed,
// kCutOff or kGaveWay, which names the reason, and after which it sends nothing more.
//
// The service level for every (source, destination) is in tables().sl. In a real subnet an end node
// would ask subnet administration for a path record; the owner of this object is expected to give
// each end node its SLs from tables(), at kSubnetUp and again at every event with `new_tables`.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sw/routing/routing.h"
#include "sw/subnet_manager/mad_transport.h"
#include "sw/subnet_manager/planned_change.h"
#include "sw/subnet_manager/sm_config.h"
#include "sw/subnet_manager/sm_observer.h"
#include "sw/topology/topology.h"
#include "sw/wire/word.h"

namespace lanecut {

inline constexpr Cycle kNoDeadline = ~Cycle{0};

class SubnetManager {
 public:
  // Keeps references to `transport` and `observer`. Throws RoutingError if config.routing_engine
  // does not exist, or for a standby under a scheme that keeps the tables of the bring-up.
  SubnetManager(SmConfig config, MadTransport& transport, SmObserver& observer);
  ~SubnetManager();
  SubnetManager(const SubnetManager&) = delete;
  SubnetManager& operator=(const SubnetManager&) = delete;

  void Start(Cycle now);
  void OnMad(const Mad& mad, Cycle now);
  // The link of the manager's own node has come up or gone down, after Start(). A manager whose
  // link stays down for SmConfig::timeout gives up for good, with event kCutOff, whatever comes
  // later: by then another one may be in its place.
  void OnLink(bool is_up, Cycle now);
  // Does what is due at `now`; calling it early is harmless.
  void OnTimer(Cycle now);
  // The cycle by which OnTimer() wants to be called; kNoDeadline if nothing is due.
  Cycle NextDeadline() const;

  // Carries out a change that somebody asks for, after those asked for before it: at once if the
  // subnet is up, else when it is. A change that is impossible is refused with an event, and all
  // stays as it is. Under static, osr-la and osr-pda no packet is lost by one, provided that nobody
  // sends to end nodes that are not IsServed(), and these do not send, from kChangePlanned on.
  void Change(PlannedChange change, Cycle now);
  // False from the beginning of a change that takes this end node out of service to that of one
  // that brings it back; it can be reached from the next event with `new_tables` on.
  bool IsServed(std::uint64_t end_node_guid) const;

  // Asks every switch that can be reached for the counters of its ports. `done` is called once, and
  // not before this returns unless nothing is to be asked: with all of them, or with fewer if a
  // request is not answered or a change of the fabric comes between. Only while IsSettled().
  void ReadCounters(Cycle now, std::function<void(const std::vector<PortReading>&)> done);
  // Calls `done` with what has been read by now, if it has not been called.
  void StopReadingCounters();

  SmPhase phase() const;
  bool IsUp() const;       // the first bring-up is complete; stays true through reconfigurations
  bool IsSettled() const;  // up, and no inspection or reconfiguration is running or remembered

  // The tables in force and the topology they are for. Nodes: switches by GUID, then end nodes by
  // GUID, names from their NodeDescription; nodes that can no longer be reached stay in, without
  // cables. Empty before the first event with `new_tables`.
  const Topology& topology() const;
  const RoutingTables& tables() const;
  const SmpCounters& counters() const;
  const std::vector<TableComputation>& computations() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lanecut
