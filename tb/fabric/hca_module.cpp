// SPDX-License-Identifier: Apache-2.0
#include "tb/fabric/hca_module.h"

namespace lanecut {

HcaModule::HcaModule(const sc_core::sc_module_name& name, FabricClock* clock, int node,
                     const HcaConfig& config, HcaObserver* observer)
    : sc_module(name), clock_(clock), awake_(clock), node_(node), hca_(config, observer) {
  SC_HAS_PROCESS(HcaModule);
  SC_METHOD(Edge);
  sensitive << clock->edge();
  dont_initialize();
}

void HcaModule::Connect(Link* link, int end) {
  link->In(end).SetActivityCounter(clock_->Activity(node_));
  hca_.Connect(link, end);
}

bool HcaModule::Offer(std::uint16_t dlid, int payload_bytes, std::uint8_t sl) {
  const bool taken = hca_.Offer(clock_->now(), dlid, payload_bytes, sl);
  awake_.Set(true);
  return taken;
}

void HcaModule::LoadPaths(std::uint16_t lid, std::vector<PathTable::Path> paths) {
  hca_.LoadPaths(lid, std::move(paths), clock_->now());
  awake_.Set(true);
}

bool HcaModule::SendMad(const MadBytes& mad, std::uint16_t dlid) {
  const bool taken = hca_.SendMad(mad, dlid);
  awake_.Set(true);
  return taken;
}

bool HcaModule::SendCompact(const CompactPacket& compact) {
  const bool taken = hca_.SendCompact(compact);
  awake_.Set(true);
  return taken;
}

void HcaModule::Edge() {
  hca_.Step(clock_->now());
  awake_.Set(!hca_.Idle());
}

}  // namespace lanecut
