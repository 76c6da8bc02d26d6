// SPDX-License-Identifier: Apache-2.0
//
// --capture and --capture-window. Private to sw/cli.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sw/cli/cli.h"
#include "sw/topology/topology.h"

namespace lanecut {

// `links`: ports like "S0_0:1", one for each link, or "all"; none captures nothing. `window`:
// "A..B", cycles, B not included, each may be left out; or empty. Throws UsageError.
std::optional<CaptureOptions> ParseCapture(const std::vector<std::string>& links,
                                           const std::string& window, const Topology& topology);

}  // namespace lanecut
