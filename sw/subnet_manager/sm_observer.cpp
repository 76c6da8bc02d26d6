// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/sm_observer.h"

namespace lanecut {

std::string_view SmPhaseName(SmPhase phase) {
  switch (phase) {
    case SmPhase::kIdle:
      return "idle";
    case SmPhase::kDiscovery:
      return "discovery";
    case SmPhase::kRouting:
      return "routing";
    case SmPhase::kLidAssignment:
      return "lid-assignment";
    case SmPhase::kTableLoad:
      return "table-load";
    case SmPhase::kActivation:
      return "activation";
    case SmPhase::kUp:
      return "up";
    case SmPhase::kHalt:
      return "halt";
    case SmPhase::kDrain:
      return "drain";
    case SmPhase::kReload:
      return "reload";
    case SmPhase::kResume:
      return "resume";
    case SmPhase::kNumbering:
      return "numbering";
    case SmPhase::kBankLoad:
      return "bank-load";
    case SmPhase::kStart:
      return "start";
    case SmPhase::kTokens:
      return "tokens";
    case SmPhase::kCommit:
      return "commit";
    case SmPhase::kFailed:
      return "failed";
  }
  return "unknown";
}

std::string_view SmEventName(SmEventKind kind) {
  switch (kind) {
    case SmEventKind::kDiscoveryDone:
      return "discovery-done";
    case SmEventKind::kTablesComputed:
      return "tables-computed";
    case SmEventKind::kLidsAssigned:
      return "lids-assigned";
    case SmEventKind::kTablesLoaded:
      return "tables-loaded";
    case SmEventKind::kSubnetUp:
      return "subnet-up";
    case SmEventKind::kTrapReceived:
      return "trap-received";
    case SmEventKind::kSweepChange:
      return "sweep-change";
    case SmEventKind::kTopologyChanged:
      return "topology-changed";
    case SmEventKind::kReconfigurationStarted:
      return "reconfiguration-started";
    case SmEventKind::kHalted:
      return "halted";
    case SmEventKind::kDrained:
      return "drained";
    case SmEventKind::kResumed:
      return "resumed";
    case SmEventKind::kChangeStarted:
      return "change-started";
    case SmEventKind::kChangeCompleted:
      return "change-completed";
    case SmEventKind::kLinksRestored:
      return "links-restored";
    case SmEventKind::kRestarted:
      return "restarted";
    case SmEventKind::kFailed:
      return "failed";
  }
  return "unknown";
}

}  // namespace lanecut
