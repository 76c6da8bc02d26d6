// SPDX-License-Identifier: Apache-2.0
#include "models/reference/waiting_cycle.h"

#include <algorithm>

namespace lanecut::reference {

std::vector<int> FindWaitingCycle(const std::vector<int>& waits_for) {
  const int n = static_cast<int>(waits_for.size());
  std::vector<int> seen_from(waits_for.size(), -1);
  for (int start = 0; start < n; ++start) {
    int at = start;
    while (at >= 0 && seen_from[static_cast<std::size_t>(at)] < 0) {
      seen_from[static_cast<std::size_t>(at)] = start;
      at = waits_for[static_cast<std::size_t>(at)];
    }
    if (at < 0 || seen_from[static_cast<std::size_t>(at)] != start) continue;
    std::vector<int> cycle;
    const int first = at;
    do {
      cycle.push_back(at);
      at = waits_for[static_cast<std::size_t>(at)];
    } while (at != first);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
  }
  return {};
}

}  // namespace lanecut::reference
