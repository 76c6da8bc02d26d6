// SPDX-License-Identifier: Apache-2.0
#include "tb/fabric/scheme.h"

namespace lanecut {

ReconfigurationScheme SchemeOf(const Scenario& scenario) {
  const std::optional<ReconfigurationScheme> scheme = FindScheme(scenario.reconfiguration.scheme);
  if (!scheme) {
    throw ErrorAt(scenario, "reconfiguration.scheme", "the manager does not know it",
                  "a scheme of this build");
  }
  return *scheme;
}

}  // namespace lanecut
