// SPDX-License-Identifier: Apache-2.0
//
// A failing assertion without a mistake in the RTL.
#pragma once

namespace lanecut::testing {

// Calls what verilated code calls when an assertion fails. There must be a verilated switch.
void PlantFailedAssertion();

}  // namespace lanecut::testing
