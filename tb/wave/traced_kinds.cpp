// SPDX-License-Identifier: Apache-2.0
#include "tb/wave/traced_kinds.h"

#include <fmt/format.h>
#include <verilated.h>

#include <algorithm>
#include <stdexcept>

namespace lanecut {

void CheckTraceable(const SwitchKind& kind) {
  std::string known;
  for (const TracedEntry& entry : BuiltTracedKinds()) {
    if (entry.kind == kind) return;
    known += (known.empty() ? "" : "; ") + DescribeSwitchKind(entry.kind);
  }
  throw std::invalid_argument(
      fmt::format("this build has no waves of the switch with {} (docs/waves.md says how to add "
                  "them); there is: {}",
                  DescribeSwitchKind(kind), known.empty() ? "none" : known));
}

std::unique_ptr<TracedSwitch> MakeTracedSwitch(const SwitchKind& kind, const std::string& name) {
  CheckTraceable(kind);
  SwitchContext()->traceEverOn(true);
  const std::vector<TracedEntry> entries = BuiltTracedKinds();
  return std::ranges::find(entries, kind, &TracedEntry::kind)->make(kind, name);
}

}  // namespace lanecut
