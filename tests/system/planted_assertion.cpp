// SPDX-License-Identifier: Apache-2.0
//
// Apart from the rest, because verilated headers behave differently where SystemC is included.
#include "tests/system/planted_assertion.h"

#include <verilated.h>

namespace lanecut::testing {

void PlantFailedAssertion() { VL_STOP_MT("planted.sv", 1, "planted"); }

}  // namespace lanecut::testing
