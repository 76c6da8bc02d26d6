// SPDX-License-Identifier: Apache-2.0
#include "tests/system/ring_switches.h"

#include <Vring_ebr.h>
#include <Vring_literal.h>
#include <Vring_unprotected.h>

#include "tb/switch/registry.h"
#include "tb/switch/verilated_switch.h"

namespace lanecut::testing {

void UseRingSwitch(RingSwitch which) {
  SwitchKind kind{.ports = 5, .vls = 1, .buf_blocks = 8, .lids = 64, .schemes = true};
  kind.lifetime = which == RingSwitch::kUnprotected;
  kind.ebr_literal = which == RingSwitch::kLiteral;
  switch (which) {
    case RingSwitch::kEbr:
      return AddSwitchKind(kind, MakerOf<Vring_ebr>());
    case RingSwitch::kLiteral:
      return AddSwitchKind(kind, MakerOf<Vring_literal>());
    case RingSwitch::kUnprotected:
      return AddSwitchKind(kind, MakerOf<Vring_unprotected>());
  }
}

}  // namespace lanecut::testing
