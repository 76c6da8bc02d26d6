// SPDX-License-Identifier: Apache-2.0
//
// The M_Key of an end node: which subnet management packets its agent takes (IBA 14.2.4).
//
// With an M_Key other than zero, a Set or a TrapRepress must bring it, and with protection bits 2
// or 3 a Get, too; else the packet is denied and counted. With protection bits 1 a Get without it
// reads the M_Key as zero. The first packet that is denied starts the lease, if there is a lease
// period; any that brings the M_Key stops it. When it ends the protection bits become zero.
#pragma once

#include <cstdint>
#include <optional>

#include "sw/mad/attributes.h"
#include "sw/mad/mad.h"
#include "sw/wire/word.h"

namespace lanecut {

class MKey {
 public:
  explicit MKey(Cycle cycles_per_second) : cycles_per_second_(cycles_per_second) {}

  // False if the packet, which comes in cycle t, is denied.
  bool Admits(const ib::Mad& mad, Cycle t);
  // The fields of PortInfo, as this request may read them.
  void Read(const ib::Mad& request, ib::PortInfo* info) const;
  void Write(const ib::PortInfo& info);

 private:
  bool IsBroughtBy(const ib::Mad& mad) const { return key_ == 0 || mad.m_key() == key_; }

  Cycle cycles_per_second_;
  std::uint64_t key_ = 0;
  std::uint8_t protect_bits_ = 0;
  std::uint16_t lease_period_ = 0;  // seconds, 0 for ever
  std::uint16_t violations_ = 0;
  std::optional<Cycle> lease_end_;
};

}  // namespace lanecut
