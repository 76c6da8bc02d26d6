// SPDX-License-Identifier: Apache-2.0
//
// A general management packet as words: on a data VL, between the queue pairs 1.
#pragma once

#include <cstdint>

#include "tests/rtl/mgmt/smp.h"

namespace lanecut::mgmt_test {

inline constexpr uint8_t kPerformance = 0x04;

// The request `smp` to queue pair `qp`.
inline Words BuildGeneral(const Smp& smp, uint32_t qp = 1) {
  Words words = Build(smp);
  words[0] &= 0x0FFFFFFF;
  words[3] = qp;
  words[5] = 0x80010000;
  words[6] = 1;
  SealIcrc(words);
  return words;
}

}  // namespace lanecut::mgmt_test
