// SPDX-License-Identifier: Apache-2.0
//
// Switches for rings of four: 5 ports, 1 data VL, buffers of 8 blocks. In a file of their own, as
// verilated headers go with no SystemC.
#pragma once

namespace lanecut::testing {

enum class RingSwitch {
  kEbr,          // as it is
  kLiteral,      // EbrLiteral: packets leave with the switch's number
  kUnprotected,  // its drop test never says so; with HOQLife
};

// The switch of all fabrics of that size that this process builds from now on.
void UseRingSwitch(RingSwitch which);

}  // namespace lanecut::testing
