// SPDX-License-Identifier: Apache-2.0
//
// The subnet management agent of an end node: answers Get and Set, and owns what a subnet manager
// can read or set.
//
// Attributes: NodeDescription, NodeInfo, GUIDInfo, PortInfo, P_KeyTable, SLtoVLMappingTable,
// VLArbitrationTable, and the vendor's Status, Injection, Scheme, Function, VlDrain and Paths (Set
// only). Errors:
// UnsupportedAttribute for an attribute, or attribute and method, that it does not have;
// InvalidField for a modifier or a value that it refuses; Busy for a function that cannot follow
// now; a refused Set changes nothing. PortInfo.PortState can be set to Armed from Initialize or
// Armed, to Active from Armed or Active (IBA 14.2.5.6); Down asks for a link initialization.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/hca/m_key.h"
#include "models/hca/path_table.h"
#include "models/hca/routing_function.h"
#include "models/hca/vl_arbiter.h"
#include "models/hca/vl_drain.h"
#include "sw/mad/attributes.h"
#include "sw/mad/mad.h"

namespace lanecut {

class Sma {
 public:
  struct Config {
    std::uint64_t node_guid = 0;
    std::string name = {};
    int num_vls = 2;
    int buffer_blocks = 16;
    int vl15_blocks = 32;
    bool four_lanes = false;  // 4X instead of 1X
  };

  explicit Sma(const Config& config);

  // False if the M_Key denies the packet, which comes in cycle t: it gets no answer.
  bool Admits(const ib::Mad& mad, Cycle t) { return m_key_.Admits(mad, t); }
  // Turns a Get or a Set into its response. `status` is what the node knows for Status: busy and
  // the counts. True if the link is to be initialized again.
  bool Answer(ib::Mad* mad, const ib::VendorStatus& status);
  // The same for a Get, which changes nothing.
  void AnswerGet(ib::Mad* mad, const ib::VendorStatus& status) const;

  ib::PortState port_state() const { return port_info_.port_state; }
  // By the link: Down, or Initialize when the physical link comes up.
  void SetLinkState(ib::PortState state);

  // A subnet manager runs on this node: PortInfo says so.
  void SetIsManager(bool is_manager);

  std::uint16_t lid() const { return port_info_.lid; }
  std::uint16_t master_lid() const { return port_info_.master_sm_lid; }
  std::uint32_t capability_mask() const { return port_info_.capability_mask; }
  // With the LIDs that LMC adds.
  bool OwnsLid(std::uint16_t lid) const {
    return port_info_.lid != 0 && lid >> port_info_.lmc == port_info_.lid >> port_info_.lmc;
  }
  // The SL of what this node sends to a LID without having been told one.
  std::uint8_t SlTo(std::uint16_t lid) const {
    return lid == port_info_.master_sm_lid ? port_info_.master_sm_sl : 0;
  }
  bool halted() const { return halted_; }
  RoutingFunction& function() { return function_; }
  const RoutingFunction& function() const { return function_; }
  PathTable& paths() { return paths_; }
  const PathTable& paths() const { return paths_; }
  VlDrain& vl_drain() { return vl_drain_; }
  const VlDrain& vl_drain() const { return vl_drain_; }
  VlArbiter& vl_arbiter() { return vl_arbiter_; }
  int operational_vls() const { return operational_vls_; }
  // By its table, and by a change under way.
  int VlOfSl(int sl) const {
    const int vl = sl_to_vl_.vl_of_sl[static_cast<std::size_t>(sl)];
    return vl < operational_vls_ ? vl_drain_.VlFor(vl) : vl;
  }

 private:
  ib::MadStatus Get(ib::Mad* mad, const ib::VendorStatus& status) const;
  void GetPortInfo(ib::Mad* mad) const;
  ib::MadStatus Set(const ib::Mad& mad, bool* initialize);
  ib::MadStatus SetPortInfo(const ib::PortInfo& wanted, bool* initialize);
  ib::MadStatus SetScheme(ib::FunctionScheme scheme);
  ib::MadStatus SetPaths(const ib::VendorPaths& wanted);
  ib::MadStatus SetVlDrain(const ib::VendorVlDrain& wanted);
  bool Acceptable(const ib::PortInfo& wanted) const;

  Config config_;
  ib::PortInfo port_info_;  // without what is in m_key_
  MKey m_key_;
  ib::SlToVlBlock sl_to_vl_;
  ib::PKeyBlock p_keys_;  // not enforced
  RoutingFunction function_;
  PathTable paths_;
  VlDrain vl_drain_;
  VlArbiter vl_arbiter_;
  bool halted_ = false;
  int operational_vls_;
};

}  // namespace lanecut
