// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/smp_batch.h"

#include <fmt/format.h>

namespace lanecut {

bool CheckReply(const SmpReply& reply, ib::MadAttribute attribute, const std::string& what,
                StageResult* result) {
  switch (reply.outcome) {
    case SmpOutcome::kAnswered:
      return true;
    case SmpOutcome::kSkipped:
      return false;
    case SmpOutcome::kRefused:
      result->Note(StageOutcome::kRefused,
                   fmt::format("{} answered {} with status {:#06x}", what,
                               ib::MadAttributeName(attribute), reply.mad.status()));
      return false;
    case SmpOutcome::kTimedOut:
      result->Note(StageOutcome::kIncomplete,
                   fmt::format("{} {} {}", what,
                               reply.mad.status() == 0 ? "does not answer" : "is too busy for",
                               ib::MadAttributeName(attribute)));
      return false;
    case SmpOutcome::kNoRoute:
      result->Note(StageOutcome::kIncomplete, fmt::format("{} cannot be reached any more", what));
      return false;
  }
  return false;
}

}  // namespace lanecut
