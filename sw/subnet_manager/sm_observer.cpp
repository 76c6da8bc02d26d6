// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/sm_observer.h"

#include <array>

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
    case SmPhase::kVlDrain:
      return "vl-drain";
    case SmPhase::kSwitchOver:
      return "switch-over";
    case SmPhase::kReopen:
      return "reopen";
    case SmPhase::kPaths:
      return "paths";
    case SmPhase::kStandby:
      return "standby";
    case SmPhase::kTakeover:
      return "takeover";
    case SmPhase::kFailed:
      return "failed";
  }
  return "unknown";
}

namespace {

struct EventNames {
  SmEventKind kind;
  std::string_view event;
  std::string_view stage;
};

// In the order of SmEventKind.
constexpr std::array<EventNames, 27> kEventNames = {{
    {SmEventKind::kDiscoveryDone, "discovery-done", ""},
    {SmEventKind::kTablesComputed, "tables-computed", "computed"},
    {SmEventKind::kLidsAssigned, "lids-assigned", ""},
    {SmEventKind::kTablesLoaded, "tables-loaded", "loaded"},
    {SmEventKind::kSubnetUp, "subnet-up", "up"},
    {SmEventKind::kTrapReceived, "trap-received", "detected"},
    {SmEventKind::kSweepChange, "sweep-change", "detected"},
    {SmEventKind::kTopologyChanged, "topology-changed", ""},
    {SmEventKind::kReconfigurationStarted, "reconfiguration-started", ""},
    {SmEventKind::kHalted, "halted", "halted"},
    {SmEventKind::kDrained, "drained", "drained"},
    {SmEventKind::kResumed, "resumed", "resumed"},
    {SmEventKind::kChangeStarted, "change-started", "started"},
    {SmEventKind::kChangeCompleted, "change-completed", "completed"},
    {SmEventKind::kAlternatesTaken, "alternates-taken", "on-alternates"},
    {SmEventKind::kRecoveryChosen, "recovery-chosen", "recovery"},
    {SmEventKind::kPathsChanged, "paths-changed", "migrated"},
    {SmEventKind::kChangePlanned, "change-planned", "planned"},
    {SmEventKind::kChangeRefused, "change-refused", "refused"},
    {SmEventKind::kOutOfService, "out-of-service", "disabled"},
    {SmEventKind::kLinksRestored, "links-restored", "restored"},
    {SmEventKind::kCutOff, "cut-off", "cut-off"},
    {SmEventKind::kGaveWay, "gave-way", "gave-way"},
    {SmEventKind::kManagerLost, "manager-lost", "manager-lost"},
    {SmEventKind::kTookOver, "took-over", "took-over"},
    {SmEventKind::kRestarted, "restarted", ""},
    {SmEventKind::kFailed, "failed", "failed"},
}};

constexpr bool IsInOrder() {
  for (std::size_t i = 0; i < kEventNames.size(); ++i) {
    if (static_cast<std::size_t>(kEventNames[i].kind) != i) return false;
  }
  return static_cast<std::size_t>(SmEventKind::kFailed) + 1 == kEventNames.size();
}
static_assert(IsInOrder());

const EventNames& NamesOf(SmEventKind kind) {
  return kEventNames.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::string_view SmEventName(SmEventKind kind) { return NamesOf(kind).event; }
std::string_view SmStageName(SmEventKind kind) { return NamesOf(kind).stage; }

}  // namespace lanecut
