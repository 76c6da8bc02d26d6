// SPDX-License-Identifier: Apache-2.0
//
// PathRecord of subnet administration: how a port reaches another one.
//
// Source: InfiniBand Architecture volume 1, 15.2.1 (the MAD: RMPP header, SM_Key, ComponentMask)
// and 15.2.5.16 (the attribute).
#pragma once

#include <cstdint>

#include "sw/mad/mad.h"

namespace lanecut::ib {

struct Gid {
  std::uint64_t prefix = 0;
  std::uint64_t guid = 0;  // of the port
  friend bool operator==(const Gid&, const Gid&) = default;
};

struct PathRecord {
  Gid dgid;
  Gid sgid;
  std::uint16_t dlid = 0;
  std::uint16_t slid = 0;
  bool reversible = false;
  std::uint8_t num_paths = 0;  // 7 bits; in a request the most that are wanted
  std::uint16_t p_key = 0;
  std::uint8_t sl = 0;                // 4 bits
  std::uint8_t mtu = 0;               // 6 bits: a code, 1 = 256 bytes ..
  std::uint8_t rate = 0;              // 6 bits: a code, 2 = 2.5 Gb/s, 3 = 10 Gb/s ..
  std::uint8_t packet_life_time = 0;  // 6 bits: 4.096 us x 2^packet_life_time

  // Of a MAD whose status is good.
  static PathRecord Decode(const Mad& mad);
  void Encode(Mad* mad) const;
  friend bool operator==(const PathRecord&, const PathRecord&) = default;
};

// SubnAdmGet(PathRecord) for one reversible path from a port to another one.
Mad MakePathQuery(const Gid& from, const Gid& to);

}  // namespace lanecut::ib
