// SPDX-License-Identifier: Apache-2.0
//
// An end node as a SystemC module. What is asked of it from outside goes through here, so that it
// wakes up.
#pragma once

#include <vector>

#include "models/hca/hca.h"
#include "tb/fabric/fabric_clock.h"

namespace lanecut {

class HcaModule : public sc_core::sc_module {
 public:
  // `node` is its number in the fabric, and that of its activity counter in the clock. `observer`
  // may be null.
  HcaModule(const sc_core::sc_module_name& name, FabricClock* clock, int node,
            const HcaConfig& config, HcaObserver* observer);

  void Connect(Link* link, int end);
  // The state of the link has changed.
  void OnLinkChange() { awake_.Set(true); }

  // As in Hca, for the cycle that is being simulated, or is next.
  bool Offer(std::uint16_t dlid, int payload_bytes, std::uint8_t sl);
  bool SendMad(const MadBytes& mad, std::uint16_t dlid);
  bool SendCompact(const CompactPacket& compact);
  void SetSlQuery(Hca::SlQuery query) { hca_.SetSlQuery(std::move(query)); }
  void SetPathQuery(Hca::PathQuery query) { hca_.SetPathQuery(std::move(query)); }
  void LoadPaths(std::uint16_t lid, std::vector<PathTable::Path> paths);
  void DropWithoutPath() { hca_.DropWithoutPath(clock_->now()); }
  void FollowSls() { hca_.FollowSls(); }
  void SetMadHandler(Hca::MadHandler handler, Hca::Manager manager = Hca::Manager::kDirectedOnly) {
    hca_.SetMadHandler(std::move(handler), manager);
  }
  void SetManager(Hca::Manager manager) { hca_.SetManager(manager); }
  void SetLinkHandler(Hca::LinkHandler handler) { hca_.SetLinkHandler(std::move(handler)); }

  // It could send a data packet and has not.
  bool PacketsWait() const {
    return hca_.DataWaits() && !hca_.halted() && hca_.port_state() == ib::PortState::kActive;
  }
  const Hca& hca() const { return hca_; }

 private:
  void Edge();

  FabricClock* clock_;
  AwakeState awake_;
  int node_;
  Hca hca_;
};

}  // namespace lanecut
