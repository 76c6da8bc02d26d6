// SPDX-License-Identifier: Apache-2.0
#include "tb/run/change_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sw/wire/function_number.h"

namespace lanecut {

ChangeLog::ChangeLog(const Topology* topology, int vls, ReconfigurationScheme scheme)
    : topology_(topology),
      vls_(vls),
      scheme_(scheme),
      is_up_(topology->cables().size(), true),
      links_(topology->nodes().size()),
      states_(topology->nodes().size()),
      drains_(topology->nodes().size()),
      passed_(topology->nodes().size(), std::vector<std::uint8_t>(static_cast<std::size_t>(vls))) {
  for (const Cable& cable : topology->cables()) {
    for (const PortRef& end : {cable.a, cable.b}) ++links_[static_cast<std::size_t>(end.node)];
  }
}

void ChangeLog::OnLink(int cable, bool is_up, Cycle t) {
  if (is_up_[static_cast<std::size_t>(cable)] == is_up) return;
  is_up_[static_cast<std::size_t>(cable)] = is_up;
  const Cable& ends = topology_->cables()[static_cast<std::size_t>(cable)];
  for (const PortRef& end : {ends.a, ends.b})
    links_[static_cast<std::size_t>(end.node)] += is_up ? 1 : -1;
  CheckInForce(t);
}

void ChangeLog::OnSwitchState(int node, const SwitchState& state, Cycle t) {
  SwitchState& known = states_[static_cast<std::size_t>(node)];
  RecordChannels(node, {"token-passed", known.done, state.done}, t);
  RecordChannels(node, {"token-sent", known.sent, state.sent}, t);
  const bool is_new = state.epoch != known.epoch;
  known = state;
  if (is_new) {
    if (recorder_ != nullptr) {
      recorder_->Event(t, "number", topology_->node(node).name, fmt::format("{}", state.epoch));
    }
    if (IsNewer(state.epoch, newest_)) {
      newest_ = state.epoch;
      under_way_ = true;
    }
  }
  FollowVls(node, {state.epoch, state.draining, state.vl_idle, state.restricted}, t);
}

void ChangeLog::OnHoqDrop(int node, int port, int vl, Cycle t) {
  if (recorder_ == nullptr) return;
  recorder_->Event(t, "hoq-drop", fmt::format("{}:{} VL {}", topology_->node(node).name, port, vl),
                   "");
}

void ChangeLog::OnLifeDrop(int node, int port, int vl, Cycle t) {
  if (recorder_ == nullptr) return;
  recorder_->Event(t, "life-drop", fmt::format("{}:{} VL {}", topology_->node(node).name, port, vl),
                   "");
}

void ChangeLog::OnEpochDrop(int node, int port, int vl, const EpochNumbers& numbers, Cycle t) {
  if (recorder_ == nullptr) return;
  recorder_->Event(t, "epoch-drop",
                   fmt::format("{}:{} VL {}", topology_->node(node).name, port, vl),
                   fmt::format("{} {} {}", numbers.packet, numbers.routed, numbers.now));
}

void ChangeLog::OnDrain(int hca, const HcaDrain& drain, Cycle t) {
  FollowVls(topology_->hcas()[static_cast<std::size_t>(hca)], drain, t);
}

void ChangeLog::OnPathChange(int hca, const PathTable::Change& change, Cycle t) {
  if (recorder_ == nullptr) return;
  const auto text = [](const std::optional<PathTable::Path>& path) {
    return path ? fmt::format("LID {} SL {}", path->dlid, path->sl) : "none";
  };
  recorder_->Event(
      t, "path",
      fmt::format("{} to LID {}",
                  topology_->node(topology_->hcas()[static_cast<std::size_t>(hca)]).name,
                  change.lid),
      fmt::format("{} -> {}", text(change.from), text(change.to)));
}

void ChangeLog::FollowVls(int node, HcaDrain now, Cycle t) {
  HcaDrain& known = drains_[static_cast<std::size_t>(node)];
  // What comes from others on a VL that the node has emptied is not its own.
  now.idle = now.draining && (now.idle || known.idle);
  const HcaDrain before = std::exchange(known, now);
  RecordVls(node, before, now, t);
  CheckInForce(t);
}

void ChangeLog::RecordVls(int node, const HcaDrain& before, const HcaDrain& now, Cycle t) {
  if (recorder_ == nullptr) return;
  const auto record = [&](bool happened, std::string_view what) {
    if (happened) recorder_->Event(t, what, topology_->node(node).name, "");
  };
  // An end node that has missed the drain switches over without.
  const bool switched =
      (before.draining && !now.draining) || (now.restricted && !before.restricted);
  record(now.draining && !before.draining, "vl-drain");
  record(now.idle && !before.idle, "vl-idle");
  record(switched, "switch-over");
  record(!now.restricted && (before.restricted || switched), "reopened");
}

void ChangeLog::OnTokenPassed(int hca, int vl, std::uint8_t number, Cycle t) {
  const int node = topology_->hcas()[static_cast<std::size_t>(hca)];
  passed_[static_cast<std::size_t>(node)][static_cast<std::size_t>(vl)] = number;
  if (recorder_ != nullptr) {
    recorder_->Event(t, "token-passed", fmt::format("{} VL {}", topology_->node(node).name, vl),
                     fmt::format("{}", number));
  }
  CheckInForce(t);
}

// A flip clears the channels: what was not seen before it has happened with it.
void ChangeLog::RecordChannels(int node, const Channels& channels, Cycle t) {
  if (recorder_ == nullptr) return;
  const auto risen = channels.now & ~channels.before;
  for (int c = 0; c < topology_->node(node).num_ports * vls_ && risen.any(); ++c) {
    if (!risen[static_cast<std::size_t>(c)]) continue;
    recorder_->Event(t, channels.event,
                     fmt::format("{}:{} VL {}", topology_->node(node).name, c / vls_ + 1, c % vls_),
                     "");
  }
}

bool ChangeLog::HasFunction(int node) const {
  const auto index = static_cast<std::size_t>(node);
  if (links_[index] == 0) return true;
  if (DrainsVls(scheme_)) {
    const HcaDrain& vls = drains_[index];
    return vls.number == newest_ && !vls.draining && !vls.restricted;
  }
  if (topology_->IsSwitch(node)) return states_[index].epoch == newest_;
  return !UsesTokens(scheme_) || std::ranges::all_of(passed_[index], [this](std::uint8_t number) {
    return number == newest_;
  });
}

void ChangeLog::CheckInForce(Cycle t) {
  if (!under_way_) return;
  for (int node = 0; node < static_cast<int>(states_.size()); ++node) {
    if (!HasFunction(node)) return;
  }
  under_way_ = false;
  if (recorder_ != nullptr) recorder_->Milestone(t, "in-force", "", fmt::format("{}", newest_));
}

}  // namespace lanecut
