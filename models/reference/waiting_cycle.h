// SPDX-License-Identifier: Apache-2.0
//
// The cycle in a graph where everyone waits for at most one other.
#pragma once

#include <vector>

namespace lanecut::reference {

// `waits_for[i]` is the index that i waits for, or negative. Returns the members of the cycle that
// is reached from the lowest index, in waiting order and beginning with the lowest member; empty if
// there is none.
std::vector<int> FindWaitingCycle(const std::vector<int>& waits_for);

}  // namespace lanecut::reference
