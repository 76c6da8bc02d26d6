// SPDX-License-Identifier: Apache-2.0
//
// How the subnet manager reaches the fabric: it hands over MADs, and MADs that arrive for it are
// handed to SubnetManager::OnMad(). Nothing else passes between the two.
#pragma once

#include "sw/mad/mad.h"
#include "sw/wire/compact.h"

namespace lanecut {

class MadTransport {
 public:
  virtual ~MadTransport() = default;

  // Queues one SMP for sending on VL15 with QP0. A directed-route SMP carries its route: HopPointer
  // 0, HopCount and InitialPath filled in, HopCount 0 for the manager's own node; `dlid` is then
  // ib::kPermissiveLid. A LID-routed SMP goes to `dlid`. Returns false if there is no room now; the
  // manager tries again later. Delivery is not promised. May call SubnetManager::OnMad() before it
  // returns.
  virtual bool Send(const Mad& mad, std::uint16_t dlid) = 0;

  // The same for a compact request, with its whole path, or a flood. Its answer comes as the MAD
  // that MadOf() makes of it.
  virtual bool SendCompact(const CompactPacket& compact) = 0;
};

}  // namespace lanecut
