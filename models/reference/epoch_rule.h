// SPDX-License-Identifier: Apache-2.0
//
// EBR: may a head that cannot move be dropped, by the numbers of the function that sent it here
// (E_PCK), of the one that routed it here (E_RTD) and of the switch's own (E_SCHD)?
//
// Source: J. M. Montañana, PhD thesis, Universitat Politècnica de València 2008, table 6.2; the
// formula in its text misses row 20.
#pragma once

#include <cstdint>

#include "sw/wire/function_number.h"

namespace lanecut::reference {

constexpr bool EpochSaysDrop(std::uint8_t packet, std::uint8_t routed, std::uint8_t now) {
  return IsNewer(now, packet) || (IsNewer(now, routed) && !IsNewer(packet, now));
}

}  // namespace lanecut::reference
